#include "dynid/validation/prediction_scores.h"

#include "dynid/prediction/predict.h"

namespace dynid {

ScoreAccumulator predictionScores(const Model& model,
                                  const LogInput& log,
                                  const IdentificationSettings& settings) {
  ScoreAccumulator scores(model.robot->jointNames());
  predictLog(model, log, settings, [&](const PredictionBlock& block) {
    scores.add(block.time, block.measured, block.predicted, block.moving);
  });
  return scores;
}

}  // namespace dynid
