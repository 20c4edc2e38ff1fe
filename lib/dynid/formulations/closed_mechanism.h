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

/// The constrained equations of a mechanism with loops in the coordinates of its cut-open tree,
///
///     M ddq + bias = tau + A^T lambda,   A ddq = -dA/dt dq
///
/// The closure rows of the loops are combined into independent orthonormal combinations, one per
/// passive joint: A = U_r^T A_loops, from a singular value decomposition truncated at the rank.
/// lambda are the constraint forces in that basis; A^T lambda does not depend on the basis.
///
/// @param pi     [10 bodies]
/// @param q, dq  [tree coordinates] at which the loops close
/// @param tau    [joints] efforts of the drives; passive joints have none
ConstrainedSystem closedSystem(const Robot& robot,
                               const Eigen::VectorXd& pi,
                               const Eigen::VectorXd& q,
                               const Eigen::VectorXd& dq,
                               const Eigen::VectorXd& tau);

/// Settings of simulateMechanism.
struct MechanismSimulationOptions {
  double step_s = 1e-3;     ///< [s] of the fourth-order Runge-Kutta method
  double duration_s = 1.0;  ///< [s]
  /// After every step the positions are moved back to closed loops (driven joints unchanged) and
  /// the rates to dq = N du. Without this projection the gap grows with the error of the
  /// integrator.
  bool project = true;
};

/// Result of simulateMechanism.
struct MechanismMotion {
  bool solved = true;
  std::string reason;           ///< why it stopped early; empty if it did not
  Eigen::VectorXd time;         ///< [samples]
  Eigen::MatrixXd q, dq;        ///< [samples x tree coordinates]
  double largest_gap = 0;       ///< largest closure error of any sample (LoopEquations::c)
  double largest_step_gap = 0;  ///< largest closure error that one step adds, before the projection
};

/// Efforts [joints] of the drives as a function of time and of the positions and rates of the
/// driven joints [joints].
using DriveEffort = std::function<Eigen::VectorXd(
    double time, const Eigen::VectorXd& q, const Eigen::VectorXd& dq)>;

/// Forward simulation of a mechanism in the coordinates of its cut-open tree.
/// @param q, dq  [joints] initial positions and rates of the driven joints; the passive joints
///     follow from them
/// @throws InputError if the loops do not close at the start; std::invalid_argument for invalid
///     options
MechanismMotion simulateMechanism(const Robot& robot,
                                  const Eigen::VectorXd& pi,
                                  const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& dq,
                                  const DriveEffort& effort,
                                  const ConstrainedSolver& solver,
                                  const MechanismSimulationOptions& options = {});

}  // namespace dynid
