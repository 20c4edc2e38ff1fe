#pragma once

#include "dynid/equations/rows.h"
#include "dynid/equations/structure.h"
#include "dynid/regression/statistics.h"
#include "dynid/signals/filter.h"
#include "dynid/signals/stillness.h"
#include "dynid/simulation/simulated_effort.h"
#include "dynid/simulation/simulated_motion.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace dynid {

/// Exact regressor rows of a random motion (no file, no differentiation) and the effort by
/// Newton-Euler for the true parameters: ideal input of the estimation.
struct ExactRows {
  std::shared_ptr<const Robot> robot;
  ParameterLayout layout;
  BaseParameters base;
  Eigen::VectorXd truth;           ///< true base parameters
  std::vector<Eigen::MatrixXd> Y;  ///< per actuator [samples x columns[a]], base columns only
  std::vector<std::vector<int>> columns;
  Eigen::MatrixXd effort;  ///< [samples x actuators], without noise
  MovingMask moving;       ///< [samples x actuators]

  Eigen::Index samples() const { return effort.rows(); }
};

/// Exact signals of a random motion (no file, no differentiation) with the effort by Newton-Euler
/// for the true parameters.
inline ActuatorSignals exactSignals(const Robot& robot,
                                    const SimulationTruth& truth,
                                    const RandomMotionOptions& motion_options,
                                    double rate_hz,
                                    const std::optional<PayloadNote>& payload = std::nullopt) {
  const SimulatedMotion motion = randomMotion(robot, motion_options);
  const auto samples = static_cast<Eigen::Index>(motion.duration_s * rate_hz);
  const Eigen::Index n = robot.numJoints();
  SimulatedBlock block;
  block.q.resize(samples, n);
  block.dq.resize(samples, n);
  block.ddq.resize(samples, n);
  for (Eigen::Index i = 0; i < samples; ++i) {
    const JointMotion m = motion.at(static_cast<double>(i) / rate_hz);
    block.q.row(i) = m.q;
    block.dq.row(i) = m.dq;
    block.ddq.row(i) = m.ddq;
  }
  EffortOfTruth(robot, truth, payload).evaluate(block);

  ActuatorSignals signals;
  signals.joint.q = block.q;
  signals.joint.dq = block.dq;
  signals.joint.ddq = block.ddq;
  signals.joint.segments = {{0, samples}};
  for (Eigen::Index i = 0; i < samples; ++i) signals.joint.grid_index.push_back(i);
  signals.joint.time =
      Eigen::VectorXd::LinSpaced(samples, 0.0, static_cast<double>(samples - 1) / rate_hz);
  signals.actuator = ActuatorMotion{block.q_actuator, block.dq_actuator, block.ddq_actuator};
  signals.effort = block.tau_actuator;
  return signals;
}

inline ExactRows exactRows(const std::shared_ptr<const Robot>& robot,
                           const SimulationTruth& truth,
                           const RandomMotionOptions& motion_options,
                           double rate_hz,
                           double still_speed = 0.02) {
  const ActuatorSignals signals = exactSignals(*robot, truth, motion_options, rate_hz);
  ExactRows exact;
  exact.robot = robot;
  exact.layout = truth.layout;
  exact.base = structuralBase(robot, truth.layout, {std::nullopt});
  exact.truth = exact.base.combination() * truth.parameters;
  exact.effort = signals.effort;
  const Eigen::VectorXd standstill = Eigen::VectorXd::Constant(robot->numJoints(), still_speed);
  exact.moving = movingMask(signals.dq(), standstill);
  RowBuilder builder(robot, truth.layout, exact.base.independent, standstill);
  RowBlock rows;
  builder.build(signals, nullptr, builder.advance(signals, {}), rows);
  exact.Y = rows.copy();
  for (int a = 0; a < robot->numJoints(); ++a) exact.columns.push_back(builder.columns(a));
  return exact;
}

/// Rows and effort plus `noise` [samples x actuators], compressed as `accumulate` does: both pass
/// the zero-phase `lowpass` (no sections: none), and every `decimation`-th sample is assigned to
/// consecutive blocks.
inline Statistics compress(const ExactRows& exact,
                           const Eigen::MatrixXd& noise,
                           int blocks,
                           const Lowpass& lowpass = {},
                           int decimation = 1) {
  Statistics statistics;
  statistics.layout_size = exact.layout.size();
  statistics.block_log.assign(blocks, 0);
  for (size_t a = 0; a < exact.Y.size(); ++a) {
    const auto actuator = static_cast<Eigen::Index>(a);
    ChannelStatistics channel;
    channel.columns = exact.columns[a];
    const TriangularFactor empty(exact.Y[a].cols() + 1);
    channel.moving.assign(blocks, empty);
    channel.standstill = channel.moving;
    Eigen::MatrixXd rows(exact.samples(), exact.Y[a].cols() + 1);
    rows << exact.Y[a], exact.effort.col(actuator) + noise.col(actuator);
    filterZeroPhase(lowpass, rows);
    for (int b = 0; b < blocks; ++b) {
      std::vector<Eigen::Index> moving, standstill;
      const Eigen::Index end = exact.samples() * (b + 1) / blocks;
      for (Eigen::Index i = exact.samples() * b / blocks; i < end; ++i)
        if (i % decimation == 0) (exact.moving(i, actuator) ? moving : standstill).push_back(i);
      if (!moving.empty()) channel.moving[b].add(rows(moving, Eigen::all));
      if (!standstill.empty()) channel.standstill[b].add(rows(standstill, Eigen::all));
    }
    statistics.channels.push_back(std::move(channel));
  }
  return statistics;
}

}  // namespace dynid
