#include "dynid/logs/import.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"

#include "commands.h"
#include "console.h"
#include "exit_status.h"
#include "files.h"
#include "interrupt.h"
#include "options.h"
#include <nlohmann/json.hpp>

namespace dynid::tool {
namespace {

std::string render(const ImportResult& result, const std::string& output) {
  std::string text = output + ": " + std::to_string(result.rows) + " rows of " +
                     std::to_string(result.joint_names.size()) + " joints (" +
                     join(result.joint_names) + "), channels: position" +
                     (result.has_velocity ? ", velocity" : "") +
                     (result.has_acceleration ? ", acceleration" : "");
  if (result.effort_kind != EffortKind::kNone) text += ", " + toText(result.effort_kind);
  text += "\n";
  if (result.bad_rows > 0)
    text += "left out: " + std::to_string(result.bad_rows) + " malformed lines\n";
  for (const std::string& note : result.notes) text += "note: " + note + "\n";
  return text;
}

nlohmann::ordered_json toJson(const ImportResult& result, const std::string& output) {
  return {{"output", output},
          {"rows", result.rows},
          {"bad_rows", result.bad_rows},
          {"joints", result.joint_names},
          {"velocity", result.has_velocity},
          {"acceleration", result.has_acceleration},
          {"effort", toText(result.effort_kind)},
          {"notes", result.notes}};
}

std::vector<std::string> outputsOf(const std::vector<std::string>& inputs,
                                   const std::string& output) {
  if (!output.empty() && inputs.size() > 1)
    throw UsageError("--output: names one log, but " + std::to_string(inputs.size()) +
                     " files are given; without it each becomes a log beside it");
  if (!output.empty()) return {output};
  std::vector<std::string> outputs;
  for (const std::string& input : inputs)
    outputs.push_back(std::filesystem::path(input).replace_extension(".h5").string());
  return outputs;
}

}  // namespace

int runImport(const Arguments& arguments) {
  std::vector<std::string> files;
  std::string output, mapping;
  ImportOptions settings;
  Options options("import",
                  "dynid import datasets/quickstart/recording.csv --mapping "
                  "datasets/quickstart/recording_mapping.toml --output recording.h5",
                  "Turns a CSV recording, of any column layout, into an HDF5 log in SI units. "
                  "Without a mapping file "
                  "the header's names are recognised where they are common ones.");
  options.texts("input", files, "FILE", "CSV file");
  options.positional("input");
  options.text(
      "mapping",
      mapping,
      "FILE.toml",
      "which columns are which: names, units, scale, sign, gear ratio, separator, decimal comma");
  options.text("output",
               output,
               "FILE.h5",
               "the log to write; default: the input's name with .h5, beside it");
  options.flag("skip-bad-rows",
               settings.skip_bad_rows,
               "count malformed lines and go on, instead of refusing the file");
  options.integer(
      "compression", settings.compression, 0, "of the log written, 0 (fast) to 9 (small)");
  if (!options.parse(arguments)) return kDone;
  options.require("input", "the CSV file to convert");
  if (settings.compression > 9)
    throw UsageError("--compression: " + std::to_string(settings.compression) + " is above 9");
  if (!mapping.empty()) settings.mapping = mapping;
  const std::vector<std::string> outputs = outputsOf(files, output);
  std::vector<std::string> inputs = files;
  inputs.push_back(mapping);
  checkOutputs(outputs, inputs);

  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (size_t i = 0; i < files.size(); ++i) {
    throwIfInterrupted();
    const ImportResult result = importCsv(files[i], outputs[i], settings);
    if (options.json())
      json.push_back(toJson(result, outputs[i]));
    else if (!options.quiet())
      printResult(render(result, outputs[i]));
  }
  if (options.json())
    printResult((files.size() == 1 ? json.front() : json)
                    .dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
                "\n");
  return kDone;
}

}  // namespace dynid::tool
