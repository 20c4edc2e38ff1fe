#pragma once

#include "dynid/bags/bag_survey.h"
#include "dynid/logs/import.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace dynid::tool {

/// Renderings of what `import` did. @param output  name of the log
std::string render(const ImportResult& result, const std::string& output);
nlohmann::ordered_json toJson(const ImportResult& result, const std::string& output);

/// Renderings of what a recording holds (`import --list`).
std::string render(const BagSurvey& survey);
nlohmann::ordered_json toJson(const BagSurvey& survey);

}  // namespace dynid::tool
