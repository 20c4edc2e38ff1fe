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

/// A model to compare with, and its name in the report.
struct ComparedModel {
  std::string name;
  Model model;
};

/// Receives every block of predictions when it is scored (for `--output`).
using PredictionSink = std::function<void(const PredictionBlock&)>;

/// Predicts a log that the model has not seen, scores the prediction, checks the model, compares it
/// with others, and gives a verdict. One pass over the log per model, in constant memory.
///
/// @param budget  whether to compute a torque budget of the log
/// @throws UsageError for invalid thresholds, or for a model to compare with other joints or
///     another unit; InputError for an unusable log
ValidationResult validate(const Model& model,
                          const std::filesystem::path& log,
                          const IdentificationSettings& settings = {},
                          const ValidationThresholds& thresholds = {},
                          const std::vector<ComparedModel>& against = {},
                          const PredictionSink& sink = {},
                          const Progress& progress = {},
                          bool budget = false);

/// The results that `validate` computes from the blocks of one model's prediction; also usable with
/// blocks from other sources.
class ValidationPass {
 public:
  /// @param signals  settings of the filtered score; `validate` takes the model's, with the log's
  ///     own cut-off if the model has none
  ValidationPass(const Model& model, const SignalSettings& signals);
  /// Adds consecutive blocks of the prediction.
  void add(const PredictionBlock& block);

  const ScoreAccumulator& scores() const { return scores_; }
  const BlockErrors& blockErrors() const { return *errors_; }
  bool empty() const { return errors_ == nullptr; }
  /// Writes scores, filtered scores, curves and the energy balance to `result`.
  void finish(const ValidationThresholds& thresholds, ValidationResult& result);

 private:
  ScoreAccumulator scores_;
  FilteredScorer filtered_;
  CurveRecorder curves_;
  EnergyBalance energy_;
  std::unique_ptr<BlockErrors> errors_;  // created when the sampling rate is known
};

}  // namespace dynid
