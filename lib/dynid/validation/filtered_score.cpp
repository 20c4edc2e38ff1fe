#include "dynid/validation/filtered_score.h"

#include "dynid/signals/cutoff.h"
#include "dynid/signals/noise_floor.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dynid {
namespace {

constexpr Eigen::Index kCoreRows = 8192;
constexpr double kTailTolerance = 1e-9;  // relative; negligible for any score

/// A measurement and its prediction, [rows x joints].
struct Pair {
  Eigen::MatrixXd& measured;
  Eigen::MatrixXd& predicted;
};

/// `bridged` gets these rows of `values`. Where one of the two is not finite, the difference is
/// that of the last row with both (0: none before); where both are not, the prediction stays as
/// well.
void bridge(const Pair& values, Eigen::Index first, Eigen::Index rows, const Pair& bridged) {
  for (Eigen::Index j = 0; j < values.measured.cols(); ++j) {
    double model = first > 0 ? bridged.predicted(first - 1, j) : 0.0;
    double difference = first > 0 ? bridged.measured(first - 1, j) - model : 0.0;
    for (Eigen::Index i = first; i < first + rows; ++i) {
      const double measured = values.measured(i, j), predicted = values.predicted(i, j);
      if (std::isfinite(predicted)) {
        model = predicted;
        if (std::isfinite(measured)) difference = measured - predicted;
      } else if (std::isfinite(measured)) {
        model = measured - difference;
      }
      bridged.predicted(i, j) = model;
      bridged.measured(i, j) = model + difference;
    }
  }
}

}  // namespace

FilteredScorer::FilteredScorer(const std::vector<std::string>& joints,
                               const SignalSettings& signals)
    : signals_(signals), scores_(joints), step_(std::numeric_limits<double>::quiet_NaN()) {}

void FilteredScorer::add(const Eigen::Ref<const Eigen::VectorXd>& time,
                         const Eigen::Ref<const Eigen::MatrixXd>& measured,
                         const Eigen::Ref<const Eigen::MatrixXd>& predicted,
                         const MovingMask& moving) {
  if (std::isnan(step_)) {
    step_ = usualStep(time);
    const double rate = 1.0 / step_;
    if (!(signals_.cutoff_hz > 0.0)) return;
    signals_.cutoff_hz = std::min(signals_.cutoff_hz, highestCutoff(rate));
    lowpass_ = designLowpass(signals_.filter_order, signals_.cutoff_hz, rate);
    tail_ = tailLength(lowpass_, kTailTolerance);
    capacity_ = kCoreRows + 2 * tail_;
    time_.resize(capacity_);
    measured_.resize(capacity_, measured.cols());
    predicted_.resize(capacity_, measured.cols());
    bridged_measured_.resize(capacity_, measured.cols());
    bridged_predicted_.resize(capacity_, measured.cols());
    moving_.resize(capacity_, measured.cols());
    noise_ = error_ = effort_ = effort_above_ = Eigen::VectorXd::Zero(measured.cols());
  }
  if (!applies()) return;
  for (Eigen::Index begin = 0, end = 0; begin < time.size(); begin = end) {
    if (size_ > 0 && isGap(time(begin) - time_(size_ - 1), step_)) scoreWindow(true);
    const Eigen::Index most = std::min(time.size(), begin + capacity_ - size_);
    end = begin + 1;
    while (end < most && !isGap(time(end) - time(end - 1), step_)) ++end;
    const Eigen::Index rows = end - begin;
    time_.segment(size_, rows) = time.segment(begin, rows);
    measured_.middleRows(size_, rows) = measured.middleRows(begin, rows);
    predicted_.middleRows(size_, rows) = predicted.middleRows(begin, rows);
    moving_.middleRows(size_, rows) = moving.middleRows(begin, rows);
    bridge({measured_, predicted_}, size_, rows, {bridged_measured_, bridged_predicted_});
    size_ += rows;
    if (size_ == capacity_) scoreWindow(false);
  }
}

void FilteredScorer::scoreWindow(bool last) {
  const Eigen::Index end = last ? size_ : size_ - tail_;
  const Eigen::Index rows = end - scored_;
  if (size_ > 1 && rows > 0) {
    const auto filtered = [&](const Eigen::MatrixXd& values, const Eigen::MatrixXd& bridged) {
      Eigen::MatrixXd smooth = bridged.topRows(size_);
      filterZeroPhase(lowpass_, smooth, workspace_);
      return Eigen::MatrixXd(
          values.topRows(size_).array().isFinite().select(smooth, values.topRows(size_)));
    };
    const Eigen::MatrixXd target = filtered(measured_, bridged_measured_);
    const Eigen::MatrixXd model = filtered(predicted_, bridged_predicted_);
    scores_.add(time_.segment(scored_, rows),
                target.middleRows(scored_, rows),
                model.middleRows(scored_, rows),
                moving_.middleRows(scored_, rows));
    for (Eigen::Index j = 0; j < target.cols(); ++j)
      for (Eigen::Index i = scored_; i < end; ++i) {
        if (!std::isfinite(measured_(i, j)) || !std::isfinite(predicted_(i, j))) continue;
        const double residual = measured_(i, j) - predicted_(i, j);
        const double above_cutoff = residual - (target(i, j) - model(i, j));
        const double effort_above = measured_(i, j) - target(i, j);
        noise_(j) += above_cutoff * above_cutoff;
        effort_above_(j) += effort_above * effort_above;
        error_(j) += residual * residual;
        effort_(j) += measured_(i, j) * measured_(i, j);
      }
  }
  // Keep the rows for the next window: its first core row and one tail before it.
  const Eigen::Index keep = last ? 0 : 2 * tail_;
  const Eigen::Index from = size_ - keep;
  time_.head(keep) = time_.segment(from, keep).eval();
  measured_.topRows(keep) = measured_.middleRows(from, keep).eval();
  predicted_.topRows(keep) = predicted_.middleRows(from, keep).eval();
  bridged_measured_.topRows(keep) = bridged_measured_.middleRows(from, keep).eval();
  bridged_predicted_.topRows(keep) = bridged_predicted_.middleRows(from, keep).eval();
  moving_.topRows(keep) = moving_.middleRows(from, keep).eval();
  size_ = keep;
  scored_ = last ? 0 : tail_;
}

FilteredScore FilteredScorer::finish() {
  FilteredScore result;
  result.cutoff_hz = std::numeric_limits<double>::quiet_NaN();
  if (!applies()) return result;
  scoreWindow(true);
  result.cutoff_hz = signals_.cutoff_hz;
  result.per_joint = scores_.scores();
  result.relative_error = scores_.relativeError();
  const Eigen::VectorXd noise = squaredNoiseFloor(noise_, error_, effort_above_);
  result.noise_floor = std::sqrt(noise.sum() / effort_.sum());
  for (Eigen::Index j = 0; j < noise.size(); ++j)
    result.joint_noise_floor.push_back(std::sqrt(noise(j) / effort_(j)));
  return result;
}

}  // namespace dynid
