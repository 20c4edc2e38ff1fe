#pragma once

#include "dynid/model/model.h"
#include "dynid/signals/filter.h"
#include "dynid/validation/scores.h"
#include "dynid/validation/validation.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// Scores of a prediction against the measurement, both low-passed alike (zero phase, cut-off of
/// the model), shown in addition to the main score: the error of the model below the cut-off. They
/// contain little measurement noise, and not the jumps of friction above the cut-off, which count
/// as errors in the unfiltered score.
///
/// The filter works on overlapping windows, so that memory does not grow with the log. A sample
/// that is not finite is not scored; the filter continues there with the difference of measurement
/// and prediction before it.
class FilteredScorer {
 public:
  FilteredScorer(const std::vector<std::string>& joints, const SignalSettings& signals);

  /// Adds consecutive rows, `time` [rows] s, the others [rows x joints].
  void add(const Eigen::Ref<const Eigen::VectorXd>& time,
           const Eigen::Ref<const Eigen::MatrixXd>& measured,
           const Eigen::Ref<const Eigen::MatrixXd>& predicted,
           const MovingMask& moving);
  /// Scores the remaining rows. If no filter applies (no cut-off in the model), `per_joint` is
  /// empty and the cut-off NaN.
  FilteredScore finish();

 private:
  void scoreWindow(bool last);
  bool applies() const { return lowpass_.order > 0; }

  SignalSettings signals_;
  ScoreAccumulator scores_;
  Lowpass lowpass_;
  Eigen::Index tail_ = 0, capacity_ = 0;
  double step_;
  FilterWorkspace workspace_;
  Eigen::VectorXd time_;                  // buffer, of which `size_` rows are used
  Eigen::MatrixXd measured_, predicted_;  // [capacity x joints]
  Eigen::MatrixXd bridged_measured_, bridged_predicted_;
  MovingMask moving_;
  // [joints] sums of squares: residual above the cut-off, residual, effort, effort above the
  // cut-off
  Eigen::VectorXd noise_, error_, effort_, effort_above_;
  Eigen::Index size_ = 0;
  Eigen::Index scored_ = 0;  // rows at the beginning of the buffer that are already scored
};

}  // namespace dynid
