#include "dynid/report/html_validation.h"

#include "dynid/report/budget.h"
#include "dynid/report/html_page.h"
#include "dynid/report/interactive.h"
#include "dynid/report/markup.h"
#include "dynid/report/numbers.h"
#include "dynid/report/plot.h"
#include "dynid/validation/joint_verdicts.h"

namespace dynid {
namespace {

constexpr int kWideWidth = 780, kCurveHeight = 170, kResidualHeight = 116, kHistogramWidth = 236;

constexpr const char* kLegend =
    "<p class=\"legend\"><span class=\"key measured\" style=\"margin-left:0\"></span>measured"
    "<span class=\"key predicted\"></span>predicted<span class=\"key residual\"></span>residual, "
    "measured minus predicted</p>\n";

std::string outcomeBadge(Check::Outcome outcome) {
  switch (outcome) {
    case Check::Outcome::kPassed:
      return badge("good", "passed");
    case Check::Outcome::kFailed:
      return badge("bad", "failed");
    case Check::Outcome::kNoticed:
      return badge("open", "noticed");
    case Check::Outcome::kNotVerifiable:
      return badge("open", "not verifiable");
  }
  return "";
}

std::string jointCard(const ValidationResult& result, size_t joint) {
  const JointScore& score = result.per_joint[joint];
  const Eigen::VectorXd residual =
      result.curves.measured.col(joint) - result.curves.predicted.col(joint);
  const std::string effort = score.unit == "A" ? "current" : score.unit == "N" ? "force" : "torque";
  LinePlot curves;
  curves.width = kWideWidth;
  curves.height = kCurveHeight;
  curves.x = result.curves.time;
  curves.lines = {{result.curves.measured.col(joint), "measured"},
                  {result.curves.predicted.col(joint), "predicted"}};
  curves.y_label = effort + " [" + score.unit + "]";
  curves.description = "measured and predicted " + effort + " of " + score.joint + " over time";
  curves.show_x_axis = false;
  LinePlot below = curves;
  below.height = kResidualHeight;
  below.lines = {{residual, "residual"}};
  below.x_label = "time [s]";
  below.y_label = "residual [" + score.unit + "]";
  below.description = "measured minus predicted " + effort + " of " + score.joint + " over time";
  below.show_x_axis = true;
  const std::string histogram = histogramSvg(residual,
                                             "residual [" + score.unit + "]",
                                             "distribution of the residual of " + score.joint,
                                             kHistogramWidth,
                                             kCurveHeight);
  return "<div class=\"card\"><h3>" + escaped(score.joint) +
         textElement("span",
                     {{"class", "figures"}},
                     "relative error " + shownPercent(score.relative_error) + ", RMSE " +
                         shown(score.rmse, 3) + " " + score.unit + ", R² " + shownR2(score.r2)) +
         "</h3>\n<div class=\"plots\"><div>" + timePlot(curves, result.log) +
         timePlot(below, result.log) + "</div><div>" + histogram + "</div></div></div>\n";
}

}  // namespace

std::string verdictMarkup(const ValidationResult& result) {
  return "<p>" + badge(result.passed ? "good" : "bad", result.passed ? "passed" : "failed") +
         "</p>\n" + htmlList(result.reasons);
}

std::string scoreSection(const ValidationResult& result) {
  const bool filtered = result.filtered.per_joint.size() == result.per_joint.size();
  std::vector<std::string> head = {"joint",
                                   "unit",
                                   "RMSE",
                                   "relative error",
                                   "R²",
                                   "RMSE moving",
                                   "relative moving",
                                   "largest",
                                   "bias",
                                   "Ljung-Box / h",
                                   "correlation time [s]",
                                   "verdict"};
  if (filtered)
    head.push_back("relative, filtered at " + shown(result.filtered.cutoff_hz, 3) + " Hz");
  HtmlTable table(head);
  for (size_t j = 0; j < result.per_joint.size(); ++j) {
    const JointScore& s = result.per_joint[j];
    table.beginRow();
    table.text(s.joint);
    table.text(s.unit);
    table.number(shown(s.rmse, 3));
    table.number(shownPercent(s.relative_error));
    table.number(shown(s.r2, 4));
    table.number(shown(s.rmse_moving, 3));
    table.number(shownPercent(s.relative_error_moving));
    table.number(shown(s.max_abs, 3));
    table.number(shown(s.bias, 2));
    table.number(shown(s.whiteness, 3));
    table.number(shown(s.residual_time_s, 2));
    table.text(j < result.joints.size() ? toText(result.joints[j].outcome) : "");
    if (filtered) table.number(shownPercent(result.filtered.per_joint[j].relative_error));
    table.endRow();
  }
  return htmlSection(
      "Scores per joint",
      table.markup() +
          paragraph("Measured minus predicted, against the measurement as recorded (never "
                    "filtered) in all "
                    "columns but the last. Ljung-Box over its degrees of freedom is about 1 where "
                    "the residual "
                    "is white; large values mean that motion still explains part of it.",
                    "sub"));
}

size_t worstJoint(const ValidationResult& result) {
  size_t worst = 0;
  for (size_t j = 1; j < result.per_joint.size(); ++j)
    if (result.per_joint[j].relative_error_moving > result.per_joint[worst].relative_error_moving)
      worst = j;
  return worst;
}

std::string worstJointSection(const ValidationResult& result) {
  if (result.curves.time.size() < 2 || result.per_joint.empty()) return "";
  return kLegend + jointCard(result, worstJoint(result));
}

std::string curveSection(const ValidationResult& result) {
  if (result.curves.time.size() < 2 || result.per_joint.size() < 2) return "";
  std::string markup = kLegend;
  for (size_t j = 0; j < result.per_joint.size(); ++j)
    if (j != worstJoint(result)) markup += jointCard(result, j);
  return htmlSection("Measured and predicted, the other joints", markup);
}

std::string checkSection(const ValidationResult& result) {
  if (result.checks.empty()) return "";
  HtmlTable table({"check", "", "value", "threshold", "what it says"});
  for (const Check& check : result.checks) {
    table.beginRow();
    table.cell(textElement("code", {}, check.name));
    table.cell(outcomeBadge(check.outcome));
    table.number(shown(check.value, 3));
    table.number(shown(check.threshold, 3));
    table.cell(escaped(check.message), "wide");
    table.endRow();
  }
  return htmlSection("Checks", table.markup());
}

std::string budgetSection(const ValidationResult& result) {
  if (!result.budget) return "";
  const std::vector<std::vector<std::string>> rows = budgetRows(*result.budget);
  HtmlTable table(rows.front());
  for (size_t i = 1; i < rows.size(); ++i) {
    table.beginRow();
    for (const std::string& cell : rows[i]) table.text(cell);
    table.endRow();
  }
  std::string markup = table.markup();
  for (const std::string& line : largestParts(*result.budget)) markup += paragraph(line);
  return htmlSection(
      "Torque budget",
      markup +
          paragraph("RMS of each effect and, in brackets, its share of the predicted effort; "
                    "shares add up to 100 %. A negative share has the opposite sign of the sum.",
                    "sub"));
}

std::string comparisonSection(const ValidationResult& result) {
  std::string markup;
  for (const Comparison& comparison : result.against) {
    HtmlTable table({"joint",
                     "RMSE, this model",
                     "RMSE, the other",
                     "relative error, this",
                     "the other",
                     "unit"});
    for (size_t j = 0; j < comparison.per_joint.size() && j < result.per_joint.size(); ++j) {
      table.beginRow();
      table.text(result.per_joint[j].joint);
      table.number(shown(result.per_joint[j].rmse, 3));
      table.number(shown(comparison.per_joint[j].rmse, 3));
      table.number(shownPercent(result.per_joint[j].relative_error));
      table.number(shownPercent(comparison.per_joint[j].relative_error));
      table.text(result.per_joint[j].unit);
      table.endRow();
    }
    markup += "<h3>" + escaped(comparison.other) + "</h3>\n" + paragraph(comparison.message) +
              table.markup();
  }
  return htmlSection("Compared with other models", markup);
}

}  // namespace dynid
