#pragma once

#include "dynid/model/model.h"
#include "dynid/prediction/predict.h"
#include "dynid/validation/curve_recorder.h"
#include "dynid/validation/energy_balance.h"
#include "dynid/validation/filtered_score.h"
#include "dynid/validation/paired_test.h"
#include "dynid/validation/scores.h"
#include "dynid/validation/validation.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// Errors for the paired test, in blocks of about one second of the log to which `block` belongs.
std::unique_ptr<BlockErrors> newBlockErrors(const PredictionBlock& block);

/// The results that `validate` computes from the blocks of one model's prediction; also usable with
/// blocks from other sources.
class ValidationPass {
 public:
  /// The filtered score has the cut-off of the blocks, or of the model if they have none.
  explicit ValidationPass(const Model& model);
  /// Adds consecutive blocks of the prediction.
  void add(const PredictionBlock& block);

  const ScoreAccumulator& scores() const { return scores_; }
  const BlockErrors& blockErrors() const { return *errors_; }
  double cutoff() const { return signals_.cutoff_hz; }  ///< [Hz] of the blocks
  bool empty() const { return errors_ == nullptr; }
  /// The rows of the log in the blocks are [firstRow(), endRow()).
  std::int64_t firstRow() const { return first_row_; }
  std::int64_t endRow() const { return end_row_; }
  /// Writes scores, filtered scores, curves and the energy balance to `result`.
  void finish(const ValidationThresholds& thresholds, ValidationResult& result);

 private:
  ScoreAccumulator scores_;
  std::vector<std::string> joints_;
  SignalSettings signals_;
  std::optional<FilteredScorer> filtered_;  // created when the cut-off is known
  CurveRecorder curves_;
  EnergyBalance energy_;
  std::unique_ptr<BlockErrors> errors_;  // created when the sampling rate is known
  std::int64_t first_row_ = 0, end_row_ = 0;
};

}  // namespace dynid
