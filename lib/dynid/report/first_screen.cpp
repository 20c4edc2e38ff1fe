#include "dynid/report/first_screen.h"

#include "dynid/report/html_page.h"
#include "dynid/report/html_validation.h"
#include "dynid/report/many_logs.h"
#include "dynid/report/markup.h"
#include "dynid/report/model_tables.h"
#include "dynid/report/numbers.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

std::string tiles(const std::string& markup) {
  return "<div class=\"tiles\">\n" + markup + "</div>\n";
}

/// "Next:" with a sentence and an optional command.
std::string next(const std::string& sentence, const std::string& command = "") {
  return "<p><b>Next:</b> " + escaped(sentence) +
         (command.empty() ? "" : " " + textElement("code", {}, command)) + "</p>\n";
}

std::string worstJointTile(const ValidationResult& result) {
  const JointScore& worst = result.per_joint[worstJoint(result)];
  return tile("relative error of the worst joint in motion, " + worst.joint,
              shownPercent(worst.relative_error_moving));
}

/// The number of base parameters that the logs determine to a tenth of their value.
std::string knownParametersTile(const Model& model) {
  constexpr double kKnown = 0.1;
  const auto known =
      std::count_if(model.base_parameters.begin(),
                    model.base_parameters.end(),
                    [&](const BaseParameterEstimate& p) { return p.relativeStdDev() <= kKnown; });
  return tile("base parameters with a standard deviation below 10 %",
              fmt::format("{} of {}", known, model.base_parameters.size()));
}

std::string leastExplainedTile(const Model& model) {
  const auto worst = std::min_element(model.fit.per_joint.begin(),
                                      model.fit.per_joint.end(),
                                      [](const ChannelFit& a, const ChannelFit& b) {
                                        return a.cross_validated_r2 < b.cross_validated_r2;
                                      });
  const auto joint = static_cast<size_t>(worst - model.fit.per_joint.begin());
  return tile(
      "cross-validated R² of the worst joint, " + channelName(model, static_cast<int>(joint)),
      shownR2(worst->cross_validated_r2));
}

/// The remedy of the first finding of the audit, if it has a warning.
std::string firstRemedy(const Identification& identification) {
  for (const ShownAudit& audit : shownAudits(identification))
    for (const Finding& finding : audit.findings)
      if (finding.severity >= Finding::Severity::kWarning && !finding.remedy.empty())
        return finding.remedy;
  return "";
}

}  // namespace

std::string firstScreen(const ValidationResult& result) {
  const auto passed = std::count_if(result.checks.begin(), result.checks.end(), [](const Check& c) {
    return c.outcome == Check::Outcome::kPassed;
  });
  std::string figures = tile("relative error, all joints", shownPercent(result.relative_error));
  if (!result.per_joint.empty()) figures += worstJointTile(result);
  if (!result.checks.empty())
    figures += tile("checks passed", fmt::format("{} of {}", passed, result.checks.size()));
  const std::string advice =
      result.passed ? next("use the model, or export it for another program:",
                           "dynid export model.json --urdf identified.urdf")
                    : next("see the reasons above, the worst joint, and inspect the log:",
                           "dynid inspect " + result.log + " --robot ROBOT");
  const char* answer =
      result.passed
          ? "The model may be used: what it predicts for this log is within the thresholds."
          : "Do not use the model yet: it fails on this log.";
  return verdictMarkup(result) + paragraph(answer) + tiles(figures) + advice +
         worstJointSection(result);
}

std::string firstScreen(const Identification& identification,
                        const std::vector<ValidationResult>& on_training) {
  const Model& model = identification.model;
  std::string figures;
  if (!model.fit.per_joint.empty())
    figures += tile("error, cross-validated", shownPercent(model.fit.cross_validated_error)) +
               tile("noise floor", shownPercent(model.fit.noise_floor)) + leastExplainedTile(model);
  if (!model.base_parameters.empty()) figures += knownParametersTile(model);
  const std::string remedy = firstRemedy(identification);
  std::string advice;
  if (!model.status.usable)
    advice =
        next(remedy.empty() ? "see the reasons above; record a new log or correct the description"
                            : remedy);
  else
    advice =
        (remedy.empty() ? "" : next(remedy)) + next("test the model on a log of another motion:",
                                                    "dynid validate --model model.json other.h5");
  std::string plot;
  if (!on_training.empty()) plot = worstJointSection(on_training.front());
  return tiles(figures) + advice + plot;
}

}  // namespace dynid
