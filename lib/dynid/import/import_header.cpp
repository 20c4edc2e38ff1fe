#include "dynid/import/import_header.h"

#include "dynid/core/text.h"
#include "dynid/import/header_words.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <map>

namespace dynid {
namespace {

/// A header's name in parts: "q_3 [deg]" has text "q_3" and unit "deg".
struct Name {
  std::string text;
  std::string unit;
};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return text;
}

/// Removes a unit in brackets from the end, but not a joint's number as in tau[3].
Name withoutBrackets(const std::string& header) {
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

/// The part after the last '/' or '.' of a path, if it is not empty.
std::string lastPart(const std::string& path) {
  const size_t at = path.find_last_of("/.");
  return at == std::string::npos || at + 1 == path.size() ? path : path.substr(at + 1);
}

template <size_t N>
const HeaderWord* findWord(const std::array<HeaderWord, N>& words, std::string_view name) {
  const auto found = std::find_if(
      words.begin(), words.end(), [&](const HeaderWord& word) { return word.name == name; });
  return found == words.end() ? nullptr : &*found;
}

/// Factor and kind of a unit in a header; an unknown word in brackets is not a unit, which is
/// noted.
Unit unitOf(Quantity quantity, const Name& name, std::vector<std::string>& notes) {
  if (name.unit.empty()) return {};
  if (const std::optional<Unit> unit = parseUnit(quantity, name.unit)) return *unit;
  notes.push_back("'" + name.text + "': '" + name.unit + "' is not a unit, taken as SI");
  return {};
}

/// A numbered name: "/arm/tau_J[2]" has path "/arm/tau_j", word "tau_j" and number 2.
struct NumberedName {
  std::string path;
  std::string word;
  int number = 0;
};

std::optional<NumberedName> numbered(const std::string& text) {
  std::string plain = lower(text);
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

/// A joint and the word after it: "/arm/elbow_position" (or "/arm/elbow position") has path
/// "/arm/", joint "elbow" and word "position".
struct JointName {
  std::string path, joint;
  const HeaderWord* word;
};

std::optional<JointName> jointed(const std::string& text) {
  const std::string plain = lower(text);
  for (const HeaderWord& word : kSuffixes) {
    if (!plain.ends_with(word.name) || plain.size() < word.name.size() + 2) continue;
    const size_t at = plain.size() - word.name.size() - 1;
    if (std::string_view("_/. ").find(plain[at]) == std::string_view::npos) continue;
    std::string joint(trim(std::string_view(text).substr(0, at))), path;
    if (const size_t slash = joint.find_last_of('/'); slash != std::string::npos) {
      path = joint.substr(0, slash + 1);
      joint.erase(0, slash + 1);
    }
    if (!joint.empty()) return JointName{path, joint, &word};
  }
  return std::nullopt;
}

/// The only column of its channel in a log of one joint: position, q.
const HeaderWord* bare(const std::string& text) {
  const std::string plain = lower(text);
  return plain == "i" ? nullptr : findWord(kPrefixes, plain);
}

/// The quantity that a name denotes, if it is known.
std::optional<Quantity> quantityOf(const std::string& text) {
  if (const auto name = numbered(text))
    if (const HeaderWord* word = findWord(kPrefixes, name->word)) return word->quantity;
  if (const auto name = jointed(text)) return name->word->quantity;
  if (const HeaderWord* word = bare(text)) return word->quantity;
  return std::nullopt;
}

/// The quantity of a word before a joint's name: q_elbow.
std::optional<Quantity> quantityBefore(const std::string& text) {
  const std::string plain = lower(text);
  for (const HeaderWord& word : kPrefixes)
    if (plain.size() > word.name.size() + 1 && plain.starts_with(word.name) &&
        plain[word.name.size()] == '_')
      return word.quantity;
  return std::nullopt;
}

/// Separates the unit of a name, which is in brackets, at the end (elbow_position_deg), or before
/// the number (position_deg_0).
Name split(const std::string& header) {
  Name name = withoutBrackets(header);
  if (!name.unit.empty() || quantityOf(name.text)) return name;
  const std::string plain = lower(name.text);
  std::string number;
  if (const auto parts = numbered(plain)) number = "_" + std::to_string(parts->number);
  const std::string head = number.empty() ? plain : numbered(plain)->path;
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
      if (suffix.size() == 2 && bare(rest) != nullptr && rest.size() < 3) continue;
      if (quantity && parseUnit(*quantity, unit)) return {rest, std::string(unit)};
    }
  }
  return name;
}

/// A family of columns, by joint number or by joint name.
struct Family {
  int rank = -1;
  std::map<int, size_t> by_number;        // joint number -> column
  std::map<std::string, size_t> by_name;  // joint name -> column
};

bool withoutHoles(const std::map<int, size_t>& by_number) {
  return !by_number.empty() && (by_number.begin()->first == 0 || by_number.begin()->first == 1) &&
         by_number.rbegin()->first - by_number.begin()->first + 1 ==
             static_cast<int>(by_number.size());
}

/// The complete family of numbered columns with the highest rank for each channel; a single column
/// without a number belongs to a single joint.
std::map<Quantity, Family> numberedFamilies(const std::vector<Name>& names,
                                            std::string& ambiguity) {
  std::map<std::pair<const HeaderWord*, std::string>, Family> found;  // key: word and path
  const auto add = [&](Family& family, int number, size_t column) {
    const auto [at, is_new] = family.by_number.emplace(number, column);
    if (!is_new && ambiguity.empty())
      ambiguity = fmt::format(
          "columns {} and {} are both called '{}'", at->second + 1, column + 1, names[column].text);
  };
  for (size_t i = 0; i < names.size(); ++i) {
    if (const auto name = numbered(names[i].text)) {
      if (const HeaderWord* word = findWord(kPrefixes, name->word))
        add(found[{word, name->path}], name->number, i);
    } else if (const HeaderWord* word = bare(names[i].text)) {
      add(found[{word, lower(names[i].text)}], 0, i);
    }
  }
  std::map<Quantity, Family> best;
  for (auto& [key, family] : found) {
    const HeaderWord* word = key.first;
    Family& now = best[word->quantity];
    if (!withoutHoles(family.by_number) || word->rank < now.rank) continue;
    if (word->rank == now.rank && now.by_number.size() == family.by_number.size() &&
        ambiguity.empty())
      ambiguity = "'" + names[now.by_number.begin()->second].text + "' and '" +
                  names[family.by_number.begin()->second].text + "' may both be the " +
                  std::string(word->name);
    if (word->rank == now.rank && now.by_number.size() >= family.by_number.size()) continue;
    family.rank = word->rank;
    now = family;
  }
  std::erase_if(best, [](const auto& entry) { return entry.second.rank < 0; });
  return best;
}

/// Families by joint name: "a/b/elbow_position" is the position of elbow.
std::map<Quantity, Family> namedFamilies(const std::vector<Name>& names,
                                         std::vector<std::string>& joints,
                                         std::string& ambiguity) {
  std::map<Quantity, Family> found;
  for (size_t i = 0; i < names.size(); ++i) {
    const auto name = jointed(names[i].text);
    if (!name) continue;
    const Quantity quantity = name->word->quantity;
    const auto [at, is_new] = found[quantity].by_name.emplace(name->joint, i);
    if (!is_new && ambiguity.empty())
      ambiguity = "'" + names[at->second].text + "' and '" + names[i].text + "' may both be the " +
                  std::string(name->word->name) + " of " + name->joint;
    if (quantity == Quantity::kPosition &&
        std::find(joints.begin(), joints.end(), name->joint) == joints.end())
      joints.push_back(name->joint);
  }
  return found;
}

/// Columns that contain one of the given names, with a word before or after it, or alone
/// (position).
std::map<Quantity, Family> familiesOf(const std::vector<Name>& names,
                                      const std::vector<std::string>& joints) {
  const auto separates = [](char c) {
    return std::string_view("_/. []()").find(c) != std::string_view::npos;
  };
  std::map<Quantity, Family> found;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string& text = names[i].text;
    for (const std::string& joint : joints) {
      const size_t at = text.find(joint);
      if (at == std::string::npos) continue;
      const size_t end = at + joint.size();
      if ((at > 0 && !separates(text[at - 1])) || (end < text.size() && !separates(text[end])))
        continue;
      std::string before = lower(text.substr(0, at)), behind = lower(text.substr(end));
      while (!before.empty() && separates(before.back())) before.pop_back();
      while (!behind.empty() && separates(behind.front())) behind.erase(0, 1);
      while (!behind.empty() && separates(behind.back())) behind.pop_back();
      const HeaderWord* word = findWord(kSuffixes, behind);
      if (word == nullptr) word = findWord(kPrefixes, behind);
      if (word == nullptr && behind.empty()) word = findWord(kPrefixes, lastPart(before));
      if (word != nullptr) found[word->quantity].by_name.emplace(joint, i);
      if (word == nullptr && behind.empty() && before.empty())
        found[Quantity::kPosition].by_name.emplace(joint, i);
    }
  }
  return found;
}

/// The joints of columns with a word of positions before a name (q_elbow, position_elbow), if the
/// velocities, efforts or currents have the same names.
std::vector<std::string> jointsBehindWords(const std::vector<Name>& names) {
  std::vector<std::string> joints;
  int rank = -1;
  for (const HeaderWord& word : kPrefixes) {
    if (word.quantity != Quantity::kPosition || word.rank <= rank) continue;
    std::vector<std::string> behind;
    for (const Name& name : names)
      if (lower(name.text).starts_with(std::string(word.name) + "_") &&
          name.text.size() > word.name.size() + 1)
        behind.push_back(name.text.substr(word.name.size() + 1));
    const std::map<Quantity, Family> families = familiesOf(names, behind);
    for (const Quantity other : {Quantity::kVelocity, Quantity::kEffort, Quantity::kCurrent})
      if (const auto found = families.find(other);
          found != families.end() && found->second.by_name.size() == behind.size()) {
        joints = behind;
        rank = word.rank;
      }
  }
  return joints;
}

/// Converts "/joint_states/header/stamp_sec" to "joint.states.header.stamp.sec".
std::string dotted(const std::string& text) {
  std::string plain = lower(text);
  std::replace(plain.begin(), plain.end(), '/', '.');
  std::replace(plain.begin(), plain.end(), '_', '.');
  while (plain.starts_with('.') || plain.starts_with('%')) plain.erase(0, 1);
  return plain;
}

/// Recognises seconds and nanoseconds of a ROS stamp in two columns.
bool recogniseStamp(const std::vector<Name>& names, ImportMapping& mapping) {
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string seconds = dotted(names[i].text);
    const size_t at = seconds.rfind("sec");
    if (at == std::string::npos || (seconds.substr(at) != "sec" && seconds.substr(at) != "secs"))
      continue;
    if (at > 0 && seconds[at - 1] != '.') continue;
    for (size_t j = 0; j < names.size(); ++j) {
      const std::string rest = dotted(names[j].text);
      const bool fits = rest.starts_with(seconds.substr(0, at)) &&
                        (rest.substr(at) == "nanosec" || rest.substr(at) == "nsec" ||
                         rest.substr(at) == "nsecs" || rest.substr(at) == "nanosecs");
      if (!fits) continue;
      mapping.time = static_cast<std::int64_t>(i) + 1;
      mapping.time_nanoseconds = static_cast<std::int64_t>(j) + 1;
      mapping.time_unit_known = true;
      return true;
    }
  }
  return false;
}

/// The stamp of the header is preferred: it is the time at which the sample was taken.
void recogniseTime(const std::vector<Name>& names, ImportMapping& mapping) {
  if (recogniseStamp(names, mapping)) return;
  for (const bool stamp : {true, false}) {
    for (const Name& name : names) {
      std::string text = dotted(name.text);
      std::string unit = name.unit;
      for (const char* suffix : {".ms", ".us", ".ns", ".s", ".sec"})
        if (unit.empty() && text.ends_with(suffix)) {
          unit = std::string(suffix).substr(1);
          text.erase(text.size() - std::string_view(suffix).size());
        }
      const bool is_stamp = text == "header.stamp" || text.ends_with(".header.stamp");
      const std::string last = lastPart(text);
      const bool is_time = last == "t" || last == "time" || last == "timestamp";
      const std::optional<Unit> known = parseUnit(Quantity::kTime, unit.empty() ? "s" : unit);
      if (!known || !(stamp ? is_stamp : is_time)) continue;
      mapping.time = static_cast<std::int64_t>(&name - names.data()) + 1;
      mapping.time_factor = known->to_si;
      mapping.time_unit_known = !unit.empty();
      return;
    }
  }
}

/// A channel from its columns in the order of the joints.
ChannelMapping channelOf(Quantity quantity,
                         const std::vector<size_t>& columns,
                         const std::vector<Name>& names,
                         ImportMapping& mapping) {
  ChannelMapping channel;
  for (size_t j = 0; j < columns.size(); ++j) {
    const Unit unit = unitOf(quantity, names[columns[j]], mapping.notes);
    channel.columns.emplace_back(static_cast<std::int64_t>(columns[j]) + 1);
    channel.factors.push_back(unit.to_si);
    channel.unit_known = channel.unit_known || !names[columns[j]].unit.empty();
    if (quantity == Quantity::kPosition) mapping.prismatic[j] = unit.linear;
  }
  return channel;
}

/// Sets all channels from their families.
void fillChannels(const std::vector<Name>& names,
                  const std::map<Quantity, Family>& families,
                  bool by_number,
                  size_t joints,
                  ImportMapping& mapping) {
  mapping.prismatic.assign(joints, false);
  const auto channel = [&](Quantity quantity) -> std::optional<ChannelMapping> {
    const auto found = families.find(quantity);
    if (found == families.end()) return std::nullopt;
    std::vector<size_t> columns;
    if (by_number) {
      for (const auto& [number, column] : found->second.by_number) columns.push_back(column);
    } else {
      for (const std::string& joint : mapping.joints)
        if (found->second.by_name.contains(joint))
          columns.push_back(found->second.by_name.at(joint));
    }
    if (columns.size() != joints) {
      mapping.notes.push_back(fmt::format("columns in {} for {} of {} joints only: not used",
                                          siUnit(quantity, false),
                                          columns.size(),
                                          joints));
      return std::nullopt;
    }
    return channelOf(quantity, columns, names, mapping);
  };
  mapping.position = channel(Quantity::kPosition);
  mapping.velocity = channel(Quantity::kVelocity);
  mapping.acceleration = channel(Quantity::kAcceleration);
  mapping.effort = channel(Quantity::kEffort);
  if (!mapping.effort) mapping.current = channel(Quantity::kCurrent);
}

/// Columns `name[0]`, `field.name0`, ... that contain the joints' names as text.
std::vector<size_t> nameColumns(const std::vector<Name>& names, size_t joints) {
  std::map<int, size_t> by_number;
  for (size_t i = 0; i < names.size(); ++i)
    if (const auto name = numbered(names[i].text); name && name->word == "name")
      by_number.emplace(name->number, i);
  if (!withoutHoles(by_number) || by_number.size() != joints) return {};
  std::vector<size_t> columns;
  for (const auto& [number, column] : by_number) columns.push_back(column);
  return columns;
}

}  // namespace

ImportMapping recogniseHeader(const std::vector<std::string>& header,
                              const std::vector<std::string>& wanted) {
  ImportMapping mapping;
  std::vector<Name> names;
  names.reserve(header.size());
  for (const std::string& name : header) names.push_back(split(name));
  recogniseTime(names, mapping);
  std::vector<std::string> joints;
  std::string named_ambiguity, counted_ambiguity;
  const std::map<Quantity, Family> named = namedFamilies(names, joints, named_ambiguity);
  const std::map<Quantity, Family> counted = numberedFamilies(names, counted_ambiguity);
  const auto has_all = [&](const std::vector<std::string>& all) {
    return !wanted.empty() &&
           std::all_of(wanted.begin(), wanted.end(), [&](const std::string& name) {
             return std::find(all.begin(), all.end(), name) != all.end();
           });
  };
  if (counted.contains(Quantity::kPosition) && !has_all(joints)) {
    const size_t n = counted.at(Quantity::kPosition).by_number.size();
    mapping.ambiguity = counted_ambiguity;
    fillChannels(names, counted, true, n, mapping);
    mapping.name_columns = nameColumns(names, n);
    return mapping;
  }
  mapping.ambiguity = named_ambiguity;
  if (!joints.empty() && (wanted.empty() || has_all(joints))) {
    mapping.joints = wanted.empty() ? joints : wanted;
    fillChannels(names, named, false, mapping.joints.size(), mapping);
    return mapping;
  }
  mapping.joints = wanted.empty() ? jointsBehindWords(names) : wanted;
  fillChannels(names, familiesOf(names, mapping.joints), false, mapping.joints.size(), mapping);
  return mapping;
}

}  // namespace dynid
