#pragma once

#include <filesystem>
#include <functional>

namespace dynid {

/// Runs `walk` once in a forked process with limits (address space, 3 s of CPU, 60 s of time) and
/// returns if that went well. A damaged file can crash the library that reads it (HDF5 even inside
/// its own open and close), or make it ask for all memory; here this ends the forked process only.
///
/// Does nothing where a fork is not safe or not meaningful: under the sanitizers, and when this
/// process has other threads. A std::invalid_argument of `walk` is not an error here: the caller
/// gets it again when it runs `walk` itself.
/// @throws InputError with the message of the InputError that `walk` threw, or "path: ..." when the
/// forked process died
void checkInForkedWorker(const std::filesystem::path& path, const std::function<void()>& walk);

}  // namespace dynid
