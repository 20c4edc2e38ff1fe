#include "failure.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"

#include "console.h"
#include "exit_status.h"
#include "files.h"
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <new>
#include <system_error>

namespace dynid::tool {
namespace {

constexpr const char* kReport =
    " (internal error: please report it with the command line and the input files)";

/// Does not allocate memory.
void sayOutOfMemory(const std::string& who) noexcept {
  std::fputs(who.c_str(), stderr);
  std::fputs(": error: out of memory; ", stderr);
  std::fputs(kMemoryAdvice, stderr);
  std::fputs("\n", stderr);
}

/// Resources that the system refuses are not a defect of the program.
int reportSystem(const std::string& who, const std::system_error& error) {
  if (error.code() == std::errc::not_enough_memory)
    sayOutOfMemory(who);
  else if (error.code() == std::errc::resource_unavailable_try_again)
    printError(who +
               ": error: the system refuses to start another thread or process; give fewer "
               "--threads, or raise the limit (`ulimit -u`)");
  else if (error.code() == std::errc::no_child_process)
    printError(
        who +
        ": error: all processes of the search ended before they had a result, possibly "
        "because memory ran out; give fewer --threads. If it happens again, please report it "
        "with the command line and the input files");
  else
    printError(fmt::format("{}: error: {}{}", who, error.what(), kReport));
  return kInternal;
}

int report(const std::string& who) {
  const auto complain = [&](const std::exception& error, const char* after) {
    printError(fmt::format("{}: error: {}{}", who, error.what(), after));
  };
  try {
    throw;
  } catch (const UsageError& error) {
    complain(error, "");
    return kUsage;
  } catch (const InputError& error) {
    complain(error, "");
    return kInputUnusable;
  } catch (const OutputError& error) {
    complain(error, "");
    return kOutputUnwritable;
  } catch (const Interrupted& interrupted) {
    const std::vector<std::string>& complete = completedOutputs();
    printError(who + (complete.empty() ? ": interrupted; nothing was written"
                                       : ": interrupted; complete are: " + join(complete)));
    return kSignalBase + interrupted.signalNumber();
  } catch (const std::bad_alloc&) {
    sayOutOfMemory(who);
    return kInternal;
  } catch (const std::system_error& error) {
    return reportSystem(who, error);
  } catch (const std::exception& error) {
    complain(error, kReport);
    return kInternal;
  }
}

}  // namespace

int reportFailure(const std::string& who) noexcept {
  try {
    return report(who);
  } catch (...) {  // no memory for the message
    sayOutOfMemory(who);
    return kInternal;
  }
}

}  // namespace dynid::tool
