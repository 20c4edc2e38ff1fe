#include "dynid/estimation/cross_validation.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "dynid/estimation/least_squares.h"

namespace dynid {
namespace {

// Relative to unit-norm columns: keeps a fold in which a column is not excited solvable, too small to matter elsewhere.
constexpr double kRidge = 1e-9;

void addGram(const TriangularFactor& factor, double sigma, Eigen::MatrixXd& gram, double& rows) {
  if (factor.rows() == 0.0) return;
  gram.selfadjointView<Eigen::Lower>().rankUpdate(factor.R().transpose(), 1.0 / (sigma * sigma));
  rows += factor.rows();
}

// e^T G e for e = (beta on the shared columns, -1 on the effort).
double quadratic(const Eigen::MatrixXd& gram,
                 const std::vector<std::pair<int, int>>& shared,
                 const Eigen::VectorXd& beta) {
  Eigen::VectorXd e = Eigen::VectorXd::Zero(gram.rows());
  for (const auto& [to, from] : shared) e(from) = beta(to);
  e(gram.rows() - 1) = -1.0;
  return std::max(0.0, e.dot(gram.selfadjointView<Eigen::Lower>() * e));
}

}  // namespace

CrossValidation::CrossValidation(const Statistics& statistics,
                                 const Eigen::VectorXd& sigma,
                                 int folds)
    : statistics_(statistics), folds_(std::max(2, std::min(folds, statistics.numBlocks()))) {
  const int blocks = statistics.numBlocks();
  for (int a = 0; a < statistics.numChannels(); ++a) {
    const ChannelStatistics& channel = statistics.channels[static_cast<size_t>(a)];
    const auto p = static_cast<Eigen::Index>(channel.columns.size()) + 1;
    const Gram empty{Eigen::MatrixXd::Zero(p, p), Eigen::MatrixXd::Zero(p, p), 0.0, 0.0};
    std::vector<Gram> folded(static_cast<size_t>(folds_), empty);
    Gram total = empty;
    for (int b = 0; b < blocks; ++b) {
      Gram& gram = folded[static_cast<size_t>(b * folds_ / blocks)];
      const auto block = static_cast<size_t>(b);
      addGram(channel.moving[block], sigma(a), gram.moving, gram.moving_rows);
      addGram(channel.still[block], sigma(a), gram.still, gram.still_rows);
    }
    for (const Gram& gram : folded) {
      total.moving += gram.moving;
      total.still += gram.still;
      total.moving_rows += gram.moving_rows;
      total.still_rows += gram.still_rows;
    }
    grams_.push_back(std::move(folded));
    totals_.push_back(std::move(total));
  }
}

Eigen::VectorXd CrossValidation::solveWithout(int fold,
                                              const std::vector<int>& columns,
                                              const std::vector<bool>& use_still) const {
  const auto p = static_cast<Eigen::Index>(columns.size());
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(p, p);
  Eigen::VectorXd g = Eigen::VectorXd::Zero(p);
  for (size_t a = 0; a < grams_.size(); ++a) {
    const std::vector<std::pair<int, int>> shared = sharedColumns(statistics_.channels[a], columns);
    const Gram& out = grams_[a][static_cast<size_t>(fold)];
    const Eigen::Index last = totals_[a].moving.rows() - 1;
    const bool still = !use_still.empty() && use_still[a];
    for (const auto& [to_i, from_i] : shared) {
      g(to_i) += totals_[a].moving(last, from_i) - out.moving(last, from_i);
      if (still) g(to_i) += totals_[a].still(last, from_i) - out.still(last, from_i);
      for (const auto& [to_j, from_j] : shared) {
        if (from_j > from_i) break;
        G(to_i, to_j) += totals_[a].moving(from_i, from_j) - out.moving(from_i, from_j);
        if (still) G(to_i, to_j) += totals_[a].still(from_i, from_j) - out.still(from_i, from_j);
      }
    }
  }
  Eigen::VectorXd scale = G.diagonal().cwiseMax(0.0).cwiseSqrt();
  for (Eigen::Index c = 0; c < p; ++c) scale(c) = scale(c) > 0.0 ? 1.0 / scale(c) : 0.0;
  Eigen::MatrixXd scaled = scale.asDiagonal() * G * scale.asDiagonal();
  scaled.diagonal().array() += kRidge;
  const Eigen::LDLT<Eigen::MatrixXd> ldlt(scaled.selfadjointView<Eigen::Lower>());
  return scale.asDiagonal() * ldlt.solve(scale.asDiagonal() * g);
}

Eigen::VectorXd CrossValidation::heldOutError(const std::vector<int>& columns,
                                              int channel,
                                              const std::vector<bool>& use_still,
                                              bool count_still) const {
  const auto a = static_cast<size_t>(channel);
  const std::vector<std::pair<int, int>> shared = sharedColumns(statistics_.channels[a], columns);
  Eigen::VectorXd errors(folds_);
  for (int fold = 0; fold < folds_; ++fold) {
    const Eigen::VectorXd beta = solveWithout(fold, columns, use_still);
    const Gram& out = grams_[a][static_cast<size_t>(fold)];
    errors(fold) = quadratic(out.moving, shared, beta);
    if (count_still) errors(fold) += quadratic(out.still, shared, beta);
  }
  return errors;
}

Eigen::VectorXd CrossValidation::rows(int channel, bool count_still) const {
  Eigen::VectorXd rows(folds_);
  for (int fold = 0; fold < folds_; ++fold) {
    const Gram& out = grams_[static_cast<size_t>(channel)][static_cast<size_t>(fold)];
    rows(fold) = out.moving_rows + (count_still ? out.still_rows : 0.0);
  }
  return rows;
}

}  // namespace dynid
