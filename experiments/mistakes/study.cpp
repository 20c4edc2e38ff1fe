// Confusion table of the diagnosis: mistakes_study [--further] [--users] [--details] ROBOT LOG
// [ROBOT LOG
// ...]. With --untouched only the log as it is, for the table of untouched logs; with --pairs two
// mistakes at once, undone as by identify --apply-diagnosis. SIMULATED in place of a log: one that
// is simulated with the robot.
#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/diagnosis/assumptions.h"
#include "dynid/diagnosis/hypotheses.h"
#include "dynid/diagnosis/mistake_text.h"
#include "dynid/diagnosis/raw_checks.h"
#include "dynid/diagnosis/read_diagnosed_log.h"
#include "dynid/diagnosis/turning_points.h"
#include "dynid/robot/load_robot.h"
#include "dynid/simulation/simulate.h"

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
  if (!diagnosis.results || diagnosis.results->tried.empty()) return outcome;
  const Eigen::Index named = namedHypothesis(*diagnosis.results);
  const std::vector<TriedHypothesis>& all = diagnosis.results->tried;
  const double best = all[std::max<Eigen::Index>(named, 0)].certainty();
  for (Eigen::Index i = named; named >= 0 && i < std::ssize(all); ++i) {
    if (all[i].certainty() <= best - kTiedCertainty) break;
    outcome.right |= damaged.is(all[i].mistake);
    outcome.named += (outcome.named.empty() ? "" : ", ") + shortText(all[i].mistake, names);
  }
  outcome.named +=
      fmt::format(" [{} {:.2f}]", named < 0 ? shortText(all.front().mistake, names) : "S", best);
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
  const HypothesisResults& results = *diagnosis.results;
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
    const TriedHypothesis*& strongest = best[codeOf(tried.mistake.kind)];
    if (strongest == nullptr || strongest->gain + std::max(strongest->gravity_gain, 0.0) <
                                    tried.gain + std::max(tried.gravity_gain, 0.0))
      strongest = &tried;
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
  std::string left;
  if (diagnosis.results)
    for (const double value : diagnosis.results->as_logged.unexplained)
      left += fmt::format(" {:.3f}", value);
  fmt::print("| {} | {} | {} | {} | {} | {:.2f} s, {} passes |{} |\n",
             robot,
             damaged.name,
             outcome.severity,
             outcome.right                 ? "right"
             : damaged.name == "untouched" ? ""
                                           : "NOT",
             outcome.named,
             seconds,
             diagnosis.results ? diagnosis.results->passes : 0,
             left);
  if (details && diagnosis.results) printDetails(damaged, diagnosis);
  std::fflush(stdout);
  Totals& sums = totals[damaged.name];
  ++sums.all;
  sums.stopped += outcome.severity == "refused" || outcome.severity == "warning";
  sums.right += outcome.right;
}

/// Do the assumptions give back the rows of the log without mistakes? Factors to 3 %, angles to two
/// degrees, whole turns and common shifts of a joint along gravity left open.
bool isUndone(const LogAssumptions& assumptions,
              const DiagnosedLog& damaged,
              const DiagnosedLog& right) {
  for (size_t w = 0; w < right.windows.size(); ++w) {
    RawSignals read = damaged.windows[w];
    const RawSignals& as_it_was = right.windows[w];
    apply(assumptions.correction, read);
    if (!read.time.isApprox(as_it_was.time, 1e-6)) return false;
    for (Eigen::Index c = 0; c < read.effort.cols(); ++c) {
      const Eigen::VectorXd effort = read.effort.col(c), wanted = as_it_was.effort.col(c);
      if ((effort - wanted).norm() > 0.03 * wanted.norm()) return false;
    }
    if ((read.position - as_it_was.position).cwiseAbs().maxCoeff() > 0.035) return false;
  }
  return true;
}

struct PairTotals {
  int undone = 0, otherwise = 0, refused = 0, all = 0;
};

/// One row of the table of two mistakes: undone; other assumptions that the diagnosis accepts; or
/// still refused.
void printPair(const std::string& robot,
               const Damaged& damaged,
               const DiagnosedLog& right,
               std::map<std::string, PairTotals>& totals) {
  LogAssumptions assumptions;
  try {
    assumptions = findAssumptions(damaged.robot, damaged.log);
  } catch (const InputError&) {  // positions that only look like degrees: nothing is assumed
  }
  DiagnosedLog corrected = damaged.log;
  for (RawSignals& window : corrected.windows) apply(assumptions.correction, window);
  corrected.duration_s *= assumptions.correction.time_factor;
  const bool refused = anyRefused(diagnose(damaged.robot, corrected).findings);
  const bool undone = isUndone(assumptions, damaged.log, right);
  PairTotals& sums = totals[damaged.name];
  ++sums.all;
  sums.undone += undone;
  sums.refused += !undone && refused;
  sums.otherwise += !undone && !refused;
  fmt::print("| {} | {} | {} | {} |\n",
             robot,
             damaged.name,
             undone    ? "undone"
             : refused ? "REFUSED"
                       : "OTHERWISE",
             join(assumptions.texts, "; "));
  std::fflush(stdout);
}

/// A minute at 200 Hz with noise, of the masses of the description or random ones.
DiagnosedLog simulatedLog(const Robot& robot) {
  SimulationOptions options;
  options.rate_hz = 200.0;
  options.motion.duration_s = 60.0;
  options.effort_noise_relative = 0.02;
  options.block_rows = 1 << 20;
  DiagnosedLog log;
  simulate(robot, randomTruth(robot, 7), options, [&](const RawBlock& block) {
    log.windows.push_back(block);
  });
  log.duration_s = options.motion.duration_s;
  return log;
}

int run(std::vector<std::string> arguments) {
  const auto flag = [&](const std::string& name) { return std::erase(arguments, name) > 0; };
  const bool further = flag("--further"), users = flag("--users"), untouched = flag("--untouched"),
             details = flag("--details"), pairs = flag("--pairs");
  std::map<std::string, PairTotals> pair_totals;
  std::map<std::string, Totals> totals;
  fmt::print(
      "| robot | mistake | severity | right | named | cost | unexplained "
      "|\n|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i + 1 < arguments.size(); i += 2) {
    try {
      const auto robot = std::make_shared<const Robot>(loadRobot(arguments[i]));
      const DiagnosedLog log = arguments[i + 1] == "SIMULATED"
                                   ? simulatedLog(*robot)
                                   : readDiagnosedLog(*robot, arguments[i + 1]);
      if (pairs) {
        for (const Damaged& damaged : pairsOfMistakes(robot, log))
          printPair(robot->name, damaged, log, pair_totals);
        continue;
      }
      std::vector<Damaged> all = everydayMistakes(robot, log);
      if (untouched) all.resize(1);
      const std::string name =
          untouched ? std::filesystem::path(arguments[i + 1]).parent_path().filename().string() +
                          "/" + std::filesystem::path(arguments[i + 1]).stem().string()
                    : robot->name;
      if (users) all = userMistakes(robot, log);
      for (const Damaged& damaged : all) printRow(name, damaged, totals, details);
      if (!further) continue;
      for (const Damaged& damaged : furtherMistakes(robot, log))
        printRow(name, damaged, totals, details);
    } catch (const std::exception& error) {
      fmt::print("| {} | not read: {} |\n", arguments[i + 1], error.what());
    }
  }
  fmt::print("\n| mistake | logs | stopped | named rightly |\n|---|---|---|---|\n");
  for (const auto& [name, sums] : totals)
    fmt::print("| {} | {} | {} | {} |\n", name, sums.all, sums.stopped, sums.right);
  if (!pairs) return 0;
  fmt::print(
      "\n| two mistakes | logs | undone | accepted otherwise | refused |\n"
      "|---|---|---|---|---|\n");
  for (const auto& [name, sums] : pair_totals)
    fmt::print(
        "| {} | {} | {} | {} | {} |\n", name, sums.all, sums.undone, sums.otherwise, sums.refused);
  return 0;
}

}  // namespace
}  // namespace dynid::mistakes

int main(int argc, char** argv) {
  return dynid::mistakes::run(std::vector<std::string>(argv + 1, argv + argc));
}
