#include "dynid/identification/diagnose_logs.h"

#include "dynid/core/errors.h"
#include "dynid/diagnosis/read_diagnosed_log.h"
#include "dynid/diagnosis/tried_hypothesis.h"
#include "dynid/model/assumption_clause.h"
#include "dynid/recordings/held_joints_audit.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

constexpr Eigen::Index kDiagnosedLogs = 32;
// A delay that the diagnosis has seen is not the one that was removed if it is this many times as
// long.
constexpr double kOtherDelay = 2.0;

Diagnosis notDiagnosed(const std::string& why) {
  Diagnosis diagnosis;
  diagnosis.left_out.push_back(why);
  return diagnosis;
}

/// Whether the fit excludes every delay that the diagnosis has seen. Its friction includes that
/// before sliding, which looks like a late effort to the plain model. A delay that is named as the
/// mistake of the log may be longer than the fit searches.
bool isContradicted(const Diagnosis& diagnosis, const LogDelay& delay) {
  if (!diagnosis.results || diagnosis.results->effort_delay.size() != delay.largest_alone.size())
    return false;
  if (namesEffortDelay(*diagnosis.results)) return false;
  for (Eigen::Index a = 0; a < delay.largest_alone.size(); ++a) {
    const double seen = std::abs(diagnosis.results->effort_delay(a));
    const double excluded = std::max(kLateEffort, seen < kSearchedDelay ? seen : 0.0);
    if (seen > kLateEffort && !(delay.largest_alone(a) < excluded)) return false;
  }
  return true;
}

/// Warnings about the position of a joint that may be the cause of what the diagnosis names. The
/// diagnosis has no hypothesis about joints that rest, and names another joint.
bool mayBeTheCause(const Finding& finding) {
  return finding.code == "joint-still" || finding.code == "raw-position-held";
}

/// The findings that refuse a log, with what was assumed about it.
/// @param audit  of the log
std::string refusalText(const std::filesystem::path& path,
                        const LogAssumptions& assumptions,
                        std::vector<Finding> audit,
                        const Diagnosis& diagnosis) {
  std::string text;
  const auto add = [&](const Finding& finding, const std::string& before) {
    text += fmt::format("{}{}: {}{}\n  -> {} [{}]",
                        text.empty() ? "" : "\n",
                        path.string(),
                        before,
                        finding.message,
                        finding.remedy,
                        finding.code);
  };
  for (const Finding& finding : audit)
    if (isOfHeldJoint(finding)) add(finding, "");
  const std::string clause = !text.empty() ? "what follows may come from that: "
                             : assumptions.texts.empty()
                                 ? ""
                                 : assumptionClause(assumptions.texts) + ": ";
  for (const Finding& finding : diagnosis.findings) {
    audit.push_back(finding);
    if (finding.severity == Finding::Severity::kRefuse) add(finding, clause);
  }
  for (const Finding& finding : audit)
    if (finding.severity == Finding::Severity::kWarning && mayBeTheCause(finding))
      add(finding, "the cause may also be this: ");
  return text;
}

}  // namespace

std::vector<Diagnosis> diagnoseLogs(const Recordings& recordings,
                                    const IdentificationSettings& settings) {
  std::vector<Diagnosis> diagnoses;
  const Eigen::Index stride = std::max<Eigen::Index>(
      1, (std::ssize(recordings.logs) + kDiagnosedLogs - 1) / kDiagnosedLogs);
  std::string refused;
  bool correctable = false;
  for (const OpenedLog& log : recordings.logs) {
    const LogSource& source = *log.source;
    if (std::ssize(diagnoses) % stride != 0) {
      diagnoses.push_back(notDiagnosed("not diagnosed: of many logs only some are"));
      continue;
    }
    if (anyRefused(source.findings())) {
      diagnoses.push_back(notDiagnosed("not diagnosed: the audit of its signals refuses it"));
      continue;
    }
    const std::filesystem::path& path = source.input().path;
    const LogAssumptions assumptions = settings.assumptionsOf(path);
    diagnoses.push_back(diagnose(
        recordings.robot,
        readDiagnosedLog(
            *recordings.robot, path, assumptions.correction, settings.from_s, settings.to_s),
        settings.threads));
    if (!anyRefused(diagnoses.back().findings)) continue;
    refused += (refused.empty() ? "" : "\n") +
               refusalText(path, assumptions, source.findings(), diagnoses.back());
    const std::vector<Finding>& audit = source.findings();
    correctable = correctable || (!diagnoses.back().correctable.empty() &&
                                  std::none_of(audit.begin(), audit.end(), isOfHeldJoint));
  }
  if (refused.empty() || settings.force) return diagnoses;
  throw InputError(
      refused +
      (correctable && !settings.assumptions_searched ? "\n(use `apply_diagnosis` to identify as if "
                                                       "that were undone: what was assumed is said "
                                                       "and written into the model)"
                                                     : "") +
      "\n(use `force` to continue anyway; dynid inspect with the log and the robot shows all that "
      "was tried)");
}

std::vector<Finding> withDiagnosis(const std::vector<Finding>& audit,
                                   const Diagnosis& diagnosis,
                                   const LogDelay& delay) {
  std::vector<Finding> findings = diagnosis.findings;
  double removed = 0.0;
  for (const Finding& finding : audit)
    if (finding.code == "effort-delay") removed = std::max(removed, std::abs(finding.value));
  const double seen = diagnosis.results && diagnosis.results->effort_delay.size() > 0
                          ? diagnosis.results->effort_delay.cwiseAbs().maxCoeff()
                          : 0.0;
  if ((removed > 0.0 && seen < kOtherDelay * removed) || isContradicted(diagnosis, delay))
    std::erase_if(findings,
                  [](const Finding& finding) { return finding.code == "diagnosis-effort-late"; });
  const bool joint_known =
      std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
        return finding.code == "diagnosis-position-late";
      });
  for (const Finding& finding : audit)
    if (!(joint_known && finding.code == "position-delay")) findings.push_back(finding);
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return a.severity > b.severity;
  });
  return findings;
}

}  // namespace dynid
