#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dynid {

/// Format of a text file of numbers. Fields that are not set are determined from its first lines.
struct CsvFormat {
  std::optional<char> delimiter;      ///< ',' ';' tab, or ' ' for any sequence of blanks and tabs
  std::optional<bool> decimal_comma;  ///< true: "1,5" means 1.5
  std::optional<bool> header;         ///< true: the first row contains names
  std::int64_t skip_rows = 0;         ///< number of lines before everything else
  std::string comment = "#";          ///< lines that start with it are ignored (not #N/A); "": none
};

/// Number of rows from which units, names and layout are determined.
inline constexpr size_t kRowsToLookAt = 1000;

/// Splits a line into fields. Surrounding blanks and double quotes are removed. With a blank as
/// delimiter, a sequence of blanks is one delimiter.
void splitFields(std::string_view line, char delimiter, std::vector<std::string_view>& fields);

/// Parses a number as logs contain it: a finite number (independent of the locale), or nan, inf,
/// -inf in upper or lower case.
std::optional<double> parseLogNumber(std::string_view text, bool decimal_comma);

/// Whether a field of a signal says that there is no value: empty, NA, N/A, null, none, -.
bool isMissingValue(std::string_view text);

/// Reads a text file of any length line by line.
class TextLines {
 public:
  /// @throws InputError if the file is missing, not a regular file, UTF-16, or of NumPy or MATLAB
  explicit TextLines(const std::filesystem::path& path);
  /// The next line without its end; empty at the end of the file. The view is valid until the next
  /// call.
  /// @throws InputError for a line longer than 1 MiB or with a NUL character: the file is not text;
  ///     and if the file cannot be read to its end
  std::optional<std::string_view> next();
  /// Number of the last line returned, from 1.
  std::int64_t number() const { return number_; }

 private:
  void readMore();

  std::filesystem::path path_;
  std::ifstream in_;
  std::string buffer_;
  size_t begin_ = 0, end_ = 0;
  std::int64_t number_ = 0;
};

/// The rows of a CSV file.
class CsvReader {
 public:
  /// Reads the first lines and determines the fields that `format` leaves open.
  /// @throws InputError "path: ..." if there is no row, or the delimiter cannot be determined
  CsvReader(const std::filesystem::path& path, CsvFormat format);

  const CsvFormat& format() const { return format_; }  ///< with all fields set
  /// Names in the header, as UTF-8; empty without a header. A comment line directly above the
  /// numbers is taken as the header if its number of fields fits.
  const std::vector<std::string>& names() const { return names_; }
  /// Units from a row between the header and the numbers; empty without such a row.
  const std::vector<std::string>& units() const { return units_; }
  /// Number of fields per row.
  size_t columns() const { return columns_; }

  /// The fields of the next row, whatever their number; false at the end.
  bool next(std::vector<std::string_view>& fields);
  std::int64_t line() const { return lines_.number(); }

 private:
  bool isRow(std::string_view line) const;
  void findUnits(const std::vector<std::string>& rows);
  void fitHeader(std::int64_t line, bool has_rows, std::vector<std::string_view>& fields);

  std::filesystem::path path_;
  CsvFormat format_;
  TextLines lines_;
  std::vector<std::string> names_, units_;
  size_t columns_ = 0;
  std::int64_t preamble_ = 0;  // lines of text above the table
  std::int64_t header_line_ = 0;
  int rows_above_ = 0;  // rows of names and units that next() has not passed yet
};

}  // namespace dynid
