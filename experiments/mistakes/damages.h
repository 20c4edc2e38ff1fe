#pragma once

#include "dynid/diagnosis/diagnosis.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dynid::mistakes {

/// A log with one everyday mistake, the robot description it is read with, and how the mistake is
/// to be named.
struct Damaged {
  std::string name;
  std::shared_ptr<const Robot> robot;
  DiagnosedLog log;
  /// Whether a mistake named by the diagnosis is this one.
  std::function<bool(const Mistake&)> is;
  std::string finding;  ///< end of the code of a finding that names it, if any
};

/// Channels by the standard deviation of their efforts, largest first.
std::vector<Eigen::Index> byEffort(const DiagnosedLog& log);

/// The mistakes of everyday, one copy of the log each; the first is the untouched log.
std::vector<Damaged> everydayMistakes(const std::shared_ptr<const Robot>& robot,
                                      const DiagnosedLog& log);
/// Further ones: mounting, order of columns, units, clock.
std::vector<Damaged> furtherMistakes(const std::shared_ptr<const Robot>& robot,
                                     const DiagnosedLog& log);

/// Mistakes that users of loggers and controllers make: columns copied, magnitudes, values that
/// stopped, a filter, compensated gravity (user_mistakes.cpp).
std::vector<Damaged> userMistakes(const std::shared_ptr<const Robot>& robot,
                                  const DiagnosedLog& log);

/// Small ones, which only a comparison with other logs of the robot can show: an effort 1.3 times
/// too large, a zero off by 10 degrees.
std::vector<Damaged> smallMistakes(const std::shared_ptr<const Robot>& robot,
                                   const DiagnosedLog& log);

/// Two mistakes at once.
std::vector<Damaged> pairsOfMistakes(const std::shared_ptr<const Robot>& robot,
                                     const DiagnosedLog& log);

}  // namespace dynid::mistakes
