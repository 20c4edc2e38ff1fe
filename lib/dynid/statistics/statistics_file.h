#pragma once

#include "dynid/statistics/gathered_statistics.h"

#include <filesystem>
#include <string>

namespace dynid {

/// Writes statistics as HDF5. The file is either written completely or not at all. Content:
///
///     /                     attributes format = "dynid-statistics", version, robot, robot_sha256,
///                           gravity, block_s, currents
///     columns/name, unit    [layout] strings
///     columns/numbers       [layout, 10]: kind, owner, component, carrier, effect, shape,
///                           presliding, smoothing, at_joint, nonnegative
///     channels/<a>/columns  [p] of the layout
///     channels/<a>/moving, still    [blocks, (p+1)(p+2)/2] upper triangles row by row; the last
///                           column is the channel as recorded
///     channels/<a>/moving_rows, still_rows    [blocks]
///     logs/file, sha256, notes    [logs] strings
///     logs/counts           [logs, 5] samples, used, dropped, cut-off in Hz, payload
///     payloads/name, link   [payloads]; payloads/known [payloads, 10]
///     actuators             [actuators, 4] still speed, typical speed, cut-offs of predictions
///     stretches, periods, load_parameters
///
/// @throws OutputError if the file cannot be written
void writeStatistics(const std::filesystem::path& path, const GatheredStatistics& gathered);

/// Reads statistics.
/// @throws InputError "path:/dataset: ..." for a file of another kind, a damaged file, or
///     statistics of another robot
GatheredStatistics readStatistics(const std::filesystem::path& path, const Robot& robot);

/// Reads everything but the factors, which are checked for errors, however. When many files are
/// merged, only the factors of one are in memory at a time.
GatheredStatistics readRecording(const std::filesystem::path& path, const Robot& robot);
/// Reads the factors that readRecording left out.
/// @throws InputError as above, and if the file has changed since
void readFactors(const std::filesystem::path& path,
                 const Robot& robot,
                 GatheredStatistics& gathered);

/// Reads statistics for inspection, without a robot to compare with; the placements of payloads are
/// not set.
GatheredStatistics readStatistics(const std::filesystem::path& path);

}  // namespace dynid
