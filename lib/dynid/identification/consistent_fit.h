#pragma once

#include "dynid/consistency/physical_fit.h"
#include "dynid/diagnosis/prior_bodies.h"
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
  Eigen::VectorXd parameters;   ///< in the layout's order; empty if not feasible
  Eigen::VectorXd first_stage;  ///< the parameters of the first stage, before the prior is used
  std::vector<std::string> prior_source;  ///< one per body: "urdf", "mjcf", "capsule", "massless"
};

/// E with beta = E pi over the columns of an estimate: the rows of base.combination() of those
/// columns. Columns of the layout that the estimate leaves out (friction that was not selected)
/// have no entries. A column of the estimate that is dependent in `base` gets a unit row:
/// presliding friction equals Coulomb friction at random states, but not in a log.
Eigen::MatrixXd combinationOf(const BaseParameters& base, const std::vector<int>& columns);

/// The physical fit of an identification before it is solved.
struct ConsistentProblem {
  PhysicalFitProblem problem;
  std::vector<int> columns;               ///< of the layout, in the order of the problem's
  std::vector<int> links;                 ///< the robot's bodies that have mass, in its order
  std::vector<std::string> prior_source;  ///< one per body, without payloads
};

/// The compressed least-squares problem over standard parameters, with the bounds of the
/// description and passive friction. Arguments as fitConsistently.
ConsistentProblem consistentProblem(const Robot& robot,
                                    const ParameterLayout& layout,
                                    const Eigen::MatrixXd& E,
                                    const Estimate& estimate,
                                    const std::vector<Payload>& payloads,
                                    bool scale_known);

/// Expands the compressed least-squares problem from base to standard parameters (R_std = R_base E)
/// and solves it under the description's bounds. Payloads are bodies too; bounds fix their known
/// parameters.
///
/// @param E            [columns of the estimate x layout], see combinationOf; effects without
/// entries are left out and set to zero
/// @param scale_known  false: parameters have a common unknown factor, so that bounds in kilograms
/// are left out (those of centres of mass and ellipsoids hold for any factor)
ConsistentFit fitConsistently(const Robot& robot,
                              const ParameterLayout& layout,
                              const Eigen::MatrixXd& E,
                              const Estimate& estimate,
                              const std::vector<Payload>& payloads,
                              bool scale_known,
                              const PhysicalFitOptions& options);

}  // namespace dynid
