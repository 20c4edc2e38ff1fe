#pragma once

#include "dynid/identification/settings.h"
#include "dynid/model/model.h"
#include "dynid/validation/scores.h"

namespace dynid {

/// Predicts a log and scores all of its samples.
/// @throws InputError as predictLog does
ScoreAccumulator predictionScores(const Model& model,
                                  const LogInput& log,
                                  const IdentificationSettings& settings);

}  // namespace dynid
