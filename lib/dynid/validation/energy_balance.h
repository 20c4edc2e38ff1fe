#pragma once

#include "dynid/model/model.h"
#include "dynid/prediction/predict.h"
#include "dynid/validation/validation.h"

#include <Eigen/Core>

#include <memory>

namespace dynid {

/// Follows the energy of a model along a log:
///
///     imbalance = int measured . dq dt - int (predicted - conservative) . dq dt - (E(t1) - E(t0))
///
/// with `conservative` the efforts of the links and drive inertias, E their energy from M(q) and
/// gravity, and the second integral what friction, springs and payloads of the model take. It is
/// small only if the measured work is explained and the model's inverse dynamics and its energies
/// belong together.
class EnergyBalance {
 public:
  explicit EnergyBalance(const Model& model);

  /// Consecutive blocks with their efforts of the links (PredictionBlock::rigid). Rows that are not
  /// finite, and gaps, part the log into stretches that count separately.
  /// @throws std::invalid_argument if the block does not hold them (PredictionExtras)
  void add(const PredictionBlock& block);
  /// |imbalance| over int sum_j |measured_j dq_j| dt against the threshold; not verifiable where
  /// nothing moved.
  Check check(double max_energy_error);

 private:
  void closeStretch();

  std::shared_ptr<const Robot> robot_;
  Eigen::VectorXd inertial_;       // [10 bodies]
  Eigen::VectorXd drive_inertia_;  // [actuators]
  Eigen::MatrixXd reflected_;      // T^-T diag(drive inertia) T^-1, joint side
  double step_;
  bool open_ = false;
  double last_time_ = 0.0, last_power_ = 0.0, last_flow_ = 0.0;
  Eigen::VectorXd first_q_, first_dq_, last_q_, last_dq_;
  double unexplained_ = 0.0;  // int (measured - predicted + conservative) . dq dt
  double flow_ = 0.0, gained_ = 0.0;
};

}  // namespace dynid
