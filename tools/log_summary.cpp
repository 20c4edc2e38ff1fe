#include "log_summary.h"

#include "dynid/core/errors.h"
#include "dynid/diagnosis/read_diagnosed_log.h"
#include "dynid/logs/log_reader.h"
#include "dynid/logs/units.h"
#include "dynid/recordings/log_source.h"
#include "dynid/recordings/time_range.h"
#include "dynid/signals/audit.h"
#include "dynid/signals/row_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace dynid::tool {
namespace {

constexpr std::int64_t kBlockRows = 8192;
constexpr std::int64_t kWholeLogRows = 200'000;  // logs up to this length are audited completely
constexpr int kExcerpts = 8;
constexpr std::int64_t kExcerptRows = 25'000;

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether a joint is prismatic according to the unit of its position.
bool isLinear(const LogInfo& info, const std::string& joint) {
  const auto column = std::find(info.joint_names.begin(), info.joint_names.end(), joint);
  const std::optional<Unit> unit =
      parseUnitPrefix(Quantity::kPosition, info.position.units[column - info.joint_names.begin()]);
  return unit && unit->linear;
}

LogReaderOptions readerOptions(const std::shared_ptr<const Robot>& robot) {
  LogReaderOptions options;
  if (!robot) return options;
  options.joints = robot->logColumnNames();
  for (size_t j = 0; j < options.joints.size(); ++j)
    if (robot->joints[j].prismatic) options.prismatic.push_back(options.joints[j]);
  return options;
}

void widen(ChannelSummary& channel, const Eigen::MatrixXd& values) {
  for (Eigen::Index j = 0; j < values.cols(); ++j) {
    Range& range = channel.joints[j];
    for (Eigen::Index i = 0; i < values.rows(); ++i) {
      const double value = values(i, j);
      if (!std::isfinite(value)) {
        ++range.not_finite;
        continue;
      }
      range.lower = std::min(range.lower, value);
      range.upper = std::max(range.upper, value);
    }
  }
}

void noteTimes(const Eigen::VectorXd& times, LogSummary& summary) {
  for (const double time : times) {
    if (!isUsable(time)) continue;
    if (std::isnan(summary.first_s)) summary.first_s = time;
    summary.last_s = time;
  }
}

RawSignals excerpt(const LogReader& reader, std::int64_t first, std::int64_t rows) {
  RawBlock block;
  reader.read(first, rows, block);
  return {block.time, block.position, block.velocity, block.acceleration, block.effort};
}

std::vector<Finding> audit(const LogReader& reader, const LogSummary& summary) {
  const std::int64_t rows = reader.info().rows;
  std::vector<RawSignals> excerpts;
  if (rows <= kWholeLogRows) {
    excerpts.push_back(excerpt(reader, 0, rows));
  } else {
    for (int k = 0; k < kExcerpts; ++k)
      excerpts.push_back(
          excerpt(reader, (rows - kExcerptRows) * k / (kExcerpts - 1), kExcerptRows));
  }
  AuditContext context;
  context.joint_names = reader.joints();
  context.prismatic = summary.prismatic;
  std::vector<Finding> findings = auditLog(excerpts, SignalOptions{}, context);
  if (anyRefused(findings)) return findings;
  try {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    timeRange(reader, -kInfinity, kInfinity);
  } catch (const InputError& error) {
    findings.insert(findings.begin(),
                    {Finding::Severity::kRefuse, "time-range", -1, error.what(), 0.0, ""});
  }
  return findings;
}

/// Median interval in the first block; repeated and missing stamps hardly affect it.
double medianStep(const Eigen::VectorXd& time) {
  std::vector<double> steps;
  for (Eigen::Index i = 1; i < time.size(); ++i)
    if (std::isfinite(time(i) - time(i - 1))) steps.push_back(time(i) - time(i - 1));
  if (steps.empty()) return 0.0;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

}  // namespace

LogSummary summariseLog(const std::filesystem::path& path,
                        const std::shared_ptr<const Robot>& robot,
                        int threads,
                        const Progress& progress) {
  const LogReaderOptions options = readerOptions(robot);
  const LogReader reader(path, options);
  LogSummary summary;
  summary.info = reader.info();
  summary.joints = reader.joints();
  for (const std::string& joint : reader.joints())
    summary.prismatic.push_back(robot ? contains(options.prismatic, joint)
                                      : isLinear(summary.info, joint));

  const std::vector<Range> none(reader.joints().size());
  const bool currents = summary.info.effort_kind == EffortKind::kCurrent;
  summary.channels = {{"position", "rad", none}};
  if (summary.info.hasVelocity()) summary.channels.push_back({"velocity", "rad/s", none});
  if (summary.info.hasAcceleration()) summary.channels.push_back({"acceleration", "rad/s^2", none});
  if (summary.info.effort_kind != EffortKind::kNone)
    summary.channels.push_back({currents ? "current" : "effort", currents ? "A" : "N m", none});

  RawBlock block;
  for (std::int64_t first = 0; first < summary.info.rows; first += kBlockRows) {
    if (progress)
      progress("reading " + path.filename().string(),
               static_cast<double>(first) / static_cast<double>(summary.info.rows));
    reader.read(first, std::min(kBlockRows, summary.info.rows - first), block);
    if (first == 0) summary.median_step_s = medianStep(block.time);
    noteTimes(block.time, summary);
    for (ChannelSummary& channel : summary.channels) {
      if (channel.name == "position") widen(channel, block.position);
      if (channel.name == "velocity") widen(channel, block.velocity);
      if (channel.name == "acceleration") widen(channel, block.acceleration);
      if (channel.name == "effort" || channel.name == "current") widen(channel, block.effort);
    }
  }
  summary.findings = robot ? LogSource(robot, {path, ""}, {}).findings() : audit(reader, summary);
  if (robot && !anyRefused(summary.findings) && summary.info.effort_kind != EffortKind::kNone) {
    summary.diagnosis = diagnose(robot, readDiagnosedLog(*robot, path), threads);
    summary.findings.insert(summary.findings.begin(),
                            summary.diagnosis->findings.begin(),
                            summary.diagnosis->findings.end());
  }
  return summary;
}

}  // namespace dynid::tool
