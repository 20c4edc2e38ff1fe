#pragma once

#include "dynid/diagnosis/diagnosis.h"
#include "dynid/model/model.h"

#include <string>
#include <vector>

namespace dynid {

/// True if a joint moves in at least ten of the samples used, at most two of which lie in a period
/// of the cut-off.
bool movesInLogs(const ChannelFit& channel);

/// What the motion of the logs leaves unknown, one sentence each:
///
///     still      joints that do not move
///     silent     parameters without effect on these logs, but for friction and drive inertia of
///                joints that do not move
///     condition  a condition number above 1000, if it is finite
///     short      less than 0.1 s of motion per base parameter
///
/// @param diagnoses  one per log: duration of the logs, and how often the joints reverse in them
std::vector<std::string> excitationReservations(const Model& model,
                                                const std::vector<Diagnosis>& diagnoses);

}  // namespace dynid
