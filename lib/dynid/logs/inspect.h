#pragma once

#include "dynid/logs/log.h"

#include <filesystem>
#include <optional>
#include <string>

namespace dynid {

enum class FileKind { kLog, kTrajectory, kStatistics, kPrediction, kUnknownHdf5, kNotHdf5 };

/// "HDF5 log", "HDF5 trajectory", ...
std::string toText(FileKind kind);

/// What kind of file this is: the root attribute `format` where there is one, else the datasets it
/// has.
/// @throws InputError when the file is missing, not regular, or an HDF5 file that cannot be opened.
FileKind fileKind(const std::filesystem::path& path);

}  // namespace dynid
