#include "dynid/diagnosis/assumptions.h"

#include "dynid/core/errors.h"
#include "dynid/diagnosis/mistake_text.h"
#include "dynid/diagnosis/read_diagnosed_log.h"
#include "dynid/diagnosis/velocity_checks.h"
#include "dynid/recordings/held_joints_audit.h"
#include "dynid/recordings/open_reader.h"
#include "dynid/recordings/time_range.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace dynid {
namespace {

std::string clauseOf(const std::vector<Mistake>& mistakes, const std::vector<std::string>& names) {
  std::string text = statementOf(mistakes.front(), names);
  for (size_t i = 1; i < mistakes.size(); ++i)
    text += (i == 1 ? " (nearly as likely: " : "; or ") + statementOf(mistakes[i], names);
  return mistakes.size() > 1 ? text + ")" : text;
}

void correct(const LogCorrection& correction, DiagnosedLog& log) {
  for (RawSignals& window : log.windows) apply(correction, window);
  log.duration_s *= correction.time_factor;
}

/// Leaves the velocities as they are where they then agree with the corrected positions: the
/// mistake was made in times or positions only.
void keepRightVelocities(const DiagnosedLog& log, LogCorrection& correction) {
  constexpr double kAgree = 0.2;
  if (correction.time_factor == 1.0 && correction.position_factor.size() == 0) return;
  std::vector<RawSignals> windows = log.windows;
  for (RawSignals& window : windows) apply(correction, window);
  const Eigen::VectorXd slopes = velocitySlopes(windows);
  Eigen::VectorXd factors = Eigen::VectorXd::Constant(slopes.size(), 1.0 / correction.time_factor);
  if (correction.position_factor.size() > 0)
    factors = factors.cwiseProduct(correction.position_factor);
  const Eigen::VectorXd scaled = factors;
  for (Eigen::Index c = 0; c < slopes.size(); ++c)
    if (std::abs(slopes(c) / scaled(c) - 1.0) < std::min(kAgree, std::abs(slopes(c) - 1.0)))
      factors(c) = 1.0;
  if (factors != scaled) correction.velocity_factor = factors;
}

/// Adds the channels whose positions the mistake multiplies.
void addScaled(const Mistake& mistake, const Robot& robot, std::vector<bool>& channels) {
  const Eigen::VectorXd factor = correctionOf(mistake, robot).position_factor;
  for (Eigen::Index c = 0; c < factor.size(); ++c) channels[c] = channels[c] || factor(c) != 1.0;
}

/// Whether the mistake scales a position that was already converted from degrees.
bool scalesAgain(const Mistake& mistake,
                 const Robot& robot,
                 const std::vector<bool>& from_degrees) {
  if (mistake.kind != Mistake::Kind::kPositionScale && mistake.kind != Mistake::Kind::kPositionUnit)
    return false;
  std::vector<bool> scaled(from_degrees.size(), false);
  addScaled(mistake, robot, scaled);
  for (size_t c = 0; c < scaled.size(); ++c)
    if (scaled[c] && from_degrees[c]) return true;
  return false;
}

/// Throws where positions that look like degrees are explained better as something else.
void refuseOtherRatio(const Diagnosis& diagnosis) {
  for (const Finding& finding : diagnosis.findings)
    if (finding.code == "diagnosis-position-ratio")
      throw InputError(
          fmt::format("{}\n  -> {} [{}]", finding.message, finding.remedy, finding.code));
}

/// Whether a joint that the robot holds fixed moves in the log, or is elsewhere.
bool holdsJointsElsewhere(const Robot& robot,
                          const std::filesystem::path& log,
                          double from_s,
                          double to_s) {
  if (robot.ignored_joints.empty()) return false;
  const TimeRange range = timeRange(openReader(robot, log, {}), from_s, to_s);
  return !auditHeldJoints(robot, log, range.first_row, range.end_row).empty();
}

/// What was found about one log.
struct FoundAssumptions {
  LogAssumptions assumptions;
  std::vector<Mistake> first;  ///< that are nearly as likely, before anything was assumed
};

/// @param preferred  assumed first, before explanations that are nearly as likely
FoundAssumptions assume(const std::shared_ptr<const Robot>& robot,
                        DiagnosedLog log,
                        const std::optional<Mistake>& preferred) {
  const std::vector<std::string> names = robot->logColumnNames();
  FoundAssumptions found;
  LogAssumptions& assumptions = found.assumptions;
  std::vector<bool> from_degrees(robot->numJoints(), false);
  for (int round = 0; round < kMostAssumptions; ++round) {
    Diagnosis diagnosis = diagnose(robot, log);
    refuseOtherRatio(diagnosis);
    if (diagnosis.correctable.empty()) break;
    if (round == 0) {
      found.first = diagnosis.correctable;
      if (preferred)
        std::stable_partition(
            diagnosis.correctable.begin(),
            diagnosis.correctable.end(),
            [&](const Mistake& mistake) { return areTheSame(mistake, *preferred); });
    }
    const Mistake& likeliest = diagnosis.correctable.front();
    if (scalesAgain(likeliest, *robot, from_degrees))
      throw InputError(fmt::format(
          "some positions look like degrees, but are not: with all of them converted from degrees "
          "it seems that {}\n  -> if they are positions of the motors (before their gears), set "
          "gear_ratio under [position] (and [velocity]) in the import mapping; if they are in "
          "degrees, set unit = \"deg\" there and examine the imported log",
          statementOf(likeliest, names)));
    if (isDegrees(likeliest)) addScaled(likeliest, *robot, from_degrees);
    LogCorrection correction = correctionOf(likeliest, *robot);
    keepRightVelocities(log, correction);
    assumptions.texts.push_back(clauseOf(diagnosis.correctable, names));
    assumptions.correction = combined(assumptions.correction, correction, robot->numJoints());
    correct(correction, log);
  }
  return found;
}

}  // namespace

std::optional<Mistake> namedForMostLogs(const std::vector<std::vector<Mistake>>& named,
                                        size_t log) {
  const auto count = [&](const Mistake& mistake) {
    return std::count_if(named.begin(), named.end(), [&](const std::vector<Mistake>& of_log) {
      return std::any_of(of_log.begin(), of_log.end(), [&](const Mistake& other) {
        return areTheSame(mistake, other);
      });
    });
  };
  const std::vector<Mistake>& own = named[log];
  const auto most =
      std::max_element(own.begin(), own.end(), [&](const Mistake& a, const Mistake& b) {
        return count(a) < count(b);
      });
  if (most == own.end()) return std::nullopt;
  return *most;
}

LogAssumptions findAssumptions(const std::shared_ptr<const Robot>& robot, DiagnosedLog log) {
  return assume(robot, std::move(log), std::nullopt).assumptions;
}

std::map<std::filesystem::path, LogAssumptions> findAssumptions(
    const std::shared_ptr<const Robot>& robot,
    const std::vector<std::filesystem::path>& logs,
    double from_s,
    double to_s,
    bool force) {
  std::vector<FoundAssumptions> found(logs.size());
  std::string refused;
  const auto find = [&](size_t i, const std::optional<Mistake>& preferred) {
    if (holdsJointsElsewhere(*robot, logs[i], from_s, to_s)) return;
    DiagnosedLog read = readDiagnosedLog(*robot, logs[i], {}, from_s, to_s);
    try {
      found[i] = assume(robot, std::move(read), preferred);
    } catch (const InputError& error) {
      refused +=
          fmt::format("{}{}: {}", refused.empty() ? "" : "\n", logs[i].string(), error.what());
    }
  };
  for (size_t i = 0; i < logs.size(); ++i) find(i, std::nullopt);
  std::vector<std::vector<Mistake>> named;
  for (const FoundAssumptions& of_log : found) named.push_back(of_log.first);
  for (size_t i = 0; i < logs.size(); ++i) {
    const std::optional<Mistake> shared = namedForMostLogs(named, i);
    if (shared && !areTheSame(*shared, named[i].front())) find(i, shared);
  }
  if (!refused.empty() && !force)
    throw InputError(refused + "\n(use `force` to continue with nothing assumed)");
  std::map<std::filesystem::path, LogAssumptions> assumptions;
  for (size_t i = 0; i < logs.size(); ++i)
    if (!found[i].assumptions.texts.empty()) assumptions[logs[i]] = std::move(found[i].assumptions);
  return assumptions;
}

}  // namespace dynid
