#pragma once

#include <filesystem>
#include <optional>

namespace dynid {

/// Records, by device and inode, that this process has read the file at `path`. All readers of the
/// library call it, so that a program can prevent a result from overwriting its own input, whatever
/// name or link is used. Thread-safe.
void noteReadFile(const std::filesystem::path& path);

/// The name under which this process has read the file to which `path` leads; empty if it has not
/// read that file, or if there is no such file.
std::optional<std::filesystem::path> nameWhenRead(const std::filesystem::path& path);

}  // namespace dynid
