#pragma once

#include "dynid/simulation/simulated_motion.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// Names of the solvers of constrained equations of motion, as accepted by `simulate --integrator`.
std::vector<std::string> constrainedSolverNames();

/// Motion of a mechanism with loops whose drives track a reference motion. The equations of motion
/// of the cut-open tree and its loops are solved by the named solver and integrated (fourth-order
/// Runge-Kutta, steps of at most 2 ms; positions and rates are projected back onto the loops after
/// every step). The drives track the reference r(t) by computed torque with the exact rigid-body
/// model,
///
///     tau = rnea(q, dq, ddr + 2 w (dr - dq) + w^2 (r - q)),   w = 20 rad/s
///
/// where rnea is inverse dynamics by the recursive Newton-Euler algorithm. The result differs from
/// r by the integration error and the remaining tracking error.
struct IntegratedMotion {
  SimulatedMotion motion;  ///< of the driven joints, at the nearest of the samples at `rate_hz`
  double largest_gap = 0;  ///< largest closure error of any sample: rad, or part of loopSize
  double opened_gap = 0;   ///< largest closure error that one step adds, before the projection
  double off_course = 0;   ///< largest |q - r| [rad or m]
};

/// @param pi         [10 bodies] including the payload
/// @param reference  motion of the driven joints
/// @param rate_hz    [Hz] sample rate of the result
/// @param solver     one of constrainedSolverNames
/// @throws InputError with the time if the loops do not close or the solver fails;
///     std::invalid_argument for an unknown solver
IntegratedMotion integrateMotion(const Robot& robot,
                                 const Eigen::VectorXd& pi,
                                 const SimulatedMotion& reference,
                                 double rate_hz,
                                 const std::string& solver);

}  // namespace dynid
