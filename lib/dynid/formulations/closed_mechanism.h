#pragma once

#include "dynid/formulations/constraints.h"
#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <functional>
#include <string>
#include <vector>

namespace dynid {

/// A solver of constrained equations of motion, by its textbook name.
struct ConstrainedSolver {
  std::string name;
  ConstrainedMotion (*solve)(const ConstrainedSystem&);
};
/// augmented, direct, projected, embedded, udwadia-kalaba, maggi.
std::vector<ConstrainedSolver> constrainedSolvers();

/// The constrained equations of a mechanism in the coordinates of its cut-open tree,
///
///     M ddq + bias = tau + A^T lambda,   A ddq = -dA/dt dq
///
/// The loops' rows are combined into as many orthonormal combinations as they are independent (the
/// passive joints): A = U_r^T A_loops, its singular value decomposition cut at the rank. lambda are
/// the forces in the loops in that basis; A^T lambda does not depend on it.
/// @param pi     [10 bodies]
/// @param q, dq  [tree coordinates] closed
/// @param tau    [joints] efforts of the drives; passive joints have none
ConstrainedSystem closedSystem(const Robot& robot,
                               const Eigen::VectorXd& pi,
                               const Eigen::VectorXd& q,
                               const Eigen::VectorXd& dq,
                               const Eigen::VectorXd& tau);

struct MechanismSimulationOptions {
  double step_s = 1e-3;     ///< [s] of the fourth-order Runge-Kutta rule
  double duration_s = 1.0;  ///< [s]
  /// After every step the position goes back onto the loops (driven joints held) and the rates onto
  /// dq = N du. Without it the gap grows with the integrator's error.
  bool project = true;
};

struct MechanismMotion {
  bool solved = true;
  std::string reason;           ///< why it stopped early
  Eigen::VectorXd time;         ///< [samples]
  Eigen::MatrixXd q, dq;        ///< [samples x tree coordinates]
  double largest_gap = 0;       ///< of the loops in any sample (LoopEquations::c)
  double largest_step_gap = 0;  ///< that one step opens, before the projection
};

/// Efforts of the drives at a time, positions and rates of the driven joints [joints].
using DriveEffort = std::function<Eigen::VectorXd(
    double time, const Eigen::VectorXd& q, const Eigen::VectorXd& dq)>;

/// Forward simulation of a mechanism in the coordinates of its cut-open tree.
/// @param q, dq  [joints] start; the passive joints follow
/// @throws InputError where the loops do not close at the start; std::invalid_argument for the
/// options
MechanismMotion simulateMechanism(const Robot& robot,
                                  const Eigen::VectorXd& pi,
                                  const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& dq,
                                  const DriveEffort& effort,
                                  const ConstrainedSolver& solver,
                                  const MechanismSimulationOptions& options = {});

}  // namespace dynid
