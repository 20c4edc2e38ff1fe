#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dynid {

/// The candidate with the smallest edit distance to `name`, if it is small enough for a typing
/// error (at most a third of the length, or one). Names with other digits are other names: joint1
/// is no slip for joint6.
std::optional<std::string> closestName(std::string_view name,
                                       std::span<const std::string> candidates);

/// `; did you mean "x"?` or "", to be appended to a message about an unknown name.
std::string didYouMean(std::string_view name, std::span<const std::string> candidates);

/// The whole `text` (without surrounding blanks) as a finite double, independent of the locale;
/// empty if it is not one.
std::optional<double> parseFinite(std::string_view text);

/// The words of `text`, separated by blanks, tabs or line ends.
std::vector<std::string> splitWords(std::string_view text);

/// `text` without leading and trailing blanks.
std::string_view trim(std::string_view text);

/// "a, b, c".
std::string join(std::span<const std::string> words, std::string_view separator = ", ");

/// Shortest text of `value` with the given number of significant digits (%.{digits}g, C locale).
std::string toText(double value, int significant_digits = 6);

/// `fraction` in percent, "12.3 %".
std::string toPercent(double fraction, int significant_digits = 3);

/// The text as a key of TOML: as it is, or quoted where it has other characters than letters,
/// digits, _ and -.
std::string tomlKey(std::string_view text);

}  // namespace dynid
