#include "dynid/logs/import_header.h"

#include "dynid/core/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>

namespace dynid {
namespace {

struct Word {
  std::string_view name;
  Quantity quantity;
  int rank;  // where several families of one channel are there, the highest is taken
};

// Before a joint's number: q3, actual_qd_0, tau_J[2].
constexpr std::array kPrefixes = std::to_array<Word>({{"q", Quantity::kPosition, 1},
                                                      {"pos", Quantity::kPosition, 1},
                                                      {"position", Quantity::kPosition, 2},
                                                      {"joint_position", Quantity::kPosition, 2},
                                                      {"joint_pos", Quantity::kPosition, 2},
                                                      {"theta", Quantity::kPosition, 0},
                                                      {"actual_q", Quantity::kPosition, 3},
                                                      {"q_actual", Quantity::kPosition, 3},
                                                      {"dq", Quantity::kVelocity, 1},
                                                      {"qd", Quantity::kVelocity, 1},
                                                      {"qdot", Quantity::kVelocity, 1},
                                                      {"vel", Quantity::kVelocity, 1},
                                                      {"velocity", Quantity::kVelocity, 2},
                                                      {"joint_velocity", Quantity::kVelocity, 2},
                                                      {"actual_qd", Quantity::kVelocity, 3},
                                                      {"dq_actual", Quantity::kVelocity, 3},
                                                      {"ddq", Quantity::kAcceleration, 1},
                                                      {"qdd", Quantity::kAcceleration, 1},
                                                      {"acc", Quantity::kAcceleration, 1},
                                                      {"acceleration", Quantity::kAcceleration, 2},
                                                      {"tau", Quantity::kEffort, 1},
                                                      {"torque", Quantity::kEffort, 1},
                                                      {"effort", Quantity::kEffort, 2},
                                                      {"joint_torque", Quantity::kEffort, 2},
                                                      {"joint_effort", Quantity::kEffort, 2},
                                                      {"tau_j", Quantity::kEffort, 3},
                                                      {"tau_measured", Quantity::kEffort, 3},
                                                      {"i", Quantity::kCurrent, 0},
                                                      {"current", Quantity::kCurrent, 2},
                                                      {"motor_current", Quantity::kCurrent, 2},
                                                      {"joint_current", Quantity::kCurrent, 2},
                                                      {"actual_current", Quantity::kCurrent, 3}});

// After a joint's name: elbow_position, elbow/effort.
constexpr std::array kSuffixes = std::to_array<Word>({{"position", Quantity::kPosition, 2},
                                                      {"pos", Quantity::kPosition, 1},
                                                      {"velocity", Quantity::kVelocity, 2},
                                                      {"vel", Quantity::kVelocity, 1},
                                                      {"acceleration", Quantity::kAcceleration, 2},
                                                      {"acc", Quantity::kAcceleration, 1},
                                                      {"effort", Quantity::kEffort, 2},
                                                      {"torque", Quantity::kEffort, 2},
                                                      {"current", Quantity::kCurrent, 2}});

/// A header's name in parts: "q_3 [deg]" is q_3 and deg.
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

/// Cuts a unit in brackets from the end, but not a joint's number: tau[3].
Name split(const std::string& header) {
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

/// The factor and kind of a unit in a header; an unknown word in brackets is no unit, said in a
/// note.
Unit unitOf(Quantity quantity, const Name& name, std::vector<std::string>& notes) {
  if (name.unit.empty()) return {};
  if (const std::optional<Unit> unit = parseUnit(quantity, name.unit)) return *unit;
  notes.push_back("'" + name.text + "': '" + name.unit + "' is not a unit, taken as SI");
  return {};
}

/// A numbered name: "tau_J[2]" is tau_j and 2.
std::optional<std::pair<std::string, int>> numbered(const std::string& text) {
  std::string plain = lower(text);
  if (plain.ends_with(']') || plain.ends_with(')')) plain.pop_back();
  size_t digits = plain.size();
  while (digits > 0 && plain[digits - 1] >= '0' && plain[digits - 1] <= '9') --digits;
  if (digits == plain.size() || plain.size() - digits > 3) return std::nullopt;
  int number = 0;
  std::from_chars(plain.data() + digits, plain.data() + plain.size(), number);
  while (digits > 0 && std::string_view("_[(. -").find(plain[digits - 1]) != std::string_view::npos)
    --digits;
  return std::pair(plain.substr(0, digits), number);
}

/// One family of columns found: by number or by joint.
struct Family {
  int rank = -1;
  std::map<int, size_t> by_number;        // joint's number -> column
  std::map<std::string, size_t> by_name;  // joint -> column
};

bool withoutHoles(const std::map<int, size_t>& by_number) {
  return !by_number.empty() && (by_number.begin()->first == 0 || by_number.begin()->first == 1) &&
         by_number.rbegin()->first - by_number.begin()->first + 1 ==
             static_cast<int>(by_number.size());
}

/// The best complete family of numbered columns of each channel.
std::map<Quantity, Family> numberedFamilies(const std::vector<Name>& names) {
  std::map<const Word*, Family> found;
  for (size_t i = 0; i < names.size(); ++i)
    if (const auto parts = numbered(names[i].text))
      for (const Word& word : kPrefixes)
        if (parts->first == word.name) found[&word].by_number.emplace(parts->second, i);
  std::map<Quantity, Family> best;
  for (auto& [word, family] : found) {
    Family& now = best[word->quantity];
    if (!withoutHoles(family.by_number) || word->rank <= now.rank) continue;
    family.rank = word->rank;
    now = family;
  }
  std::erase_if(best, [](const auto& entry) { return entry.second.rank < 0; });
  return best;
}

/// "a/b/elbow_position" is elbow and position.
std::map<Quantity, Family> namedFamilies(const std::vector<Name>& names,
                                         std::vector<std::string>& joints) {
  std::map<Quantity, Family> found;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string& text = names[i].text;
    const std::string plain = lower(text);
    for (const Word& word : kSuffixes) {
      if (!plain.ends_with(word.name) || plain.size() < word.name.size() + 2) continue;
      const size_t at = plain.size() - word.name.size() - 1;
      if (std::string_view("_/.").find(plain[at]) == std::string_view::npos) continue;
      std::string joint = text.substr(0, at);
      if (const size_t slash = joint.find_last_of('/'); slash != std::string::npos)
        joint.erase(0, slash + 1);
      if (joint.empty()) continue;
      found[word.quantity].by_name.emplace(joint, i);
      if (word.quantity == Quantity::kPosition &&
          std::find(joints.begin(), joints.end(), joint) == joints.end())
        joints.push_back(joint);
    }
  }
  return found;
}

void recogniseTime(const std::vector<Name>& names, ImportMapping& mapping) {
  for (const Name& name : names) {
    std::string text = lower(name.text);
    if (const size_t slash = text.find_last_of('/'); slash != std::string::npos)
      text.erase(0, slash + 1);
    std::string unit = name.unit;
    for (const char* suffix : {"_ms", "_us", "_ns", "_s", "_sec"})
      if (unit.empty() && text.ends_with(suffix)) {
        unit = std::string(suffix).substr(1);
        text.erase(text.size() - std::string_view(suffix).size());
      }
    const bool is_time = text == "t" || text == "time" || text == "timestamp" || text == "__time";
    const std::optional<Unit> known = parseUnit(Quantity::kTime, unit.empty() ? "s" : unit);
    if (!is_time || !known) continue;
    mapping.time = static_cast<std::int64_t>(&name - names.data()) + 1;
    mapping.time_factor = known->to_si;
    mapping.notes.push_back("'" + name.text + "' is the time, in " + (unit.empty() ? "s" : unit));
    return;
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
    if (quantity == Quantity::kPosition) mapping.prismatic[j] = unit.linear;
  }
  const Name& first = names[columns.front()];
  mapping.notes.push_back(
      "'" + first.text + "' and so on: " + siUnit(quantity, mapping.prismatic.front()) +
      (first.unit.empty() ? " (no unit in the header)" : " from " + first.unit));
  return channel;
}

}  // namespace

ImportMapping recogniseHeader(const std::vector<std::string>& header) {
  ImportMapping mapping;
  std::vector<Name> names;
  names.reserve(header.size());
  for (const std::string& name : header) names.push_back(split(name));
  recogniseTime(names, mapping);
  std::vector<std::string> joints;
  const std::map<Quantity, Family> named = namedFamilies(names, joints);
  const std::map<Quantity, Family> counted = numberedFamilies(names);
  const bool by_number = counted.contains(Quantity::kPosition);
  if (!by_number) mapping.joints = joints;
  const size_t n =
      by_number ? counted.at(Quantity::kPosition).by_number.size() : mapping.joints.size();
  if (n == 0) return mapping;
  mapping.prismatic.assign(n, false);

  const auto channel = [&](Quantity quantity) -> std::optional<ChannelMapping> {
    const std::map<Quantity, Family>& families = by_number ? counted : named;
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
    if (columns.size() != n) {
      mapping.notes.push_back(siUnit(quantity, false) + " columns for " +
                              std::to_string(columns.size()) + " of " + std::to_string(n) +
                              " joints only: not used");
      return std::nullopt;
    }
    return channelOf(quantity, columns, names, mapping);
  };
  mapping.position = channel(Quantity::kPosition);
  mapping.velocity = channel(Quantity::kVelocity);
  mapping.acceleration = channel(Quantity::kAcceleration);
  mapping.effort = channel(Quantity::kEffort);
  if (!mapping.effort) mapping.current = channel(Quantity::kCurrent);
  return mapping;
}

}  // namespace dynid
