#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/formulations/agreement.h"
#include "dynid/robot/initial_description.h"
#include "dynid/robot/load_robot.h"

#include "check_text.h"
#include "commands.h"
#include "console.h"
#include "exit_status.h"
#include "files.h"
#include "next_step.h"
#include "open_robot.h"
#include "options.h"
#include "robot_check.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace dynid::tool {
namespace {

constexpr int kStates = 10;  // number of random motions on which the formulations are compared

/// Writes a commented description as a template. It refers to the URDF relative to its own
/// location.
/// @param force  replace an existing file of that name, which the user may have edited
int writeDescription(const std::filesystem::path& urdf,
                     const std::filesystem::path& output,
                     bool force) {
  if (urdf.extension() == ".toml")
    throw UsageError("--init-description: " + urdf.string() +
                     " is already a description; give a URDF or MJCF");
  checkOutputs({output.string()}, {urdf.string()});
  if (!output.empty() && !force && std::filesystem::exists(output))
    throw UsageError("--init-description: " + output.string() +
                     " already exists; --force replaces it");
  std::string text = initialDescription(urdf);
  if (output.empty()) {
    printResult(text);
    return kDone;
  }
  const std::string name = "\"" + urdf.filename().string() + "\"";
  const std::filesystem::path relative =
      std::filesystem::relative(urdf, std::filesystem::absolute(output).parent_path());
  if (const size_t place = text.find(name); place != std::string::npos)
    text.replace(place, name.size(), "\"" + relative.string() + "\"");
  writeTextFile(output, text);
  return kDone;
}

/// The robot, or its first joints with the others fixed: the time of some formulations grows with
/// the fourth power of the number of joints. Loops and couplings are kept complete.
Robot comparedPart(const Robot& robot,
                   const std::string& file,
                   std::vector<std::string> excluded,
                   bool quiet) {
  constexpr size_t kCompared = 40;
  const std::vector<std::string> joints = robot.jointNames();
  if (joints.size() <= kCompared || !robot.loops.empty() || !robot.T.isIdentity(0.0)) return robot;
  excluded.insert(excluded.end(), joints.begin() + kCompared, joints.end());
  if (!quiet)
    printNote("check",
              "the formulations are compared on the first " + std::to_string(kCompared) +
                  " joints, the other " + std::to_string(joints.size() - kCompared) + " held at 0");
  return loadRobot(file, {excluded});
}

}  // namespace

int runCheck(const Arguments& arguments) {
  std::string robot_file, output;
  std::vector<std::string> excluded;
  bool init_description = false, force = false;
  int seed = 1;
  Options options("check",
                  "dynid check datasets/quickstart/arm.toml\n"
                  "dynid check datasets/quickstart/arm.urdf --init-description --output arm.toml",
                  "Reads a robot description and says what it contains: links and joints, the "
                  "combinations of inertial parameters that determine the joint torques, which "
                  "parameters are identifiable, whether the given inertias can belong to real "
                  "bodies, and whether independent formulations of the dynamics agree on this "
                  "robot. Exit status 1 if an inertia is impossible or formulations disagree.");
  options.text("robot", robot_file, "FILE", "robot description: .toml, URDF or MJCF");
  options.positional("robot");
  options.texts(
      "exclude-joint", excluded, "NAME[=X]", "hold this joint fixed, at 0 or at X [rad or m]");
  options.flag("init-description",
               init_description,
               "write a commented description (.toml) for a URDF or MJCF to --output or standard "
               "output, and stop");
  options.text("output", output, "FILE.toml", "where --init-description writes");
  options.flag("force", force, "let --init-description replace an existing file");
  options.integer(
      "seed", seed, 0, "seed of the random states at which the formulations are compared");
  if (!options.parse(arguments)) return kDone;
  options.require("robot", "the description to check");
  if (!init_description && !output.empty())
    throw UsageError(
        "--output: belongs to --init-description; the check itself goes to standard output");

  if (init_description) {
    const int status = writeDescription(robot_file, output, force);
    if (!output.empty() && !options.json() && !options.quiet())
      printResult(
          nextStep(fmt::format("read and edit {0}, then dynid check {0}", shellWord(output))));
    return status;
  }
  const auto robot = openRobot("check", robot_file, excluded, options.quiet());
  const Progress progress = progressLine("check", options.quiet(), options.verbose());
  const RobotCheck check = checkRobot(robot, progress);
  const Robot compared = comparedPart(*robot, robot_file, excluded, options.quiet());
  const std::vector<FormulationAgreement> formulations =
      compareFormulations(compared, {kStates, static_cast<std::uint64_t>(seed)});
  if (options.json())
    printResult(toJsonText(*robot, check, formulations));
  else if (!options.quiet())
    printResult(describe(*robot, check, formulations) +
                nextStep(fmt::format("dynid identify --robot {} LOG.h5{} --output model.json",
                                     shellWord(robot_file),
                                     excludeJointOptions(excluded))));
  const bool agree = std::all_of(formulations.begin(),
                                 formulations.end(),
                                 [](const FormulationAgreement& row) { return row.agrees(); });
  return agree && check.allPhysical() ? kDone : kAnswerIsNo;
}

}  // namespace dynid::tool
