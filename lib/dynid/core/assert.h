#pragma once

#include <stdexcept>
#include <string>

/// Checks an internal assumption of the code. Active if DYNID_ASSERT is defined (presets dev and
/// sanitize), otherwise without effect and cost.
#ifdef DYNID_ASSERT
#define DYNID_EXPECT(condition)                                                     \
  do {                                                                              \
    if (!(condition))                                                               \
      throw std::logic_error(std::string(__FILE__ ":") + std::to_string(__LINE__) + \
                             ": " #condition);                                      \
  } while (false)
#else
#define DYNID_EXPECT(condition) static_cast<void>(0)
#endif
