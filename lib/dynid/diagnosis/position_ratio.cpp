#include "dynid/diagnosis/position_ratio.h"

#include "dynid/core/errors.h"
#include "dynid/core/parallel.h"
#include "dynid/diagnosis/effort_delay.h"
#include "dynid/diagnosis/hypothesis_search.h"
#include "dynid/diagnosis/mistake_text.h"
#include "dynid/diagnosis/tried_hypothesis.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace dynid {
namespace {

using Eigen::Index;

// Steps to each side of degrees, from kSmallestPositionRatio to kLargestPositionRatio.
constexpr double kLogStep = 0.1;
constexpr int kSteps = 20;
constexpr double kFiner[] = {0.05, 0.025};
// Ratios nearer to 57.3 than this need a larger gain.
constexpr double kNear = 0.3;
constexpr double kAsGood = 0.05;         // [nat]
constexpr double kLeastCompared = 1e-6;  // of the variance; 0: a joint at rest

/// Fits of one excerpt with different ratios.
class RatioFits {
 public:
  RatioFits(const std::shared_ptr<const Robot>& robot,
            const LogExcerpt& excerpt,
            const ColumnMotion& motion,
            const std::vector<int>& joints,
            const Eigen::VectorXd& gains,
            int threads)
      : robot_(robot),
        excerpt_(excerpt),
        motion_(motion),
        joints_(joints),
        scale_(gains.allFinite() ? EffortScale::kKnown : EffortScale::kUnknown),
        columns_(robot),
        weightless_(withGravity(*robot, Eigen::Vector3d::Zero())),
        moves_(movingChannels(motion.q)) {
    const ChannelRows rows = columns_.rows(motion_);
    const MotionStatistics statistics =
        motionStatistics(columns_, weightless_, motion_, rows, excerpt.fold);
    const ChannelDelay delay = findEffortDelay(
        columns_, statistics, rows, excerpt, asLogged(columns_.channels()), scale_, threads);
    effort_ = effortLaterBy(excerpt, delay.of_channel);
    degrees_ = score(statistics, rows);
  }

  /// The fit with q / exp(log_ratio); nothing where the loops do not close, or where a joint would
  /// rest that moves in degrees.
  std::optional<TriedHypothesis> tried(double log_ratio) const {
    TriedHypothesis hypothesis{
        {Mistake::Kind::kPositionUnit, joints_, std::exp(-log_ratio)}, 0.0, 0.0, {}, 0};
    const ColumnMotion changed = undoneMotion(hypothesis.mistake, motion_, *robot_);
    if ((movingChannels(changed.q) != moves_).any()) return std::nullopt;
    try {
      const ChannelRows rows = columns_.rows(changed);
      const HypothesisScore other =
          score(motionStatistics(columns_, weightless_, changed, rows, excerpt_.fold), rows);
      hypothesis.gain = degrees_.objective - other.objective;
      hypothesis.unexplained = other.unexplained;
      hypothesis.folds = foldsThatGain(degrees_, other);
      return hypothesis;
    } catch (const InputError&) {
      return std::nullopt;
    }
  }

 private:
  HypothesisScore score(const MotionStatistics& motion, const ChannelRows& rows) const {
    return scoreHypothesis(columns_,
                           motion,
                           effortStatistics(rows, effort_, excerpt_.fold),
                           asLogged(columns_.channels()),
                           scale_);
  }

  std::shared_ptr<const Robot> robot_;
  const LogExcerpt& excerpt_;
  const ColumnMotion& motion_;
  std::vector<int> joints_;
  EffortScale scale_;
  ChannelColumns columns_, weightless_;
  Eigen::ArrayXd moves_;
  Eigen::MatrixXd effort_;  // delays corrected
  HypothesisScore degrees_;
};

struct TriedRatio {
  double log_ratio = 0.0;  // relative to degrees
  TriedHypothesis hypothesis;
};

double ratioOf(const TriedRatio& tried) { return kDegreesRatio * std::exp(tried.log_ratio); }

/// The ratio that gains most. Where several explain the joints completely and gain the same, the
/// one that leaves least.
const TriedRatio& bestOf(const std::vector<TriedRatio>& tried) {
  double most = -kInfinity;
  for (const TriedRatio& one : tried) most = std::max(most, one.hypothesis.gain);
  const auto left = [&](const TriedRatio& one) {
    return one.hypothesis.gain < most - kAsGood
               ? kInfinity
               : one.hypothesis.unexplained.array().max(kLeastCompared).log().sum();
  };
  return *std::min_element(
      tried.begin(), tried.end(), [&](const auto& a, const auto& b) { return left(a) < left(b); });
}

/// The ratio with two digits.
double rounded(double ratio) {
  const double unit = std::pow(10.0, std::floor(std::log10(ratio)) - 1.0);
  return unit * std::round(ratio / unit);
}

}  // namespace

PositionRatio findPositionRatio(const std::shared_ptr<const Robot>& robot,
                                const LogExcerpt& excerpt,
                                const ColumnMotion& motion,
                                const std::vector<int>& joints,
                                const Eigen::VectorXd& gains,
                                int threads) {
  const RatioFits fits(robot, excerpt, motion, joints, gains, threads);
  std::vector<std::optional<TriedHypothesis>> coarse(2 * kSteps + 1);
  parallelFor(static_cast<int>(std::ssize(coarse)), threads, [&](int i) {
    if (i != kSteps) coarse[i] = fits.tried(kLogStep * (i - kSteps));
  });
  PositionRatio found;
  std::vector<TriedRatio> tried;
  for (int i = 0; i < std::ssize(coarse); ++i) {
    if (!coarse[i]) continue;
    tried.push_back({kLogStep * (i - kSteps), *coarse[i]});
    if (coarse[i]->gain <= -kSmallestGain) continue;
    found.lowest = std::min(found.lowest, ratioOf(tried.back()));
    found.highest = std::max(found.highest, ratioOf(tried.back()));
  }
  if (tried.empty()) return found;
  for (const double step : kFiner) {
    const double centre = bestOf(tried).log_ratio;
    if (std::abs(centre) > kLogStep * (kSteps - 0.5)) return found;
    for (const double sign : {1.0, -1.0})
      if (const auto finer = fits.tried(centre + sign * step))
        tried.push_back({centre + sign * step, *finer});
  }
  const TriedRatio& best = bestOf(tried);
  const bool several = joints.size() != 1 && std::abs(best.log_ratio) > kNear;
  if (best.hypothesis.certainty() < (several ? kSmallestGain : kPlainCertainty)) return found;
  found.ratio = ratioOf(best);
  found.gain = best.hypothesis.gain;
  return found;
}

Finding findingOf(const PositionRatio& ratio,
                  const std::vector<int>& joints,
                  const std::vector<std::string>& names) {
  return {
      Finding::Severity::kRefuse,
      "diagnosis-position-ratio",
      joints.size() == 1 ? joints.front() : -1,
      fmt::format("the position of {} looks like degrees, but degrees do not explain the efforts: "
                  "a position that is about {:.0f} times that of the joint leaves {} unexplained "
                  "(the position of the motor, before the gear)",
                  namesOf(joints, names),
                  rounded(ratio.ratio),
                  timesLess(ratio.gain)),
      ratio.ratio,
      fmt::format("set gear_ratio for {} under [position] (and [velocity]) in the import mapping, "
                  "with the ratios of the robot's gears (about {:.0f}); if the efforts are those "
                  "of the motors, set it under [effort], too",
                  namesOf(joints, names),
                  rounded(ratio.ratio))};
}

}  // namespace dynid
