#pragma once

#include "dynid/core/progress.h"
#include "dynid/identification/settings.h"
#include "dynid/model/model.h"
#include "dynid/prediction/predict.h"
#include "dynid/validation/curve_recorder.h"
#include "dynid/validation/energy_balance.h"
#include "dynid/validation/filtered_score.h"
#include "dynid/validation/paired_test.h"
#include "dynid/validation/scores.h"
#include "dynid/validation/validation.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dynid {

/// A model to compare with, under the name that the report calls it by.
struct Rival {
  std::string name;
  Model model;
};

/// Receives every block of predictions as it is scored (for `--output`).
using PredictionSink = std::function<void(const PredictionBlock&)>;

/// Predicts a log with a model that has not seen it, scores the prediction, checks the model,
/// compares it with others, and judges. One pass over the log a model, constant memory.
///
/// @param budget  make a torque budget of the log as well
/// @throws UsageError for bad thresholds, or a rival with other joints or another unit; InputError
/// for an unusable log.
ValidationResult validate(const Model& model,
                          const std::filesystem::path& log,
                          const IdentificationSettings& settings = {},
                          const ValidationThresholds& thresholds = {},
                          const std::vector<Rival>& against = {},
                          const PredictionSink& sink = {},
                          const Progress& progress = {},
                          bool budget = false);

/// What `validate` gathers from the blocks of one model's prediction; for blocks from elsewhere.
class ValidationPass {
 public:
  /// @param signals  of the filtered score; validate takes the model's, with the log's own cut-off
  /// where the model has none
  ValidationPass(const Model& model, const SignalSettings& signals);
  void add(const PredictionBlock& block);

  const ScoreAccumulator& scores() const { return scores_; }
  const BlockErrors& blockErrors() const { return *errors_; }
  bool empty() const { return errors_ == nullptr; }
  /// Scores, filtered scores, curves and the energy balance into `result`.
  void finish(const ValidationThresholds& thresholds, ValidationResult& result);

 private:
  ScoreAccumulator scores_;
  FilteredScorer filtered_;
  CurveRecorder curves_;
  EnergyBalance energy_;
  std::unique_ptr<BlockErrors> errors_;  // once the sampling rate is known
};

}  // namespace dynid
