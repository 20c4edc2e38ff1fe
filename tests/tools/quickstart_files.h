#pragma once

#include <string>

namespace dynid {

/// The folder of the quickstart arm.
inline const std::string kQuickstart = std::string(DYNID_SOURCE_DIR) + "/datasets/quickstart/";
/// Its description, relative to the folder in which the tests run the program.
inline const std::string kArm = "datasets/quickstart/arm.toml";
/// A model of it, likewise.
inline const std::string kModel = "datasets/quickstart/model.json";

}  // namespace dynid
