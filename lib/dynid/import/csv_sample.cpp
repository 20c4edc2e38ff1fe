#include "dynid/import/csv_sample.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/import/date_time.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace dynid {
namespace {

bool beginsWithNumber(std::string_view line) {
  const std::string_view text = trim(line);
  return !text.empty() && std::string_view("0123456789+-.").find(text[0]) != std::string_view::npos;
}

/// The delimiter of a first line `sep=;`, as spreadsheets write it.
std::optional<char> announcedDelimiter(std::string_view line) {
  const std::string_view text = trim(line);
  const bool quoted = text.starts_with('"') && text.ends_with('"') && text.size() > 2;
  const std::string_view plain = quoted ? text.substr(1, text.size() - 2) : text;
  if (plain.starts_with("sep=") && plain.size() == 5) return plain.back();
  return std::nullopt;
}

/// Score of a delimiter: one point for each row of the usual length, two more if all its fields are
/// numbers.
int fit(const CsvSample& sample, char delimiter, bool decimal_comma) {
  const size_t columns = usualColumns(sample, delimiter);
  if (columns < 2) return 0;
  int points = 0;
  for (size_t i = sample.rows.size() > 1 ? 1 : 0; i < sample.rows.size(); ++i)
    if (countFields(sample.rows[i], delimiter) == columns)
      points += allNumbers(sample.rows[i], delimiter, decimal_comma) ? 3 : 1;
  return points;
}

/// The format with the highest score over all combinations of delimiter and decimal sign that the
/// given one allows; empty if none divides the rows into columns.
std::optional<CsvFormat> bestFormat(const CsvSample& sample, const CsvFormat& given) {
  int best = 0;
  std::optional<CsvFormat> found;
  // "1,5","2,5": in quotes a decimal comma is told from the delimiter.
  const bool quoted = sample.rows.back().find('"') != std::string::npos;
  for (const char delimiter : given.delimiter ? std::string(1, *given.delimiter) : ";\t, ") {
    for (const bool decimal_comma : {false, true}) {
      if (given.decimal_comma && *given.decimal_comma != decimal_comma) continue;
      if (decimal_comma && delimiter == ',' && !quoted) continue;
      const int fits = fit(sample, delimiter, decimal_comma);
      if (fits <= best) continue;
      best = fits;
      found = given;
      found->delimiter = delimiter;
      found->decimal_comma = decimal_comma;
    }
  }
  return found;
}

std::string nameOf(char delimiter) {
  switch (delimiter) {
    case ',':
      return "comma";
    case ';':
      return "semicolon";
    case '\t':
      return "tab";
    case ' ':
      return "blank";
    default:
      return std::string(1, delimiter);
  }
}

/// Refuses a given delimiter or decimal sign with which the rows are not divided.
void refuseWrongFormat(const std::string& place, const CsvSample& sample, const CsvFormat& given) {
  if (given.delimiter.has_value() == given.decimal_comma.has_value()) return;
  CsvFormat open = given;
  open.delimiter.reset();
  open.decimal_comma.reset();
  const std::optional<CsvFormat> fits = bestFormat(sample, open);
  if (!fits) return;
  throw InputError(
      fmt::format("{}: with {} the rows have one column; they fit delimiter = "
                  "\"{}\" and decimal_comma = {}: correct the mapping file (or the line `sep=` "
                  "above the table)",
                  place,
                  given.delimiter ? fmt::format("delimiter = \"{}\"", nameOf(*given.delimiter))
                                  : fmt::format("decimal_comma = {}", *given.decimal_comma),
                  nameOf(*fits->delimiter),
                  *fits->decimal_comma));
}

}  // namespace

bool mayBeComment(std::string_view line) {
  const std::string_view text = trim(line);
  return text.starts_with('%') || text.starts_with("//");
}

std::string_view withoutCommentSign(std::string_view header) {
  header = trim(header);
  if (header.starts_with("//")) return trim(header.substr(2));
  if (header.starts_with('%') && header.size() > 1 && (header[1] == ' ' || header[1] == '\t'))
    return trim(header.substr(1));
  return header;
}

bool allNumbers(const std::string& row, char delimiter, bool decimal_comma) {
  std::vector<std::string_view> fields;
  splitFields(row, delimiter, fields);
  return std::all_of(fields.begin(), fields.end(), [&](std::string_view field) {
    return isMissingValue(field) || parseLogNumber(field, decimal_comma) || parseDateTime(field) ||
           parseTimeOfDay(field);
  });
}

bool numbersColumns(const CsvSample& sample, char delimiter, bool decimal_comma) {
  std::vector<std::string_view> fields;
  splitFields(sample.rows.front(), delimiter, fields);
  for (size_t i = 0; i < fields.size(); ++i)
    if (fields[i] != std::to_string(i)) return false;
  return sample.rows.size() > 1 &&
         std::all_of(sample.rows.begin() + 1, sample.rows.end(), [&](const std::string& row) {
           splitFields(row, delimiter, fields);
           return std::any_of(fields.begin(), fields.end(), [&](std::string_view field) {
             return field.find(decimal_comma ? ',' : '.') != std::string_view::npos;
           });
         });
}

size_t countFields(const std::string& row, char delimiter) {
  std::vector<std::string_view> fields;
  splitFields(row, delimiter, fields);
  return fields.size();
}

size_t usualColumns(const CsvSample& sample, char delimiter) {
  std::map<size_t, int> times;
  for (size_t i = sample.rows.size() > 1 ? 1 : 0; i < sample.rows.size(); ++i)
    ++times[countFields(sample.rows[i], delimiter)];
  return std::max_element(times.begin(),
                          times.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

std::int64_t dropPreamble(CsvSample& sample, CsvFormat& format) {
  std::int64_t last = 0;
  if (const std::optional<char> delimiter = announcedDelimiter(sample.rows.front());
      delimiter && sample.rows.size() > 1) {
    if (!format.delimiter) format.delimiter = delimiter;
    last = sample.dropFirst();
  }
  while (format.comment == "#" && sample.rows.size() > 1 && mayBeComment(sample.rows.front()) &&
         !beginsWithNumber(sample.rows[1]))
    last = sample.dropFirst();
  return last;
}

void settleDelimiter(const std::filesystem::path& path,
                     const CsvSample& sample,
                     CsvFormat& format) {
  if (const std::optional<CsvFormat> found = bestFormat(sample, format)) {
    format = *found;
    return;
  }
  const std::string place = fmt::format("{}:{}", path.string(), sample.lines.front());
  refuseWrongFormat(place, sample, format);
  if (!format.delimiter)
    throw InputError(
        place +
        ": no delimiter (comma, semicolon, tab, blanks) divides the rows into columns; give it in "
        "a mapping file, or skip lines of text above the table with skip_rows");
  if (!format.decimal_comma) format.decimal_comma = false;
}

std::int64_t dropTextAbove(CsvSample& sample, size_t columns, const CsvFormat& format) {
  const auto numbers = [&](const std::string& row) {
    return allNumbers(row, *format.delimiter, *format.decimal_comma);
  };
  size_t header = 0;
  while (header + 1 < sample.rows.size() &&
         countFields(sample.rows[header], *format.delimiter) != columns)
    ++header;
  if (header == 0 || numbers(sample.rows[header]) ||
      std::none_of(
          sample.rows.begin() + static_cast<std::ptrdiff_t>(header), sample.rows.end(), numbers) ||
      std::any_of(
          sample.rows.begin(), sample.rows.begin() + static_cast<std::ptrdiff_t>(header), numbers))
    return 0;
  std::int64_t last = 0;
  for (size_t i = 0; i < header; ++i) last = sample.dropFirst();
  return last;
}

}  // namespace dynid
