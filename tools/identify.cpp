#include "dynid/identification/identify.h"

#include "dynid/core/errors.h"
#include "dynid/diagnosis/assumptions.h"
#include "dynid/model/assumption_clause.h"
#include "dynid/model/json.h"
#include "dynid/prediction/operating_points.h"
#include "dynid/report/text.h"
#include "dynid/validation/assumed_logs.h"

#include "commands.h"
#include "console.h"
#include "exit_status.h"
#include "expected_file.h"
#include "files.h"
#include "identify_outputs.h"
#include "log_arguments.h"
#include "mpi_team.h"
#include "next_step.h"
#include "open_robot.h"
#include "options.h"
#include "payload_option.h"
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <memory>

namespace dynid::tool {
namespace {

struct IdentifyRequest {
  std::string robot, list;
  std::vector<std::string> logs, statistics, payloads, excluded;
  bool no_certificate = false, apply_diagnosis = false;
  IdentifyOutputs outputs;
  IdentificationSettings settings;
};

void declareInputs(Options& options, IdentifyRequest& request) {
  options.text("robot", request.robot, "FILE", "robot description: .toml, URDF or MJCF");
  declareLogs(options, request.logs, request.list, "HDF5 log to identify from");
  options.texts(
      "statistics",
      request.statistics,
      "FILE.h5",
      "file of --save-statistics, used as if its logs were given; a quoted pattern names several");
  options.texts(
      "exclude-joint",
      request.excluded,
      "NAME[=X]",
      "hold this joint fixed, at 0 or at X [rad or m], and ignore its column in the logs");
  declarePayloads(options, request.payloads);
  options.number("from",
                 request.settings.from_s,
                 "s",
                 "use the logs from this time on, counted from their first row",
                 "the beginning");
  options.number("to",
                 request.settings.to_s,
                 "s",
                 "use the logs up to this time, counted from their first row",
                 "the end");
  options.flag(
      "apply-diagnosis",
      request.apply_diagnosis,
      "where mistakes are found in a log that can be undone (signs, exchanged columns, scales, "
      "zero positions, units), undo up to three of them while the log is read. The assumption is "
      "printed and written into the model; the file of the log is unchanged");
  options.flag("force",
               request.settings.force,
               "continue where a log would be refused: the model is written and says that it is "
               "not usable; exit status 1");
}

void declareFit(Options& options, IdentifyRequest& request) {
  IdentificationSettings& settings = request.settings;
  options.number("cutoff",
                 settings.cutoff_hz,
                 "Hz",
                 "cut-off of the low-pass for motion, regressor and effort, at least 0.001 Hz",
                 "chosen from the data");
  options.text("motion",
               settings.motion,
               "KIND",
               "how motion is made from positions: filtered (low-pass and central differences); "
               "spline (quintic smoothing spline, for low rates with quiet efforts); estimated "
               "(splines estimated together with the parameters by maximum likelihood, for coarse "
               "encoders with quiet efforts; predictions use filtered motion)");
  options.number(
      "still-speed",
      settings.still_speed,
      "rad/s or m/s",
      "below this speed a joint counts as standing still, and its rows are left out of the fit");
  options.onOff(
      "robust", settings.robust, "give less weight to stretches of the logs that do not fit");
  options.text("equations",
               settings.equations,
               "KIND",
               "equations that are fitted: inverse-dynamics; momentum (integrated over windows, "
               "without accelerations); routh:JOINT,JOINT (momentum for these joints, inverse "
               "dynamics for the others); energy (of the whole robot, integrated over windows); "
               "power (its rate); variational (from three positions, without velocities). All but "
               "the first leave friction out that depends on the transmitted torque");
  options.number("window",
                 settings.window_s,
                 "s",
                 "length of the windows of integral equations (momentum, routh, energy)",
                 "one period of the cut-off");
  options.number("margin",
                 settings.margin,
                 "1",
                 "smallest pseudo-inertia of a link relative to its prior, 0 <= X < 1; 0 allows "
                 "the boundary of what is physically possible");
  options.onOff("second-stage",
                settings.second_stage,
                "among parameters that fit equally well take those closest to the prior");
  options.number(
      "gap-tolerance",
      settings.gap_tolerance,
      "1",
      "relative distance from the optimum, certified, at which the fit counts as converged");
  options.integer("blocks",
                  settings.blocks,
                  8,
                  "largest number of blocks into which the logs are divided for cross-validation "
                  "and standard deviations, 8 to 64; up to four times as many where the motion "
                  "repeats; fewer take less memory");
  declareThreads(options, request.settings.threads);
}

void declareOutputs(Options& options, IdentifyRequest& request) {
  options.text("output", request.outputs.model, "FILE.json", "write the identified model");
  declareExports(options, request.outputs.exports);
  options.text("report", request.outputs.report, "FILE.html", "write a self-contained report");
  options.text("save-statistics",
               request.outputs.statistics,
               "FILE.h5",
               "write the compressed regression of all logs and statistics, which --statistics "
               "uses in place of the logs");
  options.flag(
      "no-certificate",
      request.no_certificate,
      "leave the proof of optimality out of the model (validate then says \"not verifiable\")");
}

void printAssumptions(const std::map<std::filesystem::path, LogAssumptions>& assumptions) {
  for (const auto& [log, found] : assumptions)
    printNote(
        "identify",
        log.string() + ": is read " + assumptionClause(found.texts) + "; the file is unchanged");
}

/// The log to look at: the one whose parameters differ most from those of the others, or the first.
std::string suspectOf(const Model& model, const std::vector<std::string>& logs) {
  const auto worst = std::max_element(
      model.fit.log_agreement.begin(),
      model.fit.log_agreement.end(),
      [](const LogComparison& a, const LogComparison& b) { return a.ratio < b.ratio; });
  if (worst == model.fit.log_agreement.end() || !worst->differs) return logs.front();
  const auto found = std::find_if(logs.begin(), logs.end(), [&](const std::string& log) {
    return std::filesystem::path(log).filename() == worst->log;
  });
  return found == logs.end() ? logs.front() : *found;
}

std::string nextOf(const Model& model, const IdentifyRequest& request) {
  const std::string robot = shellWord(request.robot) + excludeJointOptions(request.excluded);
  if (!model.status.usable && !request.logs.empty())
    return fmt::format(
        "dynid inspect {} --robot {} (shows the hypotheses of the diagnosis per joint)",
        shellWord(suspectOf(model, request.logs)),
        robot);
  if (!model.status.usable)
    return fmt::format("dynid excite {} --output motion.h5 (designs a better motion)", robot);
  if (request.outputs.model.empty()) return "the same command with --output model.json";
  return fmt::format("dynid validate --model {}{} HELDOUT.h5 (a log that the model has not seen)",
                     shellWord(request.outputs.model),
                     hasSharedAssumptions(model) ? " --apply-diagnosis" : "");
}

// Refuses outputs that cannot be written, and inputs of another kind; returns the outputs.
std::vector<std::string> checkFiles(const IdentifyRequest& request) {
  std::vector<std::string> inputs = request.logs;
  inputs.push_back(request.robot);
  inputs.insert(inputs.end(), request.statistics.begin(), request.statistics.end());
  std::vector<std::string> outputs = request.outputs.exports.outputs();
  outputs.insert(outputs.end(),
                 {request.outputs.model, request.outputs.report, request.outputs.statistics});
  checkOutputs(outputs, inputs);
  expectKind(request.logs, Expected::kLog);
  expectKind(request.statistics, Expected::kStatistics);
  return outputs;
}

int identifyAs(Team* team, const Arguments& arguments) {
  IdentifyRequest request;
  Options options(
      "identify",
      "dynid identify --robot datasets/quickstart/arm.toml datasets/quickstart/train.h5 "
      "--output model.json",
      "Identifies the dynamics of a robot from logs: audits the signals, fits inertias, friction "
      "and drive inertias, and finds the physically consistent parameters that fit best, with a "
      "proof. Exit status 1 if the model must not be used; the model contains the reason.");
  declareInputs(options, request);
  declareOutputs(options, request);
  declareFit(options, request);
  if (!options.parse(arguments)) return kDone;
  options.require("robot", "the description of the robot that the logs come from");
  request.logs = namedLogs(request.logs, request.list);
  request.statistics = namedFiles("statistics", request.statistics);
  if (request.statistics.empty() && request.logs.empty())
    options.require("log", "one or more logs to identify from (or --statistics)");
  request.settings.statistics.assign(request.statistics.begin(), request.statistics.end());
  request.settings.keep_statistics = !request.outputs.statistics.empty();
  request.settings.check();
  const std::vector<LogInput> logs = withPayloads(request.logs, request.payloads);
  const std::vector<std::string> outputs = checkFiles(request);

  const bool speaks = team == nullptr || team->rank() == 0;
  const auto robot =
      openRobot("identify", request.robot, request.excluded, options.quiet() || !speaks);
  refuseToReplaceReadFiles(outputs);
  request.settings.team = team;
  const Progress progress = progressLine("identify", options.quiet() || !speaks, options.verbose());
  if (request.apply_diagnosis) {
    request.settings.assumptions = findAssumptions(robot,
                                                   {request.logs.begin(), request.logs.end()},
                                                   request.settings.from_s,
                                                   request.settings.to_s,
                                                   request.settings.force);
    request.settings.assumptions_searched = true;
  }
  if (speaks && !options.quiet()) {
    for (const std::string& note : replacedPayloads(logs)) printNote("identify", note);
    printAssumptions(request.settings.assumptions);
  }
  Identification result = identify(robot, logs, request.settings, progress);
  result.model.has_certificate = !request.no_certificate;
  result.model.provenance.command = commandLine("identify", arguments);
  const int status = result.model.status.usable ? kDone : kAnswerIsNo;
  if (!speaks) return status;
  addOperatingPoints(result, request.settings.threads);
  const std::string refusal = writeOutputs(result, request.outputs, request.settings, progress);
  if (options.json())
    printResult(toJson(result.model));
  else if (!options.quiet())
    printResult(summaryOf(result, options.verbose()) + nextStep(nextOf(result.model, request)));
  if (!refusal.empty()) throw InputError(refusal);
  return status;
}

}  // namespace

int runIdentify(const Arguments& arguments) {
  const std::unique_ptr<Team> team = mpiTeam();
  return runInTeam(team.get(), "dynid identify", [&] { return identifyAs(team.get(), arguments); });
}

}  // namespace dynid::tool
