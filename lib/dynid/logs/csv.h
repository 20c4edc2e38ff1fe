#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dynid {

/// How a text file of numbers is written. What is not set is found out from its first lines.
struct CsvFormat {
  std::optional<char> delimiter;      ///< ',' ';' '\t', or ' ' for any run of blanks and tabs
  std::optional<bool> decimal_comma;  ///< "1,5" is one and a half
  std::optional<bool> header;         ///< the first row holds names
  std::int64_t skip_rows = 0;         ///< lines before everything else
  std::string comment = "#";          ///< lines that start so are no rows; "": none do
};

/// The fields of a line: blanks around and double quotes are removed; a run of blanks is one
/// delimiter for ' '.
void splitFields(std::string_view line, char delimiter, std::vector<std::string_view>& fields);

/// A number as it is written in logs: finite (whatever the locale), or nan, inf, -inf in any case.
std::optional<double> parseLogNumber(std::string_view text, bool decimal_comma);

/// The lines of a text file of any length, one at a time.
class TextLines {
 public:
  /// @throws InputError when the file is missing, not regular, or UTF-16.
  explicit TextLines(const std::filesystem::path& path);
  /// The next line without its end, or nothing. The view holds until the next call.
  /// @throws InputError for a line over 1 MiB or with a NUL: the file is not text.
  std::optional<std::string_view> next();
  /// Number of the line given last, from 1.
  std::int64_t number() const { return number_; }

 private:
  std::filesystem::path path_;
  std::ifstream in_;
  std::string buffer_;
  size_t begin_ = 0, end_ = 0;
  std::int64_t number_ = 0;
};

/// The rows of a CSV file.
class CsvReader {
 public:
  /// Looks at the first lines and settles what `format` leaves open.
  /// @throws InputError "path: ..." when there is no row, or the delimiter cannot be found out.
  CsvReader(const std::filesystem::path& path, CsvFormat format);

  const CsvFormat& format() const { return format_; }  ///< with everything set
  /// The header's names; empty without a header (a comment line right above the numbers counts as
  /// one if it fits).
  const std::vector<std::string>& names() const { return names_; }
  /// Fields a row.
  size_t columns() const { return columns_; }

  /// The next row's fields, whatever their number; false at the end.
  bool next(std::vector<std::string_view>& fields);
  std::int64_t line() const { return lines_.number(); }

 private:
  bool isRow(std::string_view line) const;
  void fitHeader(std::int64_t line, bool has_rows, std::vector<std::string_view>& fields);

  std::filesystem::path path_;
  CsvFormat format_;
  TextLines lines_;
  std::vector<std::string> names_;
  size_t columns_ = 0;
  bool header_pending_ = false;
};

}  // namespace dynid
