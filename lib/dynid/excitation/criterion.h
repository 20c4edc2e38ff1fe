#pragma once

#include <Eigen/Core>

#include <string>

namespace dynid {

/// What makes a trajectory good, as a function of the information matrix M = W^T W / samples.
enum class Criterion {
  kD,          ///< -log det M: the volume of the confidence ellipsoid
  kA,          ///< log trace M^-1: the sum of the variances
  kE,          ///< -log of M's smallest eigenvalue: the worst combination of parameters
  kCondition,  ///< log of the condition number of W
};

/// "d", "a", "e", "condition". @throws std::invalid_argument for another name.
Criterion criterionOf(const std::string& name);
const char* toString(Criterion criterion);

/// A criterion's value, smaller is better, and its derivative by M.
struct CriterionValue {
  double value = 0.0;  ///< infinite where M is singular
  Eigen::MatrixXd dM;  ///< symmetric
};

/// E and condition number jump where eigenvalues cross. Their smooth stand-ins replace the largest
/// eigenvalue by (sum l^p)^(1/p) and the smallest by (sum l^-p)^(-1/p) (Schatten norms): never
/// better than the truth, within log(parameters)/p of it.
///
///     condition: 1/(2p) [ log sum l^p + log sum l^-p ],   E: 1/p log sum l^-p
///
/// @param M         information matrix, symmetric
/// @param sharpness p > 0; has no part in D and A
CriterionValue evaluateCriterion(Criterion criterion, const Eigen::MatrixXd& M, double sharpness);

/// Condition number of W: the root of that of M; infinite for a singular one.
double conditionNumber(const Eigen::MatrixXd& M);

}  // namespace dynid
