#pragma once

#include <array>
#include <cstdio>
#include <string>
#include <sys/wait.h>

namespace dynid::testing {

/// Output of a child process (both streams) and its exit status.
struct ShellOutcome {
  int status = -1;
  std::string output;
};

inline ShellOutcome runShell(const std::string& command) {
  ShellOutcome outcome;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer;
  while (const size_t got = fread(buffer.data(), 1, buffer.size(), pipe))
    outcome.output.append(buffer.data(), got);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) outcome.status = WEXITSTATUS(status);
  return outcome;
}

/// Debian's interpreter, whose packages tests/packages.sh installs.
inline ShellOutcome runPython(const std::string& arguments) {
  return runShell("/usr/bin/python3 " + arguments);
}

inline bool pythonHas(const std::string& module) {
  return runPython("-c 'import " + module + "'").status == 0;
}

}  // namespace dynid::testing
