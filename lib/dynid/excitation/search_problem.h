#pragma once

#include "dynid/excitation/criterion.h"
#include "dynid/excitation/motion_limits.h"
#include "dynid/excitation/sought_parameters.h"
#include "dynid/excitation/space.h"

#include <Eigen/Core>

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

namespace dynid {

/// Input of the search for a trajectory.
struct SearchProblem {
  std::shared_ptr<const Robot> robot;
  SoughtParameters sought;
  MotionLimits limits;
  int harmonics = 5;
  double period_s = 20.0;  ///< period of the Fourier series
  Criterion criterion = Criterion::kCondition;
  /// [actuators] Weights 1/sigma of the rows for the criteria D, A and E. The condition number is
  /// that of the unweighted rows.
  Eigen::VectorXd weights;
  std::vector<Eigen::MatrixXd> earlier;  ///< as in Information: information of earlier logs
  std::shared_ptr<const Space> space;    ///< collision constraints; null: none
  bool from_rest = false;  ///< each period begins and ends with zero velocity and acceleration
  std::uint64_t seed = 1;
};

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
