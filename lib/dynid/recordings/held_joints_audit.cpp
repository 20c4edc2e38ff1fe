#include "dynid/recordings/held_joints_audit.h"

#include "dynid/logs/log_reader.h"
#include "dynid/logs/units.h"
#include "dynid/math/quantile.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <optional>
#include <utility>

namespace dynid {
namespace {

constexpr const char *kMoves = "held-joint-moves", *kElsewhere = "held-joint-elsewhere";
constexpr std::int64_t kRowsOfHeld = 200;
constexpr double kHeldTolerance = 0.05;  // [rad or m]
constexpr double kTurnOfJoint = 2.0 * std::numbers::pi;

Finding heldWarning(const std::string& code,
                    double value,
                    std::string message,
                    std::string remedy) {
  Finding finding;
  finding.severity = Finding::Severity::kWarning;
  finding.code = code;
  finding.value = value;
  finding.message = std::move(message);
  finding.remedy = std::move(remedy);
  return finding;
}

// Columns of the held joints that the log contains.
LogReaderOptions heldColumns(const Robot& robot, const LogInfo& info) {
  LogReaderOptions options;
  for (const auto& [joint, held] : robot.ignored_joints) {
    const auto found = std::find(info.joint_names.begin(), info.joint_names.end(), joint);
    if (found == info.joint_names.end()) continue;
    options.joints.push_back(joint);
    const std::optional<Unit> unit =
        parseUnitPrefix(Quantity::kPosition, info.position.units[found - info.joint_names.begin()]);
    if (unit && unit->linear) options.prismatic.push_back(joint);
  }
  return options;
}

// Rows evenly distributed over the range, [rows x columns]; angles within half a turn of the first
// finite one.
Eigen::MatrixXd somePositions(const LogReader& reader,
                              std::int64_t first_row,
                              std::int64_t end_row) {
  const std::int64_t count = std::min(kRowsOfHeld, end_row - first_row);
  const std::int64_t span = std::max<std::int64_t>(1, count - 1);
  Eigen::MatrixXd positions(count, std::ssize(reader.joints()));
  Eigen::RowVectorXd first = Eigen::RowVectorXd::Constant(positions.cols(), std::nan(""));
  RawBlock row;
  for (std::int64_t i = 0; i < count; ++i) {
    reader.read(first_row + (end_row - 1 - first_row) * i / span, 1, row);
    positions.row(i) = row.position.row(0);
    for (Eigen::Index j = 0; j < positions.cols(); ++j) {
      if (!std::isfinite(first(j))) first(j) = positions(i, j);
      if (!reader.prismatic()[j])
        positions(i, j) = first(j) + std::remainder(positions(i, j) - first(j), kTurnOfJoint);
    }
  }
  return positions;
}

std::vector<double> finiteValues(const Eigen::VectorXd& column) {
  std::vector<double> values;
  for (const double value : column)
    if (std::isfinite(value)) values.push_back(value);
  return values;
}

Finding moving(const std::string& joint, double held, double spread, const std::string& unit) {
  return heldWarning(
      kMoves,
      spread,
      fmt::format("{} is held fixed at {:.4g} {}, but moves over {:.3g} {} in this log",
                  joint,
                  held,
                  unit,
                  spread,
                  unit),
      "do not exclude or ignore it, or use a log in which it rests");
}

Finding elsewhere(const std::string& joint, double held, double logged, const std::string& unit) {
  return heldWarning(
      kElsewhere,
      logged - held,
      fmt::format(
          "{} is held fixed at {:.4g} {}, but the log has it at {:.4g}", joint, held, unit, logged),
      fmt::format("give `exclude_joints` {0}={1:.6g}, or write {0} = {1:.6g} under [ignore] in the "
                  "robot description (.toml)",
                  joint,
                  logged));
}

}  // namespace

bool isOfHeldJoint(const Finding& finding) {
  return finding.code == kMoves || finding.code == kElsewhere;
}

std::vector<Finding> auditHeldJoints(const Robot& robot,
                                     const std::filesystem::path& log,
                                     std::int64_t first_row,
                                     std::int64_t end_row) {
  std::vector<Finding> findings;
  if (robot.ignored_joints.empty()) return findings;
  LogReaderOptions options = heldColumns(robot, readLogInfo(log));
  if (options.joints.empty()) return findings;
  options.try_in_worker = false;  // the log was opened before
  const LogReader reader(log, options);
  const Eigen::MatrixXd positions = somePositions(reader, first_row, end_row);
  for (Eigen::Index j = 0; j < positions.cols(); ++j) {
    const std::vector<double> values = finiteValues(positions.col(j));
    if (values.empty()) continue;
    const std::string& joint = options.joints[j];
    const std::string unit = reader.prismatic()[j] ? "m" : "rad";
    const double held = robot.ignored_joints.at(joint), logged = median(values);
    const double difference =
        reader.prismatic()[j] ? logged - held : std::remainder(logged - held, kTurnOfJoint);
    const double spread = quantile(values, 0.95) - quantile(values, 0.05);
    if (spread > kHeldTolerance)
      findings.push_back(moving(joint, held, spread, unit));
    else if (std::abs(difference) > kHeldTolerance)
      findings.push_back(elsewhere(joint, held, logged, unit));
  }
  return findings;
}

}  // namespace dynid
