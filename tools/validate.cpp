#include "dynid/validation/validate.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/core/text.h"
#include "dynid/model/json.h"
#include "dynid/report/html.h"
#include "dynid/report/many_logs.h"
#include "dynid/report/text.h"
#include "dynid/validation/assumed_logs.h"
#include "dynid/validation/joint_verdicts.h"

#include "commands.h"
#include "console.h"
#include "exit_status.h"
#include "expected_file.h"
#include "files.h"
#include "log_arguments.h"
#include "model_source.h"
#include "next_step.h"
#include "option_names.h"
#include "options.h"
#include "payload_option.h"
#include "prediction_output.h"
#include "validation_output.h"
#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace dynid::tool {
namespace {

struct ValidateRequest {
  std::string model, robot, list, output, report;
  std::vector<std::string> logs, against, excluded, payloads;
  IdentificationSettings settings;
  ValidationThresholds thresholds;
  bool budget = false, apply_diagnosis = false;
};

void declareThresholds(Options& options, ValidationThresholds& limits) {
  options.number("max-relative-error",
                 limits.max_relative_error,
                 "1",
                 "largest relative error over all joints and samples with which a log passes");
  options.number("max-joint-relative-error",
                 limits.max_joint_relative_error,
                 "1",
                 "largest relative error of any joint in motion with which a log passes");
  options.number("max-excess-error",
                 limits.max_excess_error,
                 "1",
                 "largest error beyond the noise floor over all joints and samples with which a "
                 "log passes: sqrt(relative error^2 - noise floor^2)");
  options.number(
      "max-error-over-training",
      limits.max_error_over_training,
      "1",
      "largest ratio of the error of any joint to that in the training logs with which a log "
      "passes; the smaller of two ratios counts: as a share of the effort, and in N m");
  options.number(
      "min-mass-matrix-eigenvalue",
      limits.min_mass_matrix_eigenvalue,
      "kg m^2",
      "smallest eigenvalue of the mass matrix over the joint ranges with which a model passes");
  options.number(
      "max-gap",
      limits.max_gap,
      "1",
      "largest relative duality gap of the recomputed certificate with which a model passes");
  options.number("max-energy-error",
                 limits.max_energy_error,
                 "1",
                 "largest relative error of the energy balance with which a log passes");
}

void declare(Options& options, ValidateRequest& request) {
  options.text("model", request.model, "FILE.json", "identified model");
  options.text(
      "robot",
      request.robot,
      "FILE",
      "validate the values of a robot description instead of a model: .toml, URDF or MJCF");
  declareLogs(options, request.logs, request.list, "HDF5 log that the model has not seen");
  options.texts("against",
                request.against,
                "FILE",
                "compare with this model or robot description, and say whether the difference is "
                "significant");
  options.text("output",
               request.output,
               "FILE.h5",
               "write measured (unfiltered) and predicted effort of every sample");
  options.flag(
      "budget",
      request.budget,
      "print how much each link and each effect (inertia, velocity coupling, gravity, friction, "
      "drive, spring, payload) contributes to the predicted effort of each joint");
  options.text("report", request.report, "FILE.html", "write a self-contained report");
  options.texts("exclude-joint",
                request.excluded,
                "NAME[=X]",
                "with --robot: hold this joint fixed, at 0 or at X [rad or m]");
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
  options.flag("apply-diagnosis",
               request.apply_diagnosis,
               "read the logs under the assumptions that identify --apply-diagnosis has written "
               "into the model; nothing else is assumed");
  options.flag("force", request.settings.force, "continue where the audit would refuse a log");
  declareThreads(options, request.settings.threads);
  declareThresholds(options, request.thresholds);
}

void checkRequest(const Options& options, const ValidateRequest& request) {
  if (request.model.empty()) options.require("robot", "the robot to validate, or --model");
  if (request.logs.empty()) options.require("log", "one or more logs that the model has not seen");
  if (request.apply_diagnosis && request.model.empty())
    throw UsageError("--apply-diagnosis: belongs to --model, which holds the assumptions");
  if (!request.model.empty() && !request.excluded.empty())
    throw UsageError("--exclude-joint: belongs to --robot; the joints of a model are fixed");
  if (!request.output.empty() && request.logs.size() > 1)
    throw UsageError("--output: is for one log; validate the logs one by one");
  request.settings.check();
  std::vector<std::string> inputs = request.logs;
  inputs.insert(inputs.end(), request.against.begin(), request.against.end());
  inputs.push_back(request.model);
  inputs.push_back(request.robot);
  checkOutputs({request.output, request.report}, inputs);
}

/// @param unusable  receives the reasons for logs that cannot be used; the other logs are still
///     scored
std::vector<ValidationResult> validateAll(const ValidateRequest& request,
                                          const std::vector<LogInput>& logs,
                                          const Model& model,
                                          const std::vector<ComparedModel>& compared_models,
                                          const Progress& progress,
                                          Outputs& files,
                                          std::vector<std::string>& unusable) {
  std::vector<ValidationResult> results;
  for (const LogInput& log : logs) {
    const auto score = [&](const std::filesystem::path& prediction) {
      PredictionOutput output(prediction, model, log.path);
      results.push_back(validate(model,
                                 log,
                                 request.settings,
                                 request.thresholds,
                                 compared_models,
                                 output.sink(),
                                 progress,
                                 request.budget));
      output.finish();
    };
    try {
      if (request.output.empty())
        score({});
      else
        files.write(request.output, score);
    } catch (const InputError& error) {
      unusable.emplace_back(error.what());
    }
    dropHiddenCurves(results);
  }
  return results;
}

std::string nextOf(const ValidateRequest& request, const std::vector<ValidationResult>& results) {
  const std::string robot = request.robot.empty() ? "ROBOT" : shellWord(request.robot);
  for (const ValidationResult& result : results)
    if (anyRefused(result.diagnosis))
      return fmt::format(
          "dynid inspect {} --robot {} (shows the hypotheses of the diagnosis per joint)",
          shellWord(result.log),
          robot);
  if (std::any_of(results.begin(), results.end(), failsByRate))
    return fmt::format("dynid validate --model {} with a log of this motion at a higher rate",
                       request.model.empty() ? "MODEL.json" : shellWord(request.model));
  if (!allPassed(results))
    return fmt::format(
        "dynid identify --robot {} with logs that cover this motion too (dynid excite designs one)",
        robot);
  if (request.model.empty())
    return fmt::format("dynid identify --robot {} TRAIN.h5 --output model.json", robot);
  return fmt::format("dynid export {} --urdf robot.urdf (or --mjcf, --sdf, --c)",
                     shellWord(request.model));
}

}  // namespace

int runValidate(const Arguments& arguments) {
  ValidateRequest request;
  Options options(
      "validate",
      "dynid validate --model datasets/quickstart/model.json "
      "datasets/quickstart/heldout.h5",
      "Tests an identified model on logs that it has not seen: prediction errors per joint, "
      "physical "
      "checks, the certificate recomputed, and a verdict by stated thresholds. Exit status 1 if "
      "the "
      "verdict is \"failed\".");
  declare(options, request);
  if (!options.parse(arguments)) return kDone;
  request.logs = namedLogs(request.logs, request.list);
  checkRequest(options, request);
  const std::vector<LogInput> logs = withPayloads(request.logs, request.payloads);

  if (!request.model.empty()) expectKind(request.model, Expected::kModel);
  expectKind(request.logs, Expected::kLog);
  const Model model = request.model.empty() ? modelOfRobot(request.robot, request.excluded)
                                            : loadModel(request.model);
  if (request.apply_diagnosis)
    for (const std::string& log : request.logs)
      request.settings.assumptions[log] = sharedAssumptions(model);
  std::vector<ComparedModel> compared_models;
  for (const std::string& file : request.against)
    compared_models.push_back({file, modelOfFile(file, model)});
  refuseToReplaceReadFiles({request.output, request.report});
  const Progress progress = progressLine("validate", options.quiet(), options.verbose());
  if (!options.quiet())
    for (const std::string& note : replacedPayloads(logs)) printNote("validate", note);
  Outputs files;
  std::vector<std::string> unusable;
  const std::vector<ValidationResult> results =
      validateAll(request, logs, model, compared_models, progress, files, unusable);
  if (results.empty()) throw InputError(join(unusable, "\n"));
  files.write(request.report, [&](const std::filesystem::path& path) {
    writeTextFile(path, withOptionNames(htmlReport(model, results)));
  });
  files.commit();
  if (options.json())
    printResult(toJson(results, unusable));
  else if (!options.quiet())
    printResult(summaryOf(results) + nextStep(nextOf(request, results)));
  if (!unusable.empty()) throw InputError(join(unusable, "\n"));
  return allPassed(results) ? kDone : kAnswerIsNo;
}

}  // namespace dynid::tool
