#include "dynid/robot/toml_reader.h"

#include "dynid/core/text.h"
#include "dynid/robot/source_place.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <sstream>

namespace dynid {
namespace {

// About 0.9 KiB for each joint of a description with every setting.
constexpr size_t kMaxDescriptionBytes = size_t{256} << 10;
/// The parser recurses for every segment of a dotted key and uses a few hundred bytes of stack for
/// each (measured: overflow of 8 MiB between 24000 and 32000 segments). A description of 30 coupled
/// joints has about 1500 dots, nearly all of them in numbers, and one of 250 joints 6000.
constexpr std::ptrdiff_t kMaxDots = 8000;

/// "an integer", "a string", ...
std::string kindOf(const toml::node& node) {
  std::ostringstream out;
  out << (node.is_integer() || node.is_array() ? "an " : "a ") << node.type();
  return out.str();
}

int lineOfNode(const toml::node& node, int otherwise) {
  const auto line = static_cast<int>(node.source().begin.line);
  return line > 0 ? line : otherwise;
}

}  // namespace

TomlReader::TomlReader(const toml::table& table, std::string where, const std::string& file)
    : table_(&table), where_(std::move(where)), file_(&file), line_(lineOfNode(table, 1)) {}

int TomlReader::lineOf(const std::string& key) const {
  for (const auto& [name, node] : *table_)
    if (name.str() == key) {
      const auto line = static_cast<int>(name.source().begin.line);
      return line > 0 ? line : lineOfNode(node, line_);
    }
  return line_;
}

void TomlReader::fail(const std::string& key, const std::string& message) const {
  failAt(*file_, lineOf(key), (where_.empty() ? "" : where_ + " ") + key + ": " + message);
}

void TomlReader::failHere(const std::string& message) const {
  failAt(*file_, line_, (where_.empty() ? "" : where_ + ": ") + message);
}

void TomlReader::failAtNode(const toml::node& node,
                            const std::string& key,
                            const std::string& message) const {
  failAt(*file_,
         lineOfNode(node, lineOf(key)),
         (where_.empty() ? "" : where_ + " ") + key + ": " + message);
}

const toml::node* TomlReader::find(const std::string& key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
  return table_->get(key);
}

bool TomlReader::has(const std::string& key) { return find(key) != nullptr; }

bool TomlReader::isText(const std::string& key) const {
  const toml::node* node = table_->get(key);
  return node != nullptr && node->is_string();
}

bool TomlReader::isArray(const std::string& key) const {
  const toml::node* node = table_->get(key);
  return node != nullptr && node->is_array();
}

std::optional<std::string> TomlReader::text(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_string())
    failAtNode(*node, key, "is " + kindOf(*node) + "; a text in quotes is expected");
  return node->as_string()->get();
}

std::optional<int> TomlReader::word(const std::string& key, const std::vector<std::string>& words) {
  const std::optional<std::string> value = text(key);
  if (!value) return std::nullopt;
  const auto found = std::find(words.begin(), words.end(), *value);
  if (found == words.end())
    fail(key,
         "\"" + *value + "\" is not known" + didYouMean(*value, words) +
             " (one of: " + join(words) + ")");
  return static_cast<int>(found - words.begin());
}

std::optional<bool> TomlReader::flag(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_boolean())
    failAtNode(*node, key, "is " + kindOf(*node) + "; true or false is expected");
  return node->as_boolean()->get();
}

double TomlReader::numberOf(const toml::node& node, const std::string& key) const {
  if (const auto* integer = node.as_integer()) return static_cast<double>(integer->get());
  if (const auto* real = node.as_floating_point()) {
    if (!std::isfinite(real->get())) failAtNode(node, key, "is not finite; give a number");
    return real->get();
  }
  failAtNode(node, key, "is " + kindOf(node) + "; a number is expected");
}

std::optional<double> TomlReader::number(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  return numberOf(*node, key);
}

std::optional<double> TomlReader::positive(const std::string& key) {
  const std::optional<double> value = number(key);
  if (value && *value <= 0.0) fail(key, "is " + toText(*value) + "; a positive number is expected");
  return value;
}

std::optional<int> TomlReader::integer(const std::string& key, int smallest, int largest) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const auto* value = node->as_integer();
  if (value == nullptr || value->get() < smallest || value->get() > largest)
    failAtNode(*node, key, fmt::format("an integer from {} to {} is expected", smallest, largest));
  return static_cast<int>(value->get());
}

std::optional<std::vector<std::string>> TomlReader::texts(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_array())
    failAtNode(*node, key, "is " + kindOf(*node) + "; a list of texts is expected");
  std::vector<std::string> words;
  for (const toml::node& item : *node->as_array()) {
    if (!item.is_string())
      failAtNode(item, key, "holds " + kindOf(item) + "; a list of texts is expected");
    words.push_back(item.as_string()->get());
  }
  return words;
}

std::vector<double> TomlReader::numbersOf(const toml::node& node, const std::string& key) const {
  if (!node.is_array())
    failAtNode(node, key, "is " + kindOf(node) + "; a list of numbers is expected");
  std::vector<double> values;
  for (const toml::node& item : *node.as_array()) values.push_back(numberOf(item, key));
  return values;
}

std::optional<std::vector<double>> TomlReader::numbers(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  return numbersOf(*node, key);
}

std::optional<Eigen::Vector3d> TomlReader::vector3(const std::string& key) {
  const std::optional<std::vector<double>> values = numbers(key);
  if (!values) return std::nullopt;
  if (values->size() != 3)
    fail(key, fmt::format("has {} numbers; three are expected", values->size()));
  return Eigen::Vector3d((*values)[0], (*values)[1], (*values)[2]);
}

std::optional<std::array<double, 2>> TomlReader::interval(const std::string& key) {
  const std::optional<std::vector<double>> values = numbers(key);
  if (!values) return std::nullopt;
  if (values->size() != 2 || !((*values)[0] < (*values)[1]))
    fail(key, "[lower, upper] with lower < upper is expected");
  return std::array<double, 2>{(*values)[0], (*values)[1]};
}

std::optional<std::vector<std::vector<double>>> TomlReader::rows(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_array())
    failAtNode(*node, key, "is " + kindOf(*node) + "; a list of rows is expected");
  std::vector<std::vector<double>> rows;
  for (const toml::node& row : *node->as_array()) rows.push_back(numbersOf(row, key));
  return rows;
}

std::optional<TomlReader> TomlReader::table(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_table()) failAtNode(*node, key, "is " + kindOf(*node) + "; a table is expected");
  return TomlReader(
      *node->as_table(), where_.empty() ? "[" + key + "]" : where_ + " " + key, *file_);
}

std::vector<TomlReader> TomlReader::tables(const std::string& key) {
  const toml::node* node = find(key);
  std::vector<TomlReader> readers;
  if (node == nullptr) return readers;
  const std::string hint = where_.empty() ? "[[" + key + "]]" : "[{ ... }]";
  if (!node->is_array())
    failAtNode(*node, key, "is " + kindOf(*node) + "; a list of tables is expected, as " + hint);
  for (const toml::node& item : *node->as_array()) {
    if (!item.is_table())
      failAtNode(item, key, "holds " + kindOf(item) + "; a list of tables is expected, as " + hint);
    readers.emplace_back(
        *item.as_table(), where_.empty() ? "[[" + key + "]]" : where_ + " " + key, *file_);
  }
  return readers;
}

std::vector<std::pair<std::string, TomlReader>> TomlReader::namedTables(const std::string& key) {
  std::vector<std::pair<std::string, TomlReader>> readers;
  const std::optional<TomlReader> parent = table(key);
  if (!parent) return readers;
  for (const auto& [name, node] : *parent->table_) {
    const std::string child(name.str());
    std::string title = "[";
    title.append(key).append(".").append(child).append("]");
    if (!node.is_table())
      parent->fail(child,
                   std::string("is ")
                       .append(kindOf(node))
                       .append("; a table is expected, as ")
                       .append(title));
    readers.emplace_back(child, TomlReader(*node.as_table(), title, *file_));
  }
  return readers;
}

std::vector<std::string> TomlReader::allKeys() {
  for (const auto& [name, node] : *table_) find(std::string(name.str()));
  return known_;
}

void TomlReader::finish() const {
  for (const auto& [name, node] : *table_) {
    const std::string key(name.str());
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    failAt(*file_,
           lineOf(key),
           "unknown key \"" + key + "\"" + (where_.empty() ? "" : " in " + where_) +
               didYouMean(key, known_) + " (known: " + join(known_) + ")");
  }
}

toml::table parseToml(const std::string& text, const std::string& file) {
  if (text.size() > kMaxDescriptionBytes)
    throw InputError(file + ": is larger than 256 KiB; a robot description is much smaller");
  if (std::count(text.begin(), text.end(), '.') > kMaxDots)
    throw InputError(
        fmt::format("{}: has more than {} dots; this is not a robot description", file, kMaxDots));
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    failAt(file,
           static_cast<int>(error.source().begin.line),
           "not valid TOML: " + std::string(error.description()));
  }
}

}  // namespace dynid
