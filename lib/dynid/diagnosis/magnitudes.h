#pragma once

#include "dynid/signals/finding.h"
#include "dynid/signals/raw_signals.h"

#include <Eigen/Core>

#include <span>
#include <vector>

namespace dynid {

/// Whether the finding says that efforts are magnitudes.
bool isMagnitude(const Finding& finding);

/// Whether efforts that seem to be magnitudes are the only reason to refuse the log.
bool onlyMagnitudes(std::span<const Finding> findings);

/// Channels whose efforts never change their sign.
std::vector<Eigen::Index> channelsOfOneSign(std::span<const RawSignals> windows);

}  // namespace dynid
