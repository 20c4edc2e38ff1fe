#pragma once

#include "dynid/consistency/conic_problem.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

struct BoundConflict {
  bool proven = false;     ///< no point of the cone meets all bounds
  double violation = 0.0;  ///< least possible 2-norm of the violations, in scaled rows
  std::vector<Eigen::Index>
      rows;  ///< rows of C (trace row is 0 and never listed) that cannot be met together
};

/// Do the user's rows of `problem` contradict each other on the cone? Solves min 1/2 ||C x + s -
/// d||^2 over the cone and s >= 0, itself a conic least-squares problem; a certified positive
/// optimum is Farkas' proof, and its residual names the rows. The trace is only bounded far out
/// (10^4 times T), so that a tight T does not count as the user's fault.
BoundConflict findBoundConflict(const ConicProblem& problem);

}  // namespace dynid
