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

/// An element of an MJCF file with its place, so that every message says `file:line`. Text content
/// and comments are left out: MJCF has no meaning in them.
struct MjcfElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::vector<MjcfElement> children;
  std::shared_ptr<const std::string> file;
  int line = 0;
  int ordinal = 0;  ///< elements of the text are counted from 1, parents before their children

  /// @throws InputError "file:line: message".
  [[noreturn]] void fail(const std::string& message) const;

  bool has(const char* attribute) const { return attributes.count(attribute) > 0; }
  std::optional<std::string> text(const char* attribute) const;
  /// A finite number; `otherwise` where the attribute is missing. @throws InputError
  double number(const char* attribute, double otherwise) const;
  /// Between `least` and `most` finite numbers; nothing where the attribute is missing. @throws
  /// InputError
  std::optional<std::vector<double>> numbers(const char* attribute,
                                             size_t least,
                                             size_t most) const;
  /// Three finite numbers. @throws InputError
  Eigen::Vector3d vector(const char* attribute, const Eigen::Vector3d& otherwise) const;
  /// "true" or "false"; nothing for "auto" or where the attribute is missing. @throws InputError
  std::optional<bool> flag(const char* attribute) const;
  /// A name: UTF-8, not empty. @throws InputError where it is missing
  std::string requiredName(const char* attribute) const;
  /// Refuses attributes other than these, with the nearest one. @throws InputError
  void requireKnown(const std::vector<std::string>& known) const;
};

/// Gives the text of an included file, and how to call it in messages, by the name in
/// `<include file="...">` and the file that includes it. @throws InputError
struct MjcfIncluded {
  std::string file, text;
};
using MjcfLoader = std::function<MjcfIncluded(const MjcfElement& include, const std::string& name)>;

/// The elements of an MJCF text with every `<include>` replaced by the content of its file.
/// Limits: 100 levels of elements a file, 16 levels of includes, 200 files, 16 MiB of text and
/// 100,000 elements in all, 100 attributes an element.
/// @throws InputError "file:line: ..." for XML that is not well formed, another root element than
/// `<mujoco>` (or `<mujocoinclude>` in an included file), an include that comes back to itself,
/// and beyond the limits.
MjcfElement parseMjcfElements(const std::string& text,
                              const std::string& file,
                              const MjcfLoader& load);

/// The elements as XML, so that a model file can carry the robot in one text.
std::string mjcfText(const MjcfElement& root);

/// Name of an XML text's root element; "" if there is none. Reads no further.
std::string rootElementName(const std::string& text);

}  // namespace dynid
