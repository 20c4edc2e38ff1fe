#include "dynid/diagnosis/assumptions.h"

#include "dynid/diagnosis/mistake_text.h"
#include "dynid/diagnosis/read_diagnosed_log.h"

#include <cmath>

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

}  // namespace

LogAssumptions findAssumptions(const std::shared_ptr<const Robot>& robot, DiagnosedLog log) {
  const std::vector<std::string> names = robot->logColumnNames();
  LogAssumptions assumptions;
  for (int round = 0; round < kMostAssumptions; ++round) {
    const Diagnosis diagnosis = diagnose(robot, log);
    if (diagnosis.correctable.empty()) break;
    const LogCorrection correction = correctionOf(diagnosis.correctable.front(), *robot);
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
    double to_s) {
  std::map<std::filesystem::path, LogAssumptions> assumptions;
  for (const std::filesystem::path& log : logs) {
    LogAssumptions found = findAssumptions(robot, readDiagnosedLog(*robot, log, {}, from_s, to_s));
    if (!found.texts.empty()) assumptions[log] = std::move(found);
  }
  return assumptions;
}

}  // namespace dynid
