#include "dynid/core/errors.h"
#include "dynid/core/text.h"

#include "allocator.h"
#include "commands.h"
#include "console.h"
#include "crash.h"
#include "exit_status.h"
#include "failure.h"
#include "interrupt.h"
#include <algorithm>
#include <glog/logging.h>
#include <span>
#include <string>
#include <string_view>

using namespace std::string_view_literals;

namespace dynid::tool {
namespace {

struct Command {
  const char* name;
  const char* summary;
  int (*run)(const Arguments&);
};

constexpr Command kCommands[] = {
    {"import", "convert a recording (CSV, ROS bag, MCAP) to an HDF5 log", runImport},
    {"inspect",
     "say what a log, model, statistics, trajectory or prediction file contains",
     runInspect},
    {"identify", "identify a model from logs", runIdentify},
    {"validate", "score a model on logs that it has not seen", runValidate},
    {"excite", "design an excitation trajectory within the limits of a robot", runExcite},
    {"simulate", "simulate the log of a robot or model", runSimulate},
    {"check", "examine a robot description: parameters, identifiability, plausibility", runCheck},
    {"export", "write an identified model as URDF, MJCF, SDF or C", runExport},
};

std::string overview() {
  std::string text =
      "dynid import run.mcap --output run.h5                         # a recording to a log\n"
      "dynid identify --robot arm.urdf run.h5 --output model.json    # a log to a model\n"
      "dynid validate --model model.json other.h5                    # how good is it?\n"
      "dynid export model.json --urdf identified.urdf                # use it\n\n"
      "Identifies the dynamics of robots from logs. Commands (`dynid <command> --help` explains "
      "each):\n";
  for (const Command& command : kCommands) {
    std::string line = std::string("  ") + command.name;
    line.resize(12, ' ');
    text += line + command.summary + "\n";
  }
  text +=
      "\nExit status: 0 done, 1 the command ran but the answer is no (not usable, failed),\n"
      "2 the command line or configuration is wrong, 3 an input cannot be used,\n"
      "4 an output cannot be written, 5 internal error, 129/130/143 interrupted,\n"
      "134/136/139 crashed.\n";
  return text;
}

const Command* findCommand(const std::string& name) {
  const auto* it = std::find_if(
      std::begin(kCommands), std::end(kCommands), [&](const Command& c) { return name == c.name; });
  return it == std::end(kCommands) ? nullptr : it;
}

std::vector<std::string> commandNames() {
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  return names;
}

int dispatch(Arguments arguments) {
  if (arguments.empty()) {
    printResult(overview());
    return kDone;
  }
  std::string name = arguments.front();
  arguments.erase(arguments.begin());
  if (name == "--version") {
    printResult("dynid " DYNID_VERSION "\n");
    return kDone;
  }
  if (name == "--help" || name == "-h" || name == "help") {
    if (arguments.empty()) {
      printResult(overview());
      return kDone;
    }
    name = arguments.front();
    arguments = {"--help"};
  }
  const Command* command = findCommand(name);
  if (command != nullptr) return command->run(arguments);
  if (name.starts_with("-"))
    throw UsageError("unknown option " + name +
                     "; options follow the command, as in `dynid identify --robot arm.toml`");
  throw UsageError("unknown command \"" + name + "\"" + didYouMean(name, commandNames()) +
                   "; `dynid --help` lists the commands");
}

/// Libraries print to standard error; everything relevant is also part of the results.
void silenceLibraries() {
  FLAGS_minloglevel = google::GLOG_FATAL;
  google::InitGoogleLogging("dynid");
}

/// Runs the command and converts an exception to a message and an exit status.
int runProgram(const Arguments& arguments) {
  const std::string who = arguments.empty() || findCommand(arguments.front()) == nullptr
                              ? "dynid"
                              : "dynid " + arguments.front();
  try {
    return dispatch(arguments);
  } catch (...) {
    return reportFailure(who);
  }
}

}  // namespace
}  // namespace dynid::tool

int main(int argc, char** argv) {
  // The new start takes 0.04 s; other commands were not measured.
  if (argc > 1 && (argv[1] == "identify"sv || argv[1] == "validate"sv))
    dynid::tool::useHugePages(argv);
  dynid::tool::limitKeptMemory();
  dynid::tool::silenceLibraries();
  dynid::tool::handleSignals();
  dynid::tool::reportCrashes();
  return dynid::tool::atRegularEnd(
      dynid::tool::runProgram(std::vector<std::string>(argv + std::min(argc, 1), argv + argc)));
}
