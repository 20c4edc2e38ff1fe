#pragma once

#include <string>
#include <vector>

namespace dynid::tool {

/// The subcommands. Each parses its arguments, calls the library, prints the result and returns an
/// ExitStatus. They throw UsageError, InputError, OutputError and Interrupted, which main converts
/// to messages and exit statuses.
using Arguments = std::vector<std::string>;

int runImport(const Arguments& arguments);
int runInspect(const Arguments& arguments);
int runIdentify(const Arguments& arguments);
int runValidate(const Arguments& arguments);
int runSimulate(const Arguments& arguments);
int runExcite(const Arguments& arguments);
int runCheck(const Arguments& arguments);
int runExport(const Arguments& arguments);

}  // namespace dynid::tool
