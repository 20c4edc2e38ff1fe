#include "dynid/core/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

namespace dynid {
namespace {

// Optimal string alignment distance: counts insertions, deletions, substitutions and exchanged
// neighbours.
size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last, last, row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    before_last = std::exchange(last, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string digitsOf(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c >= '0' && c <= '9') digits += c;
  return digits;
}

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

std::optional<std::string> closestName(std::string_view name,
                                       std::span<const std::string> candidates) {
  const std::string* best = nullptr;
  size_t best_distance = 0;
  const std::string digits = digitsOf(name);
  for (const std::string& candidate : candidates) {
    if (const std::string other = digitsOf(candidate);
        !digits.empty() && !other.empty() && other != digits)
      continue;
    const size_t distance = editDistance(name, candidate);
    if (best == nullptr || distance < best_distance) {
      best = &candidate;
      best_distance = distance;
    }
  }
  if (best == nullptr || best_distance > std::max<size_t>(1, name.size() / 3)) return std::nullopt;
  return *best;
}

std::string didYouMean(std::string_view name, std::span<const std::string> candidates) {
  const std::optional<std::string> closest = closestName(name, candidates);
  return closest ? "; did you mean \"" + *closest + "\"?" : std::string();
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<double> parseFinite(std::string_view text) {
  text = trim(text);
  if (text.size() > 1 && text.front() == '+' && text[1] != '-' && text[1] != '+')
    text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::vector<std::string> splitWords(std::string_view text) {
  std::vector<std::string> words;
  size_t i = 0;
  while (i < text.size()) {
    while (i < text.size() && isBlank(text[i])) ++i;
    size_t end = i;
    while (end < text.size() && !isBlank(text[end])) ++end;
    if (end > i) words.emplace_back(text.substr(i, end - i));
    i = end;
  }
  return words;
}

std::string join(std::span<const std::string> words, std::string_view separator) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += separator;
    text += words[i];
  }
  return text;
}

std::string toText(double value, int significant_digits) {
  std::array<char, 64> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(),
                                          buffer.data() + buffer.size(),
                                          value,
                                          std::chars_format::general,
                                          significant_digits);
  return error == std::errc() ? std::string(buffer.data(), end) : std::string("?");
}

std::string toPercent(double fraction, int significant_digits) {
  return toText(100.0 * fraction, significant_digits) + " %";
}

std::string tomlKey(std::string_view text) {
  const bool bare = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
  if (bare) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace dynid
