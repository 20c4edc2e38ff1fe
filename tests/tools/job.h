#pragma once

#include "dynid/core/text.h"

#include "tools/quickstart_files.h"
#include <string>
#include <vector>

namespace dynid {

/// A command that writes files, for tests that disturb it.
struct Job {
  const char* name;
  std::vector<std::string> arguments;
  std::vector<std::string> outputs;
};

/// The words of a command line; "DATA/" at the start of a word is the folder of the quickstart arm,
/// "OUT/" is `out`.
/// @param out  folder of the outputs with a slash at its end; "": the working directory
inline std::vector<std::string> jobArguments(const std::string& command_line,
                                             const std::string& out) {
  std::vector<std::string> words = splitWords(command_line);
  for (std::string& word : words) {
    if (word.starts_with("DATA/")) word = kQuickstart + word.substr(5);
    if (word.starts_with("OUT/")) word = out + word.substr(4);
  }
  return words;
}

}  // namespace dynid
