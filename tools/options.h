#pragma once

#include "dynid/core/errors.h"

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace dynid::tool {

/// The options of one subcommand, each bound to a variable whose present value is the default.
/// Names are the same on the command line (`--name value`) and in a configuration file (`name =
/// value` a line); the command line beats the file, the file beats the default. Nothing is matched
/// by prefix.
class Options {
 public:
  /// @param example  a whole command line that runs; the first line of the help
  /// @param purpose  what the command does, one paragraph
  Options(std::string command, std::string example, std::string purpose);

  void flag(const std::string& name, bool& target, const std::string& help);
  void onOff(const std::string& name, bool& target, const std::string& help);
  /// @param default_text  shown where the default is not a finite number ("chosen from the data")
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
  /// Bare arguments are values of this option too (one for `text`, any number for `texts`).
  void positional(const std::string& name);

  /// Reads the command line and `--config`. Returns false if the answer was printed already (help,
  /// effective settings).
  /// @throws UsageError for unknown or repeated names, bad values, with the place ("--name" or
  /// "file:line") and a suggestion; InputError if the configuration file cannot be read.
  bool parse(const std::vector<std::string>& arguments);

  const std::string& command() const { return command_; }
  bool json() const { return json_; }
  bool quiet() const { return quiet_; }
  bool verbose() const { return verbose_; }
  /// True if the command line or the configuration file gave this option.
  bool given(const std::string& name) const;
  /// Effective settings, name and value, in order of declaration.
  std::vector<std::pair<std::string, std::string>> effective() const;
  /// @throws UsageError "--name is missing: why" unless given.
  void require(const std::string& name, const std::string& why) const;
  std::string help() const;
  /// The same as JSON: { command, example, purpose, options: [ { name, value, unit, help, default,
  /// repeatable, common } ] }. Man pages and completions are made from it.
  std::string helpJson() const;

  /// Runs a check of the library on what the user asked for: its complaint about an argument is the
  /// user's mistake, and about a field of the library's options ("SomeOptions: rate_hz is 0; ...")
  /// one about the option of that name ("--rate is 0; ...").
  /// @throws UsageError in place of std::invalid_argument
  template <typename Check>
  void asUsage(const Check& check) const {
    try {
      check();
    } catch (const std::invalid_argument& error) {
      throw UsageError(optionInPlaceOfField(error.what()));
    }
  }

 private:
  struct Option {
    std::string name, placeholder, unit, help, default_text;
    bool is_flag = false, repeatable = false, common = false;
    std::function<void(const std::string& value, const std::string& place)> set = {};
    std::function<void()> clear = {};  // repeatable: forget what a weaker source gave
    std::function<std::string()> show = {};
    std::string origin = "default";
  };

  void add(Option option);
  Option* find(const std::string& name);
  const Option* find(const std::string& name) const;
  std::vector<std::string> names() const;
  void readCommandLine(const std::vector<std::string>& arguments);
  void readConfig(const std::filesystem::path& path);
  std::string printedSettings() const;
  std::string optionInPlaceOfField(const std::string& complaint) const;
  static std::string helpOf(const Option& option, bool is_positional);

  std::string command_, example_, purpose_;
  std::vector<Option> options_;
  std::string positional_;
  bool help_ = false, print_config_ = false, json_ = false, quiet_ = false, verbose_ = false;
  std::string config_;
};

/// --threads, by default one a core. Results do not depend on it.
void declareThreads(Options& options, int& threads);

}  // namespace dynid::tool
