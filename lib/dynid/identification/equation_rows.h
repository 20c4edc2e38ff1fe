#pragma once

#include "dynid/identification/equations.h"
#include "dynid/identification/rows.h"

#include <Eigen/Core>

#include <memory>
#include <vector>

namespace dynid {

/// Turns the rows of inverse dynamics into those of the chosen equations, channel by channel.
///
/// Momentum form of actuator a over a window of length D around each sample:
///
///     [p_a(t1) - p_a(t0) - int dL/dq_a dt] / D = [int (tau_a - effects_a) dt] / D
///
/// with p = T^T dK/d dq (momentumRows) and drive inertia in it as I_m dq_a. Rows stay in N m or N.
class EquationRows {
 public:
  /// @param rows  of inverse dynamics
  EquationRows(std::shared_ptr<const Robot> robot, RowBuilder rows, Equations equations);

  const Equations& equations() const { return equations_; }
  RowBuilder& inverseDynamics() { return rows_; }
  /// Channels of effort.
  int numChannels() const { return rows_.numActuators(); }
  /// Columns of a channel's rows, ascending.
  const std::vector<int>& columns(int channel) const { return rows_.columns(channel); }
  const ParameterLayout& layout() const { return rows_.layout(); }

  /// @param signals  consecutive samples, `step` apart within a segment
  /// @param step     [s]
  /// @param window   [s] to integrate over
  /// @param rows     of inverse dynamics at these samples, one matrix an actuator; result: one a
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
  void toMomentum(const ActuatorSignals& signals,
                  const PayloadPlacement* payload,
                  double step,
                  double window,
                  std::vector<Eigen::MatrixXd>& rows,
                  Eigen::MatrixXd& efforts) const;

  std::shared_ptr<const Robot> robot_;
  RowBuilder rows_;
  Equations equations_;
};

}  // namespace dynid
