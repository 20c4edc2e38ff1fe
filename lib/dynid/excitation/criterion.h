#pragma once

#include "dynid/excitation/excitation_options.h"

#include <Eigen/Core>

namespace dynid {

/// Value of a criterion (smaller is better) and its derivative by M.
struct CriterionValue {
  double value = 0.0;  ///< infinite if M is singular
  Eigen::MatrixXd dM;  ///< symmetric
};

/// Evaluates a criterion and its derivative. The criteria E and condition number are not
/// differentiable where eigenvalues cross. They are replaced by smooth bounds, with (sum l^p)^(1/p)
/// for the largest and (sum l^-p)^(-1/p) for the smallest eigenvalue (Schatten norms). These are
/// never better than the true values and differ from them by at most log(parameters)/p:
///
///     condition: 1/(2p) [ log sum l^p + log sum l^-p ],   E: 1/p log sum l^-p
///
/// @param M         information matrix, symmetric
/// @param sharpness p > 0; no effect on D and A
CriterionValue evaluateCriterion(Criterion criterion, const Eigen::MatrixXd& M, double sharpness);

/// Condition number of W, the square root of that of M; infinite for a singular M.
double conditionNumber(const Eigen::MatrixXd& M);

}  // namespace dynid
