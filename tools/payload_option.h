#pragma once

#include "dynid/identification/settings.h"
#include "dynid/logs/log.h"

#include <string>
#include <vector>

namespace dynid::tool {

/// A load from "LINK:MASS" (kg). @throws UsageError naming the option
PayloadNote parsePayload(const std::string& text);

/// Gives the log named in "LOG=LINK:MASS" its load; LOG is its path or, where one log alone has it,
/// its file name.
/// @throws UsageError if the text has another form, no log has that name or several have
void assignPayload(const std::string& text, std::vector<LogInput>& logs);

}  // namespace dynid::tool
