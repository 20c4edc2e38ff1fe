#include "dynid/validation/validation_pass.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

/// [s] Initial length of the blocks of the paired test; it is increased while differences are
/// correlated.
constexpr double kStretchSeconds = 1.0;

}  // namespace

std::unique_ptr<BlockErrors> newBlockErrors(const PredictionBlock& block) {
  const double step = usualStep(block.time);
  const double rows = std::isnan(step) ? 1.0 : std::ceil(kStretchSeconds / step);
  return std::make_unique<BlockErrors>(block.measured.cols(),
                                       static_cast<Eigen::Index>(std::max(1.0, rows)));
}

ValidationPass::ValidationPass(const Model& model)
    : scores_(model.robot->jointNames()),
      joints_(model.robot->jointNames()),
      signals_(model.signals),
      energy_(model) {}

void ValidationPass::add(const PredictionBlock& block) {
  if (block.time.size() == 0) return;
  end_row_ = block.first_row + block.time.size();
  if (!errors_) {
    first_row_ = block.first_row;
    errors_ = newBlockErrors(block);
    if (std::isfinite(block.cutoff_hz)) signals_.cutoff_hz = block.cutoff_hz;
    filtered_.emplace(joints_, signals_);
  }
  scores_.add(block.time, block.measured, block.predicted, block.moving);
  filtered_->add(block.time, block.measured, block.predicted, block.moving);
  curves_.add(block.time, block.measured, block.predicted);
  energy_.add(block);
  errors_->add(block.measured, block.predicted);
}

void ValidationPass::finish(const ValidationThresholds& thresholds, ValidationResult& result) {
  result.per_joint = scores_.scores();
  result.relative_error = scores_.relativeError();
  result.samples = scores_.rows();
  result.scored = scores_.scoredRows();
  result.moving = scores_.movingRows();
  result.duration_s = scores_.rows() * scores_.step();
  if (filtered_) result.filtered = filtered_->finish();
  if (result.filtered.per_joint.empty())
    result.notes.emplace_back("no filtered score: the model has no cut-off");
  result.curves = curves_.curves();
  result.checks.push_back(energy_.check(thresholds.max_energy_error));
}

}  // namespace dynid
