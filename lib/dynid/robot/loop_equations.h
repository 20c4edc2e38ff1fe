#pragma once

#include "dynid/robot/robot.h"

#include <Eigen/Core>

namespace dynid {

/// The loops' constraints at tree coordinates q, and their Jacobian:
///
///     c(q) = 0,   dc/dt = A(q) dq
///
/// Each cut joint compares its frames A and B (R, p: pose of B in A; z its axis, t1, t2 across it):
///
///     spherical  E^T p                                    E = [t1 t2 z]
///     revolute   E^T p, t1.Rz, t2.Rz
///     prismatic  t1.p, t2.p, E^T vee((R - R^T)/2)
///     fixed      E^T p, E^T vee((R - R^T)/2)
///
/// The rows of a planar mechanism are linearly dependent; this code does not need them to be
/// independent. Lengths are divided by `loopSize`, so that lengths and angles have similar weights
/// if the description closes only to its printed digits.
struct LoopEquations {
  Eigen::VectorXd c;  ///< [rows] rad, and lengths divided by loopSize
  Eigen::MatrixXd A;  ///< [rows x tree coordinates]; zero for joints that are in no loop
};
LoopEquations loopEquations(const Robot& robot, const Eigen::VectorXd& q);

/// [t1 t2 z]: the axis z of the cut joint and two unit vectors perpendicular to it.
Eigen::Matrix3d loopBasis(const Loop& loop);
/// Number of rows of c for this type of cut joint.
int rowsOf(Loop::Type type);
/// Size of the robot [m]: mean distance of the joint frames and the frames of cut joints from the
/// origins of their bodies.
double loopSize(const Robot& robot);
/// Whether the rows of the cut joint vanish (nearly) because frames A and B are rotated by half a
/// turn against each other, which is not the intended closure.
bool halfATurnApart(const Robot& robot, const Loop& loop, const Eigen::VectorXd& q);

}  // namespace dynid
