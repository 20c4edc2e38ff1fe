#pragma once

#include <filesystem>
#include <string>

namespace dynid {

/// A robot description to start from: names the URDF (by its file name, so it belongs beside it)
/// and lists every joint and moving link with what can be said about it, commented out at its
/// default or at the URDF's value. Valid TOML that loads as the bare URDF does.
/// @throws InputError "path:line: ..." as loadRobot.
std::string initialDescription(const std::filesystem::path& urdf);

}  // namespace dynid
