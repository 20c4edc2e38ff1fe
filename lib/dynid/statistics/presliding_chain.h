#pragma once

#include "dynid/equations/rows.h"
#include "dynid/recordings/window_pass.h"

namespace dynid {

/// Presliding states that pass from one window of a log to the next. They are zero at the beginning
/// of a log. Windows are given in the order of time.
class PreslidingChain {
 public:
  /// The states at the end of this window, computed by the friction columns of `rows`.
  const PreslidingStates& advance(const RowBuilder& rows,
                                  const WindowTask& task,
                                  const ActuatorSignals& signals) {
    if (log_ != task.log) states_ = {};
    log_ = task.log;
    states_ = rows.advance(signals, states_);
    return states_;
  }

 private:
  PreslidingStates states_;
  int log_ = -1;
};

}  // namespace dynid
