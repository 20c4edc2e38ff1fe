#include "dynid/identification/lower_cutoff.h"

#include "dynid/diagnosis/log_excerpt.h"
#include "dynid/identification/explained_share.h"
#include "dynid/identification/select_friction.h"
#include "dynid/signals/cutoff.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <vector>

namespace dynid {
namespace {

constexpr double kMuchFast = 0.1;  // of the squared acceleration
constexpr double kLeftByLower = 2.0;

/// The cut-offs of all logs, restored at the end.
class ChangedCutoffs {
 public:
  explicit ChangedCutoffs(const Recordings& recordings) {
    for (const OpenedLog& log : recordings.logs)
      logs_.push_back(
          {log.source.get(), log.source->plan().cutoff_hz, log.source->plan().motion_cutoff_hz});
  }
  ChangedCutoffs(const ChangedCutoffs&) = delete;
  ChangedCutoffs& operator=(const ChangedCutoffs&) = delete;
  ~ChangedCutoffs() {
    for (const Log& log : logs_) log.source->setCutoffs(log.rows_hz, log.motion_hz);
  }
  void lower(double hz) {
    for (const Log& log : logs_)
      log.source->setCutoffs(std::min(log.rows_hz, hz), std::min(log.motion_hz, hz));
  }

 private:
  struct Log {
    LogSource* source;
    double rows_hz, motion_hz;
  };
  std::vector<Log> logs_;
};

/// Geometric mean of the shares of the channels that move.
double meanLeft(const Eigen::VectorXd& explained, const Statistics& statistics) {
  double sum = 0.0;
  int channels = 0;
  for (int c = 0; c < statistics.numChannels(); ++c) {
    if (statistics.movingRows(c) == 0.0) continue;
    sum += std::log(std::clamp(1.0 - explained(c), kLeastUnexplained, 1.0));
    ++channels;
  }
  return channels > 0 ? std::exp(sum / channels) : 1.0;
}

}  // namespace

Finding findingOf(const LowerCutoff& lower) {
  return {
      Finding::Severity::kRepaired,
      "cutoff-lowered",
      -1,
      fmt::format("the cut-off was lowered from {:.3g} to {:.3g} Hz: with the higher one the fit "
                  "leaves {:.2g} % of the variance of the slow efforts unexplained, with this "
                  "one {:.2g} %; positions of these logs hold fast noise that is not white",
                  lower.chosen_hz,
                  lower.cutoff_hz,
                  100.0 * lower.left_with_chosen,
                  100.0 * lower.left),
      lower.cutoff_hz,
      ""};
}

bool mayNeedLowerCutoff(const Recordings& recordings) {
  return recordings.pools.empty() && sharedCutoff(recordings) >= 2.0 * kSlowMotionHz &&
         std::any_of(recordings.logs.begin(), recordings.logs.end(), [](const OpenedLog& log) {
           const SignalPlan& plan = log.source->plan();
           return !plan.exact_motion && plan.fast_share >= kMuchFast;
         });
}

std::optional<LowerCutoff> lowerCutoff(const Recordings& recordings,
                                       const GatherOptions& options,
                                       const FitOptions& fit_options) {
  const double chosen = sharedCutoff(recordings);
  std::vector<double> examined{chosen};  // descending
  while (0.5 * examined.back() >= kSlowMotionHz) examined.push_back(0.5 * examined.back());

  ChangedCutoffs cutoffs(recordings);
  std::shared_ptr<const Statistics> slow;
  std::vector<double> left(examined.size());
  for (std::size_t i = examined.size(); i-- > 0;) {
    cutoffs.lower(examined[i]);
    const Regression regression = gather(recordings, plainEffects(recordings), options);
    if (!slow) slow = regression.statistics;
    const Fit fit = fitModel(recordings, regression, fit_options);
    left[i] = meanLeft(explainedShare(recordings, regression, fit, *slow, fit_options), *slow);
  }
  const double least = *std::min_element(left.begin(), left.end());
  const auto first = std::find_if(
      left.begin(), left.end(), [least](double share) { return share <= kLeftByLower * least; });
  if (first == left.begin()) return std::nullopt;
  return LowerCutoff{examined[first - left.begin()], chosen, *first, left.front()};
}

}  // namespace dynid
