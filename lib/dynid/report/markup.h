#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dynid {

/// Text made safe for element content and attribute values; control characters that XML forbids are
/// dropped, and bytes that are not UTF-8 become a replacement character.
std::string escaped(std::string_view text);

using Attributes = std::vector<std::pair<std::string, std::string>>;

/// `<name a="...">content</name>`; attribute values are escaped, the content is not.
std::string element(const std::string& name,
                    const Attributes& attributes,
                    const std::string& content);
/// The same with text as content, escaped.
std::string textElement(const std::string& name,
                        const Attributes& attributes,
                        std::string_view text);

/// A table: the head's texts, then rows of ready cells (`<td>`...).
class HtmlTable {
 public:
  explicit HtmlTable(const std::vector<std::string>& head);
  void beginRow() { rows_ += "<tr>"; }
  void endRow() { rows_ += "</tr>\n"; }
  void text(std::string_view text);
  void number(const std::string& text);
  /// Ready markup.
  void cell(const std::string& markup, const std::string& kind = "");
  std::string markup() const;

 private:
  std::string head_, rows_;
};

}  // namespace dynid
