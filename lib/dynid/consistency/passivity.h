#pragma once

#include "dynid/consistency/physical_fit.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// A physical fit in which the free columns of passive groups are replaced by nonnegative ones.
///
/// For a group with rows C_g (PassiveGroup), m of them form an invertible matrix over the free
/// columns. The efforts s = C_s x_g >= 0 at these speeds take the place of the free parameters,
///
///     x_free = S^-1 (s - N x_nonnegative),   C_s = [N S],
///
/// a linear change of variables that loses nothing: passivity demands s >= 0 anyway. All other rows
/// of the group become rows of bounds over nonnegative columns.
struct PassiveVariables {
  /// The problem in the new variables, without the rows of the groups: bodies, nonnegative columns,
  /// the efforts s, the free columns that are left.
  PhysicalFitProblem problem;
  /// x = map * x_new, all columns.
  Eigen::MatrixXd map;
};

PassiveVariables passiveVariables(const PhysicalFitProblem& problem);

/// The worst row of every group that x violates by more than `tolerance` times the largest effort
/// of the group.
std::vector<PassivityRow> passivityViolations(const std::vector<PassiveGroup>& groups,
                                              const Eigen::VectorXd& x,
                                              double tolerance);

/// Adds the row of a violation to the bounds of the problem in the new variables.
void addPassivityRow(const PassiveGroup& group, Eigen::Index row, PassiveVariables& variables);

}  // namespace dynid
