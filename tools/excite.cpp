#include "dynid/core/files.h"
#include "dynid/excitation/design.h"
#include "dynid/excitation/trajectory_text.h"
#include "dynid/report/html_excitation.h"

#include "commands.h"
#include "console.h"
#include "excite_options.h"
#include "excite_text.h"
#include "exit_status.h"
#include "files.h"
#include "log_arguments.h"
#include "open_robot.h"

namespace dynid::tool {
int runExcite(const Arguments& arguments) {
  ExciteRequest request;
  Options options("excite",
                  "dynid excite datasets/quickstart/arm.toml --output excitation.h5 --seconds 10",
                  "Designs a motion that makes the parameters of a robot known as well as "
                  "possible, within its limits, and says beforehand how well.");
  declare(options, request);
  if (!options.parse(arguments)) return kDone;
  options.require("robot", "the robot to move");
  options.require("output", "the trajectory to write");
  request.statistics = namedFiles("statistics", request.statistics);
  std::vector<std::string> inputs = request.statistics;
  inputs.push_back(request.robot);
  checkOutputs({request.output, request.csv, request.ros, request.report}, inputs);
  const auto robot = openRobot("excite", request.robot, request.excluded, options.quiet());
  finish(request, options, *robot);
  const ExcitationDesign excitation = designExcitation(
      robot, request.design, progressLine("excite", options.quiet(), options.verbose()));
  if (!excitation.feasible) {
    for (const std::string& reason : excitation.reasons) printNote("excite", reason);
    if (options.json()) printResult(toJsonText(*robot, excitation, request.design.seed));
    return kAnswerIsNo;
  }
  writeTrajectory(request.output, excitation.trajectory);
  if (!request.csv.empty()) writeTextFile(request.csv, trajectoryCsv(excitation.trajectory));
  if (!request.ros.empty()) writeTextFile(request.ros, trajectoryRos(excitation.trajectory));
  if (!request.report.empty()) writeTextFile(request.report, excitationPage(*robot, excitation));
  if (options.json())
    printResult(toJsonText(*robot, excitation, request.design.seed));
  else if (!options.quiet())
    printResult(describe(*robot, excitation, request.output));
  return kDone;
}

}  // namespace dynid::tool
