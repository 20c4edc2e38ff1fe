#pragma once

#include <string>
#include <vector>

namespace dynid::tool {

/// Finds out before the work begins whether its results can be written: nothing is left, nothing is
/// changed. Empty names are passed over.
/// @throws OutputError if a file cannot be written; UsageError if two outputs are the same file, or
/// an output is an input.
void checkOutputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

}  // namespace dynid::tool
