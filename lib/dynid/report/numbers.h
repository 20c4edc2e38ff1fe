#pragma once

#include <string>
#include <vector>

namespace dynid {

/// A number for display: `digits` significant digits, "n/a" for NaN, "inf" for infinite.
std::string shown(double value, int digits = 4);
/// A fraction as "12.3 %".
std::string shownPercent(double fraction);
/// A coefficient of determination, with as many digits as show how far it is from 1: 0.9995.
std::string shownR2(double r2);
/// A count, exact and without exponent.
std::string shownCount(double count);

/// Rows of cells as aligned columns for a terminal; the first column is left-aligned, the others
/// right-aligned. Columns are separated by two blanks, lines indented by `indent` blanks; the first
/// row is the header.
std::string alignedTable(const std::vector<std::vector<std::string>>& rows, size_t indent = 2);

/// Text broken into lines of at most `width` columns, the first indented by `indent` blanks, the
/// others by `hang` more.
std::string wrappedText(const std::string& text,
                        size_t indent = 2,
                        size_t hang = 2,
                        size_t width = 100);

}  // namespace dynid
