#pragma once

#include "dynid/math/dual.h"
#include "dynid/robot/robot.h"
#include "dynid/spatial/vectors.h"

#include <vector>

namespace dynid {

template <typename T>
using VectorX = Eigen::Matrix<T, Eigen::Dynamic, 1>;

/// Motion of one body at one instant, expressed in its own frame B.
template <typename T>
struct BodyMotion {
  Matrix3<T> R_PB;  ///< orientation in the parent body's frame
  Vector3<T> p_PB;  ///< origin in the parent body's frame [m]
  Vector3<T> v;     ///< velocity of Bo relative to the root link [m/s]
  Vector3<T> w;     ///< angular velocity [rad/s]
  Vector3<T> wd;    ///< its derivative [rad/s^2]
  Vector3<T> a;     ///< proper acceleration of Bo: dv/dt - g [m/s^2]; at rest -g
};

/// Whether accelerations are proper ones.
enum class Gravity { kOn, kOff };

/// Outward recursion of velocities and accelerations, the first half of the Newton-Euler algorithm
/// (Luh, Walker, Paul, J. Dyn. Syst. Meas. Control 102(2), 1980).
///
/// With q_B = multiplier q_joint + offset and z the joint axis in B:
///
///     w_B  = R^T w_P + z dq_B                (prismatic: R^T w_P)
///     wd_B = R^T wd_P + z ddq_B + w_B x z dq_B    (prismatic: R^T wd_P)
///     a_B  = R^T (a_P + wd_P x p + w_P x (w_P x p))
///            [+ z ddq_B + 2 w_B x z dq_B for a prismatic joint]
///
/// @param q, dq, ddq  one entry per tree coordinate [rad or m, per s, per s^2]
/// @param motions     result, one per body; allocated at the first call only
/// @param gravity     off: a is dv/dt without gravity
template <typename T>
void treeKinematics(const Robot& robot,
                    const VectorX<T>& q,
                    const VectorX<T>& dq,
                    const VectorX<T>& ddq,
                    std::vector<BodyMotion<T>>& motions,
                    Gravity gravity = Gravity::kOn);

/// The same from the motion of the independent joints. The loops of a robot are closed first (see
/// closed_motion.h).
/// @param q, dq, ddq  one entry per independent joint [rad or m, per s, per s^2]
/// @throws InputError if a loop does not close at q
template <typename T>
void forwardKinematics(const Robot& robot,
                       const VectorX<T>& q,
                       const VectorX<T>& dq,
                       const VectorX<T>& ddq,
                       std::vector<BodyMotion<T>>& motions);

extern template void forwardKinematics(const Robot&,
                                       const VectorX<double>&,
                                       const VectorX<double>&,
                                       const VectorX<double>&,
                                       std::vector<BodyMotion<double>>&);
extern template void forwardKinematics(const Robot&,
                                       const VectorX<Dual1>&,
                                       const VectorX<Dual1>&,
                                       const VectorX<Dual1>&,
                                       std::vector<BodyMotion<Dual1>>&);
extern template void forwardKinematics(const Robot&,
                                       const VectorX<Dual2>&,
                                       const VectorX<Dual2>&,
                                       const VectorX<Dual2>&,
                                       std::vector<BodyMotion<Dual2>>&);
extern template void treeKinematics(const Robot&,
                                    const VectorX<double>&,
                                    const VectorX<double>&,
                                    const VectorX<double>&,
                                    std::vector<BodyMotion<double>>&,
                                    Gravity);
extern template void treeKinematics(const Robot&,
                                    const VectorX<Dual1>&,
                                    const VectorX<Dual1>&,
                                    const VectorX<Dual1>&,
                                    std::vector<BodyMotion<Dual1>>&,
                                    Gravity);
extern template void treeKinematics(const Robot&,
                                    const VectorX<Dual2>&,
                                    const VectorX<Dual2>&,
                                    const VectorX<Dual2>&,
                                    std::vector<BodyMotion<Dual2>>&,
                                    Gravity);

/// Pose of every body in the root link's frame, for positions q [rad or m] of the independent
/// joints.
std::vector<Transform> bodyPoses(const Robot& robot, const Eigen::VectorXd& q);

}  // namespace dynid
