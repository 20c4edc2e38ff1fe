#include "dynid/import/csv.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/core/printable.h"
#include "dynid/core/text.h"
#include "dynid/import/csv_sample.h"
#include "dynid/logs/units.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

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

/// Text that is not UTF-8 is taken as Latin-1, as older programs write it.
std::string asUtf8(std::string_view text) {
  if (isUtf8(text)) return std::string(text);
  std::string converted;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      converted += c;
      continue;
    }
    converted += static_cast<char>(0xc0 | (byte >> 6));
    converted += static_cast<char>(0x80 | (byte & 0x3f));
  }
  return converted;
}

bool isUnitOfAny(std::string_view text) {
  for (const Quantity quantity : {Quantity::kTime,
                                  Quantity::kPosition,
                                  Quantity::kVelocity,
                                  Quantity::kAcceleration,
                                  Quantity::kEffort,
                                  Quantity::kCurrent})
    if (parseUnit(quantity, text)) return true;
  return false;
}

/// "[rad]" and "(rad)" without the brackets.
std::string_view bareUnit(std::string_view unit) {
  if (unit.size() > 2 &&
      ((unit.front() == '[' && unit.back() == ']') || (unit.front() == '(' && unit.back() == ')')))
    return trim(unit.substr(1, unit.size() - 2));
  return unit;
}

/// What a file of numbers that is no table of text is, and how to make a table of it.
struct ForeignFormat {
  const char *name, *remedy;
};

constexpr const char* kFromNumpy =
    "write a table: numpy.savetxt(\"log.csv\", numpy.column_stack((t, q, dq, tau)), "
    "delimiter=\",\"), and name the joints (`joints` a,b,c)";

/// @param start  of the file, at least 512 bytes if it is so long
std::optional<ForeignFormat> findForeignFormat(std::string_view start) {
  if (start.starts_with("\x93NUMPY")) return ForeignFormat{"a NumPy array (.npy)", kFromNumpy};
  if (start.starts_with("PK\x03\x04")) {
    constexpr size_t kFirstName = 30;  // offset of the name of the first file in the archive
    constexpr size_t kLongestName = 64;
    const std::string_view name = start.substr(std::min(kFirstName, start.size()), kLongestName);
    if (name.find(".npy") != std::string_view::npos)
      return ForeignFormat{"an archive of NumPy (.npz)", kFromNumpy};
    return ForeignFormat{"a ZIP archive or a spreadsheet (.xlsx, .ods)",
                         "unpack it, or save the sheet as CSV"};
  }
  if (start.starts_with("MATLAB ") &&
      start.substr(0, 32).find("MAT-file") != std::string_view::npos)
    return ForeignFormat{"a MAT-file of MATLAB",
                         "write a table: writematrix([t, q, dq, tau], 'log.csv') in MATLAB, with "
                         "one row per sample, and name the joints (`joints` a,b,c)"};
  if (start.starts_with("\x89HDF\r\n"))
    return ForeignFormat{
        "an HDF5 file",
        "a log of dynid needs no import (dynid inspect shows it); of datasets of your own, read "
        "with h5py, write a table: numpy.savetxt(\"log.csv\", numpy.column_stack((t, q, dq, tau)), "
        "delimiter=\",\"), and name the joints (`joints` a,b,c)"};
  if (const std::string_view text = trim(start);
      text.starts_with("{\"") || text.starts_with("[{\"") || text.starts_with("{ \""))
    return ForeignFormat{
        "JSON",
        "write a table with one column per number, in Python for one object per line: rows = "
        "[[m[\"t\"], *m[\"q\"], *m[\"tau\"]] for m in map(json.loads, open(\"log.jsonl\"))]; "
        "numpy.savetxt(\"log.csv\", rows, delimiter=\",\", comments=\"\", "
        "header=\"time,a_position,b_position,a_effort,b_effort\") for joints a and b"};
  return std::nullopt;
}

/// Text of two bytes per character without a mark in front: every other byte of the first
/// characters is 0.
bool isWideText(std::string_view start) {
  constexpr size_t kCharacters = 8;
  if (start.size() < 2 * kCharacters) return false;
  for (const size_t high : {size_t{0}, size_t{1}}) {
    size_t zeros = 0;
    for (size_t i = 0; i < kCharacters; ++i)
      if (start[2 * i + high] == '\0' && start[2 * i + 1 - high] != '\0') ++zeros;
    if (zeros == kCharacters) return true;
  }
  return false;
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
  if (const size_t power = word.find('d'); power != std::string::npos && power > 0) {
    std::string number = word;
    number[power] = 'e';  // Fortran
    std::replace(number.begin(), number.end(), decimal_comma ? ',' : '.', '.');
    if (const std::optional<double> value = parseFinite(number)) return negative ? -*value : *value;
  }
  if (word == "nan" || word == "nan(ind)" || word == "1.#qnan" || word == "1.#ind")
    return std::numeric_limits<double>::quiet_NaN();
  if (word == "inf" || word == "infinity")
    return (negative ? -1.0 : 1.0) * std::numeric_limits<double>::infinity();
  return std::nullopt;
}

bool isMissingValue(std::string_view text) {
  text = trim(text);
  if (text.size() > 4) return false;
  std::string word(text);
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  for (const char* missing : {"", "-", "na", "n/a", "#n/a", "null", "none"})
    if (word == missing) return true;
  return false;
}

TextLines::TextLines(const std::filesystem::path& path) : path_(path) {
  const auto size = static_cast<size_t>(requireRegularFile(path));
  in_.open(path, std::ios::binary);
  if (!in_) throw InputError(path.string() + ": cannot be read: " + std::strerror(errno));
  buffer_.resize(std::clamp(size, kLeast, kRead));
  readMore();
  const std::string_view start(buffer_.data(), end_);
  if (start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff") || isWideText(start))
    throw InputError(path.string() + ": is UTF-16 text; save it as UTF-8");
  if (const std::optional<ForeignFormat> foreign = findForeignFormat(start))
    throw InputError(fmt::format(
        "{}: is {}, not a table of text; {}", path.string(), foreign->name, foreign->remedy));
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
      if (number_ == 1 && line.find('\r') != std::string_view::npos)
        throw InputError(path_.string() +
                         ": its lines end with CR, as old programs write them; convert it: tr "
                         "'\\r' '\\n' < log.csv > new.csv");
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
  CsvSample sample;
  while (sample.rows.size() < kLinesToLookAt) {
    const std::optional<std::string_view> line = lines_.next();
    if (!line) break;
    if (lines_.number() <= format_.skip_rows) continue;
    const bool below_rows = !sample.rows.empty() && !mayBeComment(sample.rows.back());
    if (below_rows && format_.comment == "#" && mayBeComment(*line)) continue;
    if (isRow(*line)) {
      sample.lines.push_back(lines_.number());
      sample.rows.emplace_back(*line);
    } else if (sample.rows.empty() && !trim(*line).empty()) {
      sample.comment_above = trim(trim(*line).substr(format_.comment.size()));
    }
  }
  if (sample.rows.empty()) throw InputError(path.string() + ": has no rows");
  preamble_ = dropPreamble(sample, format_);
  settleDelimiter(path, sample, format_);
  const char delimiter = *format_.delimiter;
  columns_ = usualColumns(sample, delimiter);
  // A comment above a table without a header
  if (format_.comment == "#" && sample.rows.size() > 1 && mayBeComment(sample.rows.front()) &&
      countFields(std::string(withoutCommentSign(sample.rows.front())), delimiter) != columns_)
    preamble_ = sample.dropFirst();
  if (format_.header.value_or(true))
    preamble_ = std::max(preamble_, dropTextAbove(sample, columns_, format_));
  const bool first_is_numbers = allNumbers(sample.rows.front(), delimiter, *format_.decimal_comma);
  if (!format_.header)
    format_.header = !first_is_numbers || numbersColumns(sample, delimiter, *format_.decimal_comma);
  std::vector<std::string_view> fields;
  if (*format_.header) {
    splitFields(withoutCommentSign(sample.rows.front()), delimiter, fields);
    rows_above_ = 1;
    header_line_ = sample.lines.front();
    fitHeader(sample.lines.front(), sample.rows.size() > 1, fields);
    findUnits(sample.rows);
  } else if (countFields(sample.comment_above, delimiter) == columns_) {
    splitFields(sample.comment_above, delimiter, fields);
  }
  for (const std::string_view field : fields) names_.push_back(asUtf8(field));
  lines_ = TextLines(path);
}

// A row below the header without any number, with at least one unit, holds the units.
void CsvReader::findUnits(const std::vector<std::string>& rows) {
  if (rows.size() < 2) return;
  std::vector<std::string_view> fields;
  splitFields(rows[1], *format_.delimiter, fields);
  if (fields.size() == columns_ + 1 && fields.back().empty()) fields.pop_back();
  bool any = false;
  std::vector<std::string> units;
  for (const std::string_view field : fields) {
    if (!field.empty() && allNumbers(std::string(field), '\n', *format_.decimal_comma) &&
        !isMissingValue(field))
      return;
    units.push_back(isMissingValue(field) ? "" : asUtf8(bareUnit(field)));
    any = any || isUnitOfAny(units.back());
  }
  if (!any || units.size() != columns_) return;
  units_ = std::move(units);
  rows_above_ = 2;
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
    if (lines_.number() <= std::max(format_.skip_rows, preamble_) || !isRow(*line)) continue;
    if (format_.comment == "#" && mayBeComment(*line) && lines_.number() != header_line_) continue;
    if (rows_above_ > 0) {
      --rows_above_;
      continue;
    }
    splitFields(*line, *format_.delimiter, fields);
    return true;
  }
  return false;
}

}  // namespace dynid
