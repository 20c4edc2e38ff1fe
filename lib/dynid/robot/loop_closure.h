#pragma once

#include "dynid/robot/loop_equations.h"
#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <string>

namespace dynid {

/// A loop counts as closed if its gap (rad, or relative to loopSize) is below this value. It is
/// above the rounding of right angles written as 1.5708 or 1.571, and below typical mistakes in a
/// description.
inline constexpr double kLoopGap = 1e-3;
/// The position is singular if a passive column of A is a combination of the other ones except for
/// this relative part.
inline constexpr double kLoopSingular = 1e-5;

/// A position of the tree in which the loops are closed, or the reason why it was not found.
struct ClosedPosition {
  bool closed = false;
  std::string reason;       ///< empty if closed; otherwise the reason, with joint and link names
  Eigen::VectorXd q;        ///< [tree coordinates]; the driven joints as given
  Eigen::MatrixXd A;        ///< of loopEquations at q
  Eigen::MatrixXd inverse;  ///< A_p^+ of A's passive columns, [passive joints x rows]
  /// Smallest divided by largest pivot of the QR factor of A_p. The position is singular below
  /// kLoopSingular.
  double pivot_ratio = 0.0;
  double gap = 0.0;  ///< largest |c|: rounding error, or the gap of the description
};

/// Closes the loops near `start` with the driven joints fixed: Gauss-Newton steps of the passive
/// joints, damped (Levenberg) where the residual does not fall; at most 200 steps.
ClosedPosition closeLoopsNear(const Robot& robot, const Eigen::VectorXd& start);

/// The position near `start` with the smallest loop residual if all joints may move, the driven
/// ones too.
Eigen::VectorXd closeAllJoints(const Robot& robot, const Eigen::VectorXd& start);

/// Moves the mechanism from a closed position to other positions of the driven joints, in steps
/// short enough to stay on the same assembly branch: tangent predictor, Gauss-Newton corrector. A
/// step is halved if the corrector does not converge or moves far.
/// @param from  a closed position
/// @param q     [joints] target position
ClosedPosition followLoops(const Robot& robot,
                           const ClosedPosition& from,
                           const Eigen::VectorXd& q);

/// The closed position at q [joints], reached from Robot::assembly. The result is the same for
/// every call.
ClosedPosition closedPosition(const Robot& robot, const Eigen::VectorXd& q);

}  // namespace dynid
