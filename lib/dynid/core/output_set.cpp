#include "dynid/core/output_set.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"

#include <fmt/format.h>

namespace dynid {

void OutputSet::write(const std::filesystem::path& path,
                      const std::function<void(const std::filesystem::path& temporary)>& writer) {
  auto file = std::make_unique<AtomicFile>(path);
  const std::string temporary = file->temporary().string();
  try {
    writer(file->temporary());
  } catch (const OutputError& error) {
    std::string message = error.what();
    if (const std::size_t at = message.find(temporary); at != std::string::npos)
      message.replace(at, temporary.size(), path.string());
    throw OutputError(message);
  }
  files_.push_back(std::move(file));
}

void OutputSet::commit() {
  for (const auto& file : files_) file->flush();
  const ReplacementInProgress hold;
  std::vector<std::string> replaced;
  for (const auto& file : files_) {
    try {
      file->replace();
    } catch (const OutputError& error) {
      if (replaced.empty()) throw;
      throw OutputError(fmt::format("{}; already replaced were: {}", error.what(), join(replaced)));
    }
    replaced.push_back(file->path().string());
  }
  files_.clear();
}

}  // namespace dynid
