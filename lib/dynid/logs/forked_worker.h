#pragma once

#include <filesystem>
#include <functional>

namespace dynid {

/// Runs `walk` once in a forked process with limits (address space, 3 s of CPU, 60 s of time), and
/// comes back quietly if that went well: a damaged file can crash the HDF5 library inside its own
/// open or close, or make it ask for all memory, and this way it takes down nobody.
///
/// Does nothing where a fork would not tell: under the sanitizers, and when this process has other
/// threads. A mistake of the caller (std::invalid_argument) counts as well, because he will meet it
/// himself.
/// @throws InputError with the message of the InputError that `walk` threw, or "path: ..." when the
/// worker died.
void checkInForkedWorker(const std::filesystem::path& path, const std::function<void()>& walk);

}  // namespace dynid
