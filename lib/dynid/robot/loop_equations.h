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
/// Rows of a planar mechanism are redundant; nothing here needs them independent. Lengths are in
/// units of `loopSize`, so that they weigh as much as angles where a description does not close to
/// its last digit.
struct LoopEquations {
  Eigen::VectorXd c;  ///< [rows] rad, and lengths as part of loopSize
  Eigen::MatrixXd A;  ///< [rows x tree coordinates]; zero for joints that are on no loop
};
LoopEquations loopEquations(const Robot& robot, const Eigen::VectorXd& q);

/// [t1 t2 z]: the cut joint's axis and two directions across it.
Eigen::Matrix3d loopBasis(const Loop& loop);
/// Rows that the cut joint adds to c.
int rowsOf(Loop::Type type);
/// Size of the robot: mean distance of a body's joint frame, or of a cut joint's frame, from its
/// body's origin [m].
double loopSize(const Robot& robot);
/// True where the cut joint's rows vanish (or nearly) the wrong way round, frames A and B half a
/// turn against each other.
bool halfATurnApart(const Robot& robot, const Loop& loop, const Eigen::VectorXd& q);

}  // namespace dynid
