#pragma once

#include "dynid/bags/bag_survey.h"
#include "dynid/import/import.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace dynid::tool {

/// The result of `import` as text and as JSON. @param output  name of the log
std::string render(const ImportResult& result, const std::string& output);
nlohmann::ordered_json toJson(const ImportResult& result, const std::string& output);

/// The content of a recording as text and as JSON (`import --list`).
std::string render(const BagSurvey& survey);
nlohmann::ordered_json toJson(const BagSurvey& survey);

}  // namespace dynid::tool
