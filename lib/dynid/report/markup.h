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

/// A table: the head's texts, then rows of ready cells (`<td>`...). A column whose first row holds
/// a number has its head to the right, too.
class HtmlTable {
 public:
  explicit HtmlTable(std::vector<std::string> head);
  void beginRow();
  void endRow() { rows_ += "</tr>\n"; }
  void text(std::string_view text);
  void number(const std::string& text);
  /// Ready markup.
  void cell(const std::string& markup, const std::string& kind = "");
  std::string markup() const;

 private:
  std::vector<std::string> head_;
  std::vector<bool> numeric_;  // per column, of the first row
  bool first_row_ = false;
  std::string rows_;
};

}  // namespace dynid
