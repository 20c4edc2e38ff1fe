#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/excitation/design.h"
#include "dynid/excitation/trajectory_text.h"
#include "dynid/report/html_excitation.h"

#include "commands.h"
#include "console.h"
#include "excite_options.h"
#include "excite_text.h"
#include "exit_status.h"
#include "expected_file.h"
#include "files.h"
#include "interrupt.h"
#include "log_arguments.h"
#include "next_step.h"
#include "open_robot.h"
#include "option_names.h"
#include <fmt/format.h>

namespace dynid::tool {
namespace {

void writeOutputs(const Robot& robot,
                  const ExciteRequest& request,
                  const ExcitationDesign& excitation) {
  using Path = std::filesystem::path;
  Outputs files;
  files.write(request.output,
              [&](const Path& path) { writeTrajectory(path, excitation.trajectory); });
  files.write(request.csv,
              [&](const Path& path) { writeTextFile(path, trajectoryCsv(excitation.trajectory)); });
  files.write(request.ros,
              [&](const Path& path) { writeTextFile(path, trajectoryRos(excitation.trajectory)); });
  files.write(request.report, [&](const Path& path) {
    writeTextFile(path, withOptionNames(excitationPage(robot, excitation)));
  });
  files.commit();
}

/// An interrupted search keeps its best result; checking and writing it takes time.
Progress patientProgress(const Options& options) {
  const Progress line = progressLine("excite", options.quiet(), options.verbose());
  return [line](const std::string& stage, double fraction) {
    try {
      line(stage, fraction);
    } catch (const Interrupted&) {
      waitForSecondSignal();
      throw;
    }
  };
}

}  // namespace

int runExcite(const Arguments& arguments) {
  ExciteRequest request;
  Options options("excite",
                  "dynid excite datasets/quickstart/arm.toml --output excitation.h5 --seconds 10",
                  "Designs a motion within the limits of a robot from which its parameters can be "
                  "identified as well as possible, and forecasts their standard deviations.");
  declare(options, request);
  if (!options.parse(arguments)) return kDone;
  options.require("robot", "the robot");
  options.require("output", "the trajectory to write");
  request.statistics = namedFiles("statistics", request.statistics);
  expectKind(request.statistics, Expected::kStatistics);
  std::vector<std::string> inputs = request.statistics;
  inputs.push_back(request.robot);
  const std::vector<std::string> outputs{request.output, request.csv, request.ros, request.report};
  checkOutputs(outputs, inputs);
  const auto robot = openRobot("excite", request.robot, request.excluded, options.quiet());
  refuseToReplaceReadFiles(outputs);
  finish(request, options, *robot);
  const ExcitationDesign excitation =
      designExcitation(robot, request.design, patientProgress(options));
  const int interrupted_by = excitation.search.interrupted_by;
  if (!excitation.feasible) {
    for (const std::string& reason : excitation.reasons) printNote("excite", reason);
    if (options.json()) printResult(toJsonText(*robot, excitation, request.design.seed));
    return interrupted_by != 0 ? kSignalBase + interrupted_by : kAnswerIsNo;
  }
  writeOutputs(*robot, request, excitation);
  if (options.json())
    printResult(toJsonText(*robot, excitation, request.design.seed));
  else if (!options.quiet())
    printResult(describe(*robot, excitation, request.output) +
                nextStep(fmt::format("dynid simulate {} --trajectory {}{} --output rehearsal.h5",
                                     shellWord(request.robot),
                                     shellWord(request.output),
                                     excludeJointOptions(request.excluded))));
  if (interrupted_by == 0 && excitation.poor() && !request.force) {
    printNote("excite", "poor motion; with --force the exit status is 0");
    return kAnswerIsNo;
  }
  if (interrupted_by == 0) return kDone;
  printNote("excite",
            "interrupted; the best motion found until then was written to " + request.output);
  return kSignalBase + interrupted_by;
}

}  // namespace dynid::tool
