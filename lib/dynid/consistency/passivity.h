#pragma once

#include "dynid/consistency/physical_fit.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// A physical fit in which the free columns of passive groups are replaced by nonnegative ones.
///
/// From the rows C_g of a group (PassiveGroup), m rows C_s are chosen that form an invertible
/// matrix over its m free columns. The efforts s = C_s x_g >= 0 at these speeds replace the free
/// parameters,
///
///     x_free = S^-1 (s - N x_nonnegative),   C_s = [N S].
///
/// This linear change of variables is equivalent, because passivity requires s >= 0. The other rows
/// of the group become rows of bounds over nonnegative columns.
struct PassiveVariables {
  /// The problem in the new variables, without the rows of the groups: bodies, nonnegative columns,
  /// the efforts s, the remaining free columns.
  PhysicalFitProblem problem;
  /// x = map * x_new, for all columns.
  Eigen::MatrixXd map;
};

PassiveVariables passiveVariables(const PhysicalFitProblem& problem);

/// For every group, the row that x violates most, if the violation is above `tolerance` times the
/// largest effort of the group.
std::vector<PassivityRow> passivityViolations(const std::vector<PassiveGroup>& groups,
                                              const Eigen::VectorXd& x,
                                              double tolerance);

/// Adds the row of a violation to the bounds of the problem in the new variables.
void addPassivityRow(const PassiveGroup& group, Eigen::Index row, PassiveVariables& variables);

}  // namespace dynid
