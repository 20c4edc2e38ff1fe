#include "dynid/logs/inspect.h"

#include "dynid/core/errors.h"
#include "dynid/logs/trajectory_file.h"
#include "dynid/model/json.h"
#include "dynid/report/text.h"
#include "dynid/robot/load_robot.h"
#include "dynid/statistics/statistics_file.h"

#include "commands.h"
#include "console.h"
#include "exit_status.h"
#include "expected_file.h"
#include "inspect_text.h"
#include "log_summary.h"
#include "next_step.h"
#include "open_robot.h"
#include "options.h"
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace dynid::tool {
namespace {

std::string text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string nextOf(const LogSummary& summary,
                   const std::string& file,
                   const std::string& robot,
                   const std::vector<std::string>& excluded) {
  const std::string log = shellWord(file);
  const std::string held = excludeJointOptions(excluded);
  if (summary.info.effort_kind == EffortKind::kNone)
    return "record efforts or currents together with the positions; without them nothing can be "
           "identified";
  if (anyRefused(summary.findings))
    return fmt::format("follow the remedies below the refusals, then dynid inspect {} --robot {}{}",
                       log,
                       robot.empty() ? "ROBOT" : shellWord(robot),
                       held);
  if (robot.empty())
    return fmt::format(
        "dynid inspect {} --robot ROBOT (checks signs, order, units, zero positions)", log);
  return fmt::format(
      "dynid identify --robot {} {}{} --output model.json", shellWord(robot), log, held);
}

void printRefusals(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings)
    if (finding.severity == Finding::Severity::kRefuse)
      printNote("inspect",
                finding.message + (finding.remedy.empty() ? "" : " -> " + finding.remedy));
}

/// The result of a file that has nothing to refuse.
void printFound(const Options& options,
                const nlohmann::ordered_json& json,
                const std::string& description) {
  if (options.json())
    printResult(text(json));
  else if (!options.quiet())
    printResult(description);
}

int inspectLog(const std::string& file,
               const std::string& robot_file,
               const std::vector<std::string>& excluded,
               int threads,
               const Options& options) {
  std::shared_ptr<const Robot> robot;
  if (!robot_file.empty()) robot = openRobot("inspect", robot_file, excluded, options.quiet());
  const LogSummary summary = summariseLog(
      file, robot, threads, progressLine("inspect", options.quiet(), options.verbose()));
  if (options.json())
    printResult(text(toJson(summary)));
  else if (options.quiet())
    printRefusals(summary.findings);
  else
    printResult(describe(summary) + nextStep(nextOf(summary, file, robot_file, excluded)));
  return anyRefused(summary.findings) ? kAnswerIsNo : kDone;
}

int inspectTrajectory(const std::string& file, const Options& options) {
  const TrajectoryFile trajectory = readTrajectory(file);
  printFound(
      options,
      toJson(trajectory),
      describe(trajectory, file) +
          nextStep("execute it on the robot, record positions and efforts, then dynid import "
                   "RECORDING --output log.h5"));
  return kDone;
}

int inspectModel(const std::string& file, const Options& options) {
  expectKind(file, Expected::kInspected);
  const Model model = loadModel(file);
  printFound(options,
             toJson(model, file),
             summaryOf(model, options.verbose()) +
                 nextStep(model.status.usable
                              ? fmt::format("dynid validate --model {} HELDOUT.h5 (a log that the "
                                            "model has not seen)",
                                            shellWord(file))
                              : "follow the remedies after NOT USABLE, then dynid identify again"));
  if (options.quiet() && !options.json() && !model.status.usable)
    printNote("inspect", file + ": not usable: " + model.status.reason);
  return model.status.usable ? kDone : kAnswerIsNo;
}

int inspectStatistics(const std::string& file,
                      const std::string& robot_file,
                      const std::vector<std::string>& excluded,
                      const Options& options) {
  const GatheredStatistics statistics =
      robot_file.empty() ? readStatistics(file)
                         : readStatistics(file, loadRobot(robot_file, {excluded}));
  printFound(
      options,
      toJson(statistics, file),
      describe(statistics, file) +
          nextStep(fmt::format("dynid identify --robot {} --statistics {} --output model.json",
                               robot_file.empty() ? "ROBOT" : shellWord(robot_file),
                               shellWord(file))));
  return kDone;
}

int inspectPrediction(const std::string& file, const Options& options) {
  const std::string what = toText(FileKind::kPrediction);
  printFound(options,
             {{"kind", "prediction"}, {"file", file}},
             file + ": " + what +
                 " of `dynid validate --output`: time, joint_names, measured and predicted\n");
  return kDone;
}

}  // namespace

int runInspect(const Arguments& arguments) {
  std::string file, robot_file;
  Options options(
      "inspect",
      "dynid inspect datasets/quickstart/train.h5 --robot datasets/quickstart/arm.toml",
      "Says what a file contains: a log, a trajectory, statistics, a prediction or an identified "
      "model. The signals of a log are audited: wrong units and signs, dead or swapped joints, "
      "lag, saturation, quantisation, repeated rows, clock, gaps. Exit status 1 if identify would "
      "refuse the log, or if the model must not be used.");
  options.text("input", file, "FILE", "the file to inspect");
  options.positional("input");
  options.text(
      "robot",
      robot_file,
      "FILE",
      "robot description (.toml, URDF or MJCF): the log is then searched for mistakes (wrong "
      "signs, order, units, zero positions, gravity), and the audit uses joint limits and types");
  std::vector<std::string> excluded;
  options.texts("exclude-joint",
                excluded,
                "NAME[=X]",
                "with --robot: hold this joint fixed, at 0 or at X [rad or m]");
  int threads = 1;
  declareThreads(options, threads);
  if (!options.parse(arguments)) return kDone;
  options.require("input", "the file to inspect");
  if (robot_file.empty() && !excluded.empty())
    throw UsageError("--exclude-joint: belongs to --robot");

  switch (fileKind(file)) {
    case FileKind::kLog:
      return inspectLog(file, robot_file, excluded, threads, options);
    case FileKind::kTrajectory:
      return inspectTrajectory(file, options);
    case FileKind::kStatistics:
      return inspectStatistics(file, robot_file, excluded, options);
    case FileKind::kPrediction:
      return inspectPrediction(file, options);
    case FileKind::kNotHdf5:
      return inspectModel(file, options);
    default:
      throw InputError(
          file +
          ": is an HDF5 file, but no log, trajectory, statistics or prediction of dynid; a log has "
          "the datasets time, joint_names, position and effort (or current) in the root group");
  }
}

}  // namespace dynid::tool
