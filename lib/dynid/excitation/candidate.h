#pragma once

#include <Eigen/Core>

#include <cmath>

namespace dynid {

/// A trajectory within the limits of position, velocity, acceleration and jerk, and its score: the
/// criterion with the exact sign of the velocity and exact eigenvalues on a dense grid. Smaller is
/// better.
struct Candidate {
  Eigen::MatrixXd X;        ///< Fourier coefficients, see FourierBasis
  double score = INFINITY;  ///< infinite if `excess` is positive or M is singular
  /// Violation of the collision and effort constraints: 10/m times the missing clearance, plus the
  /// fraction by which the largest effort exceeds its limit. 0: all constraints are met.
  double excess = INFINITY;
};

}  // namespace dynid
