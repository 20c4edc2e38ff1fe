#include "dynid/core/parallel.h"
#include "dynid/core/text.h"
#include "dynid/math/quantile.h"
#include "dynid/signals/audit_parts.h"
#include "dynid/signals/cutoff.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dynid {

namespace {

using Eigen::Index;
using Severity = Finding::Severity;

constexpr double kClippedShare = 0.01;  // share of rows at an extreme value
constexpr std::size_t kClippedRun = 5;  // consecutive rows at an extreme value
constexpr std::size_t kFewLevels = 100;
// Smallest spike, relative to the 95 % quantile of the effort. With 0.5, logs of two of nine real
// robots would be reported, with 2 none.
constexpr double kSpikeOfEffort = 2.0;
constexpr double kSpikeOfStep = 10.0;  // of the median step between rows
constexpr double kSpikeShare = 5e-4;   // of the rows
constexpr std::size_t kFewestSpikes = 3;
constexpr double kLargeEffort = 2e4;  // N m or N
const char* const kConstant = "effort-constant";
constexpr double kNoEffort = 1e-12;  // N m, N or A: a smaller range is not a measurement

/// Number of rows at the largest (side = 1) or smallest (side = -1) value, and their longest run.
struct Extreme {
  std::size_t rows = 0, longest_run = 0, at_next_level = 0;
  double value = 0.0;
};

Extreme extremeOf(const std::vector<double>& values, double side) {
  Extreme extreme;
  double top = -std::numeric_limits<double>::infinity(), next = top;
  for (const double value : values) {
    if (side * value > top) {
      next = top;
      top = side * value;
    } else if (side * value < top) {
      next = std::max(next, side * value);
    }
  }
  std::size_t run = 0;
  for (const double value : values) {
    const bool there = side * value == top;
    run = there ? run + 1 : 0;
    extreme.rows += there;
    extreme.at_next_level += side * value == next;
    extreme.longest_run = std::max(extreme.longest_run, run);
  }
  extreme.value = side * top;
  return extreme;
}

/// A peak has its extreme value in a few rows only. A clipped signal stays there: it has many more
/// rows at the extreme than at the next lower value.
void auditClipping(const AuditMaterial& material,
                   int j,
                   const std::vector<double>& values,
                   std::vector<Finding>& findings) {
  for (const double side : {1.0, -1.0}) {
    const Extreme extreme = extremeOf(values, side);
    const double share = static_cast<double>(extreme.rows) / static_cast<double>(values.size());
    if (share < kClippedShare || extreme.longest_run < kClippedRun ||
        extreme.rows < 3 * extreme.at_next_level)
      continue;
    findings.push_back({Severity::kWarning,
                        "effort-clipped",
                        j,
                        material.nameOf(j) + ": " + toPercent(share) +
                            " of the efforts sit at the " + (side > 0.0 ? "largest" : "smallest") +
                            " value " + toText(extreme.value, 4) + ", up to " +
                            std::to_string(extreme.longest_run) +
                            " rows on end: saturated or clipped",
                        share,
                        "use a gentler motion or leave those parts out: the fit takes the limit "
                        "for the true effort"});
  }
}

/// How far a value lies outside the range of the two values before and the two behind it.
double beyondNeighbours(const std::vector<double>& values, std::size_t k) {
  const auto [low, high] =
      std::minmax({values[k - 2], values[k - 1], values[k + 1], values[k + 2]});
  return std::max({values[k] - high, low - values[k], 0.0});
}

/// Median of the steps between rows, without repeated values; 0: none.
double typicalStep(const std::vector<double>& values) {
  std::vector<double> steps;
  for (std::size_t k = 1; k < values.size(); ++k)
    if (values[k] != values[k - 1]) steps.push_back(std::abs(values[k] - values[k - 1]));
  return steps.empty() ? 0.0 : median(std::move(steps));
}

/// Single values far off those around them: messages with bit errors, a loose contact. Friction
/// that jumps at a reversal stays at its new value.
void auditSpikes(const AuditMaterial& material,
                 int j,
                 const std::vector<double>& values,
                 std::vector<Finding>& findings) {
  std::vector<double> sizes(values.size());
  std::transform(
      values.begin(), values.end(), sizes.begin(), [](double value) { return std::abs(value); });
  const double usual = nthSmallest(std::move(sizes), values.size() * 95 / 100);
  const double least = std::max(kSpikeOfEffort * usual, kSpikeOfStep * typicalStep(values));
  std::size_t spikes = 0;
  double furthest = 0.0;
  for (std::size_t k = 2; k + 2 < values.size(); ++k) {
    const double beyond = beyondNeighbours(values, k);
    spikes += beyond > least;
    furthest = std::max(furthest, beyond);
  }
  const double share = static_cast<double>(spikes) / static_cast<double>(values.size());
  if (spikes < kFewestSpikes || share < kSpikeShare) return;
  findings.push_back({Severity::kWarning,
                      "effort-spikes",
                      j,
                      material.nameOf(j) + ": " + toPercent(share) +
                          " of the efforts are spikes, single values up to " + toText(furthest, 3) +
                          " off those before and after (95 % of the efforts are below " +
                          toText(usual, 3) + ")",
                      share,
                      "look for lost or damaged messages and for a loose contact; set these values "
                      "to NaN, so that they are left out"});
}

void auditLevels(const AuditMaterial& material,
                 int j,
                 std::vector<double> values,
                 std::vector<Finding>& findings) {
  std::sort(values.begin(), values.end());
  const double range = values.back() - values.front();
  const double slack = 1e-9 * range;
  std::size_t levels = 1;
  for (std::size_t k = 1; k < values.size(); ++k) levels += values[k] - values[k - 1] > slack;
  if (levels >= kFewLevels || values.size() < 10 * levels) return;
  findings.push_back({Severity::kWarning,
                      "effort-coarse",
                      j,
                      material.nameOf(j) + ": the effort takes " + std::to_string(levels) +
                          " values only, steps of about " +
                          toText(range / static_cast<double>(levels - 1), 3),
                      static_cast<double>(levels),
                      "small loads are lost in the rounding; log with more digits if possible"});
}

/// Efforts that were low-passed before they were saved, where that matters for the fit.
void auditPrefilter(const SignalPlan& plan, std::vector<Finding>& findings) {
  if (std::isnan(plan.prefilter_hz)) return;
  // The chosen cut-off is lower, unless the motion is too fast for that.
  constexpr double kBiased = 0.5;  // of the frequency of the filter, which takes 6 % there
  const bool biased = plan.cutoff_hz > (1.0 + 1e-3) * kBiased * plan.prefilter_hz;
  if (!biased && !plan.lowered_by_prefilter) return;
  const std::string found = "these signals look low-passed at about " +
                            toText(plan.prefilter_hz, 2) + " Hz before they were saved";
  const std::string cutoff = toText(plan.cutoff_hz, 3) + " Hz";
  if (biased)
    findings.push_back({Severity::kWarning,
                        "effort-low-passed",
                        -1,
                        found + ": with the fit filtered at " + cutoff +
                            ", friction comes out too small at low and too large at high speed",
                        plan.prefilter_hz,
                        "save efforts as they are measured; or move more slowly and for longer, "
                        "with a `cutoff_hz` of at most a third of that frequency"});
  else
    findings.push_back(
        {Severity::kNote,
         "effort-low-passed",
         -1,
         found + ": the fit is filtered at " + cutoff + ", where this changes friction little",
         plan.prefilter_hz,
         "save signals as they are measured: the fit then filters motion and efforts alike"});
}

std::vector<Finding> effortFindings(const AuditMaterial& material, int j) {
  std::vector<double> values = columnOf(material, &RawSignals::effort, j);
  if (values.empty()) return {};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double largest = std::max(std::abs(*low), std::abs(*high));
  if (*high - *low < kNoEffort)  // the sum makes -0 to 0
    return {{Severity::kWarning,
             kConstant,
             j,
             material.nameOf(j) + ": the effort is " + toText(*low + 0.0, 4) + " in every row",
             *low,
             "check the channel, or leave the joint out (`exclude_joints`)"}};
  std::vector<Finding> findings;
  auditClipping(material, j, values, findings);
  auditSpikes(material, j, values, findings);
  auditLevels(material, j, std::move(values), findings);
  if (largest > std::max(kLargeEffort, material.effortLimitOf(j)))
    findings.push_back({Severity::kWarning,
                        "effort-unit",
                        j,
                        material.nameOf(j) + ": efforts up to " + toText(largest, 4) +
                            (material.isPrismatic(j) ? " N" : " N m"),
                        largest,
                        "check the unit (mN m?) and that a gear ratio was not applied twice"});
  return findings;
}

}  // namespace

void auditEffort(const AuditMaterial& material, std::vector<Finding>& findings) {
  const Index joints = material.excerpts.front().joints();
  if (material.excerpts.front().effort.size() == 0) {
    findings.push_back({Severity::kRefuse,
                        "no-effort",
                        -1,
                        "the log has neither effort nor current",
                        0.0,
                        "log the joint efforts or the motor currents"});
    return;
  }
  auditPrefilter(material.plan, findings);
  std::vector<std::vector<Finding>> of_joint(joints);
  parallelFor(static_cast<int>(joints), material.context.threads, [&](int j) {
    of_joint[j] = effortFindings(material, j);
  });
  std::vector<Finding> zero;
  for (const std::vector<Finding>& found : of_joint)
    for (const Finding& finding : found)
      (finding.code == kConstant ? zero : findings).push_back(finding);
  if (std::ssize(zero) == joints)
    findings.push_back({Severity::kRefuse,
                        "effort-zero",
                        -1,
                        "the efforts of all joints are constant (" + toText(zero.front().value, 4) +
                            " for the first)",
                        zero.front().value,
                        "the drives reported nothing: log efforts or currents"});
  else
    findings.insert(findings.end(), zero.begin(), zero.end());
}

}  // namespace dynid
