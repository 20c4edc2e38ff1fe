#include "dynid/robot/xml_place.h"

#include "dynid/core/printable.h"
#include "dynid/core/text.h"
#include "dynid/robot/source_place.h"

#include <fmt/format.h>

namespace dynid {
namespace {

bool isXacroExpression(const std::string& text) {
  return text.find("${") != std::string::npos || text.find("$(") != std::string::npos;
}

constexpr const char* kRunXacro =
    "; the file is a xacro source, expand it first: xacro robot.xacro > robot.urdf";

}  // namespace

void XmlPlace::fail(const std::string& message) const { failAt(file_, line(), message); }

std::string XmlPlace::tag() const { return "<" + std::string(element_.Name()) + ">"; }

std::optional<XmlPlace> XmlPlace::child(const char* name) const {
  const tinyxml2::XMLElement* found = element_.FirstChildElement(name);
  if (found == nullptr) return std::nullopt;
  if (const tinyxml2::XMLElement* second = found->NextSiblingElement(name))
    failAt(file_,
           second->GetLineNum(),
           "a second <" + std::string(name) + "> in this " + tag() + "; keep one");
  return XmlPlace(*found, file_);
}

std::optional<std::string> XmlPlace::text(const char* attribute) const {
  const char* value = element_.Attribute(attribute);
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

std::string XmlPlace::name(const char* attribute) const {
  const std::optional<std::string> value = text(attribute);
  if (!value || trim(*value).empty())
    fail(tag() + " has no " + attribute + "; write " + attribute + "=\"...\"");
  if (isXacroExpression(*value))
    fail(tag() + " " + attribute + " \"" + *value + "\" is not a name" + kRunXacro);
  if (!isUtf8(*value)) fail(tag() + " " + attribute + " is not UTF-8; save the file as UTF-8");
  return *value;
}

double XmlPlace::parsed(const char* attribute, const std::string& word) const {
  const std::optional<double> value = parseFinite(word);
  if (value) return *value;
  const std::string what = tag() + " " + attribute + ": \"" + word + "\" is not a finite number";
  fail(isXacroExpression(word) ? what + kRunXacro : what + "; write it like 0.25 or 2.5e-1");
}

double XmlPlace::number(const char* attribute, double otherwise) const {
  const std::optional<std::string> value = text(attribute);
  return value ? parsed(attribute, *value) : otherwise;
}

double XmlPlace::requiredNumber(const char* attribute) const {
  const std::optional<std::string> value = text(attribute);
  if (!value) fail(tag() + " has no " + attribute + "; write " + attribute + "=\"...\"");
  return parsed(attribute, *value);
}

Eigen::Vector3d XmlPlace::vector(const char* attribute, const Eigen::Vector3d& otherwise) const {
  const std::optional<std::string> value = text(attribute);
  if (!value) return otherwise;
  const std::vector<std::string> words = splitWords(*value);
  if (isXacroExpression(*value))
    return {parsed(attribute, *value), 0.0, 0.0};  // throws, with the remedy
  if (words.size() != 3)
    fail(fmt::format(
        "{} {}=\"{}\" has {} numbers; three are expected", tag(), attribute, *value, words.size()));
  return {parsed(attribute, words[0]), parsed(attribute, words[1]), parsed(attribute, words[2])};
}

}  // namespace dynid
