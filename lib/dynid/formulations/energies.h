#pragma once

#include "dynid/dynamics/kinematics.h"
#include "dynid/math/dual.h"
#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

template <typename T>
using RowVectorX = Eigen::Matrix<T, 1, Eigen::Dynamic>;

/// Kinetic energy of a body, K = kineticRow(v, w) . pi, linear in its ten parameters:
///
///     K = 1/2 m v.v + v.(w x h) + 1/2 w.I w
///
/// @param v, w  velocity of the frame's origin [m/s] and angular velocity [rad/s], body axes
template <typename T>
Vector10<T> kineticRow(const Vector3<T>& v, const Vector3<T>& w);

/// Potential energy of a body in gravity g, V = potentialRow(R, p, g) . pi = -g.(m p + R h).
/// @param R_WB, p_WB  pose of the body in the root link's frame
template <typename T>
Vector10<T> potentialRow(const Matrix3<T>& R_WB,
                         const Vector3<T>& p_WB,
                         const Eigen::Vector3d& gravity);

/// Pose of a body in the root link's frame.
template <typename T>
struct BodyPose {
  Matrix3<T> R;  ///< R_WB
  Vector3<T> p;  ///< p_WoBo_W [m]
};
/// The poses of all bodies, from the relative poses in `motions`.
template <typename T>
std::vector<BodyPose<T>> worldPoses(const Robot& robot, const std::vector<BodyMotion<T>>& motions);

/// The energies of a robot, each linear in the parameters of all bodies: K = kinetic . pi and V =
/// potential . pi, rows [1 x 10 bodies].
template <typename T>
struct EnergyRows {
  RowVectorX<T> kinetic;
  RowVectorX<T> potential;
};
template <typename T>
EnergyRows<T> energyRows(const Robot& robot, const VectorX<T>& q, const VectorX<T>& dq);

extern template Vector10<double> kineticRow(const Vector3<double>&, const Vector3<double>&);
extern template Vector10<double> potentialRow(const Matrix3<double>&,
                                              const Vector3<double>&,
                                              const Eigen::Vector3d&);
extern template EnergyRows<double> energyRows(const Robot&,
                                              const VectorX<double>&,
                                              const VectorX<double>&);
extern template EnergyRows<Dual1> energyRows(const Robot&,
                                             const VectorX<Dual1>&,
                                             const VectorX<Dual1>&);
extern template EnergyRows<Dual2> energyRows(const Robot&,
                                             const VectorX<Dual2>&,
                                             const VectorX<Dual2>&);
extern template std::vector<BodyPose<double>> worldPoses(const Robot&,
                                                         const std::vector<BodyMotion<double>>&);
extern template std::vector<BodyPose<Dual1>> worldPoses(const Robot&,
                                                        const std::vector<BodyMotion<Dual1>>&);
extern template std::vector<BodyPose<Dual2>> worldPoses(const Robot&,
                                                        const std::vector<BodyMotion<Dual2>>&);

/// The time derivative as slope of a dual vector: x(t) = x + rate e.
VectorX<Dual1> alongTime(const Eigen::VectorXd& x, const Eigen::VectorXd& rate);

/// x with slope 1 in entry j and 0 elsewhere, for the partial derivative with respect to x_j.
VectorX<Dual1> alongEntry(const Eigen::VectorXd& x, Eigen::Index j);

}  // namespace dynid
