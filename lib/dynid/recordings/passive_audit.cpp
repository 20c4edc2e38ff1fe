#include "dynid/recordings/passive_audit.h"

#include "dynid/core/text.h"
#include "dynid/logs/log_reader.h"
#include "dynid/math/quantile.h"
#include "dynid/recordings/closing_positions.h"
#include "dynid/robot/loop_closure.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace dynid {
namespace {

constexpr std::int64_t kRows = 200;
constexpr double kOtherAssembly = 0.2, kOffset = 0.02;  // rad, or fraction of loopSize
constexpr double kDegree = std::numbers::pi / 180.0;
constexpr size_t kNamedChanges = 3;

// Whether a correction reads every driven angle in degrees: then so are the passive ones.
bool readsDegrees(const Robot& robot, const LogCorrection& correction) {
  bool any = false;
  for (Eigen::Index j = 0; j < correction.position_factor.size(); ++j) {
    if (robot.joints[j].prismatic) continue;
    if (std::abs(correction.position_factor(j) / kDegree - 1.0) > 1e-9) return false;
    any = true;
  }
  return any;
}

// The correction of the positions, extended to passive joints behind the driven ones.
LogCorrection withPassive(const Robot& robot,
                          const LogCorrection& correction,
                          const std::vector<int>& passive) {
  const Eigen::Index driven = robot.numJoints(), added = std::ssize(passive);
  const bool degrees = readsDegrees(robot, correction);
  LogCorrection extended{.position_source = correction.position_source,
                         .position_factor = correction.position_factor,
                         .position_shift = correction.position_shift};
  if (!extended.position_source.empty())
    for (Eigen::Index p = 0; p < added; ++p)
      extended.position_source.push_back(static_cast<int>(driven + p));
  if (extended.position_factor.size() > 0) {
    extended.position_factor.conservativeResize(driven + added);
    for (Eigen::Index p = 0; p < added; ++p)
      extended.position_factor(driven + p) =
          degrees && !robot.passive_joints[passive[p]].prismatic ? kDegree : 1.0;
  }
  if (extended.position_shift.size() > 0) {
    extended.position_shift.conservativeResize(driven + added);
    extended.position_shift.tail(added).setZero();
  }
  return extended;
}

// The columns to read: those of the driven joints, then those of the passive joints that the log
// contains.
LogReaderOptions wantedColumns(const Robot& robot,
                               const LogInfo& info,
                               const LogCorrection& correction,
                               std::vector<int>& passive) {
  LogReaderOptions options;
  options.joints = robot.logColumnNames();
  for (size_t j = 0; j < robot.joints.size(); ++j)
    if (robot.joints[j].prismatic) options.prismatic.push_back(options.joints[j]);
  for (size_t p = 0; p < robot.passive_joints.size(); ++p) {
    const Joint& joint = robot.passive_joints[p];
    if (std::find(info.joint_names.begin(), info.joint_names.end(), joint.name) ==
        info.joint_names.end())
      continue;
    passive.push_back(static_cast<int>(p));
    options.joints.push_back(joint.name);
    if (joint.prismatic) options.prismatic.push_back(joint.name);
  }
  options.correction = withPassive(robot, correction, passive);
  return options;
}

Finding mismatch(
    const Joint& joint, double difference, double share, double logged, const std::string& place) {
  const std::string unit = joint.prismatic ? " m" : " rad";
  Finding finding;
  finding.code = "passive-mismatch";
  finding.value = difference;
  finding.message = "passive joint \"" + joint.name + "\": the log has it " +
                    toText(difference, 3) + unit +
                    " from the position that follows from the loops (median; the log has " +
                    toText(logged, 4) + unit + place + ")";
  if (share > kOtherAssembly) {
    finding.severity = Finding::Severity::kRefuse;
    finding.remedy =
        "another assembly of the mechanism, another zero or another sign: give `assembly` in "
        "[joint." +
        joint.name + "], or correct the [[loop]] frames or the log";
  } else {
    finding.severity = Finding::Severity::kWarning;
    finding.remedy =
        "check the zeros of its sensor and of the driven joints, and the lengths in the "
        "description; the loops' value is used";
  }
  return finding;
}

// Results of the comparison over all rows.
struct Comparison {
  std::vector<std::vector<double>> differences;  // per passive joint in the log
  std::vector<double> logged;                    // first value of each
  Eigen::VectorXd driven;                        // driven joints at that row
  std::string unreachable;                       // the first row whose loops do not close
  double rows = 0.0, closed_rows = 0.0;          // rows with finite values
  Eigen::MatrixXd positions;                     // [rows x driven joints] as recorded
};

// Closes the loops at the driven joints' positions of a row and records the differences of the
// passive joints, modulo a turn for revolute joints. The closed position of the last row is the
// start value.
void compareRow(const Robot& robot,
                const std::vector<int>& passive,
                const RawBlock& row,
                ClosedPosition& closed,
                Comparison& comparison) {
  const Eigen::VectorXd columns = row.position.row(0).transpose();
  const Eigen::VectorXd q = drivenPosition(robot, columns);
  if (!q.allFinite()) return;
  comparison.rows += 1.0;
  closeNext(robot, q, closed);
  if (!closed.closed) {
    if (comparison.unreachable.empty())
      comparison.unreachable = "at " + toText(row.time(0), 4) + " s: " + closed.reason;
    return;
  }
  comparison.closed_rows += 1.0;
  for (size_t p = 0; p < passive.size(); ++p) {
    const double value = columns(robot.numJoints() + p);
    const int at = robot.numJoints() + passive[p];
    double difference = value - closed.q(at);
    if (!robot.treeJoint(at).prismatic)
      difference = std::remainder(difference, 2.0 * std::numbers::pi);
    if (!std::isfinite(difference)) continue;
    if (comparison.differences[p].empty()) {
      comparison.logged[p] = value;
      comparison.driven = q;
    }
    comparison.differences[p].push_back(std::abs(difference));
  }
}

Comparison compareRows(const Robot& robot,
                       const std::vector<int>& passive,
                       const LogReader& reader,
                       std::int64_t first_row,
                       std::int64_t end_row) {
  Comparison comparison;
  comparison.differences.resize(passive.size());
  comparison.logged.assign(passive.size(), std::nan(""));
  const std::int64_t count = std::min(kRows, end_row - first_row);
  const std::int64_t span = std::max<std::int64_t>(1, count - 1);
  comparison.positions.resize(count, robot.numJoints());
  RawBlock block;
  ClosedPosition closed;
  for (std::int64_t i = 0; i < count; ++i) {
    reader.read(first_row + (end_row - 1 - first_row) * i / span, 1, block);
    comparison.positions.row(i) = block.position.row(0).head(robot.numJoints());
    compareRow(robot, passive, block, closed, comparison);
  }
  return comparison;
}

// The finding that loops do not close, with the mistakes of the positions that would explain it.
Finding openLoops(const Robot& robot, const Comparison& rows) {
  Finding finding;
  finding.severity = Finding::Severity::kRefuse;
  finding.code = "loops-open";
  finding.value = 1.0 - rows.closed_rows / rows.rows;
  const std::string share = toText(100.0 * finding.value, 3);
  finding.message =
      rows.unreachable + " (the loops do not close in " + share + " % of the rows examined)";
  finding.remedy = "check zeros, signs and units of the log, the [[loop]] frames and `assembly`";
  std::vector<std::string> causes;
  for (const PositionChange& change : changesThatClose(robot, rows.positions))
    causes.push_back(statementOf(change, robot.logColumnNames()));
  if (causes.empty()) return finding;
  if (causes.size() > kNamedChanges) causes.resize(kNamedChanges);
  finding.message = "it seems that " + join(causes, ", or that ") +
                    ": with that undone the loops of the robot close, which they do not in " +
                    share + " % of the rows examined as logged (" + rows.unreachable + ")";
  finding.remedy =
      "a sign: set `sign` of the joint under [position] (and [velocity]) in the import mapping; an "
      "exchange: correct the order of the columns there; a zero: turn the joint's <origin> in the "
      "URDF about its axis, or correct the positions";
  return finding;
}

}  // namespace

std::vector<Finding> auditPassiveJoints(const Robot& robot,
                                        const std::filesystem::path& log,
                                        std::int64_t first_row,
                                        std::int64_t end_row,
                                        const LogCorrection& correction) {
  std::vector<Finding> findings;
  if (robot.loops.empty()) return findings;
  std::vector<int> passive;
  const LogReader reader(log, wantedColumns(robot, readLogInfo(log), correction, passive));
  const Comparison rows = compareRows(robot, passive, reader, first_row, end_row);
  if (rows.closed_rows < (1.0 - kOpenRows) * rows.rows) findings.push_back(openLoops(robot, rows));
  for (size_t p = 0; p < passive.size(); ++p) {
    if (rows.differences[p].empty()) continue;
    const Joint& joint = robot.passive_joints[passive[p]];
    const double difference = median(rows.differences[p]);
    const double share = difference / (joint.prismatic ? loopSize(robot) : 1.0);
    if (!(share > kOffset)) continue;
    std::string place = " at";
    for (int j = 0; j < robot.numJoints(); ++j)
      place += (j > 0 ? ", " : " ") + robot.treeJoint(j).name + " = " + toText(rows.driven(j), 4);
    findings.push_back(mismatch(joint, difference, share, rows.logged[p], place));
  }
  return findings;
}

}  // namespace dynid
