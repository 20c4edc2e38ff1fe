#pragma once

#include <filesystem>
#include <optional>

namespace dynid {

/// Remembers that this process has read the file at `path`, by device and inode. Every reader of
/// the library calls it, so that a program can make sure that no result replaces its own input,
/// whatever other name or link leads there. Callable from any thread.
void noteReadFile(const std::filesystem::path& path);

/// The name under which this process has read the file that `path` leads to; nothing if it has not
/// read it, or if there is no such file.
std::optional<std::filesystem::path> nameWhenRead(const std::filesystem::path& path);

}  // namespace dynid
