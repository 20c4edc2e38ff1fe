#include "options.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/report/numbers.h"

#include <boost/program_options.hpp>

#include "console.h"
#include "files.h"
#include "option_names.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

namespace dynid::tool {
namespace {

constexpr size_t kMaxConfigBytes = 64 << 10;

bool toBool(const std::string& value, const std::string& place) {
  for (const char* yes : {"on", "true", "yes", "1"})
    if (value == yes) return true;
  for (const char* no : {"off", "false", "no", "0"})
    if (value == no) return false;
  throw UsageError(place + ": \"" + value + "\" is neither on nor off");
}

std::string onOffText(bool value) { return value ? "on" : "off"; }

// The value of a line of a configuration file: in quotes, where `#` is part of it, or up to a
// comment.
std::string valueIn(std::string_view text) {
  text = trim(text);
  if (text.starts_with('"'))
    for (size_t end = text.find('"', 1); end != std::string_view::npos;
         end = text.find('"', end + 1))
      if (const std::string_view rest = trim(text.substr(end + 1)); rest.empty() || rest[0] == '#')
        return std::string(text.substr(1, end - 1));
  return std::string(trim(withoutComment(text)));
}

// The value in the form that valueIn reads back.
std::string inConfiguration(const std::string& value) {
  return valueIn(value) == value ? value : '"' + value + '"';
}

}  // namespace

std::string_view withoutComment(std::string_view line) {
  for (size_t i = 0; i < line.size(); ++i)
    if (line[i] == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t'))
      return line.substr(0, i);
  return line;
}

Options::Options(std::string command, std::string example, std::string purpose)
    : command_(std::move(command)), example_(std::move(example)), purpose_(std::move(purpose)) {
  flag("json", json_, "print the result as JSON on standard output, and nothing else there");
  flag("quiet", quiet_, "print errors only");
  flag("verbose", verbose_, "print progress on standard error");
  text("config",
       config_,
       "FILE",
       "read options from a file, one `name = value` per line; `#` starts a comment, "
       "outside of quotes. Paths are relative to the current folder. The command line takes "
       "precedence");
  flag("print-config",
       print_config_,
       "print every option with its value, unit and origin, defaults as comments, and stop");
  flag("help", help_, "print this text (-h)");
  for (Option& option : options_) option.common = true;
}

std::string Options::Option::show() const { return join(values()); }

void Options::add(Option option) { options_.push_back(std::move(option)); }

void Options::flag(const std::string& name, bool& target, const std::string& help) {
  onOff(name, target, help);
  options_.back().is_flag = true;
  options_.back().placeholder.clear();
}

void Options::onOff(const std::string& name, bool& target, const std::string& help) {
  Option option{name, "on|off", "", help, ""};
  option.set = [&target](const std::string& value, const std::string& place) {
    target = toBool(value, place);
  };
  option.values = [&target] { return std::vector<std::string>{onOffText(target)}; };
  add(std::move(option));
}

void Options::number(const std::string& name,
                     double& target,
                     const std::string& unit,
                     const std::string& help,
                     const std::string& default_text) {
  Option option{name, "X", unit, help, default_text};
  option.set = [&target, unit](const std::string& value, const std::string& place) {
    const std::optional<double> number = parseFinite(value);
    if (!number)
      throw UsageError(place + ": \"" + value + "\" is not a finite number" +
                       (unit.empty() ? "" : " [" + unit + "]"));
    target = *number;
  };
  option.values = [&target] {
    return std::isfinite(target) ? std::vector<std::string>{toText(target, 12)}
                                 : std::vector<std::string>{};
  };
  add(std::move(option));
}

void Options::integer(const std::string& name, int& target, int minimum, const std::string& help) {
  Option option{name, "N", "", help, ""};
  option.set = [&target, minimum](const std::string& value, const std::string& place) {
    int number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() || number < minimum)
      throw UsageError(place + ": \"" + value + "\" is not a whole number of at least " +
                       std::to_string(minimum));
    target = number;
  };
  option.values = [&target] { return std::vector<std::string>{std::to_string(target)}; };
  add(std::move(option));
}

void Options::text(const std::string& name,
                   std::string& target,
                   const std::string& placeholder,
                   const std::string& help) {
  Option option{name, placeholder, "", help, ""};
  option.set = [&target](const std::string& value, const std::string& place) {
    if (value.empty()) throw UsageError(place + ": the value is empty");
    target = value;
  };
  option.values = [&target] { return std::vector<std::string>{target}; };
  add(std::move(option));
}

void Options::texts(const std::string& name,
                    std::vector<std::string>& target,
                    const std::string& placeholder,
                    const std::string& help) {
  Option option{name, placeholder, "", help + " (repeatable)", ""};
  option.repeatable = true;
  option.set = [&target](const std::string& value, const std::string& place) {
    if (value.empty()) throw UsageError(place + ": the value is empty");
    target.push_back(value);
  };
  option.clear = [&target] { target.clear(); };
  option.values = [&target] { return target; };
  add(std::move(option));
}

void Options::positional(const std::string& name) { positional_ = name; }

Options::Option* Options::find(const std::string& name) {
  const auto it = std::find_if(
      options_.begin(), options_.end(), [&](const Option& option) { return option.name == name; });
  return it == options_.end() ? nullptr : &*it;
}

const Options::Option* Options::find(const std::string& name) const {
  return const_cast<Options*>(this)->find(name);
}

std::vector<std::string> Options::names() const {
  std::vector<std::string> all;
  std::transform(
      options_.begin(), options_.end(), std::back_inserter(all), [](const Option& option) {
        return option.name;
      });
  return all;
}

bool Options::given(const std::string& name) const {
  const Option* option = find(name);
  return option != nullptr && option->origin != "default";
}

void Options::require(const std::string& name, const std::string& why) const {
  if (given(name)) return;
  throw UsageError((positional_ == name ? "--" + name + " (or a bare argument)" : "--" + name) +
                   " is missing: " + why);
}

void Options::readCommandLine(const std::vector<std::string>& arguments) {
  namespace po = boost::program_options;
  po::options_description description;
  for (const Option& option : options_) {
    auto* value = po::value<std::string>();
    if (option.is_flag) value->zero_tokens();
    description.add_options()((option.name == "help" ? "help,h" : option.name).c_str(), value);
  }
  po::positional_options_description bare;
  if (!positional_.empty()) bare.add(positional_.c_str(), find(positional_)->repeatable ? -1 : 1);

  po::parsed_options parsed(nullptr);
  try {
    parsed =
        po::command_line_parser(arguments)
            .options(description)
            .positional(bare)
            .style(po::command_line_style::unix_style & ~po::command_line_style::allow_guessing)
            .run();
  } catch (const po::unknown_option& error) {
    std::string name = error.get_option_name();
    name.erase(0, name.find_first_not_of('-'));
    throw UsageError("unknown option --" + name + didYouMean(name, names()));
  } catch (const po::too_many_positional_options_error&) {
    throw UsageError(positional_.empty() ? "takes no bare arguments, only --options"
                                         : "takes one bare argument (" + positional_ + ")");
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }
  for (const po::option& entry : parsed.options) {
    Option& option = *find(entry.string_key);
    const std::string place = "--" + option.name;
    if (option.origin != "default" && !option.repeatable && !option.is_flag)
      throw UsageError(place + " is given twice");
    option.set(option.is_flag ? "on" : entry.value.front(), place);
    option.origin = "command line";
  }
}

void Options::readConfig(const std::filesystem::path& path) {
  const std::string text = readUserText(path, kMaxConfigBytes);
  int line_number = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = trim(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
    const std::string place = path.string() + ":" + std::to_string(++line_number);
    if (line.empty() || line.front() == '#') continue;
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos)
      throw UsageError(place + ": \"" + std::string(trim(withoutComment(line))) +
                       "\" is not `name = value`");
    const std::string name(trim(line.substr(0, equals)));
    Option* option = find(name);
    if (option == nullptr)
      throw UsageError(place + ": unknown option \"" + name + "\" of dynid " + command_ +
                       didYouMean(name, names()));
    if (name == "config" || name == "help" || name == "print-config")
      throw UsageError(place + ": \"" + name + "\" belongs on the command line");
    if (option->origin == "command line") continue;
    if (option->origin != "default" && !option->repeatable)
      throw UsageError(place + ": \"" + name + "\" is given twice");
    option->set(valueIn(line.substr(equals + 1)), place + ": " + name);
    option->origin = place;
  }
}

bool Options::parse(const std::vector<std::string>& arguments) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  const auto asked = [&](const char* word) {
    return std::find(arguments.begin(), end, word) != end;
  };
  if (asked("--help") || asked("-h")) {
    printResult(asked("--json") ? helpJson() : help());
    return false;
  }
  declareOptionNames(names());
  readCommandLine(arguments);
  if (!config_.empty()) readConfig(config_);
  if (print_config_) printResult(printedSettings());
  return !print_config_;
}

std::vector<std::pair<std::string, std::string>> Options::effective() const {
  std::vector<std::pair<std::string, std::string>> settings;
  for (const Option& option : options_)
    if (option.name != "help" && option.name != "print-config")
      settings.emplace_back(option.name, option.show());
  return settings;
}

std::string Options::printedSettings() const {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  std::string text =
      "# effective settings of dynid " + command_ + "; can be read back with --config\n";
  for (const Option& option : options_) {
    if (option.name == "help" || option.name == "print-config" || option.name == "config") continue;
    json[option.name] = {
        {"value", option.show()}, {"unit", option.unit}, {"origin", option.origin}};
    const bool by_default = option.origin == "default";
    const std::string origin = by_default && !option.default_text.empty()
                                   ? "default: " + option.default_text
                                   : option.origin;
    std::vector<std::string> values = option.values();
    if (values.empty()) values.emplace_back();
    for (const std::string& value : values) {
      // Defaults are comments: several options must not be given together.
      std::string line = (by_default ? "# " : "") + option.name + " = " + inConfiguration(value);
      line.resize(std::max<size_t>(line.size() + 1, 40), ' ');
      text += line + "# " + (option.unit.empty() ? "" : option.unit + ", ") + origin + "\n";
    }
  }
  return json_ ? json.dump(2) + "\n" : text;
}

std::string Options::helpOf(const Option& option, bool is_positional) {
  const std::string value = option.default_text.empty() ? option.show() : option.default_text;
  std::string about = option.help;
  if (!option.unit.empty()) about += " [" + option.unit + "]";
  if (!option.is_flag && !value.empty()) about += "; default " + value;
  return "  --" + option.name + (option.placeholder.empty() ? "" : " " + option.placeholder) +
         (is_positional ? "   (or a bare argument)" : "") + "\n" + wrappedText(about, 8, 0);
}

std::string Options::help() const {
  std::string particular = "\nOptions:\n", common = "\nOptions of every command:\n";
  for (const Option& option : options_)
    (option.common ? common : particular) += helpOf(option, option.name == positional_);
  return example_ + "\n\n" + wrappedText(purpose_, 0, 0) + particular + common;
}

std::string Options::helpJson() const {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Option& option : options_)
    all.push_back({{"name", option.name},
                   {"value", option.placeholder},
                   {"unit", option.unit},
                   {"help", option.help},
                   {"default", option.default_text.empty() ? option.show() : option.default_text},
                   {"repeatable", option.repeatable},
                   {"common", option.common}});
  const nlohmann::ordered_json json = {
      {"command", command_}, {"example", example_}, {"purpose", purpose_}, {"options", all}};
  return json.dump(2) + "\n";
}

void declareThreads(Options& options, int& threads, const std::string& effect) {
  threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  options.integer("threads", threads, 1, "number of threads; " + effect);
}

}  // namespace dynid::tool
