#include "dynid/validation/assumed_logs.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/model/assumption_clause.h"
#include "dynid/validation/prediction_scores.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

constexpr double kFarBetter = 0.5;  // of the error as the log is

constexpr double kShortDelay = 0.005;  // [s] makes little difference

}  // namespace

bool hasSharedAssumptions(const Model& model) {
  const std::vector<LogRecord>& logs = model.provenance.logs;
  return !logs.empty() && !logs.front().assumptions.texts.empty() &&
         std::all_of(logs.begin(), logs.end(), [&](const LogRecord& log) {
           return log.assumptions.correction == logs.front().assumptions.correction;
         });
}

LogAssumptions sharedAssumptions(const Model& model) {
  if (model.status.assumptions.empty())
    throw UsageError(
        "`apply_diagnosis`: the model was identified without assumptions about its logs (dynid "
        "identify with `apply_diagnosis` writes them into the model); leave it out");
  if (!hasSharedAssumptions(model))
    throw UsageError(
        "`apply_diagnosis`: the model was not identified under the same assumptions about all of "
        "its logs (" +
        join(model.status.assumptions, "; ") +
        "), so that it is open which of them hold for this one; correct this log (import mapping) "
        "and leave it out");
  return model.provenance.logs.front().assumptions;
}

void judgeAssumptions(const Model& model,
                      const LogInput& log,
                      const IdentificationSettings& settings,
                      bool suspicious,
                      ValidationResult& result) {
  result.assumptions = settings.assumptionsOf(log.path).texts;
  if (!result.assumptions.empty()) {
    result.notes.push_back(
        "the log was read " + assumptionClause(result.assumptions) +
        ", as the logs that the model was identified from" +
        (suspicious ? "; if this log is already corrected, leave `apply_diagnosis` out" : ""));
    return;
  }
  if (model.status.assumptions.empty()) return;
  const std::string clause = assumptionClause(model.status.assumptions);
  if (suspicious && hasSharedAssumptions(model)) {
    IdentificationSettings as_trained = settings;
    as_trained.assumptions[log.path] = model.provenance.logs.front().assumptions;
    const double error = predictionScores(model, log, as_trained).relativeError();
    if (error < kFarBetter * result.relative_error) {
      result.diagnosis.insert(
          result.diagnosis.begin(),
          {Finding::Severity::kRefuse,
           "assumed-mistake",
           -1,
           fmt::format("the model was identified {}; if this log is read in the same way, its "
                       "relative error is {:.3g} % instead of {:.3g} %",
                       clause,
                       100.0 * error,
                       100.0 * result.relative_error),
           error,
           "validate with `apply_diagnosis`; better, correct the logs (import mapping) and "
           "identify again"});
      return;
    }
  }
  result.notes.push_back("the model was identified " + clause +
                         "; this log was read as it is (`apply_diagnosis` reads it in the same "
                         "way as the logs of the identification)");
}

void judgeDelay(const Model& model,
                const LogInput& log,
                const IdentificationSettings& settings,
                ValidationResult& result) {
  const Eigen::VectorXd& delay = model.signals.effort_delay;
  if (delay.size() == 0 || !(delay.cwiseAbs().maxCoeff() > kShortDelay)) return;
  Model punctual = model;
  punctual.signals.effort_delay.resize(0);
  const double error = predictionScores(punctual, log, settings).relativeError();
  if (!(error < kFarBetter * result.relative_error)) return;
  Eigen::Index longest = 0;
  delay.cwiseAbs().maxCoeff(&longest);
  result.diagnosis.insert(
      result.diagnosis.begin(),
      {Finding::Severity::kWarning,
       "other-delay",
       -1,
       fmt::format("the efforts of the training logs are {:.0f} ms {} than the motion, and the "
                   "model predicts them so; those of this log are not: without that delay its "
                   "relative error is {:.3g} % instead of {:.3g} %",
                   1e3 * std::abs(delay(longest)),
                   delay(longest) > 0.0 ? "later" : "earlier",
                   100.0 * error,
                   100.0 * result.relative_error),
       error,
       "record the training logs as this one, with positions and efforts of the same instant, and "
       "identify again"});
}

}  // namespace dynid
