#include "dynid/validation/scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dynid {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double ratio(double a, double b) { return b > 0.0 ? a / b : kNaN; }

}  // namespace

double usualStep(const Eigen::Ref<const Eigen::VectorXd>& time) {
  std::vector<double> steps;
  for (Eigen::Index i = 1; i < time.size(); ++i)
    if (time(i) > time(i - 1)) steps.push_back(time(i) - time(i - 1));
  if (steps.empty()) return kNaN;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

bool isGap(double step, double usual) {
  return !(step >= 0.0) || step > std::max(10.0 * usual, 0.05);
}

ScoreAccumulator::ScoreAccumulator(const std::vector<std::string>& joints)
    : names_(joints), sums_(joints.size()), step_(kNaN), last_time_(kNaN) {}

void ScoreAccumulator::JointSums::add(double measured, double predicted, bool is_moving) {
  const double error = measured - predicted;
  count += 1.0;
  errors += error;
  squared_errors += error * error;
  squared_measured += measured * measured;
  const double delta = measured - mean;
  mean += delta / count;
  spread += delta * (measured - mean);
  max_abs = std::max(max_abs, std::abs(error));
  if (is_moving) {
    moving += 1.0;
    moving_errors += error * error;
    moving_measured += measured * measured;
  }
  residual.add(error);
}

void ScoreAccumulator::add(const Eigen::Ref<const Eigen::VectorXd>& time,
                           const Eigen::Ref<const Eigen::MatrixXd>& measured,
                           const Eigen::Ref<const Eigen::MatrixXd>& predicted,
                           const MovingMask& moving) {
  if (std::isnan(step_)) step_ = usualStep(time);
  const auto n = static_cast<Eigen::Index>(sums_.size());
  for (Eigen::Index i = 0; i < time.size(); ++i) {
    const bool gap = rows_ > 0.0 && isGap(time(i) - last_time_, step_);
    last_time_ = time(i);
    bool scored = false, moves = false;
    for (Eigen::Index j = 0; j < n; ++j) {
      JointSums& sums = sums_[static_cast<size_t>(j)];
      if (gap) sums.residual.breakHere();
      moves = moves || moving(i, j);
      if (!std::isfinite(measured(i, j)) || !std::isfinite(predicted(i, j))) {
        sums.residual.breakHere();
        continue;
      }
      scored = true;
      sums.add(measured(i, j), predicted(i, j), moving(i, j));
    }
    rows_ += 1.0;
    scored_rows_ += scored ? 1.0 : 0.0;
    moving_rows_ += moves ? 1.0 : 0.0;
  }
}

JointScore ScoreAccumulator::score(size_t joint) const {
  const JointSums& s = sums_[joint];
  JointScore score;
  score.joint = names_[joint];
  score.samples = s.count;
  score.moving_samples = s.moving;
  score.rmse = std::sqrt(ratio(s.squared_errors, s.count));
  score.relative_error = std::sqrt(ratio(s.squared_errors, s.squared_measured));
  score.r2 = 1.0 - ratio(s.squared_errors, s.spread);
  score.rmse_moving = std::sqrt(ratio(s.moving_errors, s.moving));
  score.relative_error_moving = std::sqrt(ratio(s.moving_errors, s.moving_measured));
  score.max_abs = s.count > 0.0 ? s.max_abs : kNaN;
  score.bias = ratio(s.errors, s.count);
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
