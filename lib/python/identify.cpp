#include "dynid/diagnosis/assumptions.h"
#include "dynid/prediction/operating_points.h"
#include "dynid/statistics/gathered_statistics.h"

#include "bindings.h"
#include <fmt/format.h>

namespace dynid::python {
namespace {

std::vector<LogInput> inputsOf(const py::object& logs, const py::object& payloads) {
  std::vector<LogInput> inputs;
  const bool single = py::isinstance<Log>(logs) || py::isinstance<py::str>(logs) ||
                      py::isinstance<py::bytes>(logs) || py::hasattr(logs, "__fspath__");
  if (single || !py::isinstance<py::iterable>(logs)) {
    inputs.push_back({logPath(logs), ""});
  } else {
    for (const py::handle& log : logs) inputs.push_back({logPath(log), ""});
  }
  if (payloads.is_none()) return inputs;
  std::vector<std::optional<std::string>> texts;
  try {
    texts = payloads.cast<std::vector<std::optional<std::string>>>();
  } catch (const py::cast_error&) {
    throw py::type_error(
        "payloads: expected a list with one entry per log, 'LINK:MASS' [kg] or None");
  }
  if (texts.size() != inputs.size())
    throw py::value_error(
        fmt::format("payloads has {} entries for {} logs; give one per log, None for none",
                    texts.size(),
                    inputs.size()));
  for (std::size_t i = 0; i < texts.size(); ++i) inputs[i].payload = texts[i].value_or("");
  return inputs;
}

std::vector<Keyword> keywordsOf(IdentificationSettings& s) {
  return {keyword("from_s", s.from_s),
          keyword("to_s", s.to_s),
          keyword("cutoff_hz", s.cutoff_hz),
          keyword("motion", s.motion),
          keyword("still_speed", s.still_speed),
          keyword("robust", s.robust),
          keyword("margin", s.margin),
          keyword("second_stage", s.second_stage),
          keyword("gap_tolerance", s.gap_tolerance),
          keyword("force", s.force),
          keyword("blocks", s.blocks),
          keyword("threads", s.threads),
          keyword("statistics", s.statistics),
          keyword("keep_statistics", s.keep_statistics),
          keyword("equations", s.equations),
          keyword("window_s", s.window_s)};
}

py::list auditsOf(const Identification& result) {
  py::list audits;
  for (const std::vector<Finding>& findings : result.audits) {
    py::list audit;
    for (const Finding& finding : findings) {
      py::dict entry;
      entry["severity"] = toText(finding.severity);
      entry["code"] = finding.code;
      entry["joint"] = finding.joint;
      entry["message"] = finding.message;
      entry["remedy"] = finding.remedy;
      audit.append(entry);
    }
    audits.append(audit);
  }
  return audits;
}

Identification identifyLogs(const std::shared_ptr<const Robot>& robot,
                            const py::object& logs,
                            const py::object& payloads,
                            const py::object& progress,
                            const py::kwargs& settings) {
  IdentificationSettings options;
  options.threads = defaultThreads();
  bool apply_diagnosis = false;
  std::vector<Keyword> keywords = keywordsOf(options);
  keywords.push_back(keyword("apply_diagnosis", apply_diagnosis));
  setFields("identify", settings, keywords);
  const std::vector<LogInput> inputs = inputsOf(logs, payloads);
  std::optional<Identification> result;
  runInterruptible(progress, [&](const Progress& report) {
    if (apply_diagnosis) {
      std::vector<std::filesystem::path> paths;
      for (const LogInput& input : inputs) paths.push_back(input.path);
      options.assumptions =
          findAssumptions(robot, paths, options.from_s, options.to_s, options.force);
      options.assumptions_searched = true;
    }
    result = identify(robot, inputs, options, report);
    addOperatingPoints(*result, options.threads);
  });
  for (LogRecord& log : result->model.provenance.logs) log.file = withoutTemporaryFolder(log.file);
  if (result->statistics) {
    GatheredStatistics named = *result->statistics;
    for (GatheredLog& log : named.logs) log.file = withoutTemporaryFolder(log.file);
    result->statistics = std::make_shared<const GatheredStatistics>(std::move(named));
  }
  result->model.provenance.command = "dynid.identify (Python)";
  return std::move(*result);
}

}  // namespace

void bindIdentify(py::module_& module) {
  py::class_<Identification>(module, "Identification", "What identify returns.")
      .def_readonly("model", &Identification::model, "the identified Model")
      .def_property_readonly(
          "audits",
          &auditsOf,
          "per log, in the order given: list of findings of the audit, worst first; dictionaries\n"
          "of 'severity', 'code', 'joint' ('' where it is about the log), 'message' and 'remedy'")
      .def_property_readonly(
          "usable",
          [](const Identification& r) { return r.model.status.usable; },
          "whether the model may be used; see reason")
      .def_property_readonly(
          "reason",
          [](const Identification& r) { return r.model.status.reason; },
          "why it must not be used, or the limits of its use; '' if there are none")
      .def(
          "save_statistics",
          [](const Identification& r, const std::filesystem::path& path) {
            saveStatistics(path, r);
          },
          py::arg("path"),
          "Writes the statistics of the logs (HDF5) for `statistics` of later calls of identify.\n"
          "Needs identify(keep_statistics=True).")
      .def("__repr__", [](const Identification& r) {
        return fmt::format("<dynid.Identification: {}>",
                           r.model.status.usable ? "usable" : "not usable");
      });
  module.def(
      "identify",
      &identifyLogs,
      py::arg("robot").none(false),
      py::arg("logs"),
      py::kw_only(),
      py::arg("payloads") = py::none(),
      py::arg("progress") = py::none(),
      "Identifies a model of a robot from logs; returns an Identification.\n\n"
      "logs: a Log, a path, or a sequence of these. payloads: per log 'LINK:MASS' [kg] or None.\n"
      "progress: a function of the stage (text) and its fraction (0 to 1).\n"
      "Further keywords (`dynid identify --help` says more about them):\n"
      "  from_s, to_s: part of the logs that is used [s after their first row]\n"
      "  cutoff_hz: low-pass of motion and efforts [Hz]; default: chosen from the logs\n"
      "  motion: 'filtered' (default), 'spline' or 'estimated'\n"
      "  still_speed: below it a joint is at rest and its rows are left out [rad/s or m/s]\n"
      "  apply_diagnosis: undo mistakes that are found in a log (False)\n"
      "  force: go on with logs that would be refused (False)\n"
      "  statistics: files of Identification.save_statistics or of `dynid identify\n"
      "    --save-statistics`, in place of further logs or of all (then logs is [])\n"
      "  keep_statistics: for Identification.save_statistics (False)\n"
      "  robust, margin, second_stage, gap_tolerance, blocks, equations, window_s [s]: of the fit\n"
      "  threads: default one per processor; the result does not depend on it\n"
      "A model that must not be used is not an exception: see result.usable and result.reason.");
}

}  // namespace dynid::python
