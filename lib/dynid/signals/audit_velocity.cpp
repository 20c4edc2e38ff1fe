#include "dynid/core/text.h"
#include "dynid/signals/audit_parts.h"
#include "dynid/signals/recorded_channel.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dynid {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Severity = Finding::Severity;
using std::numbers::pi;

constexpr double kDegree = 180.0 / pi;
constexpr double kFollows = 0.9;    // correlation above which a channel follows another
constexpr double kForeign = 0.5;    // correlation below which two channels are unrelated
constexpr double kScaleBand = 0.1;  // deviation of a scale factor from 1 that is reported

/// Whether the joint moves enough to judge its velocity; otherwise the velocity is mostly noise.
bool isTelling(const AuditMaterial& material, Index j) {
  return material.moves(j) && material.rangeOf(j) > (material.isPrismatic(j) ? 0.01 : 0.1);
}

/// A recorded channel after the filter of the plan, over the longest segment (NaN where it has no
/// values), and the corresponding derivative of the position.
struct Pair {
  MatrixXd derived, logged;
};

// The longest segment over all excerpts at which the channel was recorded: the recorded channel
// after the filter, and the derivative computed from the position.
Pair longestPair(const AuditMaterial& material,
                 MatrixXd RawSignals::*channel,
                 MatrixXd ConditionedSignals::*derived) {
  Pair pair;
  for (std::size_t i = 0; i < material.signals.size(); ++i) {
    const ConditionedSignals& excerpt = material.signals[i];
    const MatrixXd& raw = material.excerpts[i].*channel;
    if (raw.size() == 0) continue;
    const MatrixXd logged = recordedChannel(material.excerpts[i], raw, excerpt, material.plan);
    for (const Segment part : excerpt.segments) {
      if (part.size() <= pair.derived.rows()) continue;
      pair.derived = (excerpt.*derived).middleRows(part.begin, part.size());
      pair.logged = logged.middleRows(part.begin, part.size());
    }
  }
  return pair;
}

/// Ratio of the magnitudes with the sign of the correlation. Unlike a regression coefficient it is
/// not reduced by noise.
double scaleOf(const DelayEstimate& estimate) {
  return estimate.gain / std::abs(estimate.correlation);
}

bool isNear(double value, double target) { return std::abs(value / target - 1.0) < kScaleBand; }

void auditScale(const AuditMaterial& material, int joint, std::vector<Finding>& findings) {
  const DelayEstimate& estimate = material.plan.velocity_delay[joint];
  const double scale = scaleOf(estimate);
  const std::string name = material.nameOf(joint);
  if (scale < 0.0)
    findings.push_back({Severity::kWarning,
                        "velocity-sign",
                        joint,
                        name + ": the logged velocity runs against d(position)/dt (correlation " +
                            toText(estimate.correlation, 3) + ")",
                        estimate.correlation,
                        "one of the two has its sign reversed: check the position's, too"});
  const double size = std::abs(scale);
  if (isNear(size, 1.0)) return;
  if (isNear(size, 1.0 / kDegree)) {
    findings.push_back({Severity::kRefuse,
                        "position-degrees",
                        joint,
                        name + ": d(position)/dt is " + toText(1.0 / size, 4) +
                            " times the logged velocity: the position is in degrees, the velocity "
                            "in radians",
                        1.0 / size,
                        "set the unit attribute of position to deg, or convert"});
  } else if (isNear(size, kDegree)) {
    findings.push_back({Severity::kWarning,
                        "velocity-degrees",
                        joint,
                        name + ": the logged velocity is " + toText(size, 4) +
                            " times d(position)/dt: it is in degrees per second",
                        size,
                        "set the unit attribute of velocity to deg/s"});
  } else {
    findings.push_back(
        {Severity::kWarning,
         "velocity-scale",
         joint,
         name + ": the logged velocity is " + toText(size, 4) + " times d(position)/dt",
         size,
         "check units and gear ratio of position and velocity, and the rate (times) of the rows"});
  }
}

void auditLag(const AuditMaterial& material, int j, std::vector<Finding>& findings) {
  const DelayEstimate& estimate = material.plan.velocity_delay[j];
  // A fifth of the low-pass's time constant is a phase error of 0.2 rad at the cut-off.
  const double visible = 0.2 / (2.0 * pi * material.plan.motion_cutoff_hz);
  if (!(std::abs(estimate.lag) > std::max(visible, 3.0 * estimate.std_dev))) return;
  findings.push_back({Severity::kRepaired,
                      "velocity-lag",
                      j,
                      material.nameOf(j) + ": the logged velocity is " +
                          toText(1e3 * std::abs(estimate.lag), 3) + " ms " +
                          (estimate.lag > 0.0 ? "later" : "earlier") +
                          " than d(position)/dt; the velocity is derived from the position",
                      estimate.lag,
                      ""});
}

/// The joint whose motion the velocity of j follows, if it is another one; otherwise -1.
Index otherOwner(const Pair& pair, const AuditMaterial& material, Index j) {
  const Segment known = longestKnown(pair.logged.col(j));
  Index owner = -1;
  double best = 0.95;
  for (Index k = 0; k < pair.derived.cols(); ++k) {
    if (k == j) continue;
    const double correlation =
        std::abs(estimateDelay(pair.derived.col(k).segment(known.begin, known.size()),
                               pair.logged.col(j).segment(known.begin, known.size()),
                               material.plan.dt,
                               2.0 * material.plan.dt)
                     .correlation);
    if (correlation > best) {
      best = correlation;
      owner = k;
    }
  }
  return owner;
}

// Reports a velocity that does not follow the position of its joint: either it belongs to another
// joint, or to none.
void auditForeignVelocity(const AuditMaterial& material,
                          const Pair& pair,
                          int j,
                          std::vector<Finding>& findings) {
  const DelayEstimate& estimate = material.plan.velocity_delay[j];
  const double correlation = std::abs(estimate.correlation);
  const Index owner = correlation < kForeign + 0.3 ? otherOwner(pair, material, j) : -1;
  if (owner >= 0)
    findings.push_back({Severity::kWarning,
                        "swapped-joints",
                        j,
                        "the logged velocity of " + material.nameOf(j) +
                            " is that of d(position)/dt of " + material.nameOf(owner) +
                            " (correlation with its own " + toText(correlation, 3) + ")",
                        static_cast<double>(owner),
                        "the columns are in different orders: check position and effort, too"});
  else
    findings.push_back({Severity::kWarning,
                        "velocity-mismatch",
                        j,
                        material.nameOf(j) +
                            ": the logged velocity does not follow d(position)/dt (correlation " +
                            toText(estimate.correlation, 3) + " at best); it was not used",
                        estimate.correlation,
                        "check which signal was logged"});
}

/// Says which joints have no values in a channel that is not needed.
void noteAbsent(const AuditMaterial& material,
                MatrixXd RawSignals::*channel,
                const std::string& name,
                std::vector<Finding>& findings) {
  for (int j = 0; j < material.excerpts.front().joints(); ++j)
    if (columnOf(material, channel, j).empty())
      findings.push_back({Severity::kNote,
                          name + "-absent",
                          j,
                          material.nameOf(j) + ": the logged " + name +
                              " holds no values; it is derived from the position",
                          0.0,
                          ""});
}

}  // namespace

void auditVelocity(const AuditMaterial& material, std::vector<Finding>& findings) {
  if (material.plan.velocity_delay.empty()) return;
  const Pair pair = longestPair(material, &RawSignals::velocity, &ConditionedSignals::dq);
  noteAbsent(material, &RawSignals::velocity, "velocity", findings);
  for (int j = 0; j < pair.derived.cols(); ++j) {
    if (!isTelling(material, j) || longestKnown(pair.logged.col(j)).size() == 0) continue;
    const DelayEstimate& estimate = material.plan.velocity_delay[j];
    if (std::abs(estimate.correlation) < kFollows) {
      auditForeignVelocity(material, pair, j, findings);
      continue;
    }
    auditScale(material, j, findings);
    auditLag(material, j, findings);
  }
}

void auditAcceleration(const AuditMaterial& material, std::vector<Finding>& findings) {
  const Pair pair = longestPair(material, &RawSignals::acceleration, &ConditionedSignals::ddq);
  if (pair.logged.rows() < 8) return;
  // Compared below the cut-off, where neither vibration nor noise dominates the acceleration, and
  // away from the ends, where the filter has samples on one side only.
  const double rate = material.plan.rateHz();
  const Lowpass inside = designLowpass(4, 0.5 * material.plan.cutoff_hz, rate);
  const auto settling = static_cast<Index>(2.0 * rate / material.plan.cutoff_hz);
  for (int j = 0; j < pair.derived.cols(); ++j) {
    const Segment known = longestKnown(pair.logged.col(j));
    if (!isTelling(material, j) || known.size() < 8) continue;
    MatrixXd derived = pair.derived.col(j).segment(known.begin, known.size());
    MatrixXd logged = pair.logged.col(j).segment(known.begin, known.size());
    filterZeroPhase(inside, derived);
    filterZeroPhase(inside, logged);
    const Index trim = std::min(settling, known.size() / 4);
    const Index rows = known.size() - 2 * trim;
    const DelayEstimate estimate = estimateDelay(derived.col(0).segment(trim, rows),
                                                 logged.col(0).segment(trim, rows),
                                                 material.plan.dt,
                                                 0.5);
    const double scale = scaleOf(estimate);
    const bool follows = estimate.correlation > kFollows;
    if (follows && isNear(scale, 1.0)) continue;
    findings.push_back({Severity::kWarning,
                        "acceleration-mismatch",
                        j,
                        material.nameOf(j) + ": the logged acceleration " +
                            (follows ? "is " + toText(scale, 4) + " times d2(position)/dt2"
                                     : "does not follow d2(position)/dt2 (correlation " +
                                           toText(estimate.correlation, 3) + ")") +
                            "; it was not used",
                        follows ? scale : estimate.correlation,
                        "check unit and sign of the acceleration"});
  }
}

}  // namespace dynid
