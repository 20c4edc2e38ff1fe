#include "dynid/model/json.h"

#include "dynid/core/files.h"
#include "dynid/model/json_place.h"
#include "dynid/model/model_reader.h"
#include "dynid/model/model_writer.h"

#include <fmt/format.h>

namespace dynid {

std::string toJson(const Model& model) { return formatJson(writeModel(model)); }

Model modelFromJson(const std::string& text, const std::string& name) {
  const Json document = parseJson(text, name);
  const JsonPlace root(document, name);
  const std::optional<JsonPlace> format = document.is_object() ? root.find("format") : std::nullopt;
  if (!format || format->text() != "dynid-model")
    root.fail("is not a model of dynid: expected format = \"dynid-model\"");
  const int version = root.at("version").integer();
  if (version != 1)
    root.at("version").fail(fmt::format(
        "is {}; this program reads version 1 (a newer dynid wrote this file?)", version));
  return readModel(root);
}

void saveModel(const std::filesystem::path& path, const Model& model) {
  writeTextFile(path, toJson(model));
}

Model loadModel(const std::filesystem::path& path) {
  return modelFromJson(readTextFile(path), path.string());
}

}  // namespace dynid
