#pragma once

#include "dynid/logs/h5_input.h"
#include "dynid/logs/log.h"

#include <filesystem>
#include <optional>

namespace dynid {

/// An open log: its checked datasets and its metadata. Used by the readers of this module.
struct LogFile {
  H5Input input;
  LogInfo info;
  std::optional<H5Numbers> time, position, velocity, acceleration, effort;
};

/// Opens a log and checks kinds, shapes, names and attributes, but not the units.
/// @param accept_trajectory whether to accept a file with the format "dynid-trajectory"
/// @throws InputError "path:/dataset: ..."
LogFile openLog(const std::filesystem::path& path, bool accept_trajectory = false);

/// The `joint_names` of a file: at least one, unique, none empty. @throws InputError
std::vector<std::string> readJointNames(const H5Input& input);

/// Opens a numeric dataset [N, joints] ([N] for a single joint).
/// @throws InputError, also for a dataset [joints, N]
H5Numbers openChannel(const H5Input& input, const std::string& name, std::int64_t joints);
/// Opens a dataset [N] or [N, 1].
H5Numbers openSeries(const H5Input& input, const std::string& name);

/// Presence, number of rows and units of a channel as written.
/// @throws InputError if `unit_per_joint` has the wrong length
ChannelInfo describeChannel(const H5Input& input,
                            const std::string& name,
                            const H5Numbers& dataset,
                            std::int64_t joints);

}  // namespace dynid
