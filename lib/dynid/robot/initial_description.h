#pragma once

#include <filesystem>
#include <string>

namespace dynid {

/// A robot description (TOML) as a starting point for the user. It names the URDF (by its file
/// name, so it must be stored in the same folder) and lists every joint and moving link with the
/// keys that apply, commented out at their defaults or at the URDF's values. It loads to the same
/// robot as the URDF alone.
/// @throws InputError "path:line: ..." as loadRobot
std::string initialDescription(const std::filesystem::path& urdf);

}  // namespace dynid
