#pragma once

#include "dynid/diagnosis/hypothesis_score.h"
#include "dynid/diagnosis/mistake.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// A mistake, and how much better the plain model explains the log if the mistake is undone.
struct TriedHypothesis {
  Mistake mistake;
  double gain = 0.0;            ///< fall of HypothesisScore::objective [nat]
  double gravity_gain = 0.0;    ///< fall of HypothesisScore::gravity_prior [nat]
  Eigen::VectorXd unexplained;  ///< [channels] as HypothesisScore
  int folds = 0;                ///< of five that gain (foldsThatGain)
  /// Fall of ConsistentScore::objective [nat]; 0 where it was not tested.
  double physics_gain = 0.0;
  /// [channels] ConsistentScore::unexplained as logged, and with the mistake undone; empty where it
  /// was not tested.
  Eigen::VectorXd consistent_before = {}, consistent_after = {};
  /// Fall of DescribedScore::objective [nat]; 0 where the description has no inertials.
  double described_gain = 0.0;
  /// [channels] DescribedScore::unexplained as logged, and with the mistake undone.
  Eigen::VectorXd described_before = {}, described_after = {};
  /// The largest one of
  ///   - gain + max(gravity gain, 0), for an axis 0.3 less, and less by what the described gain is
  ///     below 0 where the inertials of the description explain most efforts as they are; 0 where
  ///     the gain is below 0.6, where fewer than four folds gain, where a joint that is named is
  ///     not half explained with the mistake undone (then the gain lies elsewhere: a joint at
  ///     standstill whose effort was declared small, for instance), and for an axis, or a factor of
  ///     a position of 0.74 to 1.35, that leaves more than 10 % of an effort (it then compensates
  ///     what the description lacks);
  ///   - physics gain + max(gravity gain, 0); 0 where the physics gain is below 0.5, and where the
  ///     fit of it leaves more than 20 % of an effort unexplained;
  ///   - described gain; 0 for delays, steps and clocks within 1.28 times, where the fit loses more
  ///     than 0.1 nat and a tenth of the described gain, where a joint that is named rests, where a
  ///     mistake of positions gains less than 0.3 nat at the joints that are not named, and where
  ///     the inertials of the description explain fewer than three joints, fewer than half of those
  ///     that move, or not a joint that is named. Explained: at most 10 % of the effort's variance,
  ///     or twice what the fit leaves, is left.
  double certainty() const;
  /// Whether the certainty is that of the physics gain.
  bool restsOnPhysics() const;
  /// Whether the certainty is that of the described gain.
  bool restsOnDescription() const;
  /// Whether a certainty of kRefuseCertainty refuses the log. False where it rests on physics or
  /// on the description and the plain model explains the efforts as well without the mistake
  /// undone, because the description may be wrong instead; and for missing gravity torques that
  /// rest on physics, because springs or counterweights may carry the robot.
  bool mayRefuse() const;
  /// The certainty from which the mistake is a warning: kWarnCertainty; if every joint is
  /// explained, kPlainCertainty for a late position and, if every fold gains, for the
  /// scale or delay of one effort and for missing gravity torques; kRefuseCertainty for a zero of
  /// more than 32 degrees that is not within 18 degrees of a multiple of 90; kPhysicsCertainty
  /// where it rests on physics; kDescribedCertainty where it rests on the description, but for such
  /// zeros.
  double warnsFrom() const;
};

/// Smaller gains of the fit are within the noise of the cross-validation: with this limit no wrong
/// hypothesis reaches a warning on 86 untouched logs, real and simulated (experiments/mistakes).
inline constexpr double kSmallestGain = 0.6;

/// Hypotheses that change one number and not the motion gain less where they are wrong: 1.15 at
/// most on untouched logs whose joints are all explained with them; the right ones have 1.56 to 7
/// (experiments/mistakes).
inline constexpr double kPlainCertainty = 1.4;

/// From these on the physics gain counts and warns. With them no direction of gravity is named by
/// its physics gain on 395 right logs of simulated robots; the right hypothesis reaches 0.6 to 27
/// on logs in which gravity can be seen (experiments/mistakes).
inline constexpr double kSmallestPhysicsGain = 0.5;
inline constexpr double kPhysicsCertainty = 1.0;

/// From this described gain on a mistake is a warning.
inline constexpr double kDescribedCertainty = 1.0;

/// [rad] Zeros that are off by more, and not by about a multiple of a right angle, are found among
/// many more values, and warn from kRefuseCertainty only.
inline constexpr double kSmallZero = 32.0 * kDegree;

/// Results of the fits of a diagnosis.
struct HypothesisResults {
  HypothesisScore as_logged;  ///< nothing is wrong (delays corrected)
  /// Most certain first. Empty where all channels are explained so well that no hypothesis could
  /// reach the smallest gain that counts (0.6).
  std::vector<TriedHypothesis> tried;
  Eigen::VectorXd effort_delay;       ///< [channels] s, found and corrected; positive: late
  Eigen::VectorXd effort_delay_gain;  ///< [channels] nat
  double delay_gain = 0.0;            ///< [nat] that these corrections gained
  double common_delay = 0.0;          ///< [s] the one delay that fits all channels best
  int passes = 0;                     ///< evaluations of the regressor over the excerpt
  int loops_not_closed = 0;           ///< hypotheses left out because the loops do not close
  bool coarse = false;                ///< LogExcerpt::isCoarse of any channel
  bool confirmed = true;              ///< false: LogExcerpt::second_fold names another one
};

/// Index in results.tried of the most certain hypothesis that is a warning
/// (TriedHypothesis::warnsFrom); -1: none. It is -1 as well if a zero that is not near a multiple
/// of a right angle is more certain than that, and if positions are coarse: their rounding biases
/// scales, delays, zero positions, units of position and time and the direction of gravity, none of
/// which is named then.
Eigen::Index namedHypothesis(const HypothesisResults& results);

/// Whether the mistake that is named is a delay of efforts. It may be longer than the delays that
/// findEffortDelay searches (HypothesisResults::effort_delay).
bool namesEffortDelay(const HypothesisResults& results);

/// Whether `a` explains the efforts better. Gains end where 0.3 % is unexplained and hardly change
/// near that: within 0.1 nat, what is left of every joint decides.
bool explainsMore(const TriedHypothesis& a, const TriedHypothesis& b);

/// The same with the inertials of the description, by their gain.
bool describesMore(const TriedHypothesis& a, const TriedHypothesis& b);

}  // namespace dynid
