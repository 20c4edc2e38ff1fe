#include "dynid/report/diagnosis_report.h"

#include "dynid/diagnosis/mistake_text.h"
#include "dynid/report/html_page.h"
#include "dynid/report/many_logs.h"
#include "dynid/report/markup.h"
#include "dynid/report/numbers.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dynid {
namespace {

constexpr size_t kShownHypotheses = 5;

/// "shoulder 0.4 %, elbow 1.2 %".
std::string percents(const Eigen::VectorXd& shares, const std::vector<std::string>& names) {
  std::string text;
  for (Eigen::Index j = 0; j < shares.size(); ++j)
    text += (j == 0 ? "" : ", ") + names[j] +
            (shares(j) > 0.0 ? " " + shownPercent(shares(j)) : " at rest");
  return text;
}

std::string introduction(const Diagnosis& diagnosis, const std::vector<std::string>& names) {
  return fmt::format(
      "{} rows below {:.3g} Hz, {} hypotheses tried. For the log as it is, the plain model leaves "
      "unexplained (share of the effort's variance, cross-validated): {}.",
      diagnosis.rows,
      diagnosis.cutoff_hz,
      diagnosis.results->tried.size(),
      percents(diagnosis.results->as_logged.unexplained, names));
}

/// A head and the best hypotheses.
std::vector<std::vector<std::string>> hypothesisRows(const Diagnosis& diagnosis,
                                                     const std::vector<std::string>& names) {
  std::vector<std::vector<std::string>> rows = {{"hypothesis",
                                                 "certainty",
                                                 "explains better by",
                                                 "gravity torque fits uniform rods better by"}};
  const size_t count = std::min(kShownHypotheses, diagnosis.results->tried.size());
  for (size_t i = 0; i < count; ++i) {
    const TriedHypothesis& tried = diagnosis.results->tried[i];
    rows.push_back({shortText(tried.mistake, names),
                    fmt::format("{:.2f}", tried.certainty()),
                    fmt::format("{:.2f}", tried.gain),
                    fmt::format("{:.2f}", tried.gravity_gain)});
  }
  return rows;
}

std::string thresholdText() {
  return fmt::format(
      "\"Explains better by\" is the natural logarithm of the factor by which the unexplained part "
      "decreases, summed over the joints (2.3: a factor of ten); the last column is the same for "
      "the difference between the fitted gravity torques and those of uniform rods in place of the "
      "links. A mistake is a warning from certainty {} (scale or delay of one effort, a late "
      "position and missing gravity torques, if every joint is explained with that: {}); from {} "
      "on the log is refused. The zero of a joint that is off by more than {:.0f} degrees, and not "
      "by a multiple of 90, is no warning below that: it is found among many more values. Where "
      "only links that resemble those of the description tell the direction of gravity, the "
      "certainty is that of their fit, and {} is a warning.",
      kWarnCertainty,
      kPlainCertainty,
      kRefuseCertainty,
      kSmallZero / kDegree,
      kPhysicsCertainty);
}

}  // namespace

std::string diagnosisText(const Diagnosis& diagnosis, const std::vector<std::string>& names) {
  std::string text;
  if (diagnosis.results) {
    text += wrappedText(introduction(diagnosis, names));
    if (!diagnosis.results->tried.empty())
      text += alignedTable(hypothesisRows(diagnosis, names)) + wrappedText(thresholdText());
  }
  for (const std::string& sentence : diagnosis.left_out) text += wrappedText("- " + sentence);
  return text;
}

nlohmann::ordered_json diagnosisJson(const Diagnosis& diagnosis,
                                     const std::vector<std::string>& names) {
  nlohmann::ordered_json json = {{"fitted", diagnosis.results != nullptr},
                                 {"rows", diagnosis.rows},
                                 {"cutoff_hz", diagnosis.cutoff_hz},
                                 {"warn_certainty", kWarnCertainty},
                                 {"refuse_certainty", kRefuseCertainty},
                                 {"left_out", diagnosis.left_out},
                                 {"unexplained", nlohmann::ordered_json::object()},
                                 {"effort_delay_s", nlohmann::ordered_json::object()},
                                 {"hypotheses", nlohmann::ordered_json::array()}};
  if (!diagnosis.results) return json;
  const HypothesisResults& results = *diagnosis.results;
  for (size_t j = 0; j < names.size(); ++j) {
    json["unexplained"][names[j]] = results.as_logged.unexplained(j);
    json["effort_delay_s"][names[j]] = results.effort_delay(j);
  }
  for (const TriedHypothesis& tried : results.tried) {
    std::vector<std::string> joints;
    for (const int joint : tried.mistake.joints) joints.push_back(names[joint]);
    json["hypotheses"].push_back({{"code", codeOf(tried.mistake.kind)},
                                  {"joints", joints},
                                  {"text", shortText(tried.mistake, names)},
                                  {"certainty", tried.certainty()},
                                  {"gain", tried.gain},
                                  {"gravity_gain", tried.gravity_gain},
                                  {"physics_gain", tried.physics_gain},
                                  {"described_gain", tried.described_gain}});
  }
  return json;
}

std::string diagnosisSection(const Identification& identification) {
  const std::vector<std::string> names = identification.model.robot->logColumnNames();
  std::string markup;
  const size_t shown = std::min(identification.diagnoses.size(), kFewLogs);
  for (size_t i = 0; i < shown; ++i) {
    const Diagnosis& diagnosis = identification.diagnoses[i];
    if (i < identification.logs.size())
      markup += "<h3>" + escaped(identification.logs[i].string()) + "</h3>\n";
    if (diagnosis.results) {
      markup += paragraph(introduction(diagnosis, names));
      if (!diagnosis.results->tried.empty())
        markup += tableOfNumbers(hypothesisRows(diagnosis, names));
    }
    markup += htmlList(diagnosis.left_out);
  }
  if (markup.empty()) return "";
  return htmlSection(
      "Diagnosis of the logs",
      paragraph(
          "Each log is fitted as it is and with every single mistake undone. " + thresholdText(),
          "sub") +
          markup);
}

}  // namespace dynid
