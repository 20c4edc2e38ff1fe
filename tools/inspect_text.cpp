#include "inspect_text.h"

#include "dynid/core/text.h"
#include "dynid/report/diagnosis_report.h"
#include "dynid/report/grouped_findings.h"

#include "console.h"
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace dynid::tool {
namespace {

constexpr size_t kNameWidth = 24;

/// The unit for a prismatic joint ("N") from that for a revolute one ("N m").
std::string unitOf(const ChannelSummary& channel, bool prismatic) {
  if (!prismatic || channel.unit == "A") return channel.unit;
  if (channel.unit == "N m") return "N";
  return "m" + channel.unit.substr(3);
}

std::string rangeText(const Range& range) {
  std::string text = range.lower > range.upper
                         ? "no finite value"
                         : toText(range.lower, 4) + " .. " + toText(range.upper, 4);
  if (range.not_finite > 0) text += "  (" + std::to_string(range.not_finite) + " NaN or Inf)";
  return text;
}

/// [Hz] The median rate, or the mean one if most time stamps repeat the one before.
double rate(const LogSummary& summary) {
  if (summary.median_step_s > 0.0) return 1.0 / summary.median_step_s;
  const double duration = summary.last_s - summary.first_s;
  return duration > 0.0 ? static_cast<double>(summary.info.rows - 1) / duration : 0.0;
}

}  // namespace

std::string describe(const LogSummary& summary) {
  const LogInfo& info = summary.info;
  std::string text =
      info.path.string() + ": HDF5 log" + (info.robot.empty() ? "" : " of " + info.robot) + "\n";
  if (!info.description.empty()) text += "  " + info.description + "\n";
  text += "  " + std::to_string(info.rows) + " rows";
  text += std::isnan(summary.first_s)
              ? " without a usable time stamp\n"
              : " from " + toText(summary.first_s) + " to " + toText(summary.last_s) +
                    " s, about " + toText(rate(summary), 4) + " Hz\n";
  if (info.payload)
    text += "  payload" + (info.payload->name.empty() ? "" : " \"" + info.payload->name + "\"") +
            (std::isfinite(info.payload->mass) ? " of " + toText(info.payload->mass) + " kg" : "") +
            (info.payload->link.empty() ? "" : " at " + info.payload->link) + "\n";
  for (const ChannelSummary& channel : summary.channels) {
    text += channel.name + "\n";
    for (size_t j = 0; j < channel.joints.size(); ++j)
      text += "  " + padded(summary.joints[j], kNameWidth) +
              padded(rangeText(channel.joints[j]), kNameWidth) +
              unitOf(channel, summary.prismatic[j]) + "\n";
  }
  for (const std::string& note : info.notes) text += "note: " + note + "\n";
  if (info.effort_kind == EffortKind::kNone)
    return text + "no effort and no current: motion only, nothing to identify from\n";
  text += summary.findings.empty() ? "audit: no findings\n" : "audit\n";
  for (const Finding& finding : groupedFindings(summary.findings)) {
    text += "  " + padded(toText(finding.severity), 10) + finding.message + "\n";
    if (!finding.remedy.empty()) text += "            " + finding.remedy + "\n";
  }
  if (summary.diagnosis) text += "diagnosis\n" + diagnosisText(*summary.diagnosis, summary.joints);
  return text;
}

nlohmann::ordered_json toJson(const LogSummary& summary) {
  const LogInfo& info = summary.info;
  nlohmann::ordered_json json = {{"kind", "log"},
                                 {"file", info.path.string()},
                                 {"robot", info.robot},
                                 {"rows", info.rows},
                                 {"joints", summary.joints},
                                 {"from_s", summary.first_s},
                                 {"to_s", summary.last_s},
                                 {"rate_hz", rate(summary)},
                                 {"channels", nlohmann::ordered_json::object()},
                                 {"notes", info.notes},
                                 {"audit", nlohmann::ordered_json::array()}};
  for (const ChannelSummary& channel : summary.channels) {
    nlohmann::ordered_json& joints = json["channels"][channel.name];
    for (size_t j = 0; j < channel.joints.size(); ++j)
      joints[summary.joints[j]] = {{"unit", unitOf(channel, summary.prismatic[j])},
                                   {"min", channel.joints[j].lower},
                                   {"max", channel.joints[j].upper},
                                   {"not_finite", channel.joints[j].not_finite}};
  }
  for (const Finding& finding : summary.findings)
    json["audit"].push_back({{"severity", toText(finding.severity)},
                             {"code", finding.code},
                             {"joint", finding.joint < 0 ? "" : summary.joints[finding.joint]},
                             {"message", finding.message},
                             {"value", finding.value},
                             {"remedy", finding.remedy}});
  if (summary.diagnosis) json["diagnosis"] = diagnosisJson(*summary.diagnosis, summary.joints);
  return json;
}

std::string describe(const TrajectoryFile& trajectory, const std::string& file) {
  const Eigen::Index n = trajectory.time.size();
  std::string text = file + ": HDF5 trajectory" +
                     (trajectory.robot.empty() ? "" : " for " + trajectory.robot) + "\n";
  if (n > 0)
    text += "  " + std::to_string(n) + " points from " + toText(trajectory.time(0)) + " to " +
            toText(trajectory.time(n - 1)) + " s\n";
  if (trajectory.fourier)
    text += "  Fourier series of " + std::to_string(trajectory.fourier->a.cols()) +
            " harmonics of " + toText(trajectory.fourier->fundamental_hz) + " Hz\n";
  for (Eigen::Index j = 0; j < trajectory.position.cols(); ++j)
    text += "  " + padded(trajectory.joint_names[j], kNameWidth) +
            toText(trajectory.position.col(j).minCoeff(), 4) + " .. " +
            toText(trajectory.position.col(j).maxCoeff(), 4) +
            (trajectory.velocity.size() > 0
                 ? ", speed up to " + toText(trajectory.velocity.col(j).cwiseAbs().maxCoeff(), 4) +
                       " per s"
                 : "") +
            "\n";
  return text;
}

nlohmann::ordered_json toJson(const TrajectoryFile& trajectory) {
  const Eigen::Index n = trajectory.time.size();
  return {{"kind", "trajectory"},
          {"robot", trajectory.robot},
          {"points", n},
          {"joints", trajectory.joint_names},
          {"from_s", n > 0 ? nlohmann::ordered_json(trajectory.time(0)) : nullptr},
          {"to_s", n > 0 ? nlohmann::ordered_json(trajectory.time(n - 1)) : nullptr},
          {"fourier", trajectory.fourier.has_value()}};
}

nlohmann::ordered_json toJson(const Model& model, const std::string& file) {
  return {{"kind", "model"},
          {"file", file},
          {"robot", model.robot->name},
          {"joints", model.robot->jointNames()},
          {"usable", model.status.usable},
          {"reason", model.status.reason},
          {"base_parameters", model.base_parameters.size()},
          {"relative_error", model.fit.relative_error},
          {"relative_duality_gap", model.consistency.relative_duality_gap},
          {"command", model.provenance.command}};
}

std::string describe(const GatheredStatistics& statistics, const std::string& file) {
  std::string text = file + ": HDF5 statistics of " + statistics.robot_name + "\n  " +
                     std::to_string(statistics.statistics.numBlocks()) + " blocks of " +
                     toText(statistics.block_s) + " s, " +
                     std::to_string(statistics.layout.size()) + " columns, of " +
                     (statistics.currents ? "currents" : "efforts") + "\nlogs\n";
  for (const GatheredLog& log : statistics.logs) {
    text += "  " + log.file + ": " + toText(log.samples) + " samples read, " + toText(log.used) +
            " used, " + toText(log.dropped) + " dropped, low-pass " + toText(log.cutoff_hz, 3) +
            " Hz";
    if (log.payload >= 0) {
      const Payload& payload = statistics.payloads[log.payload];
      text += ", load \"" + payload.name + "\" at " + payload.link;
    }
    text += "\n";
  }
  return text;
}

nlohmann::ordered_json toJson(const GatheredStatistics& statistics, const std::string& file) {
  nlohmann::ordered_json logs = nlohmann::ordered_json::array();
  for (const GatheredLog& log : statistics.logs)
    logs.push_back({{"file", log.file},
                    {"sha256", log.sha256},
                    {"samples", log.samples},
                    {"used", log.used},
                    {"dropped", log.dropped},
                    {"cutoff_hz", log.cutoff_hz}});
  return {{"kind", "statistics"},
          {"file", file},
          {"robot", statistics.robot_name},
          {"robot_sha256", statistics.robot_sha256},
          {"channel", statistics.currents ? "current" : "effort"},
          {"blocks", statistics.statistics.numBlocks()},
          {"block_s", statistics.block_s},
          {"columns", statistics.layout.size()},
          {"logs", logs}};
}

}  // namespace dynid::tool
