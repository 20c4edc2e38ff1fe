#pragma once

#include "dynid/formulations/unprojected.h"
#include "dynid/logs/base_channels.h"
#include "dynid/robot/robot.h"
#include "dynid/signals/condition.h"

#include <Eigen/Core>

#include <string>

namespace dynid {

/// Pose and motion of the base on the clock of the joints; 0 x 0 if it rests at the world's origin.
struct BaseSignals {
  Eigen::MatrixXd pose;  ///< [samples x 7] x y z qx qy qz qw of the base in the world
  /// [samples x 9] w, dw/dt and proper acceleration of the origin, in body axes.
  Eigen::MatrixXd motion;
};

/// Pose and motion of the base on the uniform clock, low-passed like the motion of the joints. A
/// twist that was not recorded is derived from the pose; accelerations are derived from the twist.
/// For a robot with a fixed base the motion is zero whatever was recorded, and the pose only gives
/// the orientation of gravity.
///
///     v = R^T dp/dt,  w^ = R^T dR/dt,  a = dv/dt + w x v - R^T g          (v, w, a in body axes)
///
/// @param twist_frame  of recorded.twist: "body" (v, w of the origin, body axes), "space" (w, and
///     the velocity of the point at the world's origin, world axes) or "hybrid" (v of the origin in
///     world axes, w in body axes)
/// @param raw, joint   window and its conditioned signals
BaseSignals baseOnClock(const Robot& robot,
                        const BaseSamples& recorded,
                        const std::string& twist_frame,
                        const RawSignals& raw,
                        const ConditionedSignals& joint,
                        const SignalPlan& plan);

/// Pose of one sample; the identity if there are no poses.
Transform basePose(const Eigen::MatrixXd& pose, Eigen::Index sample);

/// Motion of one sample; if there is none, that of a base at rest in this gravity.
SensedMotion baseMotion(const Eigen::MatrixXd& motion,
                        Eigen::Index sample,
                        const Eigen::Vector3d& gravity);

}  // namespace dynid
