#include "dynid/diagnosis/assumptions.h"

#include "dynid/core/errors.h"
#include "dynid/diagnosis/mistake_text.h"
#include "dynid/diagnosis/read_diagnosed_log.h"

#include <cmath>
#include <fmt/format.h>

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

}  // namespace

LogAssumptions findAssumptions(const std::shared_ptr<const Robot>& robot, DiagnosedLog log) {
  const std::vector<std::string> names = robot->logColumnNames();
  LogAssumptions assumptions;
  std::vector<bool> from_degrees(robot->numJoints(), false);
  for (int round = 0; round < kMostAssumptions; ++round) {
    const Diagnosis diagnosis = diagnose(robot, log);
    refuseOtherRatio(diagnosis);
    if (diagnosis.correctable.empty()) break;
    const Mistake& likeliest = diagnosis.correctable.front();
    if (scalesAgain(likeliest, *robot, from_degrees))
      throw InputError(fmt::format(
          "some positions look like degrees, but are not: with all of them converted from degrees "
          "it seems that {}\n  -> if they are positions of the motors (before their gears), set "
          "gear_ratio under [position] (and [velocity]) in the import mapping; if they are in "
          "degrees, set unit = \"deg\" there and examine the imported log",
          statementOf(likeliest, names)));
    if (isDegrees(likeliest)) addScaled(likeliest, *robot, from_degrees);
    const LogCorrection correction = correctionOf(likeliest, *robot);
    assumptions.texts.push_back(clauseOf(diagnosis.correctable, names));
    assumptions.correction = combined(assumptions.correction, correction, robot->numJoints());
    correct(correction, log);
  }
  return assumptions;
}

std::map<std::filesystem::path, LogAssumptions> findAssumptions(
    const std::shared_ptr<const Robot>& robot,
    const std::vector<std::filesystem::path>& logs,
    double from_s,
    double to_s,
    bool force) {
  std::map<std::filesystem::path, LogAssumptions> assumptions;
  std::string refused;
  for (const std::filesystem::path& log : logs) {
    DiagnosedLog read = readDiagnosedLog(*robot, log, {}, from_s, to_s);
    try {
      LogAssumptions found = findAssumptions(robot, std::move(read));
      if (!found.texts.empty()) assumptions[log] = std::move(found);
    } catch (const InputError& error) {
      refused += fmt::format("{}{}: {}", refused.empty() ? "" : "\n", log.string(), error.what());
    }
  }
  if (!refused.empty() && !force)
    throw InputError(refused + "\n(use `force` to continue with nothing assumed)");
  return assumptions;
}

}  // namespace dynid
