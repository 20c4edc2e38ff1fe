#pragma once

#include "dynid/signals/condition.h"

namespace dynid {

/// A recorded channel [N,c] at the samples of `signals`, after the filter of the plan; NaN where
/// the column has no finite value within five rows. The columns do not affect each other.
/// @throws std::invalid_argument as channelOnGrid
Eigen::MatrixXd recordedChannel(const RawSignals& window,
                                const Eigen::MatrixXd& channel,
                                const ConditionedSignals& signals,
                                const SignalPlan& plan);

/// The longest part of a column without NaN; empty if there is none.
Segment longestKnown(const Eigen::Ref<const Eigen::VectorXd>& column);

}  // namespace dynid
