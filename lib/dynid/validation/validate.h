#pragma once

#include "dynid/core/progress.h"
#include "dynid/identification/settings.h"
#include "dynid/model/model.h"
#include "dynid/prediction/predict.h"
#include "dynid/validation/validation.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dynid {

/// A model to compare with, and its name in the report.
struct ComparedModel {
  std::string name;
  Model model;
};

/// Receives every block of predictions when it is scored.
using PredictionSink = std::function<void(const PredictionBlock&)>;

/// Predicts a log that the model has not seen, scores the prediction, checks the model, compares it
/// with others, and gives a verdict. One pass over the log per model, in constant memory.
///
/// @param budget  whether to compute a torque budget of the log
/// @throws std::invalid_argument for a model that is not complete (Model::check); UsageError for
///     wrong settings or thresholds, or for a model to compare with other joints or another unit;
///     InputError for an unusable log
ValidationResult validate(const Model& model,
                          const LogInput& log,
                          const IdentificationSettings& settings = {},
                          const ValidationThresholds& thresholds = {},
                          const std::vector<ComparedModel>& against = {},
                          const PredictionSink& sink = {},
                          const Progress& progress = {},
                          bool budget = false);

}  // namespace dynid
