#include "dynid/report/markup.h"

namespace dynid {
namespace {

/// Length of the well-formed UTF-8 sequence at `i`, 0 if there is none.
size_t sequenceAt(std::string_view text, size_t i) {
  const auto byte = [&](size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U;
  };
  const unsigned first = byte(i);
  if (first < 0x80U) return 1;
  size_t length = 0;
  if (first >= 0xC2U && first < 0xE0U) length = 2;
  if (first >= 0xE0U && first < 0xF0U) length = 3;
  if (first >= 0xF0U && first < 0xF5U) length = 4;
  for (size_t k = 1; k < length; ++k)
    if ((byte(i + k) & 0xC0U) != 0x80U) return 0;
  const unsigned second = byte(i + 1);
  const bool overlong = (first == 0xE0U && second < 0xA0U) || (first == 0xF0U && second < 0x90U);
  const bool beyond = (first == 0xEDU && second >= 0xA0U) || (first == 0xF4U && second >= 0x90U);
  return overlong || beyond ? 0 : length;
}

std::string escapedByte(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      break;
  }
  const bool forbidden = static_cast<unsigned char>(c) < 0x20U && c != '\n' && c != '\t';
  return forbidden ? std::string() : std::string(1, c);
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const size_t length = sequenceAt(text, i);
    if (length == 0)
      result += "\xEF\xBF\xBD";
    else if (length == 1)
      result += escapedByte(text[i]);
    else
      result += text.substr(i, length);
    i += length == 0 ? 1 : length;
  }
  return result;
}

std::string element(const std::string& name,
                    const Attributes& attributes,
                    const std::string& content) {
  std::string text = "<" + name;
  for (const auto& [key, value] : attributes) text += " " + key + "=\"" + escaped(value) + "\"";
  return text + ">" + content + "</" + name + ">";
}

std::string textElement(const std::string& name,
                        const Attributes& attributes,
                        std::string_view text) {
  return element(name, attributes, escaped(text));
}

HtmlTable::HtmlTable(std::vector<std::string> head) : head_(std::move(head)) {}

void HtmlTable::beginRow() {
  first_row_ = rows_.empty();
  rows_ += "<tr>";
}

void HtmlTable::text(std::string_view text) { cell(escaped(text)); }

void HtmlTable::number(const std::string& text) { cell(escaped(text), "num"); }

void HtmlTable::cell(const std::string& markup, const std::string& kind) {
  if (first_row_) numeric_.push_back(kind == "num");
  rows_ += element("td", kind.empty() ? Attributes() : Attributes{{"class", kind}}, markup);
}

std::string HtmlTable::markup() const {
  std::string head;
  for (size_t c = 0; c < head_.size(); ++c) {
    const bool numeric = c < numeric_.size() && numeric_[c];
    head += textElement("th", numeric ? Attributes{{"class", "num"}} : Attributes(), head_[c]);
  }
  return "<div class=\"scroll\"><table><thead><tr>" + head + "</tr></thead>\n<tbody>\n" + rows_ +
         "</tbody></table></div>\n";
}

std::string tableOfNumbers(const std::vector<std::vector<std::string>>& rows) {
  HtmlTable table(rows.front());
  for (size_t r = 1; r < rows.size(); ++r) {
    table.beginRow();
    table.text(rows[r].front());
    for (size_t c = 1; c < rows[r].size(); ++c) table.number(rows[r][c]);
    table.endRow();
  }
  return table.markup();
}

}  // namespace dynid
