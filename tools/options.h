#pragma once

#include "dynid/core/errors.h"

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace dynid::tool {

/// A line of a text file without its comment (from a '#' at the start or after a blank).
std::string_view withoutComment(std::string_view line);

/// The options of one subcommand. Each is bound to a variable whose initial value is the default.
/// Names are the same on the command line (`--name value`) and in a configuration file (one `name =
/// value` per line). The command line has priority over the file, and the file over the default.
/// Abbreviated names are not accepted.
class Options {
 public:
  /// @param example  a complete, working command line; the first line of the help
  /// @param purpose  what the command does, one paragraph
  Options(std::string command, std::string example, std::string purpose);

  void flag(const std::string& name, bool& target, const std::string& help);
  void onOff(const std::string& name, bool& target, const std::string& help);
  /// @param default_text  shown if the default is not a finite number ("chosen from the data")
  void number(const std::string& name,
              double& target,
              const std::string& unit,
              const std::string& help,
              const std::string& default_text = "");
  void integer(const std::string& name, int& target, int minimum, const std::string& help);
  void text(const std::string& name,
            std::string& target,
            const std::string& placeholder,
            const std::string& help);
  void texts(const std::string& name,
             std::vector<std::string>& target,
             const std::string& placeholder,
             const std::string& help);
  /// Bare arguments become values of this option (one for `text`, any number for `texts`).
  void positional(const std::string& name);

  /// Reads the command line and `--config`.
  /// @returns false if the output was already printed (help, effective settings)
  /// @throws UsageError with the place ("--name" or "file:line") and a suggestion, for unknown or
  ///     repeated names and invalid values; InputError if the configuration file cannot be read
  bool parse(const std::vector<std::string>& arguments);

  const std::string& command() const { return command_; }
  bool json() const { return json_; }
  bool quiet() const { return quiet_; }
  bool verbose() const { return verbose_; }
  /// Whether the command line or the configuration file gave this option.
  bool given(const std::string& name) const;
  /// Effective settings as name and value, in order of declaration.
  std::vector<std::pair<std::string, std::string>> effective() const;
  /// @throws UsageError "--name is missing: why" if the option was not given
  void require(const std::string& name, const std::string& why) const;
  std::string help() const;
  /// The help as JSON: { command, example, purpose, options: [ { name, value, unit, help, default,
  /// repeatable, common } ] }. Manual pages and shell completions are generated from it.
  std::string helpJson() const;

  /// Runs a check of the library on the user's arguments and converts its exceptions to usage
  /// errors. The settings that the messages name become options when they are printed
  /// (withOptionNames).
  /// @throws UsageError in place of std::invalid_argument
  template <typename Check>
  void asUsage(const Check& check) const {
    try {
      check();
    } catch (const std::invalid_argument& error) {
      throw UsageError(error.what());
    }
  }

 private:
  struct Option {
    std::string name, placeholder, unit, help, default_text;
    bool is_flag = false, repeatable = false, common = false;
    std::function<void(const std::string& value, const std::string& place)> set = {};
    // Repeatable options: removes values from a source of lower priority
    std::function<void()> clear = {};
    std::function<std::vector<std::string>()> values = {};  // several if repeatable
    std::string origin = "default";

    std::string show() const;  // the values in one line
  };

  void add(Option option);
  Option* find(const std::string& name);
  const Option* find(const std::string& name) const;
  std::vector<std::string> names() const;
  void readCommandLine(const std::vector<std::string>& arguments);
  void readConfig(const std::filesystem::path& path);
  std::string printedSettings() const;
  static std::string helpOf(const Option& option, bool is_positional);

  std::string command_, example_, purpose_;
  std::vector<Option> options_;
  std::string positional_;
  bool help_ = false, print_config_ = false, json_ = false, quiet_ = false, verbose_ = false;
  std::string config_;
};

/// Declares --threads; the default is one thread per core. Results do not depend on it.
void declareThreads(Options& options,
                    int& threads,
                    const std::string& effect = "the result does not depend on it");

}  // namespace dynid::tool
