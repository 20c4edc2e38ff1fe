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

/// All that the search for a trajectory needs to know.
struct SearchProblem {
  std::shared_ptr<const Robot> robot;
  SoughtParameters sought;
  MotionLimits limits;
  int harmonics = 5;
  double period_s = 20.0;
  Criterion criterion = Criterion::kCondition;
  Eigen::VectorXd weights;  ///< [actuators] of the rows in D, A, E: 1/sigma; the condition number
                            ///< is that of the unweighted rows
  std::vector<Eigen::MatrixXd> earlier;  ///< as Information's: what statistics know already
  std::shared_ptr<const Space> space;    ///< to keep clear of; null: nothing is looked at
  bool from_rest = false;  ///< a period begins and ends at rest: no velocity, no acceleration
  std::uint64_t seed = 1;
};

/// A trajectory within the limits of position, velocity, acceleration and jerk, and its score: the
/// criterion with hard signs and true eigenvalues on a dense grid. Smaller is better.
struct Candidate {
  Eigen::MatrixXd X;
  double score = INFINITY;  ///< infinite where `excess` is positive or M is singular
  /// How far it is from keeping the rest: 10/m for what it comes too near, and the share by which
  /// the worst effort exceeds its limit. 0: it keeps all.
  double excess = INFINITY;
};

}  // namespace dynid
