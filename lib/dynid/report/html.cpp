#include "dynid/report/html.h"

#include "dynid/report/diagnosis_report.h"
#include "dynid/report/first_screen.h"
#include "dynid/report/grouped_findings.h"
#include "dynid/report/html_model.h"
#include "dynid/report/html_page.h"
#include "dynid/report/html_validation.h"
#include "dynid/report/many_logs.h"
#include "dynid/report/markup.h"
#include "dynid/report/numbers.h"

#include <fmt/format.h>

namespace dynid {
namespace {

std::string statusMarkup(const Model& model) {
  std::string markup = "<p>Model: " + badge(model.status.usable ? "good" : "bad",
                                            model.status.usable ? "usable" : "not usable");
  if (!model.status.reason.empty()) markup += " " + escaped(model.status.reason);
  markup += "</p>\n";
  if (!model.scale_known)
    markup += paragraph(
        "All parameters have one common unknown factor: no known payload or drive gain determines "
        "the scale.");
  return markup;
}

std::string modelTiles(const Model& model) {
  std::string tiles;
  if (!model.fit.per_joint.empty())
    tiles += tile("error, cross-validated", shownPercent(model.fit.cross_validated_error)) +
             tile("noise floor", shownPercent(model.fit.noise_floor)) +
             tile("filtered, in the fit", shownPercent(model.fit.relative_error));
  if (!model.base_parameters.empty())
    tiles += tile("base parameters", std::to_string(model.base_parameters.size()));
  if (model.consistency.feasible)
    tiles += tile("certified relative gap", shown(model.consistency.relative_duality_gap, 2));
  return tiles;
}

std::string severityKind(Finding::Severity severity) {
  return severity == Finding::Severity::kRefuse || severity == Finding::Severity::kWarning ? "bad"
                                                                                           : "open";
}

std::string auditSection(const Identification& identification) {
  std::string markup;
  for (const ShownAudit& audit : shownAudits(identification)) {
    markup += "<h3>" + escaped(audit.of) + "</h3>\n";
    if (audit.findings.empty()) {
      markup += paragraph("No findings.");
      continue;
    }
    HtmlTable table({"", "finding", "remedy", "code"});
    for (const Finding& finding : groupedFindings(audit.findings)) {
      table.beginRow();
      table.cell(badge(severityKind(finding.severity), toText(finding.severity)));
      table.cell(escaped(finding.message), "wide");
      table.cell(escaped(finding.remedy), "wide");
      table.cell(textElement("code", {}, finding.code));
      table.endRow();
    }
    markup += table.markup();
  }
  return htmlSection("Audit of the logs", markup);
}

std::string modelSections(const Model& model) {
  return foldedSection("Parameters",
                       baseParameterSection(model) + linkSection(model) + effectSection(model)) +
         certificateSection(model) + fitSection(model);
}

std::string title(const std::string& text) { return textElement("h1", {}, text) + "\n"; }

std::string logSections(const ValidationResult& result) {
  return scoreSection(result) + checkSection(result) + budgetSection(result) +
         comparisonSection(result) + curveSection(result) +
         htmlSection("Notes", htmlList(groupedNotes(result)));
}

/// A table of all logs.
std::string logTable(const std::vector<ValidationResult>& results) {
  const std::vector<std::vector<std::string>> rows = logRows(results);
  HtmlTable table(rows.front());
  for (size_t i = 1; i < rows.size(); ++i) {
    table.beginRow();
    for (const std::string& cell : rows[i]) table.text(cell);
    table.endRow();
  }
  return htmlSection(
      "All logs",
      paragraph(fmt::format("{}; the worst {} follow one by one.", outcomeOf(results), kFewLogs)) +
          table.markup());
}

/// Header and sections of one validated log.
std::string validationMarkup(const ValidationResult& result) {
  return paragraph(fmt::format("{}, {} samples, {} of them moving",
                               result.log,
                               shownCount(result.scored),
                               shownCount(result.moving)),
                   "sub") +
         firstScreen(result) + "<div class=\"tiles\">\n" +
         tile("noise floor", shownPercent(result.filtered.noise_floor)) +
         tile("on its training logs", shownPercent(result.training_error)) + "</div>\n" +
         logSections(result);
}

}  // namespace

std::string htmlReport(const Model& model, const std::vector<ValidationResult>& validations) {
  const std::string heading = "Validation of " + model.robot->name;
  std::string body;
  if (validations.size() > kFewLogs) body += title(heading) + logTable(validations);
  for (const size_t i : shownResults(validations))
    body += title(heading) + validationMarkup(validations[i]);
  if (validations.empty()) body += title("Model of " + model.robot->name);
  body += htmlSection(
              "The model",
              statusMarkup(model) + "<div class=\"tiles\">\n" + modelTiles(model) + "</div>\n") +
          modelSections(model) + provenanceSection(model);
  return htmlPage(validations.empty() ? "Model of " + model.robot->name : heading, body);
}

std::string htmlReport(const Identification& identification,
                       const std::vector<ValidationResult>& on_training) {
  const Model& model = identification.model;
  const std::string heading = "Identification of " + model.robot->name;
  std::string body = title(heading) + statusMarkup(model) +
                     firstScreen(identification, on_training) + auditSection(identification) +
                     diagnosisSection(identification) + fitSection(model);
  const size_t logs = identification.logs.size();
  if (on_training.size() < logs && !on_training.empty())
    body += paragraph(
        fmt::format("Of the {} training logs {} follow, evenly spread.", logs, on_training.size()));
  for (const ValidationResult& result : on_training)
    body += title("Training log") + paragraph(result.log, "sub") +
            paragraph(
                "This is a training log of the model: the following shows the fit and does not "
                "predict the accuracy for other motions. Validate on another log.") +
            scoreSection(result) +
            (&result == &on_training.front() ? "" : worstJointSection(result)) +
            curveSection(result);
  return htmlPage(
      heading,
      body +
          foldedSection("Parameters",
                        baseParameterSection(model) + linkSection(model) + effectSection(model)) +
          certificateSection(model) + provenanceSection(model));
}

}  // namespace dynid
