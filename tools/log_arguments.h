#pragma once

#include "options.h"
#include <string>
#include <vector>

namespace dynid::tool {

/// Declares the options --log (also bare arguments) and --log-list.
void declareLogs(Options& options,
                 std::vector<std::string>& logs,
                 std::string& list,
                 const std::string& help);

/// The files that the patterns ("runs/*.h5") match, in alphabetical order. A pattern that is the
/// name of an existing file stands for this file.
/// @throws InputError for a pattern without a match
std::vector<std::string> namedFiles(const std::string& option,
                                    const std::vector<std::string>& patterns);

/// The named logs, followed by those in the list (withoutComment; relative paths start at the
/// folder of the list).
/// @throws InputError as namedFiles, and for a list that cannot be read
std::vector<std::string> namedLogs(const std::vector<std::string>& logs, const std::string& list);

}  // namespace dynid::tool
