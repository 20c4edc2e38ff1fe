#pragma once

#include "dynid/consistency/interior_point.h"
#include "dynid/consistency/physical_fit.h"

#include <Eigen/Core>

#include <string>

namespace dynid {

/// Whether the bound on the overall size (the first row) is active at x.
bool overallSizeIsActive(const ConicProblem& conic, const Eigen::VectorXd& x);

/// The optimum of the whitened problem, and the start of its path (empty: the identity).
struct FirstStage {
  InteriorPointResult optimum;
  Eigen::VectorXd start;
};

/// Solves `conic`, the whitened `problem`. If the problem has no interior, `conic` is changed:
/// - pairs of rows that fix a number are opened by 1e-7 of their scale (without a message);
/// - the bound on the overall size is increased if the user's bounds are far from the prior (named
/// in `reason`);
/// - rows without a common interior are relaxed by 1e-6 (named in `reason`).
///
/// The bound on the overall size is also increased, up to a thousand times, while it is active and
/// makes the objective four times as large (named in `reason`), where the options allow it. It
/// keeps undetermined masses finite. A prior may be far too small: the last link of a robot whose
/// description has no inertials, or has them in another unit.
///
/// Contradictory bounds leave optimum.x empty and are named in `reason`.
FirstStage solveFirstStage(const PhysicalFitProblem& problem,
                           const PhysicalFitOptions& options,
                           ConicProblem& conic,
                           std::string& reason);

}  // namespace dynid
