#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dynid {

/// An attribute with the place of its value between the quotes, in bytes of the text.
struct XmlAttribute {
  std::string name;
  std::string value;  ///< references such as &amp; resolved
  size_t value_begin = 0, value_end = 0;
};

/// An element with its byte offsets in the text: [begin, end) covers `<tag ...> ... </tag>`,
/// [begin, content_begin) the start tag, [content_end, end) the end tag. A self-closing element has
/// content_begin = content_end = end.
struct XmlSpan {
  std::string name;
  size_t name_end = 0;  ///< offset of the first byte after the name
  size_t begin = 0, content_begin = 0, content_end = 0, end = 0;
  bool self_closing = false;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlSpan> children;

  /// The first child of this name; nullptr if there is none.
  const XmlSpan* child(std::string_view tag) const;
  const XmlAttribute* attribute(std::string_view key) const;
};

/// Parses an XML text to its root element with the byte offsets of all elements. Comments, CDATA
/// sections, processing instructions and the document type are skipped.
/// @throws InputError "XML at byte N: ..." for tags that do not match, quotes that do not close, or
/// nesting deeper than 100
XmlSpan locateElements(std::string_view text);

}  // namespace dynid
