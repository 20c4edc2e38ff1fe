#include "dynid/model/json_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace dynid {
namespace {

constexpr size_t kLineWidth = 130;

std::string compact(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool hasContainer(const Json& value) {
  return std::any_of(value.begin(), value.end(), [](const Json& v) { return v.is_structured(); });
}

/// "{ "a": 1, "b": 2 }" or "[1, 2]" on one line, for members that are not containers.
std::string flat(const Json& value) {
  std::string text(value.is_object() ? "{" : "[");
  bool first = true;
  for (auto it = value.begin(); it != value.end(); ++it, first = false) {
    if (!first) text += ", ";
    if (value.is_object()) text += (first ? " " : "") + compact(Json(it.key())) + ": ";
    text += compact(*it);
  }
  if (value.is_object()) return text + (value.empty() ? "}" : " }");
  return text + "]";
}

void append(const Json& value, size_t indent, std::string& text) {
  if (!value.is_structured()) {
    text += compact(value);
    return;
  }
  if (!hasContainer(value)) {
    const std::string line = flat(value);
    if (value.is_array() || line.size() + indent <= kLineWidth) {
      text += line;
      return;
    }
  }
  text += value.is_object() ? "{\n" : "[\n";
  for (auto it = value.begin(); it != value.end(); ++it) {
    if (it != value.begin()) text += ",\n";
    text.append(indent + 2, ' ');
    if (value.is_object()) text += compact(Json(it.key())) + ": ";
    append(*it, indent + 2, text);
  }
  text += '\n';
  text.append(indent, ' ');
  text += value.is_object() ? '}' : ']';
}

}  // namespace

Json jsonNumber(double value) {
  if (!std::isfinite(value)) return nullptr;
  return value;
}

Json jsonCount(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53: larger doubles are not exact counts
  if (std::abs(value) < kExact && value == std::floor(value))
    return static_cast<std::int64_t>(value);
  return jsonNumber(value);
}

std::string formatJson(const Json& value) {
  std::string text;
  append(value, 0, text);
  return text + '\n';
}

}  // namespace dynid
