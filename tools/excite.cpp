#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/core/text.h"
#include "dynid/excitation/design.h"
#include "dynid/excitation/trajectory_text.h"
#include "dynid/report/html_excitation.h"
#include "dynid/robot/load_robot.h"

#include "commands.h"
#include "console.h"
#include "excite_text.h"
#include "exit_status.h"
#include "files.h"
#include "options.h"
#include <algorithm>

namespace dynid::tool {
namespace {

struct Request {
  std::string robot, output, csv, ros, report, criterion = "condition";
  std::string noise, start, velocity, acceleration, jerk;
  std::vector<std::string> excluded;
  int seed = 1;
  bool no_drive_inertia = false, ignore_effort = false;
  ExcitationOptions design;
};

void declareLimits(Options& options, Request& request) {
  LimitOptions& limits = request.design.limits;
  const std::string list = "; one value, or one a joint: 2,2,3";
  options.text("max-velocity",
               request.velocity,
               "LIST",
               "[rad/s or m/s] in place of the description's limits" + list);
  options.text("max-acceleration",
               request.acceleration,
               "LIST",
               "[rad/s^2 or m/s^2] in place of the description's limits" + list);
  options.text("max-jerk", request.jerk, "LIST", "[rad/s^3 or m/s^3] default: not limited" + list);
  options.number("position-share",
                 limits.position_share,
                 "1",
                 "share of every position range that may be used, about its middle");
  options.number("velocity-share", limits.velocity_share, "1", "share of the velocity limits");
  options.number(
      "acceleration-share", limits.acceleration_share, "1", "share of the acceleration limits");
  options.number("effort-share",
                 limits.effort_share,
                 "1",
                 "share of the effort limits; efforts come from the description's inertias");
  options.flag("ignore-effort", request.ignore_effort, "do not limit efforts");
}

void declare(Options& options, Request& request) {
  ExcitationOptions& design = request.design;
  options.text("robot", request.robot, "FILE", "robot description, .urdf or .toml");
  options.positional("robot");
  options.text("output", request.output, "FILE.h5", "the trajectory to write");
  options.text("csv", request.csv, "FILE.csv", "write its samples as text too");
  options.text(
      "ros", request.ros, "FILE.yaml", "write it as a trajectory_msgs/JointTrajectory too");
  options.text("report",
               request.report,
               "FILE.html",
               "write a page with the curves between their limits and the forecast");
  options.number("duration", design.duration_s, "s", "of one period");
  options.integer("harmonics", design.harmonics, 1, "of the Fourier series");
  options.integer("periods", design.periods, 1, "how often the period is repeated");
  options.text("criterion",
               request.criterion,
               "d|a|e|condition",
               "what is made small: confidence volume, sum of variances, worst direction, "
               "condition number");
  options.text("noise",
               request.noise,
               "LIST",
               "[N m or N] standard deviation of the effort noise; one value, or one a channel");
  options.number("rate", design.rate_hz, "Hz", "samples a second, of the file and the forecast");
  options.text("start",
               request.start,
               "LIST",
               "[rad or m] posture at rest before and after; default: chosen");
  options.texts(
      "exclude-joint", request.excluded, "NAME", "hold this joint fixed and leave it out");
  options.flag("no-drive-inertia", request.no_drive_inertia, "do not ask for drive inertias");
  declareLimits(options, request);
  options.number("seconds", design.search.seconds, "s", "of search; the best so far is taken then");
  options.integer("starts",
                  design.search.starts,
                  0,
                  "random starts of the search instead of --seconds: the result then depends on "
                  "the seed only; 0: as many as time allows");
  options.integer("seed", request.seed, 0, "of the search");
  declareThreads(options, design.search.threads);
}

std::vector<double> numbers(const std::string& option, const std::string& text) {
  std::vector<double> values;
  std::string spaced = text;
  std::replace(spaced.begin(), spaced.end(), ',', ' ');
  for (const std::string& word : splitWords(spaced)) {
    const std::optional<double> value = parseFinite(word);
    if (!value)
      throw UsageError("--" + option + ": \"" + word + "\" is not a number; expected as in 2,2,3");
    values.push_back(*value);
  }
  return values;
}

void finish(Request& request, const Options& options, const Robot& robot) {
  ExcitationOptions& design = request.design;
  design.seed = static_cast<std::uint64_t>(request.seed);
  design.noise = numbers("noise", request.noise);
  design.start = numbers("start", request.start);
  design.limits.velocity = numbers("max-velocity", request.velocity);
  design.limits.acceleration = numbers("max-acceleration", request.acceleration);
  design.limits.jerk = numbers("max-jerk", request.jerk);
  design.limits.effort = !request.ignore_effort;
  design.drive_inertia = !request.no_drive_inertia;
  if (design.search.starts > 0 && !options.given("seconds")) design.search.seconds = 0.0;
  asUsage([&] {
    design.criterion = criterionOf(request.criterion);
    design.check(robot);
  });
  if (design.search.starts == 0 && !(design.search.seconds > 0.0))
    throw UsageError("--seconds is " + toText(design.search.seconds) +
                     "; expected a positive number");
}

}  // namespace

int runExcite(const Arguments& arguments) {
  Request request;
  Options options("excite",
                  "dynid excite datasets/quickstart/arm.toml --output excitation.h5 --seconds 10",
                  "Designs a motion that makes the parameters of a robot known as well as "
                  "possible, within its limits, and says beforehand how well.");
  declare(options, request);
  if (!options.parse(arguments)) return kDone;
  options.require("robot", "the robot to move");
  options.require("output", "the trajectory to write");
  checkOutputs({request.output, request.csv, request.ros, request.report}, {request.robot});
  const auto robot =
      std::make_shared<const Robot>(loadRobot(request.robot, RobotOptions{request.excluded}));
  finish(request, options, *robot);
  const Excitation excitation = designExcitation(
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
