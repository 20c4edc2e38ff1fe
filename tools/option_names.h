#pragma once

#include <string>
#include <vector>

namespace dynid::tool {

/// Declares the options of the running command for withOptionNames.
void declareOptionNames(std::vector<std::string> names);

/// Replaces names of settings by names of options. Messages of the library name a setting of its
/// structs in backticks (`cutoff_hz`), because the library does not know the command line. A
/// setting becomes the option of the same name (--cutoff-hz), of the same name without the unit
/// (--cutoff), with "max-" in front, or without the plural s, whichever the running command has.
/// Settings whose options are named otherwise or belong to another command are in a table. All
/// other words in backticks stay unchanged.
std::string withOptionNames(const std::string& text);

}  // namespace dynid::tool
