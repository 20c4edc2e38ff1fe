#pragma once

#include <Eigen/Core>

#include <string>

namespace dynid {

/// Optimality criterion of a trajectory, a function of the information matrix M = W^T W / samples.
enum class Criterion {
  kD,  ///< -log det M: volume of the confidence ellipsoid
  kA,  ///< log trace M^-1: sum of the variances
  kE,  ///< -log of the smallest eigenvalue of M: the least determined combination of parameters
  kCondition,  ///< log of the condition number of W
};

/// Parses "d", "a", "e" or "condition". @throws std::invalid_argument for another name
Criterion criterionOf(const std::string& name);
const char* toString(Criterion criterion);

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
