#pragma once

#include "dynid/consistency/interior_point.h"
#include "dynid/consistency/physical_fit.h"

#include <Eigen/Core>

#include <string>

namespace dynid {

/// The optimum of the whitened problem, and where its path began (empty: at the identity).
struct FirstStage {
  InteriorPointResult optimum;
  Eigen::VectorXd start;
};

/// Solves `conic`, the whitened `problem`. What has to give so that an interior exists is changed
/// in `conic` and said in `reason`: rows that fix a number are opened by 1e-7 of their scale
/// (silently), the bound on the overall size is widened where the user's bounds lie far from the
/// prior, and rows without any interior are relaxed by 1e-6. Contradictory bounds leave optimum.x
/// empty and are named in `reason`.
FirstStage solveFirstStage(const PhysicalFitProblem& problem,
                           const PhysicalFitOptions& options,
                           ConicProblem& conic,
                           std::string& reason);

}  // namespace dynid
