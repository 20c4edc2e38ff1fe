#include "dynid/diagnosis/tried_hypothesis.h"

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

double plainCertainty(const TriedHypothesis& tried) {
  if (tried.folds < kFoldsThatGain) return 0.0;
  for (const int joint : tried.mistake.joints)
    if (tried.unexplained(joint) > kExplained) return 0.0;
  if (mayCompensate(tried.mistake) && tried.unexplained.maxCoeff() > kNearlyExplained) return 0.0;
  if (tried.gain < kSmallestGain) return 0.0;
  const double rare = tried.mistake.kind == Kind::kJointAxis ? kRare : 0.0;
  return std::max(0.0, tried.gain + std::max(tried.gravity_gain, 0.0) - rare);
}

double physicsCertainty(const TriedHypothesis& tried) {
  if (tried.consistent_after.size() > 0 && tried.consistent_after.maxCoeff() > kAllExplained)
    return 0.0;
  return tried.physics_gain < kSmallestPhysicsGain
             ? 0.0
             : tried.physics_gain + std::max(tried.gravity_gain, 0.0);
}

}  // namespace

double TriedHypothesis::certainty() const {
  return std::max(plainCertainty(*this), physicsCertainty(*this));
}

bool TriedHypothesis::restsOnPhysics() const {
  return physicsCertainty(*this) > plainCertainty(*this);
}

bool TriedHypothesis::mayRefuse() const {
  return !restsOnPhysics() || (gain >= kClearlyBetter && mistake.kind != Kind::kNoGravity);
}

double TriedHypothesis::warnsFrom() const {
  if (restsOnPhysics()) return kPhysicsCertainty;
  if (isUnusualZero(mistake)) return kRefuseCertainty;
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

bool explainsMore(const TriedHypothesis& a, const TriedHypothesis& b) {
  constexpr double kSameGain = 0.1, kLeast = 1e-6;
  if (std::abs(a.gain - b.gain) > kSameGain) return a.gain > b.gain;
  return a.unexplained.array().max(kLeast).log().sum() <
         b.unexplained.array().max(kLeast).log().sum();
}

}  // namespace dynid
