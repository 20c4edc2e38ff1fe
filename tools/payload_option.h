#pragma once

#include "dynid/identification/settings.h"
#include "dynid/logs/log.h"

#include "options.h"
#include <string>
#include <vector>

namespace dynid::tool {

/// Parses a payload from "LINK:MASS" (kg). @throws UsageError with the name of the option
PayloadNote parsePayload(const std::string& text);

/// Declares --payload of a command that reads logs.
void declarePayloads(Options& options, std::vector<std::string>& payloads);

/// The logs with the payloads that --payload assigns to them (assignPayload).
std::vector<LogInput> withPayloads(const std::vector<std::string>& logs,
                                   const std::vector<std::string>& payloads);

/// Assigns the payload in "LOG=LINK:MASS" to the named log. LOG is a path that leads to it, or its
/// file name if that is unique.
/// @throws UsageError if the text has another form, if no log or several logs have that name, or if
///     the log has another payload already
void assignPayload(const std::string& text, std::vector<LogInput>& logs);

/// A sentence for each log that states a payload itself and has an assigned one, which is used.
std::vector<std::string> replacedPayloads(const std::vector<LogInput>& logs);

}  // namespace dynid::tool
