#pragma once

#include <string>
#include <vector>

namespace dynid::tool {

/// What a command or option takes.
enum class Expected { kRobot, kModel, kLog, kInspected, kImported, kStatistics, kTrajectory };

/// Recognises by its content a file of another kind than expected: log, trajectory, statistics or
/// prediction of dynid, identified model, robot description (TOML, URDF, MJCF, SDF), text table,
/// ROS recording. An empty file is refused. Does nothing where the kind is right or not recognised,
/// and for files that cannot be read: the reader of the expected kind then says why.
/// @throws InputError naming the kind, and the command or option that takes it
void expectKind(const std::string& file, Expected expected);
void expectKind(const std::vector<std::string>& files, Expected expected);

}  // namespace dynid::tool
