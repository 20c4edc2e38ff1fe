#include "dynid/consistency/passivity.h"

#include "dynid/consistency/bounds.h"
#include "dynid/core/text.h"
#include "dynid/math/sparse_product.h"

#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>

namespace dynid {
namespace {

constexpr double kSmallestRow = 1e-9;

// The rows of the group whose efforts replace its free columns: pivots of a QR decomposition of the
// transposed rows, with columns scaled to unit norm. None if a column has no effect at any of the
// speeds (a Stribeck curve of a joint at rest), fewer than free columns if they are not
// independent.
std::vector<Eigen::Index> pivotRows(const PassiveGroup& group, const std::vector<int>& free) {
  const Eigen::MatrixXd efforts = group.rows.topRows(group.speeds.size());
  const Eigen::MatrixXd rows = efforts(Eigen::all, free);
  const Eigen::VectorXd norms = rows.colwise().norm();
  if (!(norms.minCoeff() > kSmallestRow * efforts.norm())) return {};
  const Eigen::VectorXd scale = norms.cwiseInverse();
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(kSmallestRow);
  qr.compute((rows * scale.asDiagonal()).transpose());
  std::vector<Eigen::Index> pivots;
  for (Eigen::Index i = 0; i < qr.rank(); ++i) pivots.push_back(qr.colsPermutation().indices()(i));
  return pivots;
}

}  // namespace

PassiveVariables passiveVariables(const PhysicalFitProblem& problem) {
  const int first_free = 10 * problem.bodies + problem.nonnegative;
  const Eigen::Index size = problem.R.cols();
  // M: x = M x_mixed. The mixed variables keep the order of x, and contain s in place of the
  // replaced free parameters.
  Eigen::MatrixXd M = Eigen::MatrixXd::Identity(size, size);
  std::vector<bool> replaced(size, false);
  for (const PassiveGroup& group : problem.passive) {
    std::vector<int> free, free_at, others, others_at;
    for (int c = 0; c < std::ssize(group.columns); ++c) {
      const bool is_free = group.columns[c] >= first_free;
      (is_free ? free : others).push_back(group.columns[c]);
      (is_free ? free_at : others_at).push_back(c);
    }
    if (free.empty()) continue;
    const std::vector<Eigen::Index> pivots = pivotRows(group, free_at);
    if (std::ssize(pivots) < std::ssize(free)) continue;  // only bounded by the rows that are added
    const Eigen::MatrixXd S_inverse =
        Eigen::MatrixXd(group.rows(pivots, free_at)).fullPivLu().inverse();
    M(free, free) = S_inverse;
    if (!others.empty()) M(free, others) = -S_inverse * group.rows(pivots, others_at);
    for (int column : free) replaced[column] = true;
  }
  std::vector<Eigen::Index> order;
  for (Eigen::Index c = 0; c < first_free; ++c) order.push_back(c);
  for (const bool nonnegative : {true, false})
    for (Eigen::Index c = first_free; c < size; ++c)
      if (replaced[c] == nonnegative) order.push_back(c);

  PassiveVariables result;
  result.map = M(Eigen::all, order);
  result.problem = problem;
  result.problem.passive.clear();
  result.problem.R = productWithSparse(problem.R, result.map);
  if (problem.free_prior.size() > 0) {
    std::vector<Eigen::Index> remaining;
    for (Eigen::Index c = first_free; c < size; ++c)
      if (!replaced[c]) remaining.push_back(c - first_free);
    result.problem.free_prior = Eigen::VectorXd(problem.free_prior(remaining));
  }
  const auto efforts = static_cast<int>(std::count(replaced.begin(), replaced.end(), true));
  result.problem.nonnegative += efforts;
  result.problem.free -= efforts;
  if (problem.d.size() > 0) {
    result.problem.C.resize(problem.d.size(), first_free + efforts);
    result.problem.C << problem.C, Eigen::MatrixXd::Zero(problem.d.size(), efforts);
  }
  return result;
}

std::vector<PassivityRow> passivityViolations(const std::vector<PassiveGroup>& groups,
                                              const Eigen::VectorXd& x,
                                              double tolerance) {
  std::vector<PassivityRow> violations;
  for (int g = 0; g < std::ssize(groups); ++g) {
    const PassiveGroup& group = groups[g];
    const Eigen::VectorXd efforts = group.rows * x(group.columns);
    if (efforts.size() == 0) continue;
    PassivityRow worst{g, 0};
    if (efforts.minCoeff(&worst.row) < -tolerance * efforts.cwiseAbs().maxCoeff())
      violations.push_back(worst);
  }
  return violations;
}

void addPassivityRow(const PassiveGroup& group, Eigen::Index row, PassiveVariables& variables) {
  Eigen::RowVectorXd of_x = Eigen::RowVectorXd::Zero(variables.map.rows());
  of_x(group.columns) = group.rows.row(row);
  const Eigen::Index bounded = 10 * variables.problem.bodies + variables.problem.nonnegative;
  const Eigen::VectorXd bound = -(of_x * variables.map).head(bounded).transpose();
  const Eigen::Index speeds = group.speeds.size();
  addBound(variables.problem,
           row < speeds ? group.name + " at " + toText(group.speeds(row), 3)
                        : group.further[row - speeds],
           bound,
           0.0);
}

}  // namespace dynid
