#include "dynid/estimation/cross_validation.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dynid {
namespace {

// Relative to unit-norm columns: keeps a fold in which a column is not excited solvable, too small to matter elsewhere.
constexpr double kRidge = 1e-9;

// Gram of [own columns, target] of one factor, added to `gram`.
void add(const TriangularFactor& factor, const Eigen::MatrixXd& selection, Eigen::MatrixXd& gram) {
  if (factor.rows() == 0.0) return;
  const Eigen::MatrixXd X = factor.R() * selection;
  gram.noalias() += X.transpose() * X;
}

}  // namespace

Eigen::VectorXd nonnegativeFromGram(const Eigen::MatrixXd& gram,
                                    const std::vector<bool>& nonnegative) {
  const Eigen::Index p = gram.cols() - 1;
  std::vector<Eigen::Index> active;
  for (Eigen::Index c = 0; c < p; ++c)
    if (gram(c, c) > 0.0) active.push_back(c);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(p);
  while (!active.empty()) {
    const Eigen::VectorXd scale = gram(active, active).diagonal().cwiseSqrt().cwiseInverse();
    Eigen::MatrixXd G = scale.asDiagonal() * gram(active, active) * scale.asDiagonal();
    G.diagonal().array() += kRidge;
    const Eigen::VectorXd solution =
        scale.asDiagonal() * G.ldlt().solve(scale.asDiagonal() * gram(active, p));
    Eigen::Index worst = -1;
    for (Eigen::Index i = 0; i < solution.size(); ++i) {
      const bool bounded = nonnegative[static_cast<size_t>(active[static_cast<size_t>(i)])];
      if (bounded && solution(i) < 0.0 &&
          (worst < 0 || solution(i) / scale(i) < solution(worst) / scale(worst)))
        worst = i;
    }
    if (worst < 0) {
      b(active) = solution;
      return b;
    }
    active.erase(active.begin() + worst);
  }
  return b;
}

ChannelValidation::ChannelValidation(const Statistics& statistics,
                                     int channel,
                                     const Eigen::VectorXd& held,
                                     const std::vector<int>& own,
                                     int folds)
    : own_(own) {
  const ChannelStatistics& data = statistics.channels[static_cast<size_t>(channel)];
  const auto columns = static_cast<Eigen::Index>(data.columns.size());
  const auto p = static_cast<Eigen::Index>(own_.size());
  Eigen::MatrixXd selection = Eigen::MatrixXd::Zero(columns + 1, p + 1);
  selection(columns, p) = 1.0;
  for (Eigen::Index c = 0; c < columns; ++c) {
    const int column = data.columns[static_cast<size_t>(c)];
    const auto found = std::find(own_.begin(), own_.end(), column);
    if (found == own_.end()) {
      selection(c, p) = -held(column);
    } else {
      selection(c, found - own_.begin()) = 1.0;
    }
  }
  const int blocks = statistics.numBlocks();
  const int count = std::max(2, std::min(folds, blocks));
  const Gram empty{Eigen::MatrixXd::Zero(p + 1, p + 1), Eigen::MatrixXd::Zero(p + 1, p + 1)};
  folds_.assign(static_cast<size_t>(count), empty);
  total_ = empty;
  for (int b = 0; b < blocks; ++b) {
    Gram& fold = folds_[static_cast<size_t>(b * count / blocks)];
    add(data.moving[static_cast<size_t>(b)], selection, fold.moving);
    add(data.still[static_cast<size_t>(b)], selection, fold.still);
  }
  for (const Gram& fold : folds_) {
    total_.moving += fold.moving;
    total_.still += fold.still;
  }
}

ChannelValidation::Score ChannelValidation::score(const std::vector<int>& chosen,
                                                  const std::vector<bool>& nonnegative,
                                                  bool fit_still) const {
  const auto p = static_cast<Eigen::Index>(own_.size());
  std::vector<Eigen::Index> columns;
  for (int column : chosen) {
    const auto found = std::find(own_.begin(), own_.end(), column);
    if (found == own_.end())
      throw std::invalid_argument("ChannelValidation::score: column " + std::to_string(column) +
                                  " is not one of the channel's own");
    columns.push_back(found - own_.begin());
  }
  columns.push_back(p);
  Score score;
  score.squared.resize(static_cast<Eigen::Index>(folds_.size()));
  for (size_t f = 0; f < folds_.size(); ++f) {
    Eigen::MatrixXd train = total_.moving - folds_[f].moving;
    if (fit_still) train += total_.still - folds_[f].still;
    const Eigen::VectorXd b =
        nonnegativeFromGram(Eigen::MatrixXd(train(columns, columns)), nonnegative);
    Eigen::VectorXd e(b.size() + 1);
    e << b, -1.0;
    const Eigen::MatrixXd out = folds_[f].moving + folds_[f].still;
    score.squared(static_cast<Eigen::Index>(f)) =
        std::max(0.0, e.dot(Eigen::MatrixXd(out(columns, columns)) * e));
  }
  return score;
}

}  // namespace dynid
