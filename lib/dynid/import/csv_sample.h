#pragma once

#include "dynid/import/csv.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dynid {

/// The first lines of a CSV file.
struct CsvSample {
  std::vector<std::string> rows;    ///< the first rows
  std::vector<std::int64_t> lines;  ///< their line numbers
  std::string comment_above;  ///< the last comment before the first row, without the comment sign

  /// Removes the first row. @returns its line number
  std::int64_t dropFirst() {
    const std::int64_t line = lines.front();
    rows.erase(rows.begin());
    lines.erase(lines.begin());
    return line;
  }
};

/// Whether a line is a comment of Matlab or C, unless it is a header such as that of rostopic
/// (%time,field.position0).
bool mayBeComment(std::string_view line);

/// A header without the sign of a comment ("// t, q", "% t q"); %time stays as it is.
std::string_view withoutCommentSign(std::string_view header);

/// Whether every field of a row is a number, a date, or says that there is no value.
bool allNumbers(const std::string& row, char delimiter, bool decimal_comma);

/// Whether the first row is the numbers of the columns from 0, as pandas writes them for columns
/// without names, and no row of data: the rows below have fractions.
bool numbersColumns(const CsvSample& sample, char delimiter, bool decimal_comma);

/// Number of fields into which the delimiter divides a row.
size_t countFields(const std::string& row, char delimiter);

/// The most frequent number of fields per row, without the first row, which may be a header.
size_t usualColumns(const CsvSample& sample, char delimiter);

/// Removes lines of text above the header. @returns the line number of the last one, or 0
std::int64_t dropPreamble(CsvSample& sample, CsvFormat& format);

/// Determines delimiter and decimal sign, unless the format has them.
/// @throws InputError if no delimiter, or not that of the format, divides the rows into columns
void settleDelimiter(const std::filesystem::path& path, const CsvSample& sample, CsvFormat& format);

/// Removes lines above the header that have another number of fields than the table, such as the
/// name of the robot: the header is the first row of text with `columns` fields, if only such lines
/// are above it and numbers below it. @returns the line number of the last one, or 0
std::int64_t dropTextAbove(CsvSample& sample, size_t columns, const CsvFormat& format);

}  // namespace dynid
