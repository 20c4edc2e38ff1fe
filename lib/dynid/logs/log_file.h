#pragma once

#include "dynid/logs/h5_input.h"
#include "dynid/logs/log.h"

#include <filesystem>
#include <optional>

namespace dynid {

/// An open log: its datasets, checked, and what it says about itself. For the readers of this room.
struct LogFile {
  H5Input input;
  LogInfo info;
  std::optional<H5Numbers> time, position, velocity, acceleration, effort;
};

/// Opens a log and checks kinds, shapes, names and attributes (not yet the units).
/// @throws InputError "path:/dataset: ...".
/// @param accept_trajectory a file with the format "dynid-trajectory" is no error
LogFile openLog(const std::filesystem::path& path, bool accept_trajectory = false);

/// `joint_names` of a file: at least one, each once, none empty. @throws InputError.
std::vector<std::string> readJointNames(const H5Input& input);

/// A dataset [N, joints] ([N] for a single joint) of numbers. @throws InputError, also for [joints,
/// N].
H5Numbers openChannel(const H5Input& input, const std::string& name, std::int64_t joints);
/// A dataset [N] or [N, 1].
H5Numbers openSeries(const H5Input& input, const std::string& name);

/// Presence, rows and units of a channel as found. @throws InputError when `unit_per_joint` has the
/// wrong length.
ChannelInfo describeChannel(const H5Input& input,
                            const std::string& name,
                            const H5Numbers& dataset,
                            std::int64_t joints);

}  // namespace dynid
