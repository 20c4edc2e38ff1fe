#include "dynid/formulations/constraints.h"

#include <Eigen/QR>

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <stdexcept>

namespace dynid {
namespace {

void expectSize(const char* member, Eigen::Index got, Eigen::Index expected) {
  if (got != expected)
    throw std::invalid_argument(
        fmt::format("{} has {} entries; expected {}", member, got, expected));
}

std::string listed(const std::vector<int>& rows) {
  std::string text;
  for (int row : rows) text += (text.empty() ? "" : ", ") + std::to_string(row + 1);
  return text;
}

}  // namespace

void ConstrainedSystem::check() const {
  const Eigen::Index n = M.rows();
  expectSize("M", M.cols(), n);
  expectSize("bias", bias.size(), n);
  expectSize("tau", tau.size(), n);
  expectSize("A", A.rows() == 0 ? n : A.cols(), n);
  expectSize("b", b.size(), A.rows());
}

IndependentConstraints independentConstraints(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  IndependentConstraints result;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(kConstraintRank);
  if (A.rows() > 0) qr.compute(A.transpose());
  const Eigen::Index rank = A.rows() > 0 ? qr.rank() : 0;
  std::vector<int> left_out;
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    (i < rank ? result.kept : left_out)
        .push_back(static_cast<int>(qr.colsPermutation().indices()(i)));
  std::sort(result.kept.begin(), result.kept.end());
  std::sort(left_out.begin(), left_out.end());
  result.A = A(result.kept, Eigen::all);
  result.b = b(result.kept);
  if (left_out.empty()) return result;
  // A dependent row is a combination of the kept rows. The constraint is consistent if its right
  // side is the same combination.
  const Eigen::MatrixXd kept_rows = result.A.transpose();
  const Eigen::MatrixXd rest = A(left_out, Eigen::all);
  Eigen::VectorXd expected = Eigen::VectorXd::Zero(rest.rows());
  if (rank > 0) expected = kept_rows.householderQr().solve(rest.transpose()).transpose() * result.b;
  const double size = b.cwiseAbs().maxCoeff();
  std::vector<int> contradicting;
  for (size_t i = 0; i < left_out.size(); ++i) {
    if (std::abs(b(left_out[i]) - expected(static_cast<Eigen::Index>(i))) >
        kConstraintContradiction * size)
      contradicting.push_back(left_out[i]);
  }
  result.consistent = contradicting.empty();
  result.reason = result.consistent
                      ? "constraint " + listed(left_out) + " follows from the others"
                      : "constraint " + listed(contradicting) +
                            " contradicts the others: the same combination of accelerations is "
                            "to have two values";
  return result;
}

ConstrainedMotion notSolved(const ConstrainedSystem& system, const std::string& reason) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  ConstrainedMotion motion;
  motion.reason = reason;
  motion.ddq = Eigen::VectorXd::Constant(system.M.rows(), kNaN);
  motion.lambda = Eigen::VectorXd::Constant(system.A.rows(), kNaN);
  return motion;
}

Eigen::VectorXd allMultipliers(const IndependentConstraints& constraints,
                               const Eigen::VectorXd& lambda,
                               Eigen::Index rows) {
  Eigen::VectorXd all = Eigen::VectorXd::Zero(rows);
  for (size_t i = 0; i < constraints.kept.size(); ++i) all(constraints.kept[i]) = lambda(i);
  return all;
}

}  // namespace dynid
