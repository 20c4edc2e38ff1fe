// Confusion table of the diagnosis: mistakes_study [--further] [--quiet] ROBOT LOG [ROBOT LOG ...].
// With --untouched only the log as it is, for the table of untouched logs.
#include "dynid/diagnosis/mistake_text.h"
#include "dynid/diagnosis/raw_checks.h"
#include "dynid/diagnosis/read_diagnosed_log.h"
#include "dynid/robot/load_robot.h"

#include "damages.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <map>

namespace dynid::mistakes {
namespace {

struct Outcome {
  std::string severity = "-", named;
  bool right = false;
};

std::string severityOf(const Diagnosis& diagnosis) {
  for (const Finding::Severity severity : {Finding::Severity::kRefuse, Finding::Severity::kWarning})
    for (const Finding& finding : diagnosis.findings)
      if (finding.severity == severity) return toText(severity);
  return "-";
}

Outcome outcomeOf(const Damaged& damaged, const Diagnosis& diagnosis) {
  Outcome outcome{severityOf(diagnosis), "", false};
  const std::vector<std::string> names = damaged.robot->logColumnNames();
  for (const Finding& finding : diagnosis.findings) {
    outcome.right |= !damaged.finding.empty() && finding.code.ends_with(damaged.finding);
    if (finding.code.rfind("raw-", 0) == 0 || finding.code.ends_with("effort-unit") ||
        finding.code == "diagnosis-effort-late")
      outcome.named += (outcome.named.empty() ? "" : ", ") + finding.code;
  }
  if (diagnosis.results.tried.empty()) return outcome;
  const double best = diagnosis.results.tried.front().certainty();
  for (const TriedHypothesis& tried : diagnosis.results.tried) {
    if (best < kWarnCertainty || tried.certainty() <= best - kTiedCertainty) break;
    outcome.right |= damaged.is(tried.mistake);
    outcome.named += (outcome.named.empty() ? "" : ", ") + shortText(tried.mistake, names);
  }
  const TriedHypothesis& first = diagnosis.results.tried.front();
  outcome.named += fmt::format(
      " [{} {:.2f}]", best < kWarnCertainty ? shortText(first.mistake, names) : "S", best);
  return outcome;
}

struct Totals {
  int stopped = 0, right = 0, all = 0;
};

std::string listText(const Eigen::VectorXd& values) {
  std::string text;
  for (const double value : values) text += fmt::format(" {:.3g}", value);
  return text;
}

/// Figures behind the decisions, to choose thresholds by.
void printDetails(const Damaged& damaged, const Diagnosis& diagnosis) {
  const HypothesisResults& results = diagnosis.results;
  const HypothesisScore& fit = results.as_logged;
  fmt::print("  gravity share{}; correlation{}; slope{}; effort over rods{}\n",
             listText(fit.gravity_share),
             listText(fit.gravity_correlation),
             listText(fit.gravity_slope),
             listText(fit.rigid_ratio));
  fmt::print("  delay ms{}; gain{}; common {:.0f} ms, together {:.2f}; turning points {}\n",
             listText(1e3 * results.effort_delay),
             listText(results.effort_delay_gain),
             1e3 * results.common_delay,
             results.delay_gain,
             turningPoints(damaged.log.windows));
  std::map<std::string, const TriedHypothesis*> best;
  for (const TriedHypothesis& tried : results.tried) {
    const TriedHypothesis*& own = best[codeOf(tried.mistake.kind)];
    if (own == nullptr || own->gain + std::max(own->gravity_gain, 0.0) <
                              tried.gain + std::max(tried.gravity_gain, 0.0))
      own = &tried;
  }
  for (const auto& [kind, tried] : best)
    fmt::print("  {} gain {:.2f} gravity {:.2f}; folds {}; left{}\n",
               shortText(tried->mistake, damaged.robot->logColumnNames()),
               tried->gain,
               tried->gravity_gain,
               tried->folds,
               listText(tried->unexplained));
}

void printRow(const std::string& robot,
              const Damaged& damaged,
              std::map<std::string, Totals>& totals,
              bool details) {
  const auto begin = std::chrono::steady_clock::now();
  const Diagnosis diagnosis = diagnose(damaged.robot, damaged.log);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const Outcome outcome = outcomeOf(damaged, diagnosis);
  const HypothesisScore& score = diagnosis.results.as_logged;
  std::string left;
  for (const double value : score.unexplained) left += fmt::format(" {:.3f}", value);
  fmt::print("| {} | {} | {} | {} | {} | {:.2f} s, {} passes |{} |\n",
             robot,
             damaged.name,
             outcome.severity,
             outcome.right                 ? "right"
             : damaged.name == "untouched" ? ""
                                           : "NOT",
             outcome.named,
             seconds,
             diagnosis.results.passes,
             left);
  if (details && diagnosis.fitted) printDetails(damaged, diagnosis);
  std::fflush(stdout);
  Totals& own = totals[damaged.name];
  ++own.all;
  own.stopped += outcome.severity == "refused" || outcome.severity == "warning";
  own.right += outcome.right;
}

int run(std::vector<std::string> arguments) {
  const auto flag = [&](const std::string& name) { return std::erase(arguments, name) > 0; };
  const bool further = flag("--further"), untouched = flag("--untouched"),
             details = flag("--details");
  std::map<std::string, Totals> totals;
  fmt::print(
      "| robot | mistake | severity | right | named | cost | unexplained "
      "|\n|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i + 1 < arguments.size(); i += 2) {
    try {
      const auto robot = std::make_shared<const Robot>(loadRobot(arguments[i]));
      const DiagnosedLog log = readDiagnosedLog(*robot, arguments[i + 1]);
      std::vector<Damaged> all = everydayMistakes(robot, log);
      if (untouched) all.resize(1);
      const std::string name =
          untouched ? std::filesystem::path(arguments[i + 1]).parent_path().filename().string() +
                          "/" + std::filesystem::path(arguments[i + 1]).stem().string()
                    : robot->name;
      for (const Damaged& damaged : all) printRow(name, damaged, totals, details);
      if (!further) continue;
      for (const Damaged& damaged : furtherMistakes(robot, log))
        printRow(name, damaged, totals, details);
    } catch (const std::exception& error) {
      fmt::print("| {} | not read: {} |\n", arguments[i + 1], error.what());
    }
  }
  fmt::print("\n| mistake | logs | stopped | named rightly |\n|---|---|---|---|\n");
  for (const auto& [name, own] : totals)
    fmt::print("| {} | {} | {} | {} |\n", name, own.all, own.stopped, own.right);
  return 0;
}

}  // namespace
}  // namespace dynid::mistakes

int main(int argc, char** argv) {
  return dynid::mistakes::run(std::vector<std::string>(argv + 1, argv + argc));
}
