#pragma once

#include "dynid/dynamics/joint_effects.h"
#include "dynid/dynamics/newton_euler.h"
#include "dynid/logs/log.h"
#include "dynid/simulation/simulated_truth.h"

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace dynid {

/// Motion and effort of consecutive instants on both sides of the transmission, [samples x joints
/// or actuators], exact.
struct SimulatedBlock {
  Eigen::MatrixXd q, dq, ddq, tau;  ///< joints; tau is filled by EffortOfTruth
  Eigen::MatrixXd q_actuator, dq_actuator, ddq_actuator, tau_actuator;
  /// Positions one step [s] before and after; step 0: efforts by Newton-Euler, else by the discrete
  /// Euler-Lagrange equations.
  double step = 0.0;
  Eigen::MatrixXd q_before, q_after;
  /// A moving base as six joints (withBaseJoints), [samples x 6]; 0 x 0: at rest.
  Eigen::MatrixXd base_q, base_dq, base_ddq;
};

/// A load as a body, about its link's origin; its centre of mass and inertia zero where missing.
InertialParameters payloadBody(const PayloadNote& note);

/// The effort that the truth needs for a motion; holds the friction states that carry over from
/// block to block.
class EffortOfTruth {
 public:
  /// @throws std::invalid_argument from truth.check; UsageError for a payload without mass or link.
  EffortOfTruth(const Robot& robot,
                const SimulationTruth& truth,
                const std::optional<PayloadNote>& payload);

  /// Fills the actuators' motion and both efforts from q, dq, ddq of the block, which follows the
  /// one before.
  void evaluate(SimulatedBlock& block);

  /// [10 bodies] with the payload.
  const Eigen::VectorXd& rigidParameters() const { return pi_; }

 private:
  Eigen::VectorXd rigidEffort(const SimulatedBlock& block, Eigen::Index i);
  void addEffects(SimulatedBlock& block, const Eigen::MatrixXd& load);

  const Robot& robot_;
  const SimulationTruth& truth_;
  std::optional<Robot> on_base_;         // with six joints under it
  Eigen::VectorXd pi_;                   // bodies with the payload
  Eigen::MatrixXd from_joints_;          // inverse of T
  std::vector<PreslidingState> states_;  // one a column of the layout
  NewtonEulerScratch<double> scratch_;
};

}  // namespace dynid
