#pragma once

#include "dynid/model/model.h"
#include "dynid/prediction/predict.h"
#include "dynid/validation/validation.h"

#include <Eigen/Core>

#include <memory>

namespace dynid {

/// Checks the energy balance of a model along a log:
///
///     imbalance = int measured . dq dt - int (predicted - conservative) . dq dt - (E(t1) - E(t0))
///
/// `conservative` are the efforts of links and drive inertias, E is their energy from M(q) and
/// gravity. The second integral is the energy dissipated or stored by friction, springs and
/// payloads of the model. The imbalance is small only if the model explains the measured work and
/// its inverse dynamics and energies are consistent.
class EnergyBalance {
 public:
  explicit EnergyBalance(const Model& model);

  /// Adds consecutive blocks that contain the efforts of the links (PredictionBlock::rigid). Rows
  /// that are not finite, and gaps, divide the log into stretches with separate balances.
  /// @throws std::invalid_argument if the block does not contain them (PredictionExtras)
  void add(const PredictionBlock& block);
  /// |imbalance| relative to int sum_j |measured_j dq_j| dt, compared with the threshold; not
  /// verifiable if nothing moved.
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
