#include "dynid/report/validation_json.h"

#include "dynid/model/json_text.h"
#include "dynid/report/budget.h"
#include "dynid/validation/joint_verdicts.h"

namespace dynid {
namespace {

Json scoreJson(const JointScore& score) {
  return {{"rmse", jsonNumber(score.rmse)},
          {"relative_error", jsonNumber(score.relative_error)},
          {"r2", jsonNumber(score.r2)},
          {"rmse_moving", jsonNumber(score.rmse_moving)},
          {"relative_error_moving", jsonNumber(score.relative_error_moving)},
          {"max_abs", jsonNumber(score.max_abs)},
          {"bias", jsonNumber(score.bias)},
          {"slope", jsonNumber(score.slope)},
          {"correlation", jsonNumber(score.correlation)},
          {"whiteness", jsonNumber(score.whiteness)},
          {"residual_time_s", jsonNumber(score.residual_time_s)},
          {"samples", jsonCount(score.samples)},
          {"moving_samples", jsonCount(score.moving_samples)},
          {"unit", score.unit}};
}

Json scoresJson(const std::vector<JointScore>& scores) {
  Json result = Json::object();
  for (const JointScore& score : scores) result[score.joint] = scoreJson(score);
  return result;
}

Json filteredJson(const FilteredScore& filtered) {
  Json per_joint = Json::object();
  for (const JointScore& score : filtered.per_joint)
    per_joint[score.joint] = {{"rmse", jsonNumber(score.rmse)},
                              {"relative_error", jsonNumber(score.relative_error)},
                              {"r2", jsonNumber(score.r2)}};
  return {{"cutoff_hz", jsonNumber(filtered.cutoff_hz)},
          {"relative_error", jsonNumber(filtered.relative_error)},
          {"per_joint", per_joint}};
}

Json jointsJson(const std::vector<JointVerdict>& joints) {
  Json result = Json::object();
  for (const JointVerdict& joint : joints)
    result[joint.joint] = {{"verdict", toText(joint.outcome)},
                           {"error_over_training", jsonNumber(joint.error_over_training)},
                           {"reasons", joint.reasons}};
  return result;
}

const char* outcomeName(Check::Outcome outcome) {
  switch (outcome) {
    case Check::Outcome::kPassed:
      return "passed";
    case Check::Outcome::kFailed:
      return "failed";
    case Check::Outcome::kNoticed:
      return "noticed";
    case Check::Outcome::kNotVerifiable:
      return "not verifiable";
  }
  return "";
}

Json checksJson(const std::vector<Check>& checks) {
  Json result = Json::object();
  for (const Check& check : checks)
    result[check.name] = {{"outcome", outcomeName(check.outcome)},
                          {"value", jsonNumber(check.value)},
                          {"threshold", jsonNumber(check.threshold)},
                          {"message", check.message}};
  return result;
}

Json againstJson(const std::vector<Comparison>& comparisons) {
  Json result = Json::array();
  for (const Comparison& c : comparisons)
    result.push_back({{"other", c.other},
                      {"relative_error", jsonNumber(c.relative_error)},
                      {"per_joint", scoresJson(c.per_joint)},
                      {"difference", jsonNumber(c.difference)},
                      {"p_value", jsonNumber(c.p_value)},
                      {"significant", c.significant},
                      {"message", c.message}});
  return result;
}

Json findingsJson(const std::vector<Finding>& findings) {
  Json result = Json::array();
  for (const Finding& finding : findings)
    result.push_back({{"severity", toText(finding.severity)},
                      {"code", finding.code},
                      {"message", finding.message},
                      {"value", jsonNumber(finding.value)},
                      {"remedy", finding.remedy}});
  return result;
}

}  // namespace

std::string toJson(const ValidationResult& result) {
  Json json = {{"verdict", result.passed ? "passed" : "failed"},
               {"reasons", result.reasons},
               {"log", result.log},
               {"relative_error", jsonNumber(result.relative_error)},
               {"relative_error_moving", jsonNumber(result.relative_error_moving)},
               {"judged_by_motion", result.judged_by_motion},
               {"noise_floor", jsonNumber(result.filtered.noise_floor)},
               {"training_error", jsonNumber(result.training_error)},
               {"training_log", !result.training_log.empty()},
               {"unit", result.unit},
               {"joints", jointsJson(result.joints)},
               {"assumptions", result.assumptions},
               {"diagnosis", findingsJson(result.diagnosis)},
               {"per_joint", scoresJson(result.per_joint)},
               {"filtered", filteredJson(result.filtered)},
               {"samples", jsonCount(result.samples)},
               {"scored", jsonCount(result.scored)},
               {"moving", jsonCount(result.moving)},
               {"checks", checksJson(result.checks)},
               {"against", againstJson(result.against)},
               {"notes", result.notes}};
  if (result.budget) json["budget"] = budgetJson(*result.budget);
  return formatJson(json);
}

}  // namespace dynid
