#include "validation_output.h"

#include "dynid/report/validation_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace dynid::tool {

std::string toJson(const std::vector<ValidationResult>& results,
                   const std::vector<std::string>& unusable) {
  if (results.size() + unusable.size() == 1) return dynid::toJson(results.front()) + "\n";
  const bool passed = allPassed(results) && unusable.empty();
  nlohmann::ordered_json json = {{"verdict", passed ? "passed" : "failed"},
                                 {"logs", nlohmann::ordered_json::array()}};
  for (const ValidationResult& result : results)
    json["logs"].push_back(nlohmann::ordered_json::parse(dynid::toJson(result)));
  if (!unusable.empty()) json["unusable"] = unusable;
  return json.dump(2) + "\n";
}

bool allPassed(const std::vector<ValidationResult>& results) {
  return std::all_of(
      results.begin(), results.end(), [](const ValidationResult& result) { return result.passed; });
}

}  // namespace dynid::tool
