#pragma once

#include "dynid/import/header_words.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dynid {

/// A header's name in parts: "q_3 [deg]" has text "q_3" and unit "deg".
struct HeaderName {
  std::string text;
  std::string unit;
};

template <size_t N>
const HeaderWord* findWord(const std::array<HeaderWord, N>& words, std::string_view name) {
  const auto found = std::find_if(
      words.begin(), words.end(), [&](const HeaderWord& word) { return word.name == name; });
  return found == words.end() ? nullptr : &*found;
}

/// A numbered name: "/arm/tau_J[2]" has path "/arm/tau_j", word "tau_j" and number 2.
struct NumberedName {
  std::string path;
  std::string word;
  int number = 0;
};

std::optional<NumberedName> parseNumberedName(const std::string& text);

/// A joint and the word after it: "/arm/elbow_position" (or "/arm/elbow position") has path
/// "/arm/", joint "elbow" and word "position". Words for "measured" are left out
/// (elbow_actual_position), and a commanded value (elbow_command_position) is no such name.
struct JointName {
  std::string path, joint;
  const HeaderWord* word;
};

std::optional<JointName> parseJointName(const std::string& full);

/// Whether a name behind a word of a quantity is that of a commanded value: des_1, ref_elbow, and
/// d_1 (desired, as in q_d_1 of Franka).
bool isCommanded(std::string_view name);

/// Whether the names of all columns are only their numbers, as programs write them that know no
/// names: 0, 1, ... (pandas), Var1, Var2, ... (MATLAB), V1 (R), Column1 (spreadsheets).
bool areNumbersOnly(const std::vector<std::string>& names);

/// The only column of its channel in a log of one joint: position, q.
const HeaderWord* wordOfOnlyJoint(const std::string& text);

/// Separates the unit of a name, which is in brackets, at the end (elbow_position_deg), or before
/// the number (position_deg_0). A numbered axis of which only the unit is given gets the word for
/// what the unit measures: "J1 (deg)" has text "J1 position".
HeaderName separateUnit(const std::string& header);

std::string lowerCase(std::string text);

/// The part after the last '/' or '.' of a path, if it is not empty.
std::string lastPart(const std::string& path);

}  // namespace dynid
