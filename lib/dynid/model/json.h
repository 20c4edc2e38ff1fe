#pragma once

#include "dynid/model/model.h"

#include <filesystem>
#include <string>

namespace dynid {

/// The model as JSON text (datasets/README.md, "Model"): every parameter, the robot's texts, and
/// the certificate reload to the same bits. A number that is infinite, not known, or does not apply
/// is null.
/// @throws std::invalid_argument if the parts of the model do not fit together.
std::string toJson(const Model& model);

/// The inverse of toJson. @param name of the file, for messages
/// @throws InputError: "name:line:column: ..." where the text is not JSON, "name: /key: ..." where
/// it is not a model.
Model modelFromJson(const std::string& text, const std::string& name);

/// Writes toJson through a temporary file. @throws OutputError
void saveModel(const std::filesystem::path& path, const Model& model);
/// @throws InputError as modelFromJson, and for a file that cannot be read.
Model loadModel(const std::filesystem::path& path);

}  // namespace dynid
