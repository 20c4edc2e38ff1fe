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

/// Outward recursion of velocities and accelerations (Newton-Euler, outward half; De Luca, "Dynamic
/// model of robots").
///
/// With q_B = multiplier q_joint + offset and z the joint axis in B:
///     w_B  = R^T w_P + z dq_B                (prismatic: R^T w_P)
///     wd_B = R^T wd_P + z ddq_B + w_B x z dq_B
///     a_B  = R^T (a_P + wd_P x p + w_P x (w_P x p))   [+ z ddq_B + 2 w_B x z dq_B for a prismatic
///     joint]
///
/// @param q, dq, ddq  one entry a tree coordinate [rad or m, per s, per s^2]
/// @param motions     result, one a body; resized once, no allocation afterwards
/// @param gravity     off: a is dv/dt itself
template <typename T>
void treeKinematics(const Robot& robot,
                    const VectorX<T>& q,
                    const VectorX<T>& dq,
                    const VectorX<T>& ddq,
                    std::vector<BodyMotion<T>>& motions,
                    Gravity gravity = Gravity::kOn);

/// The same from the independent joints: loops are closed first (closed_motion.h), a tree needs
/// nothing more.
/// @param q, dq, ddq  one entry an independent joint
/// @throws InputError where a loop does not close at q
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

/// Pose of every body in the root link's frame at positions q of the independent joints.
std::vector<Transform> bodyPoses(const Robot& robot, const Eigen::VectorXd& q);

}  // namespace dynid
