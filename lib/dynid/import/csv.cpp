#include "dynid/import/csv.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/core/text.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <map>

namespace dynid {
namespace {

constexpr size_t kMaxLine = size_t{1} << 20;
constexpr size_t kRead = size_t{1} << 18, kLeast = size_t{1} << 12;  // bytes read at a time
constexpr size_t kLinesToLookAt = 50;

std::string_view unquoted(std::string_view field) {
  field = trim(field);
  if (field.size() >= 2 && field.front() == '"' && field.back() == '"')
    field = trim(field.substr(1, field.size() - 2));
  return field;
}

bool isBlank(char c) { return c == ' ' || c == '\t'; }

void splitBlanks(std::string_view line, std::vector<std::string_view>& fields) {
  size_t i = 0;
  while (true) {
    while (i < line.size() && isBlank(line[i])) ++i;
    if (i == line.size()) return;
    const bool quoted = line[i] == '"';
    size_t end = i + 1;
    while (end < line.size() &&
           (quoted ? line[end - 1] != '"' || end == i + 1 : !isBlank(line[end])))
      ++end;
    fields.push_back(unquoted(line.substr(i, end - i)));
    i = end;
  }
}

/// The first lines of the file.
struct Sample {
  std::vector<std::string> rows;  ///< the first rows
  std::string comment_above;  ///< the last comment before the first row, without the comment sign
  std::int64_t first_row_line = 0;
};

bool allNumbers(const std::string& row, char delimiter, bool decimal_comma) {
  std::vector<std::string_view> fields;
  splitFields(row, delimiter, fields);
  return std::all_of(fields.begin(), fields.end(), [&](std::string_view field) {
    return field.empty() || parseLogNumber(field, decimal_comma).has_value();
  });
}

size_t countFields(const std::string& row, char delimiter) {
  std::vector<std::string_view> fields;
  splitFields(row, delimiter, fields);
  return fields.size();
}

/// The most frequent number of fields per row, without the first row, which may be a header.
size_t usualColumns(const Sample& sample, char delimiter) {
  std::map<size_t, int> times;
  for (size_t i = sample.rows.size() > 1 ? 1 : 0; i < sample.rows.size(); ++i)
    ++times[countFields(sample.rows[i], delimiter)];
  return std::max_element(times.begin(),
                          times.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

/// Score of a delimiter: one point for each row of the usual length, two more if all its fields are
/// numbers.
int fit(const Sample& sample, char delimiter, bool decimal_comma) {
  const size_t columns = usualColumns(sample, delimiter);
  if (columns < 2) return 0;
  int points = 0;
  for (size_t i = sample.rows.size() > 1 ? 1 : 0; i < sample.rows.size(); ++i)
    if (countFields(sample.rows[i], delimiter) == columns)
      points += allNumbers(sample.rows[i], delimiter, decimal_comma) ? 3 : 1;
  return points;
}

// Chooses delimiter and decimal sign by the highest score over all combinations that the given
// format allows.
void settleDelimiter(const std::filesystem::path& path, const Sample& sample, CsvFormat& format) {
  int best = 0;
  CsvFormat found = format;
  for (const char delimiter : {';', '\t', ',', ' '}) {
    if (format.delimiter && *format.delimiter != delimiter) continue;
    for (const bool decimal_comma : {false, true}) {
      if (format.decimal_comma && *format.decimal_comma != decimal_comma) continue;
      if (decimal_comma && delimiter == ',') continue;
      const int fits = fit(sample, delimiter, decimal_comma);
      if (fits <= best) continue;
      best = fits;
      found.delimiter = delimiter;
      found.decimal_comma = decimal_comma;
    }
  }
  if (best == 0 && !format.delimiter)
    throw InputError(
        path.string() + ":" + std::to_string(sample.first_row_line) +
        ": no delimiter (comma, semicolon, tab, blanks) divides the rows into columns; give it in "
        "a mapping file, or skip lines of text above the table with skip_rows");
  format = found;
  if (!format.decimal_comma) format.decimal_comma = false;
}

}  // namespace

void splitFields(std::string_view line, char delimiter, std::vector<std::string_view>& fields) {
  fields.clear();
  if (delimiter == ' ') {
    splitBlanks(line, fields);
    return;
  }
  bool quoted = false;
  size_t begin = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] != delimiter || quoted) continue;
    fields.push_back(unquoted(line.substr(begin, i - begin)));
    begin = i + 1;
  }
  fields.push_back(unquoted(line.substr(begin)));
}

std::optional<double> parseLogNumber(std::string_view text, bool decimal_comma) {
  text = trim(text);
  if (!decimal_comma) {
    if (const std::optional<double> value = parseFinite(text)) return value;
  } else if (text.size() < 64) {
    std::string point(text);
    if (std::count(point.begin(), point.end(), ',') <= 1) {
      std::replace(point.begin(), point.end(), ',', '.');
      if (const std::optional<double> value = parseFinite(point)) return value;
    }
  }
  const bool negative = !text.empty() && text.front() == '-';
  std::string word(text.substr(negative || text.starts_with('+') ? 1 : 0));
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (word == "inf" || word == "infinity")
    return (negative ? -1.0 : 1.0) * std::numeric_limits<double>::infinity();
  return std::nullopt;
}

TextLines::TextLines(const std::filesystem::path& path) : path_(path) {
  const auto size = static_cast<size_t>(requireRegularFile(path));
  in_.open(path, std::ios::binary);
  if (!in_) throw InputError(path.string() + ": cannot be read: " + std::strerror(errno));
  buffer_.resize(std::clamp(size, kLeast, kRead));
  readMore();
  const std::string_view start(buffer_.data(), end_);
  if (start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff"))
    throw InputError(path.string() + ": is UTF-16 text; save it as UTF-8");
  if (start.starts_with("\xef\xbb\xbf")) begin_ = 3;
}

void TextLines::readMore() {
  if (end_ == buffer_.size()) buffer_.resize(std::min(2 * end_, kMaxLine + kRead));
  in_.read(buffer_.data() + end_, static_cast<std::streamsize>(buffer_.size() - end_));
  if (in_.bad())
    throw InputError(
        fmt::format("{}:{}: cannot be read on: {}", path_.string(), number_ + 1, systemError()));
  end_ += static_cast<size_t>(in_.gcount());
}

std::optional<std::string_view> TextLines::next() {
  size_t searched = begin_;
  while (true) {
    const void* found = std::memchr(buffer_.data() + searched, '\n', end_ - searched);
    size_t stop = found == nullptr
                      ? end_
                      : static_cast<size_t>(static_cast<const char*>(found) - buffer_.data());
    if (found != nullptr || (!in_ && begin_ < end_)) {
      std::string_view line(buffer_.data() + begin_, stop - begin_);
      begin_ = std::min(stop + 1, end_);
      ++number_;
      if (line.find('\0') != std::string_view::npos)
        throw InputError(path_.string() + ":" + std::to_string(number_) +
                         ": holds a NUL byte; this is not text");
      if (line.ends_with('\r')) line.remove_suffix(1);
      return line;
    }
    if (!in_) return std::nullopt;
    if (end_ - begin_ > kMaxLine)
      throw InputError(path_.string() + ":" + std::to_string(number_ + 1) +
                       ": a line longer than 1 MiB; this is not a table of numbers");
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    searched = end_;
    readMore();
  }
}

bool CsvReader::isRow(std::string_view line) const {
  const std::string_view text = trim(line);
  // Spreadsheets write #N/A where a row has no value.
  const bool no_value = format_.comment == "#" && text.starts_with("#N/A");
  return !text.empty() &&
         (format_.comment.empty() || no_value || !text.starts_with(format_.comment));
}

CsvReader::CsvReader(const std::filesystem::path& path, CsvFormat format)
    : path_(path), format_(std::move(format)), lines_(path) {
  Sample sample;
  while (sample.rows.size() < kLinesToLookAt) {
    const std::optional<std::string_view> line = lines_.next();
    if (!line) break;
    if (lines_.number() <= format_.skip_rows) continue;
    if (isRow(*line)) {
      if (sample.rows.empty()) sample.first_row_line = lines_.number();
      sample.rows.emplace_back(*line);
    } else if (sample.rows.empty() && !trim(*line).empty()) {
      sample.comment_above = trim(trim(*line).substr(format_.comment.size()));
    }
  }
  if (sample.rows.empty()) throw InputError(path.string() + ": has no rows");
  settleDelimiter(path, sample, format_);
  const char delimiter = *format_.delimiter;
  const bool first_is_numbers = allNumbers(sample.rows.front(), delimiter, *format_.decimal_comma);
  if (!format_.header) format_.header = !first_is_numbers;
  columns_ = usualColumns(sample, delimiter);
  std::vector<std::string_view> fields;
  if (*format_.header) {
    splitFields(sample.rows.front(), delimiter, fields);
    header_pending_ = true;
    fitHeader(sample.first_row_line, sample.rows.size() > 1, fields);
  } else if (countFields(sample.comment_above, delimiter) == columns_) {
    splitFields(sample.comment_above, delimiter, fields);
  }
  names_.assign(fields.begin(), fields.end());
  lines_ = TextLines(path);
}

// A delimiter at the end of the header or of each row creates an additional empty field.
void CsvReader::fitHeader(std::int64_t line, bool has_rows, std::vector<std::string_view>& fields) {
  if (!has_rows) columns_ = fields.size();
  if (fields.size() == columns_ + 1 && fields.back().empty()) fields.pop_back();
  if (fields.size() + 1 == columns_) {
    std::vector<std::string_view> row;
    TextLines lines(path_);
    while (const std::optional<std::string_view> text = lines.next()) {
      if (lines.number() <= line || !isRow(*text)) continue;
      splitFields(*text, *format_.delimiter, row);
      if (row.size() == columns_) break;
    }
    if (!row.empty() && row.back().empty()) columns_ = fields.size();
  }
  if (fields.size() != columns_)
    throw InputError(
        fmt::format("{}:{}: the header has {} names, but the rows have {} fields; correct the "
                    "header, or leave it out (skip_rows = {}, header = false) and give the columns "
                    "by number in a mapping file (`mapping`)",
                    path_.string(),
                    line,
                    fields.size(),
                    columns_,
                    line));
}

bool CsvReader::next(std::vector<std::string_view>& fields) {
  while (const std::optional<std::string_view> line = lines_.next()) {
    if (lines_.number() <= format_.skip_rows || !isRow(*line)) continue;
    if (header_pending_) {
      header_pending_ = false;
      continue;
    }
    splitFields(*line, *format_.delimiter, fields);
    return true;
  }
  return false;
}

}  // namespace dynid
