#pragma once

#include "dynid/identification/find_gains.h"
#include "dynid/model/model.h"

#include <string>
#include <vector>

namespace dynid {

/// Drive gains that limit the use of a model of currents, one sentence each:
///
///     stated   gains that contradict the other stated ones
///     found    gains that the logs hardly determine: standard deviation above 0.4 of the gain
///
/// @param doubtful  FoundGains::doubtful
std::vector<std::string> gainReservations(const Model& model,
                                          const std::vector<DoubtfulGain>& doubtful);

}  // namespace dynid
