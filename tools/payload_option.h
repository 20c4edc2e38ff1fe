#pragma once

#include "dynid/identification/settings.h"
#include "dynid/logs/log.h"

#include <string>
#include <vector>

namespace dynid::tool {

/// A load from "LINK:MASS" (kg). @throws UsageError naming the option
PayloadNote parsePayload(const std::string& text);

/// Gives the log named in "LOG=LINK:MASS" its load.
/// @throws UsageError if the text has another form or no log has that name
void assignPayload(const std::string& text, std::vector<LogInput>& logs);

}  // namespace dynid::tool
