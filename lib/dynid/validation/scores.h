#pragma once

#include "dynid/signals/stillness.h"
#include "dynid/validation/residual_tests.h"
#include "dynid/validation/running_moments.h"
#include "dynid/validation/validation.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// Scores of predictions against measurements, in one pass and constant memory. A sample of a joint
/// is left out if its measurement or prediction is not finite.
class ScoreAccumulator {
 public:
  explicit ScoreAccumulator(const std::vector<std::string>& joints);

  /// Adds consecutive rows: `time` [rows] s, the others [rows x joints]. A time step that is not
  /// positive, or is much longer than usual, is a gap for the tests of the residual.
  void add(const Eigen::Ref<const Eigen::VectorXd>& time,
           const Eigen::Ref<const Eigen::MatrixXd>& measured,
           const Eigen::Ref<const Eigen::MatrixXd>& predicted,
           const Eigen::Ref<const MovingMask>& moving);

  /// Scores of the rows added so far, one entry per joint.
  std::vector<JointScore> scores() const;
  /// sqrt(sum |measured - predicted|^2 / sum |measured|^2) over all joints; NaN without samples.
  double relativeError() const;
  double rows() const { return rows_; }
  double scoredRows() const { return scored_rows_; }  ///< with at least one joint scored
  double movingRows() const { return moving_rows_; }  ///< with at least one joint moving
  /// Usual time step [s]; NaN before two rows were added.
  double step() const { return step_; }

 private:
  struct JointSums {
    RunningMoments measured, predicted;
    double errors = 0.0, squared_errors = 0.0, squared_measured = 0.0;
    double moving = 0.0, moving_errors = 0.0, moving_measured = 0.0;
    double max_abs = 0.0;
    ResidualTest residual;
  };
  void addPiece(const Eigen::Ref<const Eigen::VectorXd>& time,
                const Eigen::Ref<const Eigen::MatrixXd>& measured,
                const Eigen::Ref<const Eigen::MatrixXd>& predicted,
                const Eigen::Ref<const MovingMask>& moving);
  /// Adds consecutive finite samples without a gap.
  static void addRun(const Eigen::Ref<const Eigen::VectorXd>& measured,
                     const Eigen::Ref<const Eigen::VectorXd>& predicted,
                     const Eigen::Ref<const Eigen::Array<bool, Eigen::Dynamic, 1>>& moving,
                     JointSums& sums);
  JointScore score(size_t joint) const;

  std::vector<std::string> names_;
  std::vector<JointSums> sums_;
  double rows_ = 0.0, scored_rows_ = 0.0, moving_rows_ = 0.0;
  double step_, last_time_;
};

/// Median of the positive time steps of the first rows [s]; NaN if there is none.
double usualStep(const Eigen::Ref<const Eigen::VectorXd>& time);
/// Whether a step between two rows [s] is backward, or a gap: longer than ten usual steps and than
/// 0.05 s. Repeated stamps are none.
bool isGap(double step, double usual);

}  // namespace dynid
