#pragma once

#include <Eigen/Core>

#include <optional>
#include <string>
#include <tinyxml2.h>

namespace dynid {

/// Parses the text of a file.
/// @param kind  for messages: "a URDF"
/// @throws InputError "file: ..." or "file:line: ..." if it is empty, not in UTF-8 or not
/// well-formed
void parseXml(const std::string& text,
              const std::string& file,
              const std::string& kind,
              tinyxml2::XMLDocument& xml);

/// An element of an XML file with the name of the file, so that messages can name `file:line`.
class XmlPlace {
 public:
  XmlPlace(const tinyxml2::XMLElement& element, const std::string& file)
      : element_(element), file_(file) {}

  const tinyxml2::XMLElement& element() const { return element_; }
  int line() const { return element_.GetLineNum(); }
  /// @throws InputError "file:line: message".
  [[noreturn]] void fail(const std::string& message) const;

  /// The first child of this name, if any. @throws InputError if there are several.
  std::optional<XmlPlace> child(const char* name) const;
  /// Whether there is a child of this name; there may be several.
  bool has(const char* name) const { return element_.FirstChildElement(name) != nullptr; }
  /// Text of an attribute; empty if it is missing.
  std::optional<std::string> text(const char* attribute) const;
  /// A name: present, not empty, UTF-8, not a xacro expression. @throws InputError.
  std::string name(const char* attribute) const;
  /// A finite number; `otherwise` if the attribute is missing. @throws InputError
  double number(const char* attribute, double otherwise) const;
  double requiredNumber(const char* attribute) const;
  /// Three finite numbers. @throws InputError.
  Eigen::Vector3d vector(const char* attribute, const Eigen::Vector3d& otherwise) const;

 private:
  std::string tag() const;
  double parsed(const char* attribute, const std::string& word) const;

  const tinyxml2::XMLElement& element_;
  const std::string& file_;
};

}  // namespace dynid
