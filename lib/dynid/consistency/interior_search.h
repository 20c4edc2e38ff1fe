#pragma once

#include "dynid/consistency/conic_problem.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Result of the search for a point inside all bounds.
struct InteriorSearch {
  Eigen::VectorXd x;               ///< a point well inside cone and bounds; empty: none found
  bool contradictory = false;      ///< proven: no point of the cone satisfies all bounds
  std::vector<Eigen::Index> rows;  ///< the contradictory rows of C (never row 0, the trace)
};

/// Solves min 1/2 ||C x + s - d||^2 over the cone, s >= 0 and the trace bound of `problem` (with
/// the user's rows only). This is also a conic least-squares problem, and its path ends in the
/// middle of the feasible set. A certified positive optimum proves a contradiction (Farkas' lemma);
/// its residual identifies the rows.
InteriorSearch findInterior(const ConicProblem& problem);

}  // namespace dynid
