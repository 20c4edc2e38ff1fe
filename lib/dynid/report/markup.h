#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dynid {

/// Text escaped for element content and attribute values. Control characters that XML forbids are
/// removed; bytes that are not UTF-8 become a replacement character.
std::string escaped(std::string_view text);

using Attributes = std::vector<std::pair<std::string, std::string>>;

/// `<name a="...">content</name>`; attribute values are escaped, the content is not.
std::string element(const std::string& name,
                    const Attributes& attributes,
                    const std::string& content);
/// As `element`, with text as content, which is escaped.
std::string textElement(const std::string& name,
                        const Attributes& attributes,
                        std::string_view text);

/// A table: the texts of the header, then rows of cells (`<td>`...). The header of a column is
/// right-aligned if the first row of the column holds a number.
class HtmlTable {
 public:
  explicit HtmlTable(std::vector<std::string> head);
  void beginRow();
  void endRow() { rows_ += "</tr>\n"; }
  void text(std::string_view text);
  void number(const std::string& text);
  /// Appends a cell whose content is markup.
  void cell(const std::string& markup, const std::string& kind = "");
  std::string markup() const;

 private:
  std::vector<std::string> head_;
  std::vector<bool> numeric_;  // per column, of the first row
  bool first_row_ = false;
  std::string rows_;
};

/// The markup of a table of `rows`: the header, then rows of a text and numbers.
std::string tableOfNumbers(const std::vector<std::vector<std::string>>& rows);

}  // namespace dynid
