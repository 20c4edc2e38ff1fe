#include "files.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"

#include <filesystem>

namespace dynid::tool {
namespace {

bool sameFile(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return std::filesystem::weakly_canonical(a, ignored) ==
         std::filesystem::weakly_canonical(b, ignored);
}

}  // namespace

void checkOutputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::string& output = outputs[i];
    if (output.empty()) continue;
    for (size_t j = 0; j < i; ++j)
      if (sameFile(output, outputs[j]))
        throw UsageError(output + ": two results would be written to this file");
    for (const std::string& input : inputs)
      if (!input.empty() && sameFile(output, input))
        throw UsageError(output + ": is an input too; give the result another name");
    const AtomicFile probe(output);
  }
}

}  // namespace dynid::tool
