#include "dynid/validation/assumed_logs.h"

#include "bindings.h"
#include <fmt/format.h>

namespace dynid::python {
namespace {

ValidationResult validateLog(const Model& model,
                             const py::object& log,
                             const py::object& progress,
                             const py::kwargs& arguments) {
  IdentificationSettings settings;
  settings.threads = defaultThreads();
  ValidationThresholds limits;
  bool apply_diagnosis = false;
  std::string payload;
  setFields("validate",
            arguments,
            {keyword("apply_diagnosis", apply_diagnosis),
             keyword("payload", payload),
             keyword("from_s", settings.from_s),
             keyword("to_s", settings.to_s),
             keyword("force", settings.force),
             keyword("threads", settings.threads),
             keyword("max_relative_error", limits.max_relative_error),
             keyword("max_joint_relative_error", limits.max_joint_relative_error),
             keyword("max_excess_error", limits.max_excess_error),
             keyword("max_error_over_training", limits.max_error_over_training),
             keyword("min_mass_matrix_eigenvalue", limits.min_mass_matrix_eigenvalue),
             keyword("max_gap", limits.max_gap),
             keyword("max_energy_error", limits.max_energy_error)});
  const std::filesystem::path path = logPath(log);
  if (apply_diagnosis) settings.assumptions[path] = sharedAssumptions(model);
  std::optional<ValidationResult> result;
  runInterruptible(progress, [&](const Progress& report) {
    result = validate(model, {path, payload}, settings, limits, {}, {}, report);
  });
  result->log = withoutTemporaryFolder(result->log);
  return std::move(*result);
}

/// Measured and predicted effort of every sample of a log.
py::dict predictWholeLog(const Model& model,
                         const py::object& log,
                         const std::string& payload,
                         const py::object& progress) {
  IdentificationSettings settings;
  settings.threads = defaultThreads();
  const std::filesystem::path path = logPath(log);
  std::vector<PredictionBlock> blocks;
  runInterruptible(progress, [&](const Progress& report) {
    predictLog(
        model,
        {path, payload},
        settings,
        [&](const PredictionBlock& b) { blocks.push_back(b); },
        report);
  });
  Eigen::Index rows = 0;
  for (const PredictionBlock& block : blocks) rows += block.time.size();
  const auto joints = static_cast<Eigen::Index>(model.robot->numJoints());
  Eigen::VectorXd time(rows);
  Eigen::MatrixXd measured(rows, joints), predicted(rows, joints);
  Eigen::Index at = 0;
  for (const PredictionBlock& block : blocks) {
    const Eigen::Index count = block.time.size();
    time.segment(at, count) = block.time;
    predicted.middleRows(at, count) = block.predicted;
    if (block.measured.size() > 0)
      measured.middleRows(at, count) = block.measured;
    else
      measured.middleRows(at, count).setConstant(std::nan(""));
    at += count;
  }
  py::dict result;
  result["time"] = time;
  result["effort_measured"] = rowsOf(std::move(measured), false);
  result["effort_predicted"] = rowsOf(std::move(predicted), false);
  return result;
}

}  // namespace

void bindValidate(py::module_& module) {
  py::class_<ValidationResult>(module, "Validation", "What validate returns: scores of a model.")
      .def_readonly("passed", &ValidationResult::passed, "whether all thresholds are kept")
      .def_readonly(
          "verdict", &ValidationResult::verdict, "'passed', or 'failed: ' and all reasons")
      .def_readonly("reasons",
                    &ValidationResult::reasons,
                    "list of reasons why it failed; empty if it passed")
      .def_readonly("relative_error",
                    &ValidationResult::relative_error,
                    "||measured - predicted|| / ||measured||, effort unfiltered, all samples")
      .def_readonly("relative_error_moving",
                    &ValidationResult::relative_error_moving,
                    "the same over the samples in which each joint moves; nan: none")
      .def_readonly("judged_by_motion",
                    &ValidationResult::judged_by_motion,
                    "whether relative_error_moving decides, because friction explains the errors\n"
                    "at standstill")
      .def_property_readonly(
          "per_joint",
          [](const ValidationResult& r) { return py::object(fromJson(toJson(r))["per_joint"]); },
          "scores per joint, by name: dictionaries of 'rmse', 'relative_error', 'r2' and others,\n"
          "in 'unit' (N m, N or A)")
      .def(
          "to_dict",
          [](const ValidationResult& r) { return fromJson(toJson(r)); },
          "All scores and checks, as `dynid validate --json` prints them.")
      .def("__repr__", [](const ValidationResult& r) {
        return fmt::format("<dynid.Validation: {}, relative error {:.4g}>",
                           r.passed ? "passed" : "failed",
                           r.relative_error);
      });
  module.def(
      "validate",
      &validateLog,
      py::arg("model"),
      py::arg("log"),
      py::kw_only(),
      py::arg("progress") = py::none(),
      "Scores a model on a log that it has not seen; returns a Validation.\n\n"
      "log: a Log or a path. Keywords (`dynid validate --help` says more about them):\n"
      "  payload: 'LINK:MASS' [kg] that the robot carries, if the log does not say\n"
      "  apply_diagnosis: read the log as identify(apply_diagnosis=True) read its logs (False)\n"
      "  from_s, to_s: part of the log that is used [s after its first row]\n"
      "  force: score a log that would be refused (False)\n"
      "  threads: default one per processor; the result does not depend on it\n"
      "  thresholds of the verdict, without unit: max_relative_error,\n"
      "  max_joint_relative_error, max_excess_error, max_error_over_training, max_gap,\n"
      "  max_energy_error; min_mass_matrix_eigenvalue [kg m^2, kg]");
  module.def("predict",
             &predictWholeLog,
             py::arg("model"),
             py::arg("log"),
             py::kw_only(),
             py::arg("payload") = "",
             py::arg("progress") = py::none(),
             "Efforts that a model predicts for a log, with those that were measured.\n\n"
             "payload: 'LINK:MASS' [kg] that the robot carries, if the log does not say.\n"
             "Returns a dictionary: 'time' (M,) in s, 'effort_measured' and 'effort_predicted'\n"
             "(M, n) in N m or N, or A if the model's effort_unit is 'A'. The M samples are the\n"
             "rows of the log in its order, without stray rows: a few rows at an end of the log\n"
             "that a long step of the time separates from all others. The prediction is NaN in\n"
             "rows without a usable time stamp, and where the motion is missing over more than\n"
             "about five sampling intervals. The measured effort is not filtered; it is NaN\n"
             "where the log has none.");
}

}  // namespace dynid::python
