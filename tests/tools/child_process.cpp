#include "tools/child_process.h"

#include "dynid/core/files.h"
#include "dynid/core/text.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace dynid {
namespace {

[[noreturn]] void become(const std::vector<std::string>& arguments,
                         const std::string& out,
                         const std::string& err,
                         const RunOptions& options) {
  if (options.file_size_limit > 0) {
    const rlimit limit{options.file_size_limit, options.file_size_limit};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (options.open_files_limit > 0) {
    const rlimit limit{options.open_files_limit, options.open_files_limit};
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
  const int input = ::open("/dev/null", O_RDONLY);
  const int output = ::open(out.c_str(), O_WRONLY | O_CREAT, 0600);
  const int errors = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  for (const std::string& variable : options.environment) {
    const size_t equals = variable.find('=');
    ::setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
  }
  std::string program = DYNID_PROGRAM;
  std::vector<std::string> copies = arguments;
  std::vector<char*> argv{program.data()};
  for (std::string& argument : copies) argv.push_back(argument.data());
  argv.push_back(nullptr);
  if (::chdir(options.directory.c_str()) == 0) ::execv(program.c_str(), argv.data());
  ::_exit(127);
}

/// Waits for at most one minute; after that the test fails by its expectations on the signal.
void waitUntilSaid(const std::string& file, const std::string& text) {
  for (int i = 0; i < 1200; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (std::filesystem::exists(file) && readTextFile(file).find(text) != std::string::npos) return;
  }
}

/// What a child has written; nothing if it was killed before it opened the file.
std::string writtenTo(const std::string& file) {
  return std::filesystem::exists(file) ? readTextFile(file) : "";
}

}  // namespace

Outcome dynid(const std::vector<std::string>& arguments, const RunOptions& options) {
  const TemporaryDirectory scratch;
  const bool captured = options.standard_output.empty();
  const std::string out = captured ? scratch / "out" : options.standard_output;
  const std::string err = scratch / "err";
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) become(arguments, out, err, options);
  if (options.signal != 0) {
    if (options.signal_when_says.empty())
      std::this_thread::sleep_for(std::chrono::duration<double>(options.signal_after_s));
    else
      waitUntilSaid(err, options.signal_when_says);
    for (int i = 0; i < options.signals; ++i) {
      if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      ::kill(child, options.signal);
    }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  Outcome run;
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (captured) run.out = writtenTo(out);
  run.err = writtenTo(err);
  return run;
}

std::vector<std::string> argumentsOf(const std::string& command_line) {
  std::vector<std::string> words = splitWords(command_line);
  if (words.empty() || words.front() != "dynid")
    throw std::invalid_argument("argumentsOf: not a command of dynid: " + command_line);
  words.erase(words.begin());
  return words;
}

TemporaryDirectory::TemporaryDirectory() {
  std::string name = (std::filesystem::temp_directory_path() / "dynid-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> TemporaryDirectory::files() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace dynid
