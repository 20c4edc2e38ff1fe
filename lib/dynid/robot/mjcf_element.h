#pragma once

#include <Eigen/Core>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// An element of an MJCF file with its place, so that messages can name `file:line`. Text content
/// and comments are left out, because they have no meaning in MJCF.
struct MjcfElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::vector<MjcfElement> children;
  std::shared_ptr<const std::string> file;
  int line = 0;
  /// number of the element in the text, counted from 1, parents before their children
  int ordinal = 0;

  /// @throws InputError "file:line: message".
  [[noreturn]] void fail(const std::string& message) const;

  bool has(const char* attribute) const { return attributes.count(attribute) > 0; }
  std::optional<std::string> text(const char* attribute) const;
  /// A finite number; `otherwise` if the attribute is missing. @throws InputError
  double number(const char* attribute, double otherwise) const;
  /// From `least` to `most` finite numbers; empty if the attribute is missing. @throws InputError
  std::optional<std::vector<double>> numbers(const char* attribute,
                                             size_t least,
                                             size_t most) const;
  /// Three finite numbers. @throws InputError
  Eigen::Vector3d vector(const char* attribute, const Eigen::Vector3d& otherwise) const;
  /// "true" or "false"; empty for "auto" or if the attribute is missing. @throws InputError
  std::optional<bool> flag(const char* attribute) const;
  /// A name (UTF-8, not empty). @throws InputError if it is missing
  std::string requiredName(const char* attribute) const;
  /// Refuses attributes that are not in `known`; the message suggests the nearest one. @throws
  /// InputError
  void requireKnown(const std::vector<std::string>& known) const;
};

/// An included file: its name for messages and its text.
struct MjcfIncluded {
  std::string file, text;
};
/// Loads an included file, given the `<include>` element and the name of the file that contains it.
/// @throws InputError if it cannot be read
using MjcfLoader = std::function<MjcfIncluded(const MjcfElement& include, const std::string& name)>;

/// Parses an MJCF text and replaces every `<include>` by the content of its file. Limits: 100
/// levels of elements per file, 16 levels of includes, 200 files, 16 MiB of text and 100,000
/// elements in total, 100 attributes per element.
/// @throws InputError "file:line: ..." for XML that is not well formed, a root element other than
/// `<mujoco>` (or `<mujocoinclude>` in an included file), cyclic includes, and if a limit is
/// exceeded
MjcfElement parseMjcfElements(const std::string& text,
                              const std::string& file,
                              const MjcfLoader& load);

/// The elements as XML, so that a model file can contain the robot as one text.
std::string mjcfText(const MjcfElement& root);

/// Name of the root element of an XML text; "" if there is none. The rest of the text is not
/// parsed.
std::string rootElementName(const std::string& text);

}  // namespace dynid
