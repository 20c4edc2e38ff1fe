#pragma once

#include "dynid/consistency/conic_problem.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Do the bounds leave room?
struct InteriorSearch {
  Eigen::VectorXd x;           ///< a point well inside cone and bounds; empty: none found
  bool contradictory = false;  ///< proven: no point of the cone meets all bounds
  std::vector<Eigen::Index>
      rows;  ///< the rows of C that cannot be met together (never row 0, the trace)
};

/// Solves min 1/2 ||C x + s - d||^2 over the cone, s >= 0 and the trace bound of `problem` (rows of
/// the user only), itself a conic least-squares problem whose path ends in the middle of the
/// feasible set. A certified positive optimum is Farkas' proof of contradiction, and its residual
/// names the rows.
InteriorSearch findInterior(const ConicProblem& problem);

}  // namespace dynid
