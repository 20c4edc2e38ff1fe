#pragma once

#include "dynid/consistency/cone_scaling.h"
#include "dynid/consistency/conic_problem.h"

#include <Eigen/Core>

namespace dynid {

/// Multipliers of a proof by weak duality: u of the rows of A, nu >= 0 of the rows of C.
struct Multipliers {
  Eigen::VectorXd u, nu;
};

/// The u near b - A x, and the nu near the path's, whose dual slack C^T nu - A^T u + gradient is
/// closest to the path's w in the scaled norm. This norm has the largest weights on the face of the
/// cone that contains x, where a rounding error of A x would enlarge the gap by its size times the
/// trace bound. Of nu only the multipliers of the trace bound and of active bounds change.
/// @param x, nu, scaling  of a point of the path (CentralPath)
/// @param gradient        of the objective's terms besides 1/2 ||A x - b||^2; empty: none
Multipliers repairedMultipliers(const ConicProblem& problem,
                                const Eigen::VectorXd& x,
                                const Eigen::VectorXd& nu,
                                const ConeScaling& scaling,
                                const Eigen::VectorXd& gradient = {});

}  // namespace dynid
