#pragma once

#include <string>
#include <vector>

namespace dynid {

/// "under the assumption that A, and that B"; "" where nothing was assumed.
std::string assumptionClause(const std::vector<std::string>& assumptions);

}  // namespace dynid
