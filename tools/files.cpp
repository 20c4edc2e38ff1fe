#include "files.h"

#include "dynid/core/atomic_file.h"
#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/core/read_files.h"

#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <sys/stat.h>

namespace dynid::tool {
namespace {

/// Whether both names refer to the same file, after links are resolved; for files that do not
/// exist, whether the names are equal.
bool sameFile(const std::string& a, const std::string& b) {
  struct stat status_a {
  }, status_b{};
  const bool exists_a = stat(a.c_str(), &status_a) == 0;
  const bool exists_b = stat(b.c_str(), &status_b) == 0;
  if (exists_a && exists_b)
    return status_a.st_dev == status_b.st_dev && status_a.st_ino == status_b.st_ino;
  std::error_code ignored;
  return std::filesystem::weakly_canonical(a, ignored) ==
         std::filesystem::weakly_canonical(b, ignored);
}

/// Names of the files completed by this run, for the message about an interruption.
std::vector<std::string>& completed() {
  static std::vector<std::string> names;
  return names;
}

}  // namespace

void checkOutputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::string& output = outputs[i];
    if (output.empty()) continue;
    for (size_t j = 0; j < i; ++j)
      if (!outputs[j].empty() && sameFile(output, outputs[j]))
        throw UsageError(output + ": two results would be written to this file");
    for (const std::string& input : inputs)
      if (!input.empty() && sameFile(output, input))
        throw UsageError(output + ": is also an input; give the result another name");
    const AtomicFile probe(output);
  }
  refuseToReplaceReadFiles(outputs);
}

void refuseToReplaceReadFiles(const std::vector<std::string>& outputs) {
  for (const std::string& output : outputs) {
    if (output.empty()) continue;
    const std::optional<std::filesystem::path> name = nameWhenRead(output);
    if (!name) continue;
    const std::string as = *name == output ? "" : fmt::format(" (as {})", name->string());
    throw UsageError(fmt::format(
        "{}: is also an input of this run{}; give the result another name", output, as));
  }
}

std::string readUserText(const std::filesystem::path& path, std::size_t max_bytes) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::string text = readTextFile(path, max_bytes);
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  return text;
}

void Outputs::write(const std::string& name,
                    const std::function<void(const std::filesystem::path&)>& writer) {
  if (name.empty()) return;
  set_.write(name, writer);
  names_.push_back(name);
}

void Outputs::commit() {
  refuseToReplaceReadFiles(names_);
  set_.commit();
  for (const std::string& name : names_) noteCompleted(name);
  names_.clear();
}

void noteCompleted(const std::string& name) { completed().push_back(name); }

const std::vector<std::string>& completedOutputs() { return completed(); }

}  // namespace dynid::tool
