#include "dynid/core/text.h"
#include "dynid/signals/audit_parts.h"
#include "dynid/signals/cutoff.h"
#include "dynid/signals/lost_rows.h"
#include "dynid/signals/row_order.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace dynid {

namespace {

using Eigen::Index;
using Severity = Finding::Severity;

/// Number of independent samples below which no fit is possible.
constexpr double kNoSamples = 15.0;
/// [s] Longest interval for which a robot's motion can be reconstructed; logs in milliseconds have
/// at least ten times as much.
constexpr double kMostRowsPerStamp = 10.0;  // of an irregular clock
constexpr double kSlowestStep = 1.0;
/// [s] Interval from which on a log without motion is more likely one whose stamps are in
/// milliseconds: the speeds are a thousandth of the true ones.
constexpr double kSlowStepOfStill = 0.199;
// Longest intervals at which stamps are taken to be in milliseconds and in microseconds: 500 ms.
constexpr double kSlowestMilliseconds = 500.0, kSlowestMicroseconds = 5e5;

/// The channel and joint with the largest number of values that are not finite.
std::string worstChannel(const AuditMaterial& material) {
  struct Channel {
    const char* name;
    Eigen::MatrixXd RawSignals::*values;
  };
  std::string worst = "time";
  Index most = 0;
  for (const RawSignals& excerpt : material.excerpts)
    for (Index k = 0; k < excerpt.rows(); ++k) most += !(std::abs(excerpt.time(k)) < 1e12);
  for (const Channel& channel :
       {Channel{"position", &RawSignals::position}, Channel{"effort", &RawSignals::effort}}) {
    for (Index j = 0; j < material.excerpts.front().joints(); ++j) {
      Index rows = 0;
      for (const RawSignals& excerpt : material.excerpts) rows += (excerpt.*channel.values).rows();
      const Index bad = rows - static_cast<Index>(columnOf(material, channel.values, j).size());
      if (bad <= most) continue;
      most = bad;
      worst = std::string(channel.name) + " of " + material.nameOf(j);
    }
  }
  Index without_required = 0;
  for (const RawSignals& excerpt : material.excerpts)
    without_required += std::ssize(unusableRows(excerpt.required));
  if (without_required > most) {
    most = without_required;
    worst = material.context.required_name;
  }
  return worst + " in " + std::to_string(most) + " rows";
}

/// Joints without a single usable value of a channel; empty if that channel has none at all.
std::vector<std::string> jointsWithout(const AuditMaterial& material,
                                       Eigen::MatrixXd RawSignals::*channel) {
  std::vector<std::string> names;
  const Index n = material.excerpts.front().joints();
  if ((material.excerpts.front().*channel).size() == 0) return names;
  for (Index j = 0; j < n; ++j)
    if (columnOf(material, channel, j).empty()) names.push_back(material.nameOf(j));
  return std::ssize(names) == n ? std::vector<std::string>() : names;
}

/// What to do about rows with unusable values.
std::string remedyOfBadRows(const AuditMaterial& material) {
  const RawSignals& first = material.excerpts.front();
  std::string unit = first.rows() > 0 ? stampUnitRemedy(first.time(0)) : "";
  if (!unit.empty()) return unit;
  std::vector<std::string> empty = jointsWithout(material, &RawSignals::effort);
  const bool efforts = !empty.empty();
  if (!efforts) empty = jointsWithout(material, &RawSignals::position);
  if (empty.empty())
    return "find out why these values are missing and repair them; a joint whose values are "
           "missing is left out by `exclude_joints`";
  std::vector<std::string> options;
  for (const std::string& name : empty) options.push_back("`exclude_joints` " + name);
  return "there is no " + std::string(efforts ? "effort" : "position") + " of " + join(empty) +
         " in the whole log: leave out what is not measured with " + join(options, " ");
}

double shareOf(Index rows, const RowCounts& counts) {
  return static_cast<double>(rows) / static_cast<double>(std::max<Index>(counts.read, 1));
}

void auditBadRows(const AuditMaterial& material, std::vector<Finding>& findings) {
  const RowCounts& counts = material.counts;
  if (counts.not_finite > 0) {
    const double share = shareOf(counts.not_finite, counts);
    const bool refused = share > material.context.max_bad_fraction;
    findings.push_back({refused ? Severity::kRefuse : Severity::kRepaired,
                        "not-finite",
                        -1,
                        std::to_string(counts.not_finite) + " of " + std::to_string(counts.read) +
                            " rows (" + toPercent(share) +
                            ") hold NaN, Inf or a corrupt value, most in " +
                            worstChannel(material) + (refused ? "" : "; they were left out"),
                        share,
                        refused ? remedyOfBadRows(material) : ""});
  }
  if (counts.backward > 0) {
    const double share = shareOf(counts.backward, counts);
    const bool refused = share > material.context.max_bad_fraction;
    findings.push_back(
        {refused ? Severity::kRefuse : Severity::kRepaired,
         "backward-time",
         -1,
         std::to_string(counts.backward) + " of " + std::to_string(counts.read) + " rows (" +
             toPercent(share) + ") are stamped out of order" +
             (refused ? "" : "; they were left out"),
         share,
         refused ? "sort the log by time, or split it where its clock starts anew" : ""});
  }
}

void auditLength(const AuditMaterial& material, std::vector<Finding>& findings) {
  double samples = 0.0;
  for (const ConditionedSignals& excerpt : material.signals)
    samples += static_cast<double>(excerpt.time.size()) / material.plan.decimation;
  if (material.signals.empty() || samples >= kFewSamples) return;
  const bool refused = samples < kNoSamples;
  findings.push_back({refused ? Severity::kRefuse : Severity::kWarning,
                      "too-short",
                      -1,
                      toText(std::floor(samples), 6) + " independent samples (" +
                          std::to_string(material.counts.kept) + " rows, every " +
                          std::to_string(material.plan.decimation) + "th after a low-pass at " +
                          toText(material.plan.cutoff_hz, 3) + " Hz) are " +
                          (refused ? "nothing to fit" : "few for a dozen parameters per joint"),
                      samples,
                      "record for longer"});
}

/// Rows that are missing without a gap of the stamps.
void auditLostRows(const AuditMaterial& material, std::vector<Finding>& findings) {
  constexpr double kMuch = 0.01;  // share of missing rows that makes the motion wrong
  const std::optional<LostRows> lost = findLostRows(material.excerpts, material.plan.clock);
  if (!lost) return;
  findings.push_back(
      {lost->share > kMuch ? Severity::kRefuse : Severity::kWarning,
       "lost-rows",
       -1,
       fmt::format(
           "at {} places, the first after {} s, the joints advance between two rows as they "
           "otherwise do in {} rows, and the time goes on evenly: about {} rows ({}) are "
           "missing, or were recorded unevenly, and the time was made up from their number",
           lost->places,
           toText(lost->first_s - material.excerpts.front().time(0), 4),
           toText(1.0 + lost->rows / static_cast<double>(lost->places), 2),
           toText(lost->rows, 3),
           toPercent(lost->share)),
       lost->share,
       "record the time of each sample with the sample, or use a stretch of the log without such "
       "a place (`from_s`, `to_s`)"});
}

}  // namespace

void auditRows(const AuditMaterial& material, std::vector<Finding>& findings) {
  auditBadRows(material, findings);
  const RowCounts& counts = material.counts;
  if (counts.duplicate_time > 0)
    findings.push_back({Severity::kRepaired,
                        "duplicate-time",
                        -1,
                        std::to_string(counts.duplicate_time) +
                            " rows carry the stamp of the row before; they were left out",
                        static_cast<double>(counts.duplicate_time),
                        ""});
  if (counts.repeated > 0)
    findings.push_back(
        {Severity::kRepaired,
         "repeated-rows",
         -1,
         std::to_string(counts.repeated) + " rows (" +
             toPercent(material.plan.clock.repeated_fraction) +
             " of those in motion) repeat the position of the row before while the robot moves: "
             "the logger polls faster than its source writes; they were left out",
         material.plan.clock.repeated_fraction,
         "log each message once, with the stamp of its source"});
  const double source_hz = material.plan.interpolated_from_hz;
  if (std::isfinite(source_hz))
    findings.push_back({Severity::kWarning,
                        "interpolated-rows",
                        -1,
                        "the positions of all joints lie on straight lines between samples at " +
                            toText(source_hz, 4) +
                            " Hz, as if the log was interpolated linearly to its " +
                            toText(material.plan.rateHz(), 4) +
                            " Hz; the cut-off is at most that for the rate of these samples",
                        source_hz,
                        "use the log as it was recorded, without resampling it"});
  auditLostRows(material, findings);
  auditLength(material, findings);
}

void auditClock(const AuditMaterial& material, std::vector<Finding>& findings) {
  const ClockModel& clock = material.plan.clock;
  bool any_moves = false;
  for (Index j = 0; j < std::ssize(material.speeds); ++j) any_moves |= material.moves(j);
  if (clock.step > (any_moves ? kSlowestStep : kSlowStepOfStill))
    findings.push_back({Severity::kRefuse,
                        "time-unit",
                        -1,
                        "the samples are " + toText(clock.step, 4) +
                            " s apart: the time stamps are not in seconds (" +
                            (clock.step > kSlowestMicroseconds   ? "nanoseconds"
                             : clock.step > kSlowestMilliseconds ? "microseconds"
                                                                 : "milliseconds") +
                            "?), or the log is too slow to show a motion",
                        clock.step,
                        "give the unit of the time stamps ([time] unit in the import mapping, or "
                        "the attribute unit of /time), or correct sample_rate_hz; import a ROS "
                        "recording with `log_time`"});
  if (clock.kind == ClockKind::kIrregular && clock.rows_per_stamp > kMostRowsPerStamp)
    findings.push_back({Severity::kRefuse,
                        "coarse-stamps",
                        -1,
                        toText(clock.rows_per_stamp, 3) +
                            " rows on average have the same time stamp, and no regular clock fits "
                            "them: the times were written with too few digits",
                        clock.rows_per_stamp,
                        "export the times with more digits (milliseconds at least), or leave the "
                        "times out and give the sample rate (sample_rate_hz in the mapping of "
                        "`import`)"});
  if (clock.kind == ClockKind::kQuantised || clock.kind == ClockKind::kJittered)
    findings.push_back({Severity::kRepaired,
                        "clock-" + toText(clock.kind),
                        -1,
                        clock.reason,
                        clock.jitter,
                        "log the source's own stamp or counter"});
  std::size_t gaps = 0;
  double longest = 0.0;
  for (const ConditionedSignals& excerpt : material.signals) {
    for (std::size_t s = 1; s < excerpt.segments.size(); ++s) {
      const double gap =
          excerpt.time(excerpt.segments[s].begin) - excerpt.time(excerpt.segments[s - 1].end - 1);
      if (gap <= clock.max_gap) continue;  // only the stamps had it, the repaired clock has not
      ++gaps;
      longest = std::max(longest, gap);
    }
  }
  if (gaps > 0 || material.counts.short_segment > 0)
    findings.push_back({Severity::kRepaired,
                        "gaps",
                        -1,
                        std::to_string(gaps) + " gaps longer than " + toText(clock.max_gap, 3) +
                            " s, the longest " + toText(longest, 3) +
                            " s: each part is filtered by itself; " +
                            std::to_string(material.counts.short_segment) +
                            " rows between gaps were too few to use",
                        longest,
                        ""});
}

}  // namespace dynid
