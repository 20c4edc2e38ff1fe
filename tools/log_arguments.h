#pragma once

#include "options.h"
#include <string>
#include <vector>

namespace dynid::tool {

/// --log (also bare arguments) and --log-list of a command.
void declareLogs(Options& options,
                 std::vector<std::string>& logs,
                 std::string& list,
                 const std::string& help);

/// The files named: patterns expanded in alphabetical order ("runs/*.h5", where no file has that
/// very name). @throws InputError for a pattern that nothing matches
std::vector<std::string> namedFiles(const std::string& option,
                                    const std::vector<std::string>& patterns);

/// The logs named, then the lines of the list ('#' begins a comment; relative paths start at the
/// list). @throws InputError as namedFiles, and for a list that cannot be read
std::vector<std::string> namedLogs(const std::vector<std::string>& logs, const std::string& list);

}  // namespace dynid::tool
