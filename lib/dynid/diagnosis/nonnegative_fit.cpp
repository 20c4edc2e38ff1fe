#include "dynid/diagnosis/nonnegative_fit.h"

#include "dynid/kernels/dense.h"

#include <Eigen/Cholesky>

#include <cmath>
#include <vector>

namespace dynid {
namespace {

using Eigen::Index;

constexpr double kRegularised = 1e-9;  // of the mean diagonal: rows of C may depend on each other

/// lambda >= 0 that minimises 1/2 lambda^T H lambda + d^T lambda.
class DualSearch {
 public:
  DualSearch(const Eigen::MatrixXd& H, const Eigen::VectorXd& d)
      : H_(H), d_(d), lambda_(Eigen::VectorXd::Zero(d.size())) {}

  Eigen::VectorXd solve() {
    const double tolerance = 1e-10 * (d_.cwiseAbs().maxCoeff() + 1e-300);
    for (Index step = 0; step < 3 * d_.size(); ++step) {
      const Eigen::VectorXd descent = -(H_ * lambda_ + d_);
      Index best = -1;
      for (Index i = 0; i < d_.size(); ++i)
        if (lambda_(i) == 0.0 && descent(i) > tolerance && (best < 0 || descent(i) > descent(best)))
          best = i;
      if (best < 0) break;
      passive_.push_back(best);
      shrinkToFeasible();
    }
    return lambda_;
  }

 private:
  Eigen::VectorXd passiveMinimum() const {
    const Eigen::MatrixXd H_passive = H_(passive_, passive_);
    return H_passive.llt().solve(-d_(passive_).eval());
  }

  /// Steps towards the minimum over the passive set; constraints that become inactive leave it.
  void shrinkToFeasible() {
    while (!passive_.empty()) {
      const Eigen::VectorXd target = passiveMinimum();
      double step = 1.0;
      for (Index k = 0; k < target.size(); ++k) {
        const double now = lambda_(passive_[k]);
        if (target(k) <= 0.0) step = std::min(step, now / (now - target(k) + 1e-300));
      }
      std::vector<Index> kept;
      for (Index k = 0; k < target.size(); ++k) {
        const Index i = passive_[k];
        const double value = lambda_(i) + step * (target(k) - lambda_(i));
        const bool leaves = target(k) <= 0.0 && value <= 1e-14 * std::abs(target(k));
        lambda_(i) = leaves ? 0.0 : value;
        if (!leaves) kept.push_back(i);
      }
      const bool done = kept.size() == passive_.size();
      passive_ = std::move(kept);
      if (done) return;
    }
  }

  const Eigen::MatrixXd& H_;
  const Eigen::VectorXd& d_;
  Eigen::VectorXd lambda_;
  std::vector<Index> passive_;
};

}  // namespace

Eigen::VectorXd nonnegativeFit(const Eigen::MatrixXd& A,
                               const Eigen::VectorXd& b,
                               const Eigen::MatrixXd& C) {
  Eigen::MatrixXd L = A;
  if (!denseCholesky(L)) return Eigen::VectorXd::Constant(b.size(), std::nan(""));
  const auto lower = L.triangularView<Eigen::Lower>();
  const auto upper = L.transpose().triangularView<Eigen::Upper>();
  Eigen::VectorXd x = upper.solve(lower.solve(b));
  if (C.rows() == 0) return x;
  const Eigen::VectorXd slack = C * x;
  if (slack.minCoeff() >= 0.0) return x;
  const Eigen::MatrixXd Z = denseSolveLower(L, C.transpose());
  Eigen::MatrixXd H = denseGram(Z);
  H.diagonal().array() += kRegularised * H.trace() / static_cast<double>(C.rows());
  const Eigen::VectorXd lambda = DualSearch(H, slack).solve();
  return x + upper.solve(Z * lambda);
}

}  // namespace dynid
