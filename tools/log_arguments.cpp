#include "log_arguments.h"

#include "dynid/core/errors.h"

#include "files.h"
#include <filesystem>
#include <glob.h>
#include <sstream>

namespace dynid::tool {
namespace {

constexpr size_t kMaxListBytes = size_t{64} << 20;

void appendMatches(const std::string& option,
                   const std::string& pattern,
                   std::vector<std::string>& files) {
  const bool is_pattern = pattern.find_first_of("*?[") != std::string::npos;
  if (!is_pattern || std::filesystem::exists(pattern)) {
    files.push_back(pattern);
    return;
  }
  glob_t found{};
  const int status = glob(pattern.c_str(), 0, nullptr, &found);
  for (size_t i = 0; status == 0 && i < found.gl_pathc; ++i) files.emplace_back(found.gl_pathv[i]);
  globfree(&found);
  if (status != 0) throw InputError("--" + option + ": no file matches \"" + pattern + "\"");
}

void appendList(const std::string& list, std::vector<std::string>& logs) {
  const std::filesystem::path folder = std::filesystem::path(list).parent_path();
  const size_t before = logs.size();
  std::istringstream lines(readUserText(list, kMaxListBytes));
  for (std::string line; std::getline(lines, line);) {
    line = withoutComment(line);
    const size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos) continue;
    line = line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
    appendMatches("log-list", (folder / line).string(), logs);
  }
  if (logs.size() == before)
    throw InputError(list + ": names no log; write one file name per line, relative to this file");
}

}  // namespace

void declareLogs(Options& options,
                 std::vector<std::string>& logs,
                 std::string& list,
                 const std::string& help) {
  options.texts("log", logs, "FILE", help + "; a quoted pattern such as 'runs/*.h5' names several");
  options.positional("log");
  options.text("log-list", list, "FILE", "a text file that names one log per line");
}

std::vector<std::string> namedFiles(const std::string& option,
                                    const std::vector<std::string>& patterns) {
  std::vector<std::string> files;
  for (const std::string& pattern : patterns) appendMatches(option, pattern, files);
  return files;
}

std::vector<std::string> namedLogs(const std::vector<std::string>& logs, const std::string& list) {
  std::vector<std::string> all = namedFiles("log", logs);
  if (!list.empty()) appendList(list, all);
  return all;
}

}  // namespace dynid::tool
