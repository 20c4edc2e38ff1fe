#include "dynid/logs/inspect.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/core/text.h"
#include "dynid/logs/trajectory_file.h"
#include "dynid/robot/load_robot.h"

#include "commands.h"
#include "console.h"
#include "exit_status.h"
#include "inspect_text.h"
#include "log_summary.h"
#include "options.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

namespace dynid::tool {
namespace {

std::string json(const nlohmann::ordered_json& object) {
  return object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

int runInspect(const Arguments& arguments) {
  std::string file, robot_file;
  Options options("inspect",
                  "dynid inspect datasets/quickstart/train.h5 --robot datasets/quickstart/arm.toml",
                  "Says what a log, a trajectory, a prediction or an identified model holds. A "
                  "log's signals are "
                  "audited: wrong units and signs, dead or swapped joints, lag, saturation, "
                  "quantisation, repeated "
                  "rows, clock, gaps. Exit status 1 if identify would refuse the log.");
  options.text("input", file, "FILE", "the file");
  options.positional("input");
  options.text(
      "robot",
      robot_file,
      "FILE",
      "robot description (.urdf or .toml): joint limits and prismatic joints for the audit");
  if (!options.parse(arguments)) return kDone;
  options.require("input", "the file to look at");

  std::shared_ptr<const Robot> robot;
  if (!robot_file.empty()) robot = std::make_shared<const Robot>(loadRobot(robot_file));
  const FileKind kind = fileKind(file);
  switch (kind) {
    case FileKind::kLog: {
      const LogSummary summary =
          summariseLog(file, robot, progressLine("inspect", options.quiet(), options.verbose()));
      printResult(options.json() ? json(toJson(summary)) : describe(summary));
      return anyRefused(summary.findings) ? kAnswerIsNo : kDone;
    }
    case FileKind::kTrajectory: {
      const TrajectoryFile trajectory = readTrajectory(file);
      printResult(options.json() ? json(toJson(trajectory)) : describe(trajectory, file));
      return kDone;
    }
    default:
      throw InputError(file + ": is no log, trajectory or model of dynid");
  }
}

}  // namespace dynid::tool
