#include "dynid/import/header_names.h"

#include "dynid/core/text.h"

#include <cctype>
#include <charconv>

namespace dynid {
namespace {

/// Removes a unit in brackets from the end, but not a joint's number as in tau[3].
HeaderName withoutBrackets(const std::string& header) {
  const std::string_view text = trim(header);
  if (text.empty() || (text.back() != ']' && text.back() != ')')) return {std::string(text), ""};
  const size_t open = text.find_last_of("[(");
  if (open == std::string_view::npos) return {std::string(text), ""};
  const std::string inside(trim(text.substr(open + 1, text.size() - open - 2)));
  const bool number = !inside.empty() && std::all_of(inside.begin(), inside.end(), [](char c) {
    return c >= '0' && c <= '9';
  });
  if (number) return {std::string(text), ""};
  return {std::string(trim(text.substr(0, open))), inside};
}

constexpr std::string_view kSeparators = "_/. ";

/// The last word of a name of several words; empty for one word.
std::string_view lastWord(std::string_view text) {
  const size_t at = text.find_last_of(kSeparators);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
}

template <typename Words>
bool isOneOf(std::string_view word, const Words& words) {
  return std::find(words.begin(), words.end(), lowerCase(std::string(word))) != words.end();
}

/// The name without the words at its end that say that it was measured.
std::string withoutMeasured(std::string_view text) {
  while (isOneOf(lastWord(text), kMeasured)) text.remove_suffix(lastWord(text).size() + 1);
  return std::string(trim(text));
}

/// The quantity that a name denotes, if it is known.
std::optional<Quantity> quantityOf(const std::string& text) {
  if (const auto name = parseNumberedName(text))
    if (const HeaderWord* word = findWord(kPrefixes, name->word)) return word->quantity;
  if (const auto name = parseJointName(text)) return name->word->quantity;
  if (const HeaderWord* word = wordOfOnlyJoint(text)) return word->quantity;
  return std::nullopt;
}

/// The quantity of a word before a joint's name: q_elbow.
std::optional<Quantity> quantityBefore(const std::string& text) {
  const std::string plain = lowerCase(text);
  for (const HeaderWord& word : kPrefixes)
    if (plain.size() > word.name.size() + 1 && plain.starts_with(word.name) &&
        plain[word.name.size()] == '_')
      return word.quantity;
  return std::nullopt;
}

/// The word for what has this unit, with a blank before it; empty if there is none.
std::string wordOfUnit(const std::string& unit) {
  if (unit.empty()) return "";
  for (const auto& [quantity, word] : {std::pair{Quantity::kPosition, " position"},
                                       std::pair{Quantity::kVelocity, " velocity"},
                                       std::pair{Quantity::kAcceleration, " acceleration"},
                                       std::pair{Quantity::kEffort, " effort"},
                                       std::pair{Quantity::kCurrent, " current"}})
    if (parseUnit(quantity, unit)) return word;
  return "";
}

}  // namespace

std::string lowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return text;
}

std::string lastPart(const std::string& path) {
  const size_t at = path.find_last_of("/.");
  return at == std::string::npos || at + 1 == path.size() ? path : path.substr(at + 1);
}

std::optional<NumberedName> parseNumberedName(const std::string& text) {
  std::string plain = lowerCase(text);
  if (plain.ends_with(']') || plain.ends_with(')')) plain.pop_back();
  size_t digits = plain.size();
  while (digits > 0 && plain[digits - 1] >= '0' && plain[digits - 1] <= '9') --digits;
  if (digits == plain.size() || plain.size() - digits > 3) return std::nullopt;
  NumberedName name;
  std::from_chars(plain.data() + digits, plain.data() + plain.size(), name.number);
  while (digits > 0 && std::string_view("_[(. -").find(plain[digits - 1]) != std::string_view::npos)
    --digits;
  name.path = plain.substr(0, digits);
  name.word = lastPart(name.path);
  return name;
}

std::optional<JointName> parseJointName(const std::string& full) {
  const std::string text = withoutMeasured(full), plain = lowerCase(text);
  for (const HeaderWord& word : kSuffixes) {
    if (!plain.ends_with(word.name) || plain.size() < word.name.size() + 2) continue;
    const size_t at = plain.size() - word.name.size() - 1;
    if (kSeparators.find(plain[at]) == std::string_view::npos) continue;
    std::string joint = withoutMeasured(std::string_view(text).substr(0, at)), path;
    if (const size_t slash = joint.find_last_of('/'); slash != std::string::npos) {
      path = joint.substr(0, slash + 1);
      joint.erase(0, slash + 1);
    }
    if (joint.empty() || isOneOf(lastWord(joint), kCommands)) continue;
    if (word.rank == 0 && isOneOf(joint, kCommands)) continue;
    return JointName{path, joint, &word};
  }
  return std::nullopt;
}

bool isCommanded(std::string_view name) {
  const size_t end = name.find_first_of(kSeparators);
  const std::string_view first = name.substr(0, end);
  const bool numbered = end != std::string_view::npos && end + 1 < name.size() &&
                        std::isdigit(static_cast<unsigned char>(name[end + 1])) != 0;
  return isOneOf(first, kCommands) || (numbered && isOneOf(first, std::array{"d"}));
}

bool areNumbersOnly(const std::vector<std::string>& names) {
  for (const std::string_view word : {"", "var", "v", "column", "col"})
    for (const size_t first : {size_t{0}, size_t{1}}) {
      size_t i = 0;
      while (i < names.size() &&
             lowerCase(names[i]) == std::string(word) + std::to_string(i + first))
        ++i;
      if (i > 1 && i == names.size()) return true;
    }
  return false;
}

const HeaderWord* wordOfOnlyJoint(const std::string& text) {
  const std::string plain = lowerCase(text);
  return plain == "i" ? nullptr : findWord(kPrefixes, plain);
}

HeaderName separateUnit(const std::string& header) {
  HeaderName name = withoutBrackets(header);
  if (const auto axis = parseNumberedName(name.text); axis && isOneOf(axis->word, kAxes))
    name.text += wordOfUnit(name.unit);
  if (!name.unit.empty() || quantityOf(name.text)) return name;
  const std::string plain = lowerCase(name.text);
  std::string number;
  if (const auto parts = parseNumberedName(plain)) number = "_" + std::to_string(parts->number);
  const std::string head = number.empty() ? plain : parseNumberedName(plain)->path;
  for (const auto& [suffix, unit] : kUnitSuffixes) {
    for (const bool before_number : {false, true}) {
      const std::string& text = before_number ? head : plain;
      if (before_number && number.empty()) continue;
      if (!text.ends_with(suffix) || text.size() == suffix.size()) continue;
      const std::string rest =
          name.text.substr(0, text.size() - suffix.size()) + (before_number ? number : "");
      std::optional<Quantity> quantity = quantityOf(rest);
      if (!quantity && suffix.size() > 2) quantity = quantityBefore(rest);
      // "q_a" and "q_m" are more likely joints called a and m.
      if (suffix.size() == 2 && wordOfOnlyJoint(rest) != nullptr && rest.size() < 3) continue;
      if (quantity && parseUnit(*quantity, unit)) return {rest, std::string(unit)};
    }
  }
  return name;
}

}  // namespace dynid
