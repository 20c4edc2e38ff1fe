#pragma once

#include "dynid/logs/log.h"
#include "dynid/logs/log_writer.h"

#include <functional>
#include <string>

namespace dynid {

/// Writes a short, well excited log of the quickstart arm to `path`, after `edit` has changed the
/// samples.
void writeEditedLog(const std::string& path,
                    const std::function<void(RawBlock&, LogHeader&)>& edit = {});

/// Writes the quickstart arm's URDF with every `from` replaced to `path`. Fails the test if `from`
/// does not occur.
void writeEditedUrdf(const std::string& path, const std::string& from, const std::string& to);

}  // namespace dynid
