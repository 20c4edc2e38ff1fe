#include "dynid/core/errors.h"

#include <gtest/gtest.h>

#include <csignal>
#include <type_traits>

namespace dynid {
namespace {

// Each kind has its own exit status, so none may be caught as another.
static_assert(!std::is_base_of_v<UsageError, InputError>);
static_assert(!std::is_base_of_v<InputError, OutputError>);
static_assert(!std::is_base_of_v<OutputError, Interrupted>);

TEST(Errors, CarryTheirMessageAndSignal) {
  EXPECT_STREQ(InputError("log.h5: no time").what(), "log.h5: no time");
  EXPECT_EQ(Interrupted(SIGTERM).signalNumber(), SIGTERM);
}

}  // namespace
}  // namespace dynid
