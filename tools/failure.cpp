#include "failure.h"

#include "dynid/core/errors.h"

#include "exit_status.h"
#include <cstdio>
#include <exception>

namespace dynid::tool {

int reportFailure(const std::string& who) {
  const auto complain = [&](const std::exception& error, const char* after) {
    std::fprintf(stderr, "%s: error: %s%s\n", who.c_str(), error.what(), after);
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
    std::fprintf(stderr, "%s: interrupted; nothing was written\n", who.c_str());
    return kSignalBase + interrupted.signalNumber();
  } catch (const std::exception& error) {
    complain(error,
             " (internal error: please report it with the command line and the input files)");
    return kInternal;
  }
}

}  // namespace dynid::tool
