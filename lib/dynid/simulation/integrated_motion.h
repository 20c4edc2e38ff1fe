#pragma once

#include "dynid/simulation/simulated_motion.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// Names of the solvers of constrained equations of motion, as `simulate --integrator` takes them.
std::vector<std::string> constrainedSolverNames();

/// What a mechanism with loops does when its drives follow a motion: the equations of motion of the
/// cut-open tree and its loops, solved by the named solver and integrated (fourth-order
/// Runge-Kutta, at most 2 ms a step, loops and rates projected back after every step). The drives
/// know the rigid bodies and hold to the motion r(t) (computed torque),
///
///     tau = rnea(q, dq, ddr + 2 w (dr - dq) + w^2 (r - q)),   w = 20 rad/s
///
/// so that the result differs from r by the integrator's error and what the servo leaves of it.
struct IntegratedMotion {
  SimulatedMotion motion;  ///< of the driven joints, at the samples of `rate_hz` (nearest one)
  double largest_gap = 0;  ///< of the loops in any sample: rad, or part of loopSize
  double opened_gap = 0;   ///< that one step opened at most, before the projection
  double off_course = 0;   ///< largest |q - r| [rad or m]
};

/// @param pi  [10 bodies] payload included
/// @throws InputError where the loops do not close or the solver fails, with the time;
/// std::invalid_argument for an unknown solver
IntegratedMotion integrateMotion(const Robot& robot,
                                 const Eigen::VectorXd& pi,
                                 const SimulatedMotion& reference,
                                 double rate_hz,
                                 const std::string& solver);

}  // namespace dynid
