#pragma once

#include "dynid/equations/equations.h"
#include "dynid/equations/rows.h"

#include <Eigen/Core>

#include <memory>
#include <vector>

namespace dynid {

/// The motion as the variational form knows it, by positions alone: velocities, which only friction
/// takes, are their central differences over two steps of the clock.
/// @param step  [s] between samples
ActuatorSignals fromPositions(const ActuatorSignals& signals, double step);

/// Turns the rows of inverse dynamics into those of the chosen equations, channel by channel.
/// Around every sample, means and slopes over a window of length D where they are integral:
///
///     power        d(K + V)/dt = sum_a dq_a (tau_a - effects_a)                          [W]
///     energy       [(K + V)(t1) - (K + V)(t0)] / D = mean(sum_a dq_a (tau_a - effects_a)) [W]
///     momentum     [p_a(t1) - p_a(t0)] / D - mean(dL/dq_a) = mean(tau_a - effects_a)   [N m, N]
///     variational  -[D2 L_d(q0, q1) + D1 L_d(q1, q2)] / h = tau_a - effects_a          [N m, N]
///
/// p = T^T dK/d dq; drive inertia counts as a body of its own, I_m dq_a in p and I_m dq_a^2 / 2 in
/// K. Power and energy have one channel for the whole robot, the others one per actuator.
class EquationRows {
 public:
  /// @param rows  of inverse dynamics
  EquationRows(std::shared_ptr<const Robot> robot, RowBuilder rows, Equations equations);

  const Equations& equations() const { return equations_; }
  RowBuilder& inverseDynamics() { return rows_; }
  /// Channels of effort.
  int numChannels() const { return static_cast<int>(columns_.size()); }
  /// Columns of a channel's rows, ascending.
  const std::vector<int>& columns(int channel) const { return columns_[channel]; }
  const ParameterLayout& layout() const { return rows_.layout(); }
  /// Whether a sample says something about the channel: its joint moves, or any of them.
  bool moves(const ActuatorSignals& signals, Eigen::Index sample, int channel) const;

  /// @param signals  consecutive samples (variational: fromPositions), `step` apart within a
  /// segment
  /// @param step     [s]
  /// @param window   [s] to integrate over
  /// @param rows     of inverse dynamics at these samples, one matrix per actuator; result: one per
  /// channel
  /// @param efforts  [samples x actuators] N m or N; result: [samples x channels]
  void transform(const ActuatorSignals& signals,
                 const PayloadPlacement* payload,
                 double step,
                 double window,
                 std::vector<Eigen::MatrixXd>& rows,
                 Eigen::MatrixXd& efforts) const;

  /// Another one of the same, for another thread.
  EquationRows clone() const { return {robot_, rows_.clone(), equations_}; }

 private:
  // Each has what it needs of transform's arguments.
  struct Task {
    const ActuatorSignals& signals;
    const PayloadPlacement* payload;
    double step, window;
  };
  void toPower(const Task& task,
               std::vector<Eigen::MatrixXd>& rows,
               Eigen::MatrixXd& efforts) const;
  void toEnergy(const Task& task,
                std::vector<Eigen::MatrixXd>& rows,
                Eigen::MatrixXd& efforts) const;
  void toMomentum(const Task& task,
                  std::vector<Eigen::MatrixXd>& rows,
                  Eigen::MatrixXd& efforts) const;
  void toVariational(const Task& task,
                     std::vector<Eigen::MatrixXd>& rows,
                     Eigen::MatrixXd& efforts) const;
  /// Positions of the drive inertias among a channel's columns, and whose they are.
  std::vector<std::pair<Eigen::Index, int>> driveInertias(int channel) const;

  std::shared_ptr<const Robot> robot_;
  RowBuilder rows_;
  Equations equations_;
  std::vector<std::vector<int>> columns_;  // by channel
};

}  // namespace dynid
