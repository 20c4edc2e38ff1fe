#include "dynid/core/errors.h"
#include "dynid/model/assumption_clause.h"
#include "dynid/model/json.h"

#include "commands.h"
#include "console.h"
#include "exit_status.h"
#include "expected_file.h"
#include "files.h"
#include "model_exports.h"
#include "next_step.h"
#include "options.h"
#include <nlohmann/json.hpp>

namespace dynid::tool {

int runExport(const Arguments& arguments) {
  std::string model_file;
  ExportFiles files;
  Options options(
      "export",
      "dynid export datasets/quickstart/model.json --urdf identified.urdf\n"
      "dynid export datasets/quickstart/model.json --mjcf arm.xml --sdf arm.sdf --c arm_dynamics.c",
      "Writes an identified model for other programs: URDF (the file that the model was identified "
      "with, only <inertial> and <dynamics> changed), MJCF, SDF, C. Each file is read back, and "
      "its torques are compared with those of the model before it is kept. What a format cannot "
      "contain is named, with the torque error that this causes on the training logs.");
  options.text("model", model_file, "FILE.json", "identified model");
  options.positional("model");
  declareExports(options, files);
  if (!options.parse(arguments)) return kDone;
  options.require("model", "the identified model");
  if (!files.any())
    throw UsageError("nothing to write; add --urdf, --mjcf, --sdf or --c with a file");
  checkOutputs(files.outputs(), {model_file});

  expectKind(model_file, Expected::kModel);
  Outputs outputs;
  const Model model = loadModel(model_file);
  const std::vector<ExportReport> reports = writeExports(model, files, outputs);
  outputs.commit();
  if (options.json()) {
    nlohmann::ordered_json json = reports.front().json;  // keys of the first file at the top level
    json["files"] = nlohmann::ordered_json::array();
    for (const ExportReport& report : reports) json["files"].push_back(report.json);
    printResult(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    return kDone;
  }
  if (options.quiet()) return kDone;
  if (!model.status.assumptions.empty())
    printNote("export",
              "the model holds " + assumptionClause(model.status.assumptions) +
                  ": positions and efforts of the files are those of the robot description, not "
                  "those of the logs as recorded");
  for (const ExportReport& report : reports) {
    printResult(report.output + ": written and read back\n");
    for (const std::string& sentence : report.dropped) printNote("export", sentence);
  }
  if (!files.urdf.empty() || !files.mjcf.empty())
    printResult(nextStep("dynid check " + shellWord(files.urdf.empty() ? files.mjcf : files.urdf)));
  else
    printResult(nextStep(files.sdf.empty() ? "cc -std=c99 -O2 -c " + shellWord(files.c)
                                           : "gz sdf --check " + shellWord(files.sdf)));
  return kDone;
}

}  // namespace dynid::tool
