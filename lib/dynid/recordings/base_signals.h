#pragma once

#include "dynid/formulations/unprojected.h"
#include "dynid/logs/base_channels.h"
#include "dynid/robot/robot.h"
#include "dynid/signals/condition.h"

#include <Eigen/Core>

#include <string>

namespace dynid {

/// Where a base is and how it moves, on the clock of the joints; 0 x 0 where it rests at the
/// world's origin.
struct BaseSignals {
  Eigen::MatrixXd pose;    ///< [samples x 7] x y z qx qy qz qw, base in world
  Eigen::MatrixXd motion;  ///< [samples x 9] (w, dw/dt, proper acceleration of the origin), body
                           ///< axes
};

/// The base on the uniform clock, low-passed as the joints' motion is. A twist that was not
/// recorded is derived from the pose; accelerations are derived from the twist. The base of a robot
/// with a fixed base does not move, whatever was recorded: its pose only says where the world is.
///
///     v = R^T dp/dt,  w^ = R^T dR/dt,  a = dv/dt + w x v - R^T g          (v, w, a in body axes)
///
/// @param twist_frame  of recorded.twist: "body" (v, w of the origin, body axes), "space" (w and
///                     the velocity of the point at the world's origin, world axes) or "hybrid" (v
///                     of the origin in world axes, w in body axes)
/// @param raw, joint   window and its conditioned signals
BaseSignals baseOnClock(const Robot& robot,
                        const BaseSamples& recorded,
                        const std::string& twist_frame,
                        const RawSignals& raw,
                        const ConditionedSignals& joint,
                        const SignalPlan& plan);

/// Pose of one sample; the identity for an empty row.
Transform basePose(const Eigen::MatrixXd& pose, Eigen::Index sample);

/// Motion of one sample; at rest, with this gravity, where there is none.
SensedMotion baseMotion(const Eigen::MatrixXd& motion,
                        Eigen::Index sample,
                        const Eigen::Vector3d& gravity);

}  // namespace dynid
