#pragma once

#include "dynid/logs/log.h"

#include <filesystem>
#include <optional>
#include <string>

namespace dynid {

enum class FileKind { kLog, kTrajectory, kStatistics, kPrediction, kUnknownHdf5, kNotHdf5 };

/// "HDF5 log", "HDF5 trajectory", ...
std::string toText(FileKind kind);

/// Kind of a file: from the root attribute `format`, or else from its datasets.
/// @throws InputError if the file is missing, not a regular file, or an HDF5 file that cannot be
///     opened
FileKind fileKind(const std::filesystem::path& path);

}  // namespace dynid
