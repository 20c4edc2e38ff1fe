#include "identify_outputs.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/model/json.h"
#include "dynid/report/html.h"
#include "dynid/report/many_logs.h"
#include "dynid/validation/validate.h"

#include "console.h"
#include "files.h"
#include "next_step.h"
#include "option_names.h"
#include <algorithm>

namespace dynid::tool {
namespace {

/// Predictions of some of the logs from which the model was identified, for the report.
std::vector<ValidationResult> onTrainingLogs(const Identification& result,
                                             const IdentificationSettings& settings,
                                             const Progress& progress) {
  std::vector<ValidationResult> results;
  if (result.model.parameters.size() == 0) return results;
  for (const size_t i : someLogs(result.logs.size()))
    results.push_back(validate(result.model, {result.logs[i]}, settings, {}, {}, {}, progress));
  return results;
}

}  // namespace

std::string commandLine(const std::string& command, const std::vector<std::string>& arguments) {
  std::string text = "dynid " + command;
  for (const std::string& argument : arguments) text += " " + shellWord(argument);
  return text;
}

std::string writeOutputs(const Identification& result,
                         const IdentifyOutputs& outputs,
                         const IdentificationSettings& settings,
                         const Progress& progress) {
  using Path = std::filesystem::path;
  Outputs files;
  files.write(outputs.model, [&](const Path& path) { saveModel(path, result.model); });
  if (result.statistics)
    files.write(outputs.statistics, [&](const Path& path) { saveStatistics(path, result); });
  files.write(outputs.report, [&](const Path& path) {
    writeTextFile(path,
                  withOptionNames(htmlReport(result, onTrainingLogs(result, settings, progress))));
  });
  std::vector<ExportReport> exports;
  std::string refusal;
  try {
    if (outputs.exports.any() && result.model.status.usable)
      exports = writeExports(result.model, outputs.exports, files);
  } catch (const InputError& refused) {
    refusal = refused.what();
  }
  files.commit();
  if (!result.model.status.usable)
    for (const std::string& file : outputs.exports.outputs())
      if (!file.empty()) printNote("identify", file + ": not written: the model must not be used");
  for (const ExportReport& report : exports)
    for (const std::string& sentence : report.dropped)
      printNote("identify", report.output + ": " + sentence);
  if (refusal.empty() || outputs.model.empty()) return refusal;
  return refusal + "; the model itself is written to " + outputs.model;
}

}  // namespace dynid::tool
