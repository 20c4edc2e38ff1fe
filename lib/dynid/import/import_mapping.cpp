#include "dynid/import/import_mapping.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/core/text.h"
#include "dynid/core/toml.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

constexpr size_t kMaxBytes = 65536;
constexpr int kMaxRange = 1000;
/// Keys that describe a text and its columns.
constexpr std::array<const char*, 7> kTextKeys = {
    "delimiter", "decimal_comma", "header", "skip_rows", "comment", "sample_rate_hz", "time"};

/// Reads the keys of a table; error messages contain the line.
class Table {
 public:
  Table(const toml::table& table, std::string path) : table_(table), path_(std::move(path)) {}

  [[noreturn]] void refuse(const toml::node& node, const std::string& why) const {
    throw InputError(fmt::format("{}:{}: {}", path_, node.source().begin.line, why));
  }
  void onlyKeys(const std::vector<std::string>& known) const {
    for (const auto& [key, node] : table_) {
      const std::string name(key.str());
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw InputError(
            fmt::format("{}:{}: unknown key '{}'{}{}",
                        path_,
                        key.source().begin.line,
                        name,
                        didYouMean(name, known),
                        (didYouMean(name, known).empty() ? "; known are " + join(known) : "")));
    }
  }
  const toml::node* find(const char* key) const { return table_.get(key); }

  std::string text(const char* key) const {
    const toml::node* node = find(key);
    if (node == nullptr) return {};
    if (!node->is_string()) refuse(*node, std::string(key) + " must be a string");
    return std::string(node->as_string()->get());
  }
  std::optional<bool> flag(const char* key) const {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    if (!node->is_boolean()) refuse(*node, std::string(key) + " must be true or false");
    return node->as_boolean()->get();
  }
  double finite(const toml::node& node, const std::string& key) const {
    const std::optional<double> value = node.value<double>();
    if (!node.is_number() || !value || !std::isfinite(*value))
      refuse(node, key + " must be a finite number");
    return *value;
  }
  std::optional<double> number(const char* key) const {
    const toml::node* node = find(key);
    return node == nullptr ? std::nullopt : std::optional<double>(finite(*node, key));
  }
  std::vector<std::string> texts(const char* key) const {
    std::vector<std::string> all;
    forEach(key, [&](const toml::node& node) {
      if (!node.is_string()) refuse(node, std::string(key) + " must be a list of strings");
      all.emplace_back(node.as_string()->get());
    });
    return all;
  }
  std::vector<double> numbers(const char* key) const {
    std::vector<double> all;
    forEach(key, [&](const toml::node& node) { all.push_back(finite(node, key)); });
    return all;
  }
  /// Exactly `count` numbers, or none if the key is missing.
  std::vector<double> numbers(const char* key, size_t count) const {
    std::vector<double> all = numbers(key);
    if (find(key) != nullptr && all.size() != count)
      refuse(*find(key), fmt::format("{} must have {} numbers", key, count));
    return all;
  }
  std::optional<Table> table(const char* key) const {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    if (!node->is_table()) refuse(*node, std::string(key) + " must be a table [" + key + "]");
    return Table(*node->as_table(), path_);
  }
  const toml::node& self() const { return table_; }

 private:
  template <typename Visit>
  void forEach(const char* key, const Visit& visit) const {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    if (!node->is_array()) {
      visit(*node);
      return;
    }
    for (const toml::node& element : *node->as_array()) visit(element);
  }

  const toml::table& table_;
  std::string path_;
};

char delimiterNamed(const Table& table, const std::string& name) {
  if (name == "comma" || name == ",") return ',';
  if (name == "semicolon" || name == ";") return ';';
  if (name == "tab" || name == "\t") return '\t';
  if (name == "blank" || name == "space" || name == " ") return ' ';
  table.refuse(*table.find("delimiter"),
               "delimiter '" + name + "' is not known; known are comma, semicolon, tab, blank");
}

CsvFormat readFormat(const Table& table) {
  CsvFormat format;
  if (const std::string name = table.text("delimiter"); !name.empty() && name != "auto")
    format.delimiter = delimiterNamed(table, name);
  format.decimal_comma = table.flag("decimal_comma");
  format.header = table.flag("header");
  if (table.find("comment") != nullptr) format.comment = table.text("comment");
  if (const std::optional<double> rows = table.number("skip_rows")) {
    if (*rows < 0.0 || *rows != std::floor(*rows) || *rows > 1e9)
      table.refuse(*table.find("skip_rows"), "skip_rows must be a whole number, 0 or more");
    format.skip_rows = static_cast<std::int64_t>(*rows);
  }
  return format;
}

std::vector<ColumnRef> readColumns(const Table& table, const char* key) {
  const toml::node* node = table.find(key);
  if (node == nullptr) table.refuse(table.self(), std::string("'") + key + "' is missing here");
  std::vector<ColumnRef> columns;
  const auto add = [&](const toml::node& element) {
    if (element.is_integer()) {
      const std::int64_t number = element.as_integer()->get();
      if (number < 1) table.refuse(element, "columns are numbered from 1");
      columns.emplace_back(number);
      return;
    }
    if (!element.is_string()) table.refuse(element, std::string(key) + ": give names or numbers");
    const auto names = expandPattern(std::string(element.as_string()->get()));
    if (!names) table.refuse(element, "a range is written {first..last}, as in \"q_{0..5}\"");
    columns.insert(columns.end(), names->begin(), names->end());
  };
  if (node->is_array()) {
    for (const toml::node& element : *node->as_array()) add(element);
  } else {
    add(*node);
  }
  return columns;
}

/// One value per joint, from one value or a list; `otherwise` if the key is missing.
template <typename T>
std::vector<T> perJoint(
    const Table& table, const char* key, std::vector<T> given, size_t joints, const T& otherwise) {
  if (given.empty()) return std::vector<T>(joints, otherwise);
  if (given.size() == 1) return std::vector<T>(joints, given.front());
  if (given.size() != joints)
    table.refuse(*table.find(key),
                 fmt::format("{} has {} entries for {} joints", key, given.size(), joints));
  return given;
}

/// One factor per joint: one number for all, a list, or `{ joint = number }` for some, 1 for
/// others.
std::vector<double> factorsOf(const Table& table,
                              const char* key,
                              const std::vector<std::string>& names,
                              size_t joints) {
  if (table.find(key) == nullptr || !table.find(key)->is_table())
    return perJoint(table, key, table.numbers(key), joints, 1.0);
  std::vector<double> factors(joints, 1.0);
  for (const auto& [name, value] : *table.find(key)->as_table()) {
    const std::string joint(name.str());
    const auto found = std::find(names.begin(), names.end(), joint);
    if (found == names.end())
      table.refuse(
          value,
          names.empty()
              ? fmt::format("{} names joints, but there is no list joints", key)
              : fmt::format(
                    "{}: '{}' is not one of the joints{}", key, joint, didYouMean(joint, names)));
    factors[static_cast<size_t>(found - names.begin())] = table.finite(value, key);
  }
  return factors;
}

/// Product of sign, scale and gear ratio per joint, without the unit.
std::vector<double> plainFactors(const Table& table,
                                 Quantity quantity,
                                 const std::vector<std::string>& names,
                                 size_t joints) {
  const std::vector<double> scale = factorsOf(table, "scale", names, joints);
  const std::vector<double> sign = factorsOf(table, "sign", names, joints);
  const std::vector<double> ratio = factorsOf(table, "gear_ratio", names, joints);
  if (quantity == Quantity::kCurrent && table.find("gear_ratio") != nullptr)
    table.refuse(
        *table.find("gear_ratio"),
        "gear_ratio has no meaning for a current; give drive_gain in the robot description");
  std::vector<double> factors(joints);
  for (size_t i = 0; i < joints; ++i) {
    if (std::abs(sign[i]) != 1.0) table.refuse(*table.find("sign"), "sign must be 1 or -1");
    if (scale[i] == 0.0) table.refuse(*table.find("scale"), "scale must not be zero");
    if (ratio[i] == 0.0) table.refuse(*table.find("gear_ratio"), "gear_ratio must not be zero");
    // From motor side to joint side: motion is divided by the ratio, torque multiplied.
    factors[i] = sign[i] * scale[i] * (quantity == Quantity::kEffort ? ratio[i] : 1.0 / ratio[i]);
  }
  return factors;
}

/// Whether the table of a channel names its columns.
bool namesColumns(const Table& root, const char* channel) {
  const std::optional<Table> table = root.table(channel);
  return table && table->find("columns") != nullptr;
}

/// Multiplies the factors of a channel by its units, and finds the joints that slide.
void applyUnits(const Table& table,
                Quantity quantity,
                ChannelMapping& channel,
                ImportMapping& mapping) {
  const size_t joints = channel.columns.size();
  const std::vector<std::string> units =
      perJoint<std::string>(table, "unit", table.texts("unit"), joints, "");
  for (size_t i = 0; i < joints; ++i) {
    if (units[i].empty()) continue;
    const std::optional<Unit> unit = parseUnit(quantity, units[i]);
    if (!unit)
      table.refuse(*table.find("unit"),
                   "unknown unit '" + units[i] + "'; known are " + knownUnits(quantity));
    if (quantity == Quantity::kPosition && unit->linear) mapping.prismatic[i] = true;
    if (quantity != Quantity::kCurrent && unit->linear != mapping.prismatic[i])
      table.refuse(*table.find("unit"),
                   fmt::format("unit '{}' does not fit the {} joint {}",
                               units[i],
                               mapping.prismatic[i] ? "prismatic" : "revolute",
                               mapping.joints.empty() ? std::to_string(i + 1)
                                                      : "'" + mapping.joints[i] + "'"));
    channel.factors[i] *= unit->to_si;
  }
}

/// Reads the table of a channel.
/// @param recognised  what a table without `columns` changes; nullptr: `columns` is needed
std::optional<ChannelMapping> readChannel(const Table& root,
                                          const char* name,
                                          Quantity quantity,
                                          const std::optional<ChannelMapping>* recognised,
                                          ImportMapping& mapping) {
  const std::optional<Table> table = root.table(name);
  if (!table) return recognised == nullptr ? std::nullopt : *recognised;
  table->onlyKeys({"columns", "unit", "scale", "sign", "gear_ratio"});
  const bool has_unit = table->find("unit") != nullptr;
  ChannelMapping channel;
  if (recognised == nullptr || table->find("columns") != nullptr) {
    channel.columns = readColumns(*table, "columns");
    channel.unit_open = !has_unit;
    channel.scaled = table->find("scale") != nullptr;
  } else if (*recognised) {
    channel = **recognised;
  } else {
    table->refuse(
        table->self(),
        fmt::format("[{}] has no `columns`, and none were recognised that it could change", name));
  }
  const size_t joints = channel.columns.size();
  if (mapping.prismatic.empty()) mapping.prismatic.assign(joints, false);
  if (joints != mapping.prismatic.size())
    table->refuse(
        *table->find("columns"),
        fmt::format("[{}] has {} columns for {} joints", name, joints, mapping.prismatic.size()));
  if (has_unit || channel.factors.empty()) channel.factors.assign(joints, 1.0);
  if (has_unit) channel.unknown_unit.clear();
  channel.unit_known = channel.unit_known || has_unit;
  const std::vector<double> plain = plainFactors(*table, quantity, mapping.joints, joints);
  for (size_t i = 0; i < joints; ++i) channel.factors[i] *= plain[i];
  applyUnits(*table, quantity, channel, mapping);
  return channel;
}

/// Reads the tables of all channels.
/// @param change  the channels of `mapping` were recognised: tables without `columns` change them
void readChannels(const Table& root, bool change, ImportMapping& mapping) {
  const auto read = [&](const char* name, Quantity quantity, std::optional<ChannelMapping>& into) {
    into = readChannel(root, name, quantity, change ? &into : nullptr, mapping);
  };
  if (root.find("effort") != nullptr && root.find("current") != nullptr)
    root.refuse(*root.find("current"), "[effort] and [current] are both given; keep one");
  read("position", Quantity::kPosition, mapping.position);
  read("velocity", Quantity::kVelocity, mapping.velocity);
  read("acceleration", Quantity::kAcceleration, mapping.acceleration);
  read("effort", Quantity::kEffort, mapping.effort);
  read("current", Quantity::kCurrent, mapping.current);
  if (root.find("effort") != nullptr) mapping.current.reset();
  if (root.find("current") != nullptr) mapping.effort.reset();
}

void readTime(const Table& root, ImportMapping& mapping) {
  mapping.sample_rate_hz = root.number("sample_rate_hz");
  if (mapping.sample_rate_hz && !(*mapping.sample_rate_hz > 0.0))
    root.refuse(*root.find("sample_rate_hz"), "sample_rate_hz must be positive");
  const std::optional<Table> table = root.table("time");
  if (!table) {
    if (!mapping.sample_rate_hz && namesColumns(root, "position"))
      root.refuse(root.self(), "there is neither [time] nor sample_rate_hz; one is needed");
    return;
  }
  mapping.time_unit_known = table->find("unit") != nullptr || table->find("scale") != nullptr;
  const bool only_unit = mapping.time_unit_known && table->find("column") == nullptr &&
                         !namesColumns(root, "position");
  if (mapping.sample_rate_hz && only_unit)
    table->refuse(table->self(),
                  "sample_rate_hz replaces the column of times, whose unit is given; keep one");
  if (mapping.sample_rate_hz)
    mapping.warnings.emplace_back(
        "the mapping file has [time] and sample_rate_hz: the times are those of the column; leave "
        "out [time] if the rate is right");
  table->onlyKeys({"column", "unit", "scale"});
  if (!only_unit) {
    const std::vector<ColumnRef> column = readColumns(*table, "column");
    if (column.size() != 1) table->refuse(*table->find("column"), "time is one column");
    mapping.time = column.front();
  }
  const std::string unit = table->find("unit") == nullptr ? "s" : table->text("unit");
  const std::optional<Unit> known = parseUnit(Quantity::kTime, unit);
  if (!known)
    table->refuse(*table->find("unit"),
                  "unknown unit '" + unit + "'; known are " + knownUnits(Quantity::kTime));
  mapping.time_factor = known->to_si * table->number("scale").value_or(1.0);
  if (!(mapping.time_factor > 0.0)) table->refuse(*table->find("scale"), "scale must be positive");
}

void readJoints(const Table& root, ImportMapping& mapping) {
  mapping.joints = root.texts("joints");
  mapping.prismatic.assign(mapping.joints.size(), false);
  mapping.joint_kinds_known = root.find("prismatic") != nullptr;
  for (size_t i = 0; i < mapping.joints.size(); ++i)
    if (mapping.joints[i].empty() ||
        std::count(mapping.joints.begin(), mapping.joints.end(), mapping.joints[i]) > 1)
      root.refuse(*root.find("joints"), "joints: every joint needs a different name");
  for (const std::string& name : root.texts("prismatic")) {
    const auto found = std::find(mapping.joints.begin(), mapping.joints.end(), name);
    if (found == mapping.joints.end())
      root.refuse(
          *root.find("prismatic"),
          "prismatic: '" + name + "' is not one of joints" + didYouMean(name, mapping.joints));
    mapping.prismatic[found - mapping.joints.begin()] = true;
  }
}

std::optional<PayloadNote> readPayload(const Table& root) {
  const std::optional<Table> table = root.table("payload");
  if (!table) return std::nullopt;
  table->onlyKeys({"link", "name", "mass", "com", "inertia"});
  PayloadNote payload;
  payload.link = table->text("link");
  payload.name = table->text("name");
  if (const std::optional<double> mass = table->number("mass")) {
    if (*mass < 0.0) table->refuse(*table->find("mass"), "mass must not be negative");
    payload.mass = *mass;
  }
  if (const std::vector<double> com = table->numbers("com", 3); !com.empty())
    payload.com = Eigen::Vector3d::Map(com.data());
  if (const std::vector<double> inertia = table->numbers("inertia", 6); !inertia.empty())
    payload.inertia = Eigen::Matrix<double, 6, 1>::Map(inertia.data());
  return payload;
}

ImportMapping interpret(const Table& root) {
  root.onlyKeys({"delimiter",    "decimal_comma", "header",  "skip_rows", "comment",
                 "joints",       "prismatic",     "robot",   "source",    "license",
                 "description",  "gravity",       "time",    "position",  "velocity",
                 "acceleration", "effort",        "current", "payload",   "sample_rate_hz"});
  ImportMapping mapping;
  mapping.format = readFormat(root);
  readJoints(root, mapping);
  readTime(root, mapping);
  if (namesColumns(root, "position")) readChannels(root, false, mapping);
  mapping.robot = root.text("robot");
  mapping.source = root.text("source");
  mapping.license = root.text("license");
  mapping.description = root.text("description");
  if (const std::vector<double> gravity = root.numbers("gravity", 3); !gravity.empty())
    mapping.gravity = Eigen::Vector3d::Map(gravity.data());
  mapping.payload = readPayload(root);
  return mapping;
}

/// Parses the file and passes it to `use`.
template <typename Use>
auto withRoot(const std::filesystem::path& path, const Use& use) {
  const std::string text = readTextFile(path, kMaxBytes);
  try {
    const toml::table root = toml::parse(text, path.string());
    return use(Table(root, path.string()));
  } catch (const toml::parse_error& error) {
    throw InputError(fmt::format(
        "{}:{}: {}", path.string(), error.source().begin.line, std::string(error.description())));
  }
}

}  // namespace

const char* tableOfQuantity(Quantity quantity) {
  switch (quantity) {
    case Quantity::kTime:
      return "time";
    case Quantity::kPosition:
      return "position";
    case Quantity::kVelocity:
      return "velocity";
    case Quantity::kAcceleration:
      return "acceleration";
    case Quantity::kEffort:
      return "effort";
    case Quantity::kCurrent:
      return "current";
  }
  return "";
}

std::optional<std::vector<std::string>> expandPattern(const std::string& pattern) {
  const size_t open = pattern.find('{');
  if (open == std::string::npos) return std::vector<std::string>{pattern};
  const size_t close = pattern.find('}', open);
  const size_t dots = pattern.find("..", open);
  if (close == std::string::npos || dots == std::string::npos || dots > close) return std::nullopt;
  const auto whole = [&](size_t begin, size_t end) -> std::optional<int> {
    int value = 0;
    const auto [stop, error] = std::from_chars(pattern.data() + begin, pattern.data() + end, value);
    if (error != std::errc() || stop != pattern.data() + end) return std::nullopt;
    return value;
  };
  const std::optional<int> first = whole(open + 1, dots);
  const std::optional<int> last = whole(dots + 2, close);
  if (!first || !last || *first < 0 || *last < *first || *last - *first >= kMaxRange)
    return std::nullopt;
  std::vector<std::string> names;
  for (int i = *first; i <= *last; ++i)
    names.push_back(pattern.substr(0, open) + std::to_string(i) + pattern.substr(close + 1));
  return names;
}

ImportMapping readImportMapping(const std::filesystem::path& path) {
  return withRoot(path, interpret);
}

ImportMapping readMappingOfMessages(const std::filesystem::path& path) {
  return withRoot(path, [](const Table& root) {
    for (const char* key : kTextKeys)
      if (root.find(key) != nullptr)
        root.refuse(
            *root.find(key),
            fmt::format("{} is for tables of text; a ROS recording needs no such key", key));
    for (const char* channel : {"position", "velocity", "acceleration", "effort", "current"})
      if (namesColumns(root, channel))
        root.refuse(*root.table(channel)->find("columns"),
                    "the messages of a ROS recording have no columns; leave this key out");
    return interpret(root);
  });
}

void changeChannels(const std::filesystem::path& path, ImportMapping& mapping) {
  withRoot(path, [&](const Table& root) { readChannels(root, true, mapping); });
}

}  // namespace dynid
