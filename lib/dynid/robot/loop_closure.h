#pragma once

#include "dynid/robot/loop_equations.h"
#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <string>

namespace dynid {

/// Loops that stay open by more than this (rad, or part of loopSize) do not close: above the
/// rounding of right angles written as 1.5708 or 1.571, below what is a mistake.
inline constexpr double kLoopGap = 1e-3;
/// A passive column that its neighbours make up but for this part is not determined: the position
/// is singular.
inline constexpr double kLoopSingular = 1e-5;

/// A position of the tree in which the loops are closed, or why there is none.
struct ClosedPosition {
  bool closed = false;
  std::string reason;       ///< why not, with joint and link names
  Eigen::VectorXd q;        ///< [tree coordinates]; the driven joints as asked for
  Eigen::MatrixXd A;        ///< of loopEquations at q
  Eigen::MatrixXd inverse;  ///< A_p^+ of A's passive columns, [passive joints x rows]
  /// Of A_p: smallest over largest pivot of its QR factor; at kLoopSingular the position is
  /// singular.
  double pivot_ratio = 0.0;
  double gap = 0.0;  ///< largest |c| left: 0 to rounding, or what the description leaves open
};

/// Closes the loops near `start` with its driven joints held: Gauss-Newton steps of the passive
/// ones, damped (Levenberg) where they do not descend. At most 200 steps.
/// @param start  [tree coordinates]
ClosedPosition closeLoopsNear(const Robot& robot, const Eigen::VectorXd& start);

/// A position near `start` in which the loops are as nearly closed as moving all joints, driven
/// ones too, makes them there.
/// @param start  [tree coordinates]
Eigen::VectorXd closeAllJoints(const Robot& robot, const Eigen::VectorXd& start);

/// Follows the mechanism from a closed position to other positions of the driven joints, in steps
/// short enough that it stays on its branch (tangent predictor, Gauss-Newton corrector; a step that
/// the corrector moves far, or cannot close, is halved).
/// @param from  a closed position
/// @param q     [joints] where to
ClosedPosition followLoops(const Robot& robot,
                           const ClosedPosition& from,
                           const Eigen::VectorXd& q);

/// The closed position at q [joints], reached from Robot::assembly: the same on every call.
ClosedPosition closedPosition(const Robot& robot, const Eigen::VectorXd& q);

}  // namespace dynid
