#include "dynid/validation/scores.h"

#include "dynid/math/nan.h"
#include "dynid/math/quantile.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dynid {
namespace {

double ratio(double a, double b) { return b > 0.0 ? a / b : kNaN; }

}  // namespace

double usualStep(const Eigen::Ref<const Eigen::VectorXd>& time) {
  std::vector<double> steps;
  for (Eigen::Index i = 1; i < time.size(); ++i)
    if (time(i) > time(i - 1)) steps.push_back(time(i) - time(i - 1));
  return median(std::move(steps));
}

bool isGap(double step, double usual) {
  return !(step >= 0.0) || step > std::max(10.0 * usual, 0.05);
}

ScoreAccumulator::ScoreAccumulator(const std::vector<std::string>& joints)
    : names_(joints), sums_(joints.size()), step_(kNaN), last_time_(kNaN) {}

void ScoreAccumulator::addRun(const Eigen::Ref<const Eigen::VectorXd>& measured,
                              const Eigen::Ref<const Eigen::VectorXd>& predicted,
                              const Eigen::Ref<const Eigen::Array<bool, Eigen::Dynamic, 1>>& moving,
                              JointSums& sums) {
  const Eigen::VectorXd errors = measured - predicted;
  sums.errors += errors.sum();
  sums.squared_errors += errors.squaredNorm();
  sums.squared_measured += measured.squaredNorm();
  sums.max_abs = std::max(sums.max_abs, errors.lpNorm<Eigen::Infinity>());
  sums.measured.add(measured);
  sums.predicted.add(predicted);
  sums.moving += static_cast<double>(moving.count());
  sums.moving_errors += moving.select(errors.array().square(), 0.0).sum();
  sums.moving_measured += moving.select(measured.array().square(), 0.0).sum();
  sums.residual.add(errors);
}

void ScoreAccumulator::add(const Eigen::Ref<const Eigen::VectorXd>& time,
                           const Eigen::Ref<const Eigen::MatrixXd>& measured,
                           const Eigen::Ref<const Eigen::MatrixXd>& predicted,
                           const Eigen::Ref<const MovingMask>& moving) {
  constexpr Eigen::Index kPiece = 1024;  // rows that fit the cache
  if (std::isnan(step_)) step_ = usualStep(time);
  for (Eigen::Index first = 0; first < time.size(); first += kPiece) {
    const Eigen::Index rows = std::min(kPiece, time.size() - first);
    addPiece(time.segment(first, rows),
             measured.middleRows(first, rows),
             predicted.middleRows(first, rows),
             moving.middleRows(first, rows));
  }
}

void ScoreAccumulator::addPiece(const Eigen::Ref<const Eigen::VectorXd>& time,
                                const Eigen::Ref<const Eigen::MatrixXd>& measured,
                                const Eigen::Ref<const Eigen::MatrixXd>& predicted,
                                const Eigen::Ref<const MovingMask>& moving) {
  using Flags = Eigen::Array<bool, Eigen::Dynamic, 1>;
  const Eigen::Index rows = time.size();
  Flags after_gap(rows);
  for (Eigen::Index i = 0; i < rows; ++i) {
    after_gap(i) = (i > 0 || rows_ > 0.0) && isGap(time(i) - last_time_, step_);
    last_time_ = time(i);
  }
  Flags any_scored = Flags::Constant(rows, false);
  for (size_t joint = 0; joint < sums_.size(); ++joint) {
    JointSums& sums = sums_[joint];
    const Flags scored =
        measured.col(joint).array().isFinite() && predicted.col(joint).array().isFinite();
    any_scored = any_scored || scored;
    for (Eigen::Index begin = 0, end = 0; begin < rows; begin = end) {
      if (after_gap(begin) || !scored(begin)) sums.residual.breakHere();
      end = begin + 1;
      if (!scored(begin)) continue;
      while (end < rows && scored(end) && !after_gap(end)) ++end;
      addRun(measured.col(joint).segment(begin, end - begin),
             predicted.col(joint).segment(begin, end - begin),
             moving.col(joint).segment(begin, end - begin),
             sums);
    }
  }
  rows_ += static_cast<double>(rows);
  scored_rows_ += static_cast<double>(any_scored.count());
  moving_rows_ += static_cast<double>(moving.rowwise().any().count());
}

JointScore ScoreAccumulator::score(size_t joint) const {
  const JointSums& s = sums_[joint];
  JointScore score;
  score.joint = names_[joint];
  score.samples = s.measured.count;
  score.moving_samples = s.moving;
  score.rmse = std::sqrt(ratio(s.squared_errors, s.measured.count));
  score.relative_error = std::sqrt(ratio(s.squared_errors, s.squared_measured));
  score.r2 = 1.0 - ratio(s.squared_errors, s.measured.squares);
  score.rmse_moving = std::sqrt(ratio(s.moving_errors, s.moving));
  score.relative_error_moving = std::sqrt(ratio(s.moving_errors, s.moving_measured));
  score.max_abs = s.measured.count > 0.0 ? s.max_abs : kNaN;
  score.bias = ratio(s.errors, s.measured.count);
  // sum (m - mean m)(p - mean p), from the squared deviations of m, p and m - p
  const double squares = s.squared_errors - s.errors * ratio(s.errors, s.measured.count);
  const double product = 0.5 * (s.measured.squares + s.predicted.squares - squares);
  score.slope = ratio(product, s.predicted.squares);
  score.correlation = ratio(product, std::sqrt(s.measured.squares * s.predicted.squares));
  score.whiteness = s.residual.whiteness();
  score.residual_time_s = s.residual.inefficiency() * step_;
  return score;
}

std::vector<JointScore> ScoreAccumulator::scores() const {
  std::vector<JointScore> scores;
  for (size_t j = 0; j < sums_.size(); ++j) scores.push_back(score(j));
  return scores;
}

double ScoreAccumulator::relativeError() const {
  double errors = 0.0, measured = 0.0;
  for (const JointSums& sums : sums_) {
    errors += sums.squared_errors;
    measured += sums.squared_measured;
  }
  return std::sqrt(ratio(errors, measured));
}

}  // namespace dynid
