#include "dynid/report/numbers.h"

#include "dynid/core/text.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

/// Width in characters; UTF-8 continuation bytes have none.
size_t widthOf(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

}  // namespace

std::string shown(double value, int digits) {
  if (std::isnan(value)) return "n/a";
  if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
  const bool long_number = std::abs(value) >= std::pow(10.0, digits) && std::abs(value) < 1e7;
  return long_number ? toText(std::round(value), 15) : toText(value, digits);  // 2184, not 2.18e+03
}

std::string shownPercent(double fraction) {
  return std::isfinite(fraction) ? shown(100.0 * fraction, 3) + " %" : shown(fraction);
}

std::string shownR2(double r2) {
  const double rest = 1.0 - r2;
  if (!(rest > 0.0) || !(rest < 0.01)) return shown(r2, 3);
  const int decimals = std::min(6, static_cast<int>(-std::log10(rest)) + 1);
  return toText(r2, decimals);
}

std::string shownCount(double count) { return shown(count, 15); }

std::string alignedTable(const std::vector<std::vector<std::string>>& rows, size_t indent) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], widthOf(row[c]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line(indent, ' ');
    for (size_t c = 0; c < row.size(); ++c) {
      const std::string padding(widths[c] - widthOf(row[c]), ' ');
      if (c > 0) line += "  ";
      line += c == 0 ? row[c] + padding : padding + row[c];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string wrappedText(const std::string& text, size_t indent, size_t hang, size_t width) {
  std::string result, line(indent, ' ');
  bool empty = true;
  for (const std::string& word : splitWords(text)) {
    if (!empty && widthOf(line) + 1 + widthOf(word) > width) {
      result += line + '\n';
      line = std::string(indent + hang, ' ');
      empty = true;
    }
    line += (empty ? "" : " ") + word;
    empty = false;
  }
  return result + line + '\n';
}

}  // namespace dynid
