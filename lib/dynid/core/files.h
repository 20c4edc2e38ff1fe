#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace dynid {

/// The content of a regular file of at most `max_bytes`.
/// @throws InputError "path: ..." if the file is missing, not a regular file, unreadable or larger
std::string readTextFile(const std::filesystem::path& path, size_t max_bytes = size_t{64} << 20);

/// @returns the size of the file in bytes
/// @throws InputError "path: ..." if the file is missing or not a regular file (a directory or a
///     pipe)
std::int64_t requireRegularFile(const std::filesystem::path& path);

/// SHA-256 as 64 lower-case hexadecimal digits (FIPS 180-4).
std::string sha256(std::string_view bytes);
/// The same for a file of any size, read in blocks; empty if `stop` becomes true meanwhile.
/// @throws InputError if the file cannot be read
std::string sha256OfFile(const std::filesystem::path& path,
                         const std::atomic<bool>* stop = nullptr);

/// What the operating system says about the call that failed last (errno).
std::string systemError();

/// Writes the text through an AtomicFile. @throws OutputError, also if the disk is full
void writeTextFile(const std::filesystem::path& path, std::string_view text);

}  // namespace dynid
