#pragma once

#include <functional>
#include <string>

namespace dynid {

/// Callback for long computations: receives the current stage and the completed fraction in [0, 1].
/// It may throw (Interrupted) to stop the computation; no output is then left incomplete. May be
/// empty.
using Progress = std::function<void(const std::string& stage, double fraction)>;

}  // namespace dynid
