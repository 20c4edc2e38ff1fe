#pragma once

#include "dynid/diagnosis/log_excerpt.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// A gap of a log, in which the zero of a joint may have changed.
struct LogGap {
  Eigen::Index row = 0;               ///< of the excerpt: the first one after the gap
  double begin_s = 0.0, end_s = 0.0;  ///< log times of the samples before and after it
};

/// The three longest gaps that have a tenth of the excerpt's rows on both sides, in order of time.
std::vector<LogGap> longestGaps(const LogExcerpt& excerpt);

/// The changes of a position [rad or m] that are tried first, the smallest one at the front: 0.15
/// rad and a quarter turn in both directions, and a half turn; for a prismatic joint a tenth of its
/// range in the log in both directions.
std::vector<double> firstSteps(const Eigen::VectorXd& positions, bool prismatic);

}  // namespace dynid
