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

/// Deletes a dataset or an attribute of the root group of an HDF5 file. Fails the test if the file
/// has neither.
void removeFromFile(const std::string& path, const std::string& name);

/// Writes the quickstart arm's URDF with every `from` replaced to `path`. Fails the test if `from`
/// does not occur.
void writeEditedUrdf(const std::string& path, const std::string& from, const std::string& to);

}  // namespace dynid
