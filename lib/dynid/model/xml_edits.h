#pragma once

#include "dynid/robot/xml_offsets.h"

#include <string>
#include <vector>

namespace dynid {

/// Edits of an XML text that leave all other bytes unchanged: comments, blanks, line ends,
/// attribute order. Positions are offsets in the original text.
class XmlEdits {
 public:
  /// @throws InputError for a text that is not XML
  explicit XmlEdits(std::string text);

  const XmlSpan& root() const { return root_; }

  /// Replaces the value of an attribute, or appends the attribute to the start tag.
  void setAttribute(const XmlSpan& element, const std::string& name, const std::string& value);

  /// Removes an attribute that the element has, with the blanks before it.
  void removeAttribute(const XmlSpan& element, const std::string& name);

  /// Replaces an element by lines: the first and the last get its indentation, the others one level
  /// more. All lines are joined if the element does not start a line.
  void replace(const XmlSpan& element, const std::vector<std::string>& lines);

  /// Inserts the lines as the first child of an element; `<link name="x"/>` becomes a start and an
  /// end tag if needed.
  void insertFirst(const XmlSpan& parent, const std::vector<std::string>& lines);

  /// Removes an element, together with its line if nothing else is on it.
  void remove(const XmlSpan& element);

  /// The text with all changes.
  std::string result() const;

 private:
  /// Replaces [begin, end) of the original by `text`.
  struct Edit {
    size_t begin = 0, end = 0;
    std::string text;
  };

  bool startsLine(size_t place) const;
  std::string indent(size_t place) const;
  size_t lineBegin(size_t place) const;
  std::string stepOf(const XmlSpan& parent) const;
  std::string block(const std::vector<std::string>& lines,
                    bool on_separate_lines,
                    const std::string& indent,
                    const std::string& step) const;

  std::string text_;
  XmlSpan root_;
  std::string newline_, step_;
  std::vector<Edit> edits_;
};

}  // namespace dynid
