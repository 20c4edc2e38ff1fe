#pragma once

#include "dynid/model/model.h"
#include "dynid/signals/filter.h"
#include "dynid/validation/scores.h"
#include "dynid/validation/validation.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// The score against the low-passed measurement (zero phase, the model's cut-off), which stands
/// beside the headline score: what is left there is noise of the measurement no more. The
/// prediction is taken as it is.
///
/// Works on overlapping windows, so that the memory does not grow with the log. A sample that is
/// not finite is bridged by the last one for the filter, and not scored.
class FilteredScorer {
 public:
  FilteredScorer(const std::vector<std::string>& joints, const SignalSettings& signals);

  void add(const Eigen::Ref<const Eigen::VectorXd>& time,
           const Eigen::Ref<const Eigen::MatrixXd>& measured,
           const Eigen::Ref<const Eigen::MatrixXd>& predicted,
           const MovingMask& moving);
  /// Scores what is left. An empty `per_joint` and the cut-off NaN where no filter applies: no
  /// cut-off in the model, or above 0.4 of the sampling rate.
  FilteredScore finish();

 private:
  /// Fills these rows of the bridged measurement.
  void bridge(Eigen::Index first, Eigen::Index rows);
  void scoreWindow(bool last);
  bool applies() const { return lowpass_.order > 0; }

  SignalSettings signals_;
  ScoreAccumulator scores_;
  Lowpass lowpass_;
  Eigen::Index tail_ = 0, capacity_ = 0;
  double step_;
  FilterWorkspace workspace_;
  Eigen::VectorXd time_;                  // buffer, `size_` rows used
  Eigen::MatrixXd measured_, predicted_;  // [capacity x joints]
  Eigen::MatrixXd bridged_;
  MovingMask moving_;
  Eigen::Index size_ = 0;
  Eigen::Index scored_ = 0;  // rows at the buffer's head that were scored already
};

}  // namespace dynid
