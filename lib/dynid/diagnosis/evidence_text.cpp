#include "dynid/diagnosis/evidence_text.h"

#include "dynid/diagnosis/described_score.h"
#include "dynid/diagnosis/diagnosis.h"
#include "dynid/diagnosis/mistake_text.h"
#include "dynid/diagnosis/prior_bodies.h"

#include <algorithm>
#include <fmt/format.h>

namespace dynid {
namespace {

using Eigen::Index;

/// A share in percent with two digits.
std::string percentOf(double share) {
  return share < 0.995 ? fmt::format("{:.2g} %", 100.0 * share)
                       : fmt::format("{:.0f} %", 100.0 * share);
}

/// "leaves 1.2 % of its variance unexplained instead of 48 %", for the channel that gains most.
std::string evidence(const HypothesisResults& results,
                     const TriedHypothesis& best,
                     const std::vector<std::string>& names) {
  Index channel = 0;
  (results.as_logged.unexplained.array() / best.unexplained.array().max(1e-6)).maxCoeff(&channel);
  return fmt::format(
      "with that undone the model leaves {} of the effort variance of {} unexplained instead "
      "of {} (all joints together: {}; certainty {:.1f}, from {:.1f} on the log is refused)",
      percentOf(best.unexplained(channel)),
      names[channel],
      percentOf(results.as_logged.unexplained(channel)),
      timesLess(best.gain),
      best.certainty(),
      kRefuseCertainty);
}

/// The same for a certainty that rests on the fit of bodies that resemble the links.
std::string physicsEvidence(const Robot& robot,
                            const TriedHypothesis& best,
                            const std::vector<std::string>& names) {
  Index channel = 0;
  (best.consistent_before.array() / best.consistent_after.array().max(kLeastUnexplained))
      .maxCoeff(&channel);
  std::vector<std::string> sources;
  priorBodies(robot, sources);
  const bool capsules = std::count(sources.begin(), sources.end(), kCapsuleSource) > 0;
  return fmt::format(
      "with that undone, links that resemble {} leave {} of the effort variance of {} unexplained "
      "instead of {} (certainty {:.1f}{})",
      capsules ? "homogeneous capsules between the joints" : "those of the robot description",
      percentOf(best.consistent_after(channel)),
      names[channel],
      percentOf(best.consistent_before(channel)),
      best.certainty(),
      best.mayRefuse() ? fmt::format(", from {:.1f} on the log is refused", kRefuseCertainty) : "");
}

/// The same for a certainty that rests on the inertials of the description.
std::string describedEvidence(const TriedHypothesis& best, const std::vector<std::string>& names) {
  Index channel = 0;
  (best.described_before.array() / best.described_after.array().max(kDescribedFloor))
      .maxCoeff(&channel);
  return fmt::format(
      "with that undone, the inertials of the robot description, unchanged, leave {} of the effort "
      "variance of {} unexplained instead of {} (certainty {:.1f})",
      percentOf(best.described_after(channel)),
      names[channel],
      percentOf(best.described_before(channel)),
      best.certainty());
}

}  // namespace

std::string evidenceOf(const Robot& robot,
                       const HypothesisResults& results,
                       const TriedHypothesis& best,
                       const std::vector<std::string>& names) {
  if (best.restsOnPhysics()) return physicsEvidence(robot, best, names);
  if (best.restsOnDescription()) return describedEvidence(best, names);
  return evidence(results, best, names);
}

std::string otherCauses(const TriedHypothesis& best) {
  std::string text;
  // If the similarity of the gravity torques to those of rods or the resemblance of the links gains
  // more than the fit, a wrong zero position is possible too: it also rotates gravity relative to
  // the links.
  if (best.mistake.kind == Mistake::Kind::kGravity &&
      (best.gain < best.gravity_gain || best.gain < best.physics_gain))
    text +=
        "; or that the zero position of a joint is off, which turns gravity against the links, "
        "too";
  if (best.restsOnDescription() && !best.mayRefuse())
    return text +
           "; or that these inertials are wrong, because the identified model explains the efforts "
           "in both cases";
  if (!best.restsOnPhysics()) return text;
  if (best.mistake.kind == Mistake::Kind::kNoGravity)
    text += "; or that springs or counterweights carry the robot";
  else if (!best.mayRefuse())
    text +=
        "; or that the centres of mass of links lie on the other side of their joints than is "
        "assumed";
  return text;
}

}  // namespace dynid
