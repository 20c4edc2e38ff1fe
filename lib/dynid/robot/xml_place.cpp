#include "dynid/robot/xml_place.h"

#include "dynid/core/errors.h"
#include "dynid/core/printable.h"
#include "dynid/core/text.h"
#include "dynid/robot/source_place.h"

#include <fmt/format.h>
#include <string_view>

namespace dynid {
namespace {

bool isXacroExpression(const std::string& text) {
  return text.find("${") != std::string::npos || text.find("$(") != std::string::npos;
}

constexpr const char* kRunXacro =
    "; the file is a xacro source, expand it first: xacro robot.xacro > robot.urdf";

// What is wrong with a document that is not well-formed, and the remedy.
std::string explained(tinyxml2::XMLError error, const char* name) {
  switch (error) {
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements are nested more than 100 deep; a robot description is not";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "not well-formed XML: an attribute of this element is written twice, or is not of the "
             "form name=\"value\"";
    case tinyxml2::XML_ERROR_PARSING_DECLARATION:
      return "not well-formed XML: <?xml ...?> belongs at the beginning of the file only; perhaps "
             "a second document follows here";
    default:
      return fmt::format(
          "not well-formed XML ({}); check that every tag is closed and every quote paired", name);
  }
}

}  // namespace

void parseXml(const std::string& text,
              const std::string& file,
              const std::string& kind,
              tinyxml2::XMLDocument& xml) {
  if (trim(text).empty()) throw InputError(fmt::format("{}: is empty; {} is expected", file, kind));
  // In UTF-16 and UTF-32 the first character, a byte order mark or '<', is beside a zero or 0xFF.
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF") ||
      text.starts_with(std::string_view("<\0", 2)) ||
      text.starts_with(std::string_view("\0<", 2)) || text.starts_with(std::string_view("\0\0", 2)))
    throw InputError(file + ": is in UTF-16 or UTF-32; save it as UTF-8");
  if (text.find('\0') != std::string::npos)
    throw InputError(fmt::format("{}: is a binary file; {} is expected", file, kind));
  if (xml.Parse(text.c_str(), text.size()) != tinyxml2::XML_SUCCESS)
    failAt(file, xml.ErrorLineNum(), explained(xml.ErrorID(), xml.ErrorName()));
}

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
