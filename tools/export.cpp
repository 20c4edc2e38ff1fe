#include "dynid/core/files.h"
#include "dynid/model/json.h"

#include "commands.h"
#include "console.h"
#include "exit_status.h"
#include "files.h"
#include "options.h"
#include "urdf_export.h"
#include <nlohmann/json.hpp>

namespace dynid::tool {

int runExport(const Arguments& arguments) {
  std::string model_file, urdf;
  Options options("export",
                  "dynid export datasets/quickstart/model.json --urdf identified.urdf",
                  "Writes an identified model as a URDF: the file that the model was identified "
                  "with, only <inertial> "
                  "and the friction of <dynamics> changed. The result is read back and its torques "
                  "compared with the "
                  "model's before it is kept. What a URDF has no place for is named.");
  options.text("model", model_file, "FILE.json", "identified model");
  options.positional("model");
  options.text("urdf", urdf, "FILE.urdf", "the URDF to write");
  if (!options.parse(arguments)) return kDone;
  options.require("model", "the identified model");
  options.require("urdf", "the file to write");
  checkOutputs({urdf}, {model_file});

  const UrdfExport result = exportUrdf(loadModel(model_file));
  writeTextFile(urdf, result.text);
  if (options.json()) {
    const nlohmann::ordered_json json = {
        {"output", urdf},
        {"dropped", result.dropped},
        {"max_relative_disagreement", result.max_relative_disagreement}};
    printResult(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  } else if (!options.quiet()) {
    printResult(urdf + ": written and read back\n");
    for (const std::string& sentence : result.dropped) printNote("export", sentence);
  }
  return kDone;
}

}  // namespace dynid::tool
