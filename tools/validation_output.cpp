#include "validation_output.h"

#include "dynid/report/validation_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace dynid::tool {

std::string toJson(const std::vector<ValidationResult>& results, bool several) {
  if (!several) return dynid::toJson(results.front()) + "\n";
  nlohmann::ordered_json json = {{"verdict", allPassed(results) ? "passed" : "failed"},
                                 {"logs", nlohmann::ordered_json::array()}};
  for (const ValidationResult& result : results)
    json["logs"].push_back(nlohmann::ordered_json::parse(dynid::toJson(result)));
  return json.dump(2) + "\n";
}

bool allPassed(const std::vector<ValidationResult>& results) {
  return std::all_of(
      results.begin(), results.end(), [](const ValidationResult& result) { return result.passed; });
}

}  // namespace dynid::tool
