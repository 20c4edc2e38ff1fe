#pragma once

#include "dynid/robot/xml_offsets.h"

#include <string>
#include <vector>

namespace dynid {

/// Changes to an XML text that leave every other byte as it is: comments, blanks, line ends,
/// attribute order. Positions are those of the original text.
class XmlEdits {
 public:
  /// @throws InputError for a text that is not XML
  explicit XmlEdits(std::string text);

  const XmlSpan& root() const { return root_; }

  /// Replaces the value of an attribute, or appends the attribute to the start tag.
  void setAttribute(const XmlSpan& element, const std::string& name, const std::string& value);

  /// Puts lines in place of an element: the first and the last at its indentation, the others one
  /// step deeper; all on one line if the element does not start a line.
  void replace(const XmlSpan& element, const std::vector<std::string>& lines);

  /// Makes the lines the first child of an element, and opens `<link name="x"/>` where need be.
  void insertFirst(const XmlSpan& parent, const std::vector<std::string>& lines);

  /// Takes an element out, with its line if it stands alone on it.
  void remove(const XmlSpan& element);

  /// The text with all changes.
  std::string result() const;

 private:
  /// Replace [begin, end) of the original by `text`.
  struct Edit {
    size_t begin = 0, end = 0;
    std::string text;
  };

  bool startsLine(size_t place) const;
  std::string indent(size_t place) const;
  size_t lineBegin(size_t place) const;
  std::string stepOf(const XmlSpan& parent) const;
  std::string block(const std::vector<std::string>& lines,
                    bool own_lines,
                    const std::string& indent,
                    const std::string& step) const;

  std::string text_;
  XmlSpan root_;
  std::string newline_, step_;
  std::vector<Edit> edits_;
};

}  // namespace dynid
