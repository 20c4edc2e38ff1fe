#include "dynid/estimation/cross_validation.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dynid {
namespace {

// Ridge relative to unit-norm columns. It keeps a fold solvable in which a column is not excited,
// and is otherwise negligible.
constexpr double kRidge = 1e-9;

// The candidates of a channel and its target, the effort minus the held part.
struct Selection {
  std::vector<Eigen::Index> candidates;  // their places in the factors; -1: not of this channel
  Eigen::VectorXd target;                // [columns and effort]
};

// Adds the Gram matrix of [candidates, target] of one factor to `gram`.
void add(const TriangularFactor& factor, const Selection& selection, Eigen::MatrixXd& gram) {
  if (factor.rows() == 0.0) return;
  const Eigen::MatrixXd& R = factor.R();
  Eigen::MatrixXd X = Eigen::MatrixXd::Zero(R.rows(), gram.cols());
  for (size_t c = 0; c < selection.candidates.size(); ++c)
    if (selection.candidates[c] >= 0)
      X.col(static_cast<Eigen::Index>(c)) = R.col(selection.candidates[c]);
  X.rightCols<1>() = R * selection.target;
  gram.noalias() += X.transpose() * X;
}

// Least squares over the columns in `on`.
Eigen::VectorXd solveOver(const Eigen::MatrixXd& gram, const std::vector<Eigen::Index>& on) {
  const Eigen::VectorXd scale = gram(on, on).diagonal().cwiseSqrt().cwiseInverse();
  Eigen::MatrixXd G = scale.asDiagonal() * gram(on, on) * scale.asDiagonal();
  G.diagonal().array() += kRidge;
  return scale.asDiagonal() * G.ldlt().solve(scale.asDiagonal() * gram(on, gram.cols() - 1));
}

// Moves from the feasible b to the optimum over the passive columns. Columns that reach their bound
// on the way leave the passive set.
void moveTowardsOptimum(const Eigen::MatrixXd& gram,
                        const std::vector<bool>& nonnegative,
                        std::vector<Eigen::Index>& passive,
                        Eigen::VectorXd& b) {
  while (!passive.empty()) {
    const Eigen::VectorXd target = solveOver(gram, passive);
    double length = 1.0;
    size_t blocking = passive.size();
    for (size_t i = 0; i < passive.size(); ++i) {
      const double to = target(i), from = b(passive[i]);
      if (!nonnegative[passive[i]] || to >= 0.0) continue;
      if (blocking == passive.size() || from / (from - to) < length) {
        length = from / (from - to);
        blocking = i;
      }
    }
    b(passive) += length * (target - b(passive)).eval();
    if (blocking == passive.size()) return;
    b(passive[blocking]) = 0.0;
    passive.erase(passive.begin() + blocking);
  }
}

// The column at its bound whose increase lowers the error most; -1: none.
Eigen::Index mostWanted(const Eigen::MatrixXd& gram,
                        const std::vector<bool>& nonnegative,
                        const Eigen::VectorXd& b) {
  const Eigen::Index p = b.size();
  const Eigen::VectorXd descent = gram.topRightCorner(p, 1) - gram.topLeftCorner(p, p) * b;
  Eigen::Index best = -1;
  // Correlation of the column with the residual, relative to the target.
  double steepest = 10.0 * kRidge;
  for (Eigen::Index c = 0; c < p; ++c) {
    if (!nonnegative[c] || b(c) > 0.0 || !(gram(c, c) > 0.0)) continue;
    const double slope = descent(c) / std::sqrt(gram(c, c) * std::max(gram(p, p), 1e-300));
    if (slope <= steepest) continue;
    steepest = slope;
    best = c;
  }
  return best;
}

}  // namespace

Eigen::VectorXd nonnegativeFromGram(const Eigen::MatrixXd& gram,
                                    const std::vector<bool>& nonnegative) {
  const Eigen::Index p = gram.cols() - 1;
  Eigen::VectorXd b = Eigen::VectorXd::Zero(p);
  std::vector<Eigen::Index> passive;  // columns not at their bound
  for (Eigen::Index c = 0; c < p; ++c)
    if (!nonnegative[c] && gram(c, c) > 0.0) passive.push_back(c);
  // The limit guards against rounding; in theory the loop ends by itself
  for (Eigen::Index step = 0; step <= 3 * p; ++step) {
    moveTowardsOptimum(gram, nonnegative, passive, b);
    const Eigen::Index entering = mostWanted(gram, nonnegative, b);
    if (entering < 0) break;
    passive.push_back(entering);
  }
  return b;
}

namespace {

// Minimises 1/2 b^T G b - g^T b subject to D b >= 0: b = G^-1 (g + D^T l) with the multipliers l >=
// 0 that minimise ||L^-1 (g + D^T l)||, where G = L L^T.
Eigen::VectorXd solveUnderRows(const Eigen::MatrixXd& gram, const Eigen::MatrixXd& D) {
  const Eigen::Index p = gram.cols() - 1;
  const Eigen::VectorXd norms = gram.diagonal().head(p).cwiseSqrt();
  const Eigen::VectorXd scale =
      (norms.array() > 0.0).select(norms.cwiseInverse(), Eigen::VectorXd::Ones(p));
  Eigen::MatrixXd G = scale.asDiagonal() * gram.topLeftCorner(p, p) * scale.asDiagonal();
  G.diagonal().array() += kRidge;
  const Eigen::LLT<Eigen::MatrixXd> llt(G);
  const Eigen::VectorXd g = scale.asDiagonal() * gram.topRightCorner(p, 1);
  Eigen::MatrixXd stack(p, D.rows() + 1);
  stack << llt.matrixL().solve(scale.asDiagonal() * D.transpose()), -llt.matrixL().solve(g);
  const Eigen::VectorXd multipliers =
      nonnegativeFromGram(stack.transpose() * stack, std::vector<bool>(D.rows(), true));
  return scale.asDiagonal() * llt.solve(g + scale.asDiagonal() * D.transpose() * multipliers);
}

}  // namespace

Eigen::VectorXd boundedFromGram(const Eigen::MatrixXd& gram,
                                const std::vector<bool>& nonnegative,
                                const Eigen::MatrixXd& rows) {
  constexpr double kTolerance = 1e-6;
  constexpr int kMostRounds = 20;
  Eigen::VectorXd b = nonnegativeFromGram(gram, nonnegative);
  if (rows.rows() == 0) return b;
  std::vector<Eigen::Index> bounded;
  for (Eigen::Index c = 0; c < std::ssize(nonnegative); ++c)
    if (nonnegative[c]) bounded.push_back(c);
  const Eigen::MatrixXd unit = Eigen::MatrixXd::Identity(b.size(), b.size());
  Eigen::MatrixXd D = unit(bounded, Eigen::all);
  for (int round = 0; round < kMostRounds; ++round) {
    const Eigen::VectorXd products = rows * b;
    Eigen::Index worst = 0;
    if (products.minCoeff(&worst) >= -kTolerance * products.cwiseAbs().maxCoeff()) break;
    D.conservativeResize(D.rows() + 1, Eigen::NoChange);
    D.bottomRows<1>() = rows.row(worst) / rows.row(worst).norm();
    b = solveUnderRows(gram, D);
  }
  return b;
}

std::vector<int> validationFolds(const Statistics& statistics, int folds) {
  return foldsOfBlocks(statistics, std::max(2, std::min(folds, statistics.numBlocks())));
}

ChannelValidation::ChannelValidation(const Statistics& statistics,
                                     int channel,
                                     const Eigen::VectorXd& held,
                                     const std::vector<int>& candidates,
                                     const std::vector<int>& fold_of_block)
    : candidates_(candidates) {
  const ChannelStatistics& data = statistics.channels[channel];
  const auto columns = std::ssize(data.columns);
  const auto p = std::ssize(candidates_);
  Selection selection{std::vector<Eigen::Index>(candidates_.size(), -1),
                      Eigen::VectorXd::Zero(columns + 1)};
  selection.target(columns) = 1.0;
  for (Eigen::Index c = 0; c < columns; ++c) {
    const int column = data.columns[c];
    const auto found = std::find(candidates_.begin(), candidates_.end(), column);
    if (found == candidates_.end()) {
      selection.target(c) = -held(column);
    } else {
      selection.candidates[found - candidates_.begin()] = c;
    }
  }
  const Gram empty{Eigen::MatrixXd::Zero(p + 1, p + 1), Eigen::MatrixXd::Zero(p + 1, p + 1)};
  folds_.assign(1 + *std::max_element(fold_of_block.begin(), fold_of_block.end()), empty);
  total_ = empty;
  for (int b = 0; b < statistics.numBlocks(); ++b) {
    Gram& fold = folds_[fold_of_block[b]];
    add(data.moving[b], selection, fold.moving);
    add(data.standstill[b], selection, fold.standstill);
  }
  for (const Gram& fold : folds_) {
    total_.moving += fold.moving;
    total_.standstill += fold.standstill;
  }
}

ChannelValidation::Score ChannelValidation::score(const std::vector<int>& chosen,
                                                  const std::vector<bool>& nonnegative,
                                                  bool fit_standstill,
                                                  const Eigen::MatrixXd& resistance) const {
  const auto p = std::ssize(candidates_);
  std::vector<Eigen::Index> columns;
  for (int column : chosen) {
    const auto found = std::find(candidates_.begin(), candidates_.end(), column);
    if (found == candidates_.end())
      throw std::invalid_argument("column " + std::to_string(column) +
                                  " is not a column of this channel");
    columns.push_back(found - candidates_.begin());
  }
  columns.push_back(p);
  Score score;
  score.moving.resize(std::ssize(folds_));
  score.squared.resize(std::ssize(folds_));
  for (size_t f = 0; f < folds_.size(); ++f) {
    Eigen::MatrixXd train = total_.moving - folds_[f].moving;
    if (fit_standstill) train += total_.standstill - folds_[f].standstill;
    const Eigen::VectorXd b =
        boundedFromGram(Eigen::MatrixXd(train(columns, columns)), nonnegative, resistance);
    Eigen::VectorXd e(b.size() + 1);
    e << b, -1.0;
    const auto squared_error = [&](const Eigen::MatrixXd& gram) {
      return std::max(0.0, e.dot(Eigen::MatrixXd(gram(columns, columns)) * e));
    };
    score.moving(f) = squared_error(folds_[f].moving);
    score.squared(f) = score.moving(f) + squared_error(folds_[f].standstill);
  }
  return score;
}

}  // namespace dynid
