#pragma once

#include <filesystem>
#include <functional>

namespace dynid {

/// Runs `walk` in a forked process with limits (address space, 3 s of CPU time, 60 s of time) and
/// returns if it succeeds. A damaged file can crash the library that reads it (HDF5 even in its
/// open and close functions) or make it allocate all memory; here this ends the forked process
/// only.
///
/// Does nothing if hasForkedWorkers() is false, and if this process has other threads, since a fork
/// is unsafe then. A std::invalid_argument of `walk` is ignored here: the caller gets it when it
/// runs `walk` itself.
/// @throws InputError with the message of the InputError that `walk` threw, or "path: ..." if the
///     forked process was killed
void checkInForkedWorker(const std::filesystem::path& path, const std::function<void()>& walk);

/// False in a program that is compiled with the address or thread sanitizer: these do not work with
/// the limits of a forked worker.
bool hasForkedWorkers();

}  // namespace dynid
