#include "dynid/consistency/repaired_multipliers.h"

#include "dynid/kernels/dense.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace dynid {
namespace {

constexpr double kRepairDamping = 1.0;  // weight of u - (b - A x)
constexpr double kActiveShare = 1e-6;   // of the largest multiplier of a bound but the trace

/// The row of the trace, and the rows of C whose multiplier is not small.
std::vector<Eigen::Index> activeRows(const Eigen::VectorXd& nu) {
  std::vector<Eigen::Index> active{0};
  double largest = 0.0;
  for (Eigen::Index i = 1; i < nu.size(); ++i) largest = std::max(largest, nu(i));
  for (Eigen::Index i = 1; i < nu.size(); ++i)
    if (nu(i) > kActiveShare * largest) active.push_back(i);
  return active;
}

}  // namespace

Multipliers repairedMultipliers(const ConicProblem& problem,
                                const Eigen::VectorXd& x,
                                const Eigen::VectorXd& nu,
                                const ConeScaling& scaling,
                                const Eigen::VectorXd& gradient) {
  const RowMajorMatrix& A = problem.A;
  const std::vector<Eigen::Index> active = activeRows(nu);
  const Eigen::Index m = A.rows(), unknowns = m + std::ssize(active);
  RowMajorMatrix rows(unknowns, A.cols()), J(unknowns, A.cols());
  rows.topRows(m) = A;
  rows.bottomRows(std::ssize(active)) = -problem.C(active, Eigen::all);
  scaling.multiplyInverse(rows, J);
  Eigen::MatrixXd stacked(A.cols() + unknowns, unknowns);
  stacked << J.transpose(), kRepairDamping * Eigen::MatrixXd::Identity(unknowns, unknowns);
  const DenseReflections reflections(std::move(stacked));

  const Eigen::VectorXd plain = problem.b - A * x;
  Multipliers repaired{plain, nu};
  Eigen::VectorXd mismatch(A.cols() + unknowns);
  for (int refinement = 0; refinement < 2; ++refinement) {
    Eigen::VectorXd slack = problem.C.transpose() * repaired.nu - A.transpose() * repaired.u;
    if (gradient.size() > 0) slack += gradient;
    mismatch.head(A.cols()) = scaling.toScaledDual(slack) - scaling.point();
    mismatch.segment(A.cols(), m) = kRepairDamping * (plain - repaired.u);
    mismatch.tail(std::ssize(active)) = kRepairDamping * (nu(active) - repaired.nu(active));
    const Eigen::VectorXd change = reflections.leastSquares(mismatch);
    repaired.u += change.head(m);
    repaired.nu(active) += change.tail(std::ssize(active));
    repaired.nu = repaired.nu.cwiseMax(0.0);
  }
  return repaired;
}

}  // namespace dynid
