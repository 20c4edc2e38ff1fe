#include "dynid/diagnosis/tried_hypothesis.h"

#include "dynid/diagnosis/described_score.h"
#include "dynid/diagnosis/diagnosis.h"
#include "dynid/diagnosis/log_excerpt.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

using Kind = Mistake::Kind;

constexpr double kExplained = 0.5;
constexpr int kFoldsThatGain = 4;
// Share of the variance of every joint that kPlainCertainty and a physics gain need.
constexpr double kAllExplained = 0.2;
// The same for axes, and factors of positions near 1.
constexpr double kNearlyExplained = 0.1;
// [nat] An axis must gain this much more than a wrong sign, zero or gravity.
constexpr double kRare = 0.3;
// With a mistake undone that the description contradicts: share of the variance that its inertials
// leave, over that of the fit, and what the fit may lose: this share of the described gain, or this
// many nat.
constexpr double kNearlyTheFit = 2.0, kMostLostByDescription = 0.1;
// Logarithm of a factor of the clock; errors of described moments of inertia look like smaller
// ones.
constexpr double kOtherClock = 0.25;
constexpr double kGainElsewhere = 0.3;    // [nat] of the joints that are not named
constexpr double kFewestExplained = 3.0;  // joints
constexpr double kMostJoints = 0.5;       // share of them that it must explain

constexpr double kSameGain = 0.1;  // [nat]

// [nat] Gain of a hypothesis that rests on physics from which it may refuse a log.
constexpr double kClearlyBetter = 0.3;

// Hypotheses that change a number rather than a sign or an order.
bool needsFinePositions(Kind kind) {
  switch (kind) {
    case Kind::kEffortScale:
    case Kind::kPositionZero:
    case Kind::kPositionScale:
    case Kind::kPositionStep:
    case Kind::kPositionUnit:
    case Kind::kTimeScale:
    case Kind::kEffortDelay:
    case Kind::kPositionDelay:
    case Kind::kGravity:
    case Kind::kNoGravity:
      return true;
    default:
      return false;
  }
}

/// A zero that is neither a small error nor near a multiple of a right angle. These are found among
/// many more values.
bool isUnusualZero(const Mistake& mistake) {
  constexpr double kNearRightAngle = 18.0 * kDegree, kRightAngle = 90.0 * kDegree;
  return mistake.kind == Kind::kPositionZero && std::abs(mistake.value) > kSmallZero &&
         std::abs(std::remainder(mistake.value, kRightAngle)) > kNearRightAngle;
}

/// Axes and factors near 1 that compensate what the description or the model lacks.
bool mayCompensate(const Mistake& mistake) {
  constexpr double kNearOne = 0.3;
  return mistake.kind == Kind::kJointAxis ||
         (mistake.kind == Kind::kPositionScale && std::abs(std::log(mistake.value)) < kNearOne);
}

bool leavesLess(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  constexpr double kLeast = 1e-6;
  return a.array().max(kLeast).log().sum() < b.array().max(kLeast).log().sum();
}

bool explainsMost(const Eigen::VectorXd& unexplained, const Eigen::ArrayXd& most) {
  const auto moves = unexplained.array() > 0.0;
  const auto moving = static_cast<double>(moves.count());
  const auto explained = static_cast<double>((moves && unexplained.array() <= most).count());
  return explained >= std::max(kFewestExplained, kMostJoints * moving);
}

bool isOfEfforts(Kind kind) {
  return kind == Kind::kEffortSign || kind == Kind::kEffortSwap || kind == Kind::kEffortOrder ||
         kind == Kind::kEffortScale || kind == Kind::kEffortShare;
}

/// A description tells nothing about delays that the fit does not: it may only lack what a delay or
/// a step compensates.
bool concernsDescription(const Mistake& mistake) {
  const Kind kind = mistake.kind;
  if (kind == Kind::kTimeScale) return std::abs(std::log(mistake.value)) > kOtherClock;
  return kind != Kind::kEffortDelay && kind != Kind::kPositionDelay && kind != Kind::kPositionStep;
}

// Whether the inertials of the description explain the efforts of the named joints, and of most
// others, about as well as the fit does.
bool isAsDescribed(const TriedHypothesis& tried) {
  const Eigen::ArrayXd most =
      (kNearlyTheFit * tried.unexplained.array()).max(kExplainedByDescription);
  for (const int joint : tried.mistake.joints) {
    const double left = tried.described_after(joint);
    if (left == 0.0 || left > most(joint)) return false;  // 0: at rest
  }
  return explainsMost(tried.described_after, most);
}

// What a mistake counts less if the description explains most efforts as they are, and fewer with
// the mistake undone [nat, not positive].
double contradiction(const TriedHypothesis& tried) {
  const Eigen::ArrayXd most =
      Eigen::ArrayXd::Constant(tried.described_before.size(), kExplainedByDescription);
  return explainsMost(tried.described_before, most) ? std::min(tried.described_gain, 0.0) : 0.0;
}

double plainCertainty(const TriedHypothesis& tried) {
  if (tried.folds < kFoldsThatGain) return 0.0;
  for (const int joint : tried.mistake.joints)
    if (tried.unexplained(joint) > kExplained) return 0.0;
  if (mayCompensate(tried.mistake) && tried.unexplained.maxCoeff() > kNearlyExplained) return 0.0;
  if (tried.gain < kSmallestGain) return 0.0;
  const double rare = tried.mistake.kind == Kind::kJointAxis ? kRare : 0.0;
  return std::max(0.0,
                  tried.gain + std::max(tried.gravity_gain, 0.0) + contradiction(tried) - rare);
}

double physicsCertainty(const TriedHypothesis& tried) {
  if (tried.consistent_after.size() > 0 && tried.consistent_after.maxCoeff() > kAllExplained)
    return 0.0;
  return tried.physics_gain < kSmallestPhysicsGain
             ? 0.0
             : tried.physics_gain + std::max(tried.gravity_gain, 0.0);
}

/// A mistake of a position shows in the efforts of other joints, too. Where it does not, the
/// description of the last link, or a tool that it lacks, explains as much.
bool showsElsewhere(const TriedHypothesis& tried) {
  if (isOfEfforts(tried.mistake.kind)) return true;
  const auto objective = [&](Eigen::VectorXd unexplained) {
    for (const int joint : tried.mistake.joints) unexplained(joint) = 1.0;
    return unexplained.array().max(kDescribedFloor).log().sum();
  };
  return objective(tried.described_before) - objective(tried.described_after) >= kGainElsewhere;
}

double describedCertainty(const TriedHypothesis& tried) {
  const double lost = kMostLostByDescription * std::max(1.0, tried.described_gain);
  if (tried.described_after.size() == 0 || !concernsDescription(tried.mistake) ||
      tried.gain < -lost || !isAsDescribed(tried) || !showsElsewhere(tried))
    return 0.0;
  return std::max(0.0, tried.described_gain);
}

}  // namespace

double TriedHypothesis::certainty() const {
  return std::max({plainCertainty(*this), physicsCertainty(*this), describedCertainty(*this)});
}

bool TriedHypothesis::restsOnPhysics() const {
  return physicsCertainty(*this) > plainCertainty(*this) && !restsOnDescription();
}

bool TriedHypothesis::restsOnDescription() const {
  return describedCertainty(*this) > std::max(plainCertainty(*this), physicsCertainty(*this));
}

bool TriedHypothesis::mayRefuse() const {
  const bool by_physics = gain >= kClearlyBetter && mistake.kind != Kind::kNoGravity;
  if (restsOnDescription())
    return plainCertainty(*this) >= kRefuseCertainty ||
           (by_physics && physicsCertainty(*this) >= kRefuseCertainty);
  return !restsOnPhysics() || by_physics;
}

double TriedHypothesis::warnsFrom() const {
  if (restsOnPhysics()) return kPhysicsCertainty;
  if (isUnusualZero(mistake)) return kRefuseCertainty;
  if (restsOnDescription()) return kDescribedCertainty;
  const bool all_explained = unexplained.size() > 0 && unexplained.maxCoeff() < kAllExplained;
  if (!all_explained) return kWarnCertainty;
  if (mistake.kind == Kind::kPositionDelay && mistake.value > 0.0) return kPlainCertainty;
  const bool single_effort = mistake.joints.size() == 1 && (mistake.kind == Kind::kEffortScale ||
                                                            mistake.kind == Kind::kEffortDelay);
  return (single_effort || mistake.kind == Kind::kNoGravity) && folds == kDiagnosisFolds
             ? kPlainCertainty
             : kWarnCertainty;
}

Eigen::Index namedHypothesis(const HypothesisResults& results) {
  for (Eigen::Index i = 0; i < std::ssize(results.tried); ++i) {
    const TriedHypothesis& tried = results.tried[i];
    if (tried.certainty() >= tried.warnsFrom())
      return results.coarse && needsFinePositions(tried.mistake.kind) ? -1 : i;
    if (tried.certainty() >= kWarnCertainty) return -1;  // the less certain ones explain less
  }
  return -1;
}

bool namesEffortDelay(const HypothesisResults& results) {
  const Eigen::Index named = namedHypothesis(results);
  return named >= 0 && results.tried[named].mistake.kind == Kind::kEffortDelay;
}

bool explainsMore(const TriedHypothesis& a, const TriedHypothesis& b) {
  if (std::abs(a.gain - b.gain) > kSameGain) return a.gain > b.gain;
  return leavesLess(a.unexplained, b.unexplained);
}

bool describesMore(const TriedHypothesis& a, const TriedHypothesis& b) {
  if (std::abs(a.described_gain - b.described_gain) > kSameGain)
    return a.described_gain > b.described_gain;
  return leavesLess(a.described_after, b.described_after);
}

}  // namespace dynid
