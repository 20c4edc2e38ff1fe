#pragma once

#include "dynid/core/toml.h"

#include <Eigen/Core>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// Reads one TOML table: checks the type of every value, knows the line of every key, and remembers
/// which keys were read, so that `finish` can refuse the others. All getters return an empty value
/// if the key is missing.
/// @throws InputError "file:line: ..." for a value of another type or a number that is not finite
class TomlReader {
 public:
  /// `where`: the table's name in messages, such as "[joint.elbow]"; "" for the top level.
  TomlReader(const toml::table& table, std::string where, const std::string& file);

  int line() const { return line_; }
  int lineOf(const std::string& key) const;
  bool has(const std::string& key);
  [[noreturn]] void fail(const std::string& key, const std::string& message) const;
  [[noreturn]] void failHere(const std::string& message) const;

  std::optional<std::string> text(const std::string& key);
  /// The index of the value in `words`. @throws InputError if it is none of them
  std::optional<int> word(const std::string& key, const std::vector<std::string>& words);
  std::optional<bool> flag(const std::string& key);
  std::optional<double> number(const std::string& key);
  std::optional<double> positive(const std::string& key);
  std::optional<int> integer(const std::string& key, int smallest, int largest);
  std::optional<std::vector<std::string>> texts(const std::string& key);
  std::optional<std::vector<double>> numbers(const std::string& key);
  std::optional<Eigen::Vector3d> vector3(const std::string& key);
  /// [lower, upper] with lower < upper.
  std::optional<std::array<double, 2>> interval(const std::string& key);
  std::optional<std::vector<std::vector<double>>> rows(const std::string& key);
  std::optional<TomlReader> table(const std::string& key);
  /// The tables of `[[key]]` or of an array of inline tables.
  std::vector<TomlReader> tables(const std::string& key);
  /// The named tables below `[key.*]`, by name.
  std::vector<std::pair<std::string, TomlReader>> namedTables(const std::string& key);
  /// The keys of this table; all count as read.
  std::vector<std::string> allKeys();

  bool isText(const std::string& key) const;
  bool isArray(const std::string& key) const;

  /// @throws InputError `unknown key "x"`, with the nearest known key, for a key that was not read
  void finish() const;

 private:
  const toml::node* find(const std::string& key);
  std::vector<double> numbersOf(const toml::node& node, const std::string& key) const;
  double numberOf(const toml::node& node, const std::string& key) const;
  [[noreturn]] void failAtNode(const toml::node& node,
                               const std::string& key,
                               const std::string& message) const;

  const toml::table* table_;
  std::string where_;
  const std::string* file_;
  int line_ = 1;
  std::vector<std::string> known_;
};

/// Parses a text as TOML 1.0. @throws InputError "file:line: ..." if it is not TOML, is not UTF-8,
/// or exceeds 256 KiB (far above any description; deeply nested keys would exhaust the parser's
/// stack)
toml::table parseToml(const std::string& text, const std::string& file);

}  // namespace dynid
