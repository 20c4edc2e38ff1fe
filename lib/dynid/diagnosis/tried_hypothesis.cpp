#include "dynid/diagnosis/tried_hypothesis.h"

#include "dynid/diagnosis/diagnosis.h"
#include "dynid/diagnosis/log_excerpt.h"

#include <algorithm>

namespace dynid {
namespace {

using Kind = Mistake::Kind;

constexpr double kExplained = 0.5;
constexpr int kFoldsThatGain = 4;
// Share of the variance of every joint that kPlainCertainty needs.
constexpr double kAllExplained = 0.2;

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
    case Kind::kGravity:
    case Kind::kNoGravity:
      return true;
    default:
      return false;
  }
}

}  // namespace

double TriedHypothesis::certainty() const {
  if (folds < kFoldsThatGain) return 0.0;
  for (const int joint : mistake.joints)
    if (unexplained(joint) > kExplained) return 0.0;
  return gain < kSmallestGain ? 0.0 : gain + std::max(gravity_gain, 0.0);
}

double TriedHypothesis::warnsFrom() const {
  const bool single_effort = mistake.joints.size() == 1 && (mistake.kind == Kind::kEffortScale ||
                                                            mistake.kind == Kind::kEffortDelay);
  const bool all_explained = unexplained.size() > 0 && unexplained.maxCoeff() < kAllExplained;
  return (single_effort || mistake.kind == Kind::kNoGravity) && all_explained &&
                 folds == kDiagnosisFolds
             ? kPlainCertainty
             : kWarnCertainty;
}

Eigen::Index namedHypothesis(const HypothesisResults& results) {
  for (Eigen::Index i = 0; i < std::ssize(results.tried); ++i)
    if (results.tried[i].certainty() >= results.tried[i].warnsFrom())
      return results.coarse && needsFinePositions(results.tried[i].mistake.kind) ? -1 : i;
  return -1;
}

}  // namespace dynid
