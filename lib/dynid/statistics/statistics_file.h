#pragma once

#include "dynid/statistics/gathered_statistics.h"

#include <filesystem>
#include <string>

namespace dynid {

/// Writes gathered statistics as HDF5 (complete or not at all):
///
///     /                     attributes format = "dynid-statistics", version, robot, robot_sha256,
///                           gravity, block_s, currents
///     columns/name, unit    [layout] strings; numbers: kind, owner, component, carrier, effect,
///                           shape, presliding, smoothing, at_joint, nonnegative [layout, 10]
///     channels/<a>/columns  [p] of the layout; moving, still [blocks, (p+1)(p+2)/2] upper
///     triangles
///                           row by row, last column the channel as recorded; moving_rows,
///                           still_rows
///     logs/file, sha256, notes [logs]; logs/counts [logs, 5] samples, used, dropped, cut-off in
///     Hz,
///                           payload
///     payloads/name, link   [payloads]; payloads/known [payloads, 10]
///     actuators             [actuators, 4] still speed, typical speed, cut-offs of predictions
///     stretches, load_parameters
///
/// @throws OutputError
void writeStatistics(const std::filesystem::path& path, const GatheredStatistics& gathered);

/// @throws InputError "path:/dataset: ..." for a file that is not of this kind, damaged, or does
/// not fit the robot
GatheredStatistics readStatistics(const std::filesystem::path& path, const Robot& robot);

/// The same without the factors, all of them tried though: of many files only one's need be in
/// memory.
GatheredStatistics readRecording(const std::filesystem::path& path, const Robot& robot);
/// Those factors. @throws InputError as above, and where the file no longer is the one recorded
void readFactors(const std::filesystem::path& path,
                 const Robot& robot,
                 GatheredStatistics& gathered);

/// The same, to look at: without a robot to compare with (places of loads stay open).
GatheredStatistics readStatistics(const std::filesystem::path& path);

/// @param file  name of the statistics, for the message
/// @throws InputError unless they were gathered with the robot's gravity
void requireSameGravity(const Robot& robot,
                        const GatheredStatistics& gathered,
                        const std::string& file);
/// @param remedy  what to do about it, for the message
/// @throws InputError unless they were gathered with the same texts of the robot's description
void requireSameTexts(const Robot& robot,
                      const GatheredStatistics& gathered,
                      const std::string& file,
                      const std::string& remedy);

}  // namespace dynid
