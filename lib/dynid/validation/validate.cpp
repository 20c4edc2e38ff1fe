#include "dynid/validation/validate.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/core/text.h"
#include "dynid/logs/h5_input.h"
#include "dynid/logs/log_reader.h"
#include "dynid/prediction/log_payload.h"
#include "dynid/validation/assumed_logs.h"
#include "dynid/validation/log_suspicion.h"
#include "dynid/validation/model_checks.h"
#include "dynid/validation/physics_checks.h"
#include "dynid/validation/torque_budget_pass.h"
#include "dynid/validation/validation_pass.h"
#include "dynid/validation/verdict.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

namespace dynid {
namespace {

/// For each joint of our model, its column in the other model.
std::vector<Eigen::Index> matchJoints(const Model& ours, const ComparedModel& rival) {
  const std::vector<std::string> names = rival.model.robot->jointNames();
  std::vector<Eigen::Index> columns;
  for (const std::string& name : ours.robot->jointNames()) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end() || names.size() != ours.robot->joints.size())
      throw UsageError("`against` " + rival.name + ": its joints are " + join(names) +
                       ", the model's are " + join(ours.robot->jointNames()) +
                       "; only models of the same joints can be compared");
    columns.push_back(found - names.begin());
  }
  if (rival.model.effort_unit != ours.effort_unit)
    throw UsageError("`against` " + rival.name + ": it predicts in " + rival.model.effort_unit +
                     ", the model in " + ours.effort_unit + "; they cannot be compared");
  return columns;
}

/// A validation needs a measured effort or current.
void requireMeasurement(const std::filesystem::path& log) {
  if (readLogInfo(log).effort_kind != EffortKind::kNone) return;
  throw InputError(log.string() +
                   ":/effort: is missing, and so is /current; a model is validated by comparing "
                   "its predictions with measured efforts or currents: give a log that has one of "
                   "them");
}

/// A payload that the model knows has the parameters of the model, not the stated ones. Adds a note
/// if the masses differ, and one if the model knows only the mass.
void notePayload(const Model& model, const LogInput& log, ValidationResult& result) {
  constexpr double kSameMass = 0.05;  // relative
  const LogInfo info = readLogInfo(log.path);
  const std::optional<Payload> payload = payloadOf(model, info, log.payload);
  if (!payload) return;
  const double stated = payload->known(0);
  const PayloadModel* known = knownPayload(model, info, *payload);
  if (known == nullptr)
    if (const PayloadModel* like = likePayload(model, info, *payload)) {
      result.notes.push_back(fmt::format(
          "the payload of {:.3g} kg at {} is taken to be \"{}\" of the model, which has the same "
          "mass; state the centre of mass of another one (`payload/com` in the log)",
          stated,
          payload->link,
          like->name));
      return;
    }
  if (known == nullptr && !payload->fullyKnown())
    result.notes.push_back(fmt::format(
        "the payload of {:.3g} kg at {} is taken as a point at the origin of this link, as far as "
        "the log does not say more; its centre of mass and inertia (`payload/com` and "
        "`payload/inertia` in the log) improve the prediction",
        stated,
        payload->link));
  if (known == nullptr ||
      !(std::abs(stated - known->parameters(0)) > kSameMass * known->parameters(0)))
    return;
  result.notes.push_back(fmt::format(
      "{:.3g} kg are stated for the payload \"{}\", the model has {:.3g} kg and was used; give "
      "another payload another name",
      stated,
      payload->name,
      known->parameters(0)));
}

/// Notes the wrench sensors of the log: they are judged when a model is identified.
void noteSensors(const std::filesystem::path& log, ValidationResult& result) {
  const H5Input input(log);
  std::vector<std::string> sensors;
  if (input.has("base/wrench")) sensors.emplace_back("base/wrench");
  if (input.hasGroup("bodies")) sensors.emplace_back("bodies");
  if (!sensors.empty())
    result.notes.push_back(fmt::format(
        "{} of this log {} not compared with the model: a validation compares the efforts of the "
        "joints only, and an identification with this log judges its wrench sensors",
        join(sensors, " and "),
        sensors.size() == 1 ? "was" : "were"));
}

/// What a user must know about the log and the model to read the result.
/// @param cutoff_hz  of the motion of the log
void addNotes(const Model& model, const LogInput& log, double cutoff_hz, ValidationResult& result) {
  if (!model.scale_known)
    result.notes.emplace_back(
        "the model's parameters carry one common unknown factor; errors are in " +
        model.effort_unit);
  if (cutoff_hz > model.signals.cutoff_hz && !ofExactMotion(model.signals))
    result.notes.push_back(fmt::format(
        "this log moves faster than the training logs: its motion is filtered at {} Hz instead of "
        "the {} Hz of the fit",
        toText(cutoff_hz, 3),
        toText(model.signals.cutoff_hz, 3)));
  notePayload(model, log, result);
  noteSensors(log.path, result);
}

/// Notes whether the model was trained on rows of the log that were predicted, or on other rows.
void noteTraining(const Model& model, const ValidationPass& pass, ValidationResult& result) {
  if (model.provenance.logs.empty()) return;
  LogRecord predicted;
  predicted.sha256 = sha256OfFile(result.log);
  predicted.first_row = static_cast<double>(pass.firstRow());
  predicted.end_row = static_cast<double>(pass.endRow());
  std::string note;
  for (const LogRecord& record : model.provenance.logs) {
    if (shareRows(record, predicted)) {
      result.training_log = record.file;
      note = fmt::format(
          "the model was trained on this log (the same SHA-256 as {}): its score says nothing "
          "about other motions; validate on a log that the model has not seen",
          record.file);
      break;
    }
    if (record.sha256 == predicted.sha256)
      note = fmt::format(
          "the model was trained on another part of this log (rows {:.0f} to {:.0f}): where the "
          "motion repeats, the score says nothing about other motions",
          record.first_row,
          record.end_row - 1);
  }
  if (!note.empty()) result.notes.insert(result.notes.begin(), note);
}

/// The effort of a prismatic joint is a force.
void setUnits(const Model& model, std::vector<JointScore>& scores) {
  for (size_t j = 0; j < scores.size(); ++j)
    scores[j].unit =
        model.effort_unit == "N m" && model.robot->joints[j].prismatic ? "N" : model.effort_unit;
}

// Predicts the log with the other model and compares the errors with ours, block by block.
Comparison compareWith(const Model& model,
                       const ComparedModel& rival,
                       const ValidationPass& ours,
                       const LogInput& log,
                       const IdentificationSettings& settings,
                       const Progress& progress) {
  const std::vector<Eigen::Index> columns = matchJoints(model, rival);
  ScoreAccumulator scores(model.robot->jointNames());
  std::unique_ptr<BlockErrors> errors;
  predictLog(
      rival.model,
      log,
      settings,
      [&](const PredictionBlock& block) {
        if (!errors) errors = newBlockErrors(block);
        const Eigen::MatrixXd measured = block.measured(Eigen::all, columns);
        const Eigen::MatrixXd predicted = block.predicted(Eigen::all, columns);
        scores.add(block.time, measured, predicted, block.moving(Eigen::all, columns));
        errors->add(measured, predicted);
      },
      progress);
  Comparison comparison;
  comparison.other = rival.name;
  if (errors)
    comparison = comparePaired(rival.name, ours.blockErrors(), *errors, ours.scores().step());
  comparison.relative_error = scores.relativeError();
  comparison.per_joint = scores.scores();
  setUnits(model, comparison.per_joint);
  return comparison;
}

}  // namespace

ValidationResult validate(const Model& model,
                          const LogInput& log,
                          const IdentificationSettings& settings,
                          const ValidationThresholds& thresholds,
                          const std::vector<ComparedModel>& against,
                          const PredictionSink& sink,
                          const Progress& progress,
                          bool budget) {
  model.check();
  for (const ComparedModel& rival : against) rival.model.check();
  settings.check();
  thresholds.check();
  requireMeasurement(log.path);
  // Report errors before the long computation
  for (const ComparedModel& rival : against) matchJoints(model, rival);
  ValidationPass pass(model);
  std::optional<TorqueBudgetPass> budget_pass;
  if (budget) budget_pass.emplace(model);
  predictLog(model,
             log,
             settings,
             [&](const PredictionBlock& block) {
               pass.add(block);
               if (budget_pass) budget_pass->add(block);
               if (sink) sink(block);
             },
             progress,
             {.rigid = true, .parts = budget});
  if (pass.empty()) throw InputError(log.path.string() + ": has no rows in the chosen time range");
  ValidationResult result;
  result.log = log.path.string();
  result.unit = model.effort_unit;
  addNotes(model, log, pass.cutoff(), result);
  result.checks.push_back(checkMassMatrix(model, thresholds.min_mass_matrix_eigenvalue));
  result.checks.push_back(checkPhysicalConsistency(model));
  result.checks.push_back(checkSkewSymmetry(model));
  result.checks.push_back(checkPowerBalance(model));
  result.checks.push_back(checkFrictionPassivity(model));
  result.checks.push_back(checkModelCertificate(model, thresholds.max_gap));
  pass.finish(thresholds, result);
  setUnits(model, result.per_joint);
  setUnits(model, result.filtered.per_joint);
  if (budget_pass) result.budget = budget_pass->finish();
  for (const ComparedModel& rival : against)
    result.against.push_back(compareWith(model, rival, pass, log, settings, progress));
  result.training_error = model.fit.cross_validated_error;
  noteTraining(model, pass, result);
  const bool suspicious = isSuspicious(model, thresholds, result);
  if (suspicious) {
    result.diagnosis = suspicionsAbout(model, log, settings, result.per_joint);
    judgeDelay(model, log, settings, result);
  }
  judgeAssumptions(model, log, settings, suspicious, result);
  judge(model, thresholds, result);
  return result;
}

}  // namespace dynid
