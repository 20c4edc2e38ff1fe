#pragma once

#include <filesystem>
#include <functional>

namespace dynid {

/// Runs `walk` once in a forked process with limits (address space, 10 s of CPU, 60 s of time), and
/// comes back quietly unless that process was killed: a damaged file can crash the HDF5 library
/// inside its own open or close, and this way it takes down nobody. An exception of `walk` counts
/// as survived, because the caller will meet it himself.
///
/// Does nothing where a fork would not tell: under the sanitizers, and when this process has other
/// threads.
/// @throws InputError "path: ..." when the worker died.
void checkInForkedWorker(const std::filesystem::path& path, const std::function<void()>& walk);

}  // namespace dynid
