#pragma once

#include <functional>
#include <string>

namespace dynid {

/// Called now and then from long work with what is being done and the fraction done, in [0, 1]. May
/// throw (Interrupted) to stop the work; nothing is then left half written. Empty: nobody listens.
using Progress = std::function<void(const std::string& stage, double fraction)>;

}  // namespace dynid
