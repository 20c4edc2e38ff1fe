#include "dynid/robot/remarks.h"

#include "dynid/core/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace dynid {
namespace {

constexpr size_t kNamesPerLine = 30;

}  // namespace

void Remarks::add(const std::string& kind, const std::string& name) {
  auto found =
      std::find_if(kinds_.begin(), kinds_.end(), [&](const auto& k) { return k.first == kind; });
  if (found == kinds_.end())
    found = kinds_.insert(kinds_.end(), {kind, std::vector<std::string>()});
  found->second.push_back(name);
}

std::vector<std::string> Remarks::lines() const {
  std::vector<std::string> lines;
  for (const auto& [kind, names] : kinds_) {
    std::vector<std::string> shown(
        names.begin(),
        names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kNamesPerLine)));
    std::string line = kind + " " + join(shown);
    if (names.size() > shown.size())
      line += fmt::format(" and {} more", names.size() - shown.size());
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace dynid
