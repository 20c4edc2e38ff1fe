#include "dynid/import/import_header.h"

#include "dynid/core/text.h"
#include "dynid/import/header_names.h"
#include "dynid/import/header_time.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace dynid {
namespace {

/// Factor and kind of a unit in a header.
/// @param unknown  set to a sentence if the unit is not known
Unit unitOf(Quantity quantity, const HeaderName& name, std::string& unknown) {
  if (name.unit.empty()) return {};
  if (const std::optional<Unit> unit = parseUnit(quantity, name.unit)) return *unit;
  if (unknown.empty())
    unknown = fmt::format(
        "column '{}': '{}' is not a known unit ({}, ...); assign the column under [{}] in a "
        "mapping file (`mapping`) with its `unit`, and `scale` where one is needed",
        name.text,
        name.unit,
        knownUnits(quantity),
        tableOfQuantity(quantity));
  return {};
}

/// A family of columns, by joint number or by joint name.
struct Family {
  const HeaderWord* word = nullptr;       // of numbered columns
  std::map<int, size_t> by_number;        // joint number -> column
  std::map<std::string, size_t> by_name;  // joint name -> column

  size_t size() const { return by_number.size() + by_name.size(); }
  std::vector<size_t> columns() const {
    std::vector<size_t> columns;
    for (const auto& [number, column] : by_number) columns.push_back(column);
    for (const auto& [name, column] : by_name) columns.push_back(column);
    return columns;
  }
};
using Families = std::map<Quantity, Family>;

size_t sizeOf(const Families& families, Quantity quantity) {
  const auto found = families.find(quantity);
  return found == families.end() ? 0 : found->second.size();
}

bool withoutHoles(const std::map<int, size_t>& by_number) {
  return !by_number.empty() && (by_number.begin()->first == 0 || by_number.begin()->first == 1) &&
         by_number.rbegin()->first - by_number.begin()->first + 1 ==
             static_cast<int>(by_number.size());
}

/// The complete families of numbered columns for each channel; a single column without a number
/// belongs to a single joint.
std::map<Quantity, std::vector<Family>> numberedFamilies(const std::vector<HeaderName>& names,
                                                         std::string& ambiguity) {
  std::map<std::pair<const HeaderWord*, std::string>, Family> found;  // key: word and path
  const auto add = [&](const HeaderWord* word, const std::string& path, int number, size_t column) {
    const auto [at, is_new] = found[{word, path}].by_number.emplace(number, column);
    if (!is_new && ambiguity.empty())
      ambiguity = fmt::format(
          "columns {} and {} are both called '{}'", at->second + 1, column + 1, names[column].text);
  };
  for (size_t i = 0; i < names.size(); ++i) {
    if (const auto name = parseNumberedName(names[i].text)) {
      if (const HeaderWord* word = findWord(kPrefixes, name->word))
        add(word, name->path, name->number, i);
    } else if (const HeaderWord* word = wordOfOnlyJoint(names[i].text)) {
      add(word, lowerCase(names[i].text), 0, i);
    }
  }
  std::map<Quantity, std::vector<Family>> complete;
  for (auto& [key, family] : found) {
    family.word = key.first;
    if (withoutHoles(family.by_number)) complete[key.first->quantity].push_back(family);
  }
  return complete;
}

std::string bothMayBe(const Family& a,
                      const Family& b,
                      const std::vector<HeaderName>& names,
                      std::string_view channel) {
  return fmt::format("'{}' and '{}' may both be the {}",
                     names[a.columns().front()].text,
                     names[b.columns().front()].text,
                     channel);
}

/// Leaves the families that fit, if there is one.
template <typename Fits>
bool keepFitting(std::vector<Family>& families, const Fits& fits) {
  if (std::none_of(families.begin(), families.end(), fits)) return false;
  std::erase_if(families, [&](const Family& family) { return !fits(family); });
  return true;
}

/// Chooses one family of numbered columns for each channel: positions as many as `joints`, or, if
/// that is 0, as the efforts or currents; other channels as many as the positions; then those with
/// the highest rank.
Families chosenFamilies(std::map<Quantity, std::vector<Family>> found,
                        size_t joints,
                        const std::vector<HeaderName>& names,
                        std::string& ambiguity) {
  const auto holds = [&](Quantity quantity, size_t size) {
    const std::vector<Family>& families = found[quantity];
    return std::any_of(families.begin(), families.end(), [&](const Family& family) {
      return family.size() == size;
    });
  };
  keepFitting(found[Quantity::kPosition], [&](const Family& family) {
    const size_t n = family.size();
    return joints > 0 ? n == joints : holds(Quantity::kEffort, n) || holds(Quantity::kCurrent, n);
  });
  Families chosen;
  for (auto& [quantity, families] : found) {  // the positions before the others
    const size_t n = sizeOf(chosen, Quantity::kPosition);
    const bool usable =
        quantity == Quantity::kPosition ||
        keepFitting(families, [&](const Family& family) { return family.size() == n; });
    std::stable_sort(families.begin(), families.end(), [](const Family& a, const Family& b) {
      return a.word->rank > b.word->rank;
    });
    if (families.empty()) continue;
    chosen[quantity] = families.front();
    if (usable && families.size() > 1 && families[0].word->rank == families[1].word->rank &&
        ambiguity.empty())
      ambiguity = bothMayBe(families[0], families[1], names, families[1].word->name);
  }
  return chosen;
}

/// Whether there is an effort or a current for every position.
bool hasEfforts(const Families& families) {
  const size_t n = sizeOf(families, Quantity::kPosition);
  return sizeOf(families, Quantity::kEffort) == n || sizeOf(families, Quantity::kCurrent) == n;
}

/// Families by joint name: "a/b/elbow_position" is the position of elbow.
Families namedFamilies(const std::vector<HeaderName>& names,
                       std::vector<std::string>& joints,
                       std::string& ambiguity) {
  Families found;
  for (size_t i = 0; i < names.size(); ++i) {
    const auto name = parseJointName(names[i].text);
    if (!name) continue;
    const Quantity quantity = name->word->quantity;
    const auto [at, is_new] = found[quantity].by_name.emplace(name->joint, i);
    if (!is_new && name->word->rank == 0) continue;
    if (!is_new && parseJointName(names[at->second].text)->word->rank == 0) {
      at->second = i;
      continue;
    }
    if (!is_new && ambiguity.empty())
      ambiguity = "'" + names[at->second].text + "' and '" + names[i].text + "' may both be the " +
                  std::string(name->word->name) + " of " + name->joint;
    if (quantity == Quantity::kPosition &&
        std::find(joints.begin(), joints.end(), name->joint) == joints.end())
      joints.push_back(name->joint);
  }
  return found;
}

bool separates(char c) { return std::string_view("_/. []()").find(c) != std::string_view::npos; }

/// Where a text contains a name between separators: not the y of "velocity" in velocity_y.
size_t findWhole(const std::string& text, const std::string& name) {
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || separates(text[at - 1])) && (end == text.size() || separates(text[end])))
      return at;
  }
  return std::string::npos;
}

/// Columns that contain one of the given names, with a word before or after it, or alone
/// (position).
Families familiesOf(const std::vector<HeaderName>& names, const std::vector<std::string>& joints) {
  Families found;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string& text = names[i].text;
    for (const std::string& joint : joints) {
      const size_t at = findWhole(text, joint);
      if (at == std::string::npos) continue;
      const size_t end = at + joint.size();
      std::string before = lowerCase(text.substr(0, at)), behind = lowerCase(text.substr(end));
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
std::vector<std::string> jointsBehindWords(const std::vector<HeaderName>& names) {
  std::vector<std::string> joints;
  int rank = -1;
  for (const HeaderWord& word : kPrefixes) {
    if (word.quantity != Quantity::kPosition || word.rank <= rank) continue;
    std::vector<std::string> behind;
    for (const HeaderName& name : names)
      if (lowerCase(name.text).starts_with(std::string(word.name) + "_") &&
          name.text.size() > word.name.size() + 1 &&
          !isCommanded(std::string_view(name.text).substr(word.name.size() + 1)))
        behind.push_back(name.text.substr(word.name.size() + 1));
    const Families families = familiesOf(names, behind);
    for (const Quantity other : {Quantity::kVelocity, Quantity::kEffort, Quantity::kCurrent})
      if (const auto found = families.find(other);
          found != families.end() && found->second.by_name.size() == behind.size()) {
        joints = behind;
        rank = word.rank;
      }
  }
  return joints;
}

/// A channel from its columns in the order of the joints.
ChannelMapping channelOf(Quantity quantity,
                         const std::vector<size_t>& columns,
                         const std::vector<HeaderName>& names,
                         ImportMapping& mapping) {
  ChannelMapping channel;
  for (size_t j = 0; j < columns.size(); ++j) {
    const Unit unit = unitOf(quantity, names[columns[j]], channel.unknown_unit);
    channel.columns.emplace_back(static_cast<std::int64_t>(columns[j]) + 1);
    channel.factors.push_back(unit.to_si);
    channel.unit_known = channel.unit_known || !names[columns[j]].unit.empty();
    if (quantity == Quantity::kPosition) mapping.prismatic[j] = unit.linear;
  }
  return channel;
}

/// How the joints that have efforts or currents are imported without the others, which may be
/// those of a gripper. @param joints  their names; empty: they have numbers
std::string toTakeOnly(Quantity quantity, const std::vector<std::string>& joints) {
  if (quantity != Quantity::kEffort && quantity != Quantity::kCurrent) return "";
  if (joints.empty())
    return fmt::format(
        "; to import only the joints that have them, assign their columns under "
        "[time], [position] and [{}] in a mapping file (`mapping`)",
        tableOfQuantity(quantity));
  return fmt::format("; to import only the joints that have them, name these: `joints` {}",
                     join(joints, ","));
}

/// Sets all channels from their families.
void fillChannels(const std::vector<HeaderName>& names,
                  const Families& families,
                  bool by_number,
                  size_t joints,
                  ImportMapping& mapping) {
  mapping.prismatic.assign(joints, false);
  const auto channel = [&](Quantity quantity) -> std::optional<ChannelMapping> {
    const auto found = families.find(quantity);
    if (found == families.end()) return std::nullopt;
    std::vector<size_t> columns;
    std::vector<std::string> with_column;
    if (by_number) {
      for (const auto& [number, column] : found->second.by_number) columns.push_back(column);
    } else {
      for (const std::string& joint : mapping.joints)
        if (found->second.by_name.contains(joint)) {
          columns.push_back(found->second.by_name.at(joint));
          with_column.push_back(joint);
        }
    }
    if (columns.size() != joints) {
      mapping.notes.push_back(fmt::format("columns in {} for {} of {} joints only: not used{}",
                                          siUnit(quantity, false),
                                          columns.size(),
                                          joints,
                                          toTakeOnly(quantity, with_column)));
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
std::vector<size_t> nameColumns(const std::vector<HeaderName>& names, size_t joints) {
  std::map<int, size_t> by_number;
  for (size_t i = 0; i < names.size(); ++i)
    if (const auto name = parseNumberedName(names[i].text); name && name->word == "name")
      by_number.emplace(name->number, i);
  if (!withoutHoles(by_number) || by_number.size() != joints) return {};
  std::vector<size_t> columns;
  for (const auto& [number, column] : by_number) columns.push_back(column);
  return columns;
}

/// Sets the joints and their channels.
void recogniseChannels(const std::vector<HeaderName>& names,
                       const std::vector<std::string>& wanted,
                       ImportMapping& mapping) {
  std::vector<std::string> joints;
  std::string named_ambiguity, counted_ambiguity;
  const Families named = namedFamilies(names, joints, named_ambiguity);
  const Families counted = chosenFamilies(
      numberedFamilies(names, counted_ambiguity), wanted.size(), names, counted_ambiguity);
  const bool has_wanted =
      !wanted.empty() && std::all_of(wanted.begin(), wanted.end(), [&](const std::string& name) {
        return std::find(joints.begin(), joints.end(), name) != joints.end();
      });
  bool by_number = counted.contains(Quantity::kPosition) && !has_wanted;
  if (by_number && wanted.empty() && !joints.empty()) {
    const Family &a = named.at(Quantity::kPosition), &b = counted.at(Quantity::kPosition);
    const std::vector<size_t> columns = b.columns();
    const bool other_columns =
        std::any_of(a.by_name.begin(), a.by_name.end(), [&](const auto& one) {
          return std::find(columns.begin(), columns.end(), one.second) == columns.end();
        });
    if (other_columns && hasEfforts(named) == hasEfforts(counted)) {
      counted_ambiguity = bothMayBe(a, b, names, "position");
    } else if (other_columns) {
      by_number = hasEfforts(counted);
    }
  }
  if (by_number) {
    const size_t n = counted.at(Quantity::kPosition).size();
    mapping.ambiguity = counted_ambiguity;
    fillChannels(names, counted, true, n, mapping);
    mapping.name_columns = nameColumns(names, n);
    return;
  }
  mapping.ambiguity = named_ambiguity;
  if (!joints.empty() && (wanted.empty() || has_wanted)) {
    mapping.joints = wanted.empty() ? joints : wanted;
    fillChannels(names, named, false, mapping.joints.size(), mapping);
    return;
  }
  mapping.joints = wanted.empty() ? jointsBehindWords(names) : wanted;
  fillChannels(names, familiesOf(names, mapping.joints), false, mapping.joints.size(), mapping);
}

}  // namespace

ImportMapping recogniseHeader(const std::vector<std::string>& header,
                              const std::vector<std::string>& wanted) {
  ImportMapping mapping;
  std::vector<HeaderName> names;
  names.reserve(header.size());
  for (const std::string& name : header) names.push_back(separateUnit(name));
  recogniseChannels(names, wanted, mapping);
  recogniseTime(names, mapping);
  return mapping;
}

}  // namespace dynid
