#pragma once

#include <stdexcept>
#include <string>

/// A developer's assumption; checked where DYNID_ASSERT is on (presets dev and sanitize), free
/// elsewhere.
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
