#pragma once

#include "dynid/identification/settings.h"
#include "dynid/logs/log.h"

#include <string>
#include <vector>

namespace dynid::tool {

/// Parses a payload from "LINK:MASS" (kg). @throws UsageError with the name of the option
PayloadNote parsePayload(const std::string& text);

/// Assigns the payload in "LOG=LINK:MASS" to the named log. LOG is its path, or its file name if
/// that is unique.
/// @throws UsageError if the text has another form, or if no log or several logs have that name
void assignPayload(const std::string& text, std::vector<LogInput>& logs);

}  // namespace dynid::tool
