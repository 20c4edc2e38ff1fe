#include "dynid/excitation/criterion.h"

#include <Eigen/Eigenvalues>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace dynid {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Logarithm of (sum x^p)^(1/p) for positive x, and its derivative by x, computed without overflow.
struct SoftMaximum {
  double log_value;
  Eigen::VectorXd slope;
};
SoftMaximum softMaximum(const Eigen::VectorXd& log_x, double p) {
  const double top = log_x.maxCoeff();
  const Eigen::ArrayXd share = (p * (log_x.array() - top)).exp();
  return {top + std::log(share.sum()) / p, (share / share.sum() * (-log_x.array()).exp()).matrix()};
}

}  // namespace

CriterionValue evaluateCriterion(Criterion criterion, const Eigen::MatrixXd& M, double sharpness) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(M);
  const Eigen::VectorXd& lambda = eigen.eigenvalues();
  // An eigenvalue below the rounding error counts as zero.
  const double floor = 1e-15 * lambda(lambda.size() - 1);
  if (!M.allFinite() || !(lambda(0) > floor))
    return {kInfinite, Eigen::MatrixXd::Zero(M.rows(), M.cols())};
  const Eigen::VectorXd log_lambda = lambda.array().log();
  CriterionValue result;
  Eigen::VectorXd slope;  // derivative by the eigenvalues
  if (criterion == Criterion::kD) {
    result.value = -log_lambda.sum();
    slope = -lambda.cwiseInverse();
  } else if (criterion == Criterion::kA) {
    const double trace = lambda.cwiseInverse().sum();
    result.value = std::log(trace);
    slope = -lambda.array().inverse().square() / trace;
  } else {
    const SoftMaximum inverse = softMaximum(-log_lambda, sharpness);
    result.value = inverse.log_value;
    slope = -inverse.slope.array() * lambda.array().inverse().square();
    if (criterion == Criterion::kCondition) {
      const SoftMaximum direct = softMaximum(log_lambda, sharpness);
      result.value = 0.5 * (result.value + direct.log_value);
      slope = 0.5 * (slope + direct.slope);
    }
  }
  result.dM = eigen.eigenvectors() * slope.asDiagonal() * eigen.eigenvectors().transpose();
  return result;
}

double conditionNumber(const Eigen::MatrixXd& M) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(M, Eigen::EigenvaluesOnly);
  const Eigen::VectorXd& lambda = eigen.eigenvalues();
  if (!M.allFinite() || !(lambda(0) > 0.0)) return kInfinite;
  return std::sqrt(lambda(lambda.size() - 1) / lambda(0));
}

}  // namespace dynid
