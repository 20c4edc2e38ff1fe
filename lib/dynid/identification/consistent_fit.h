#pragma once

#include "dynid/consistency/physical_fit.h"
#include "dynid/equations/payloads.h"
#include "dynid/estimation/least_squares.h"
#include "dynid/regression/base_parameters.h"
#include "dynid/robot/parameter_layout.h"
#include "dynid/robot/robot.h"

#include <string>
#include <vector>

namespace dynid {

/// The physically consistent fit of an identification.
struct ConsistentFit {
  PhysicalFitResult result;
  Eigen::VectorXd parameters;             ///< in the layout's order; empty if not feasible
  Eigen::VectorXd first_stage;            ///< the same before the prior chose among them
  std::vector<std::string> prior_source;  ///< one per body: "urdf" or "capsule"
};

/// A prior body for every link: the description's `<inertial>` where there is one that is a body,
/// else a capsule from the link's origin to the mean of its children's origins.
std::vector<InertialParameters> priorBodies(const Robot& robot, std::vector<std::string>& sources);

/// E with beta = E pi over the columns of an estimate: the rows of base.combination() of those
/// columns. Columns of the layout that the estimate leaves out (friction not chosen) have no
/// entries. A column of the estimate that is not independent in `base` (presliding friction equals
/// Coulomb friction at random states, but not in a log) stands for itself alone.
Eigen::MatrixXd combinationOf(const BaseParameters& base, const std::vector<int>& columns);

/// The physical fit of an identification before it is solved.
struct ConsistentProblem {
  PhysicalFitProblem problem;
  std::vector<int> columns;               ///< of the layout, in the order of the problem's
  std::vector<std::string> prior_source;  ///< one per body, without payloads
};

/// The compressed least-squares problem over standard parameters, with the bounds of the
/// description and passive friction; arguments as fitConsistently.
ConsistentProblem consistentProblem(const Robot& robot,
                                    const ParameterLayout& layout,
                                    const Eigen::MatrixXd& E,
                                    const Estimate& estimate,
                                    const std::vector<Payload>& payloads,
                                    bool scale_known);

/// Expands the compressed least-squares problem from base to standard parameters (R_std = R_base E)
/// and solves it under the description's bounds; payloads are bodies too, their known entries
/// bounded to them.
///
/// @param E            [estimate's columns x layout], see combinationOf; effects without entries
/// are left out and zero
/// @param scale_known  false: parameters carry one unknown factor, so bounds in kilograms are left
/// out
ConsistentFit fitConsistently(const Robot& robot,
                              const ParameterLayout& layout,
                              const Eigen::MatrixXd& E,
                              const Estimate& estimate,
                              const std::vector<Payload>& payloads,
                              bool scale_known,
                              const PhysicalFitOptions& options);

}  // namespace dynid
