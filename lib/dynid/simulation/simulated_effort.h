#pragma once

#include "dynid/dynamics/joint_effects.h"
#include "dynid/dynamics/newton_euler.h"
#include "dynid/logs/log.h"
#include "dynid/simulation/simulated_motion.h"
#include "dynid/simulation/simulated_truth.h"

#include <Eigen/Core>

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace dynid {

/// Exact motion and effort at consecutive instants on both sides of the transmission, [samples x
/// joints or actuators].
struct SimulatedBlock {
  Eigen::MatrixXd q, dq, ddq, tau;  ///< of the joints; tau is computed by EffortOfTruth
  Eigen::MatrixXd q_actuator, dq_actuator, ddq_actuator, tau_actuator;  ///< actuators
  /// Positions one step [s] before and after. Step 0: efforts by Newton-Euler; otherwise by the
  /// discrete Euler-Lagrange equations.
  double step = 0.0;
  Eigen::MatrixXd q_before, q_after;
  /// A moving base as six joints (withBaseJoints), [samples x 6]; 0 x 0: at rest.
  Eigen::MatrixXd base_q, base_dq, base_ddq;
};

/// A payload as a body about its link's origin; centre of mass and inertia are zero if not given.
InertialParameters payloadBody(const PayloadNote& note);

/// Computes the effort of the true robot for a motion. It stores the friction states between
/// blocks.
class EffortOfTruth {
 public:
  /// @throws std::invalid_argument if the truth does not fit the robot; UsageError for a payload
  ///     without mass or link
  EffortOfTruth(const Robot& robot,
                const SimulationTruth& truth,
                const std::optional<PayloadNote>& payload);

  /// Computes the motion of the actuators and the efforts on both sides from q, dq, ddq of the
  /// block, which must follow the block before.
  void evaluate(SimulatedBlock& block);

  /// [10 bodies], including the payload.
  const Eigen::VectorXd& rigidParameters() const { return pi_; }

 private:
  Eigen::VectorXd rigidEffort(const SimulatedBlock& block, Eigen::Index i);
  void addEffects(SimulatedBlock& block, const Eigen::MatrixXd& load);

  const Robot& robot_;
  const SimulationTruth& truth_;
  std::optional<Robot> on_base_;         // the robot on six base joints
  Eigen::VectorXd pi_;                   // of the bodies, including the payload
  Eigen::MatrixXd from_joints_;          // inverse of T
  std::vector<PreslidingState> states_;  // one per column of the layout
  NewtonEulerScratch<double> scratch_;
};

/// The efforts of actuators that are recorded later than their motion
/// (SimulationTruth::effort_delay): at the time t they are those of the motion at t - delay.
class LateEfforts {
 public:
  /// Arguments as for EffortOfTruth.
  LateEfforts(const Robot& robot,
              const SimulationTruth& truth,
              const std::optional<PayloadNote>& payload);

  /// Replaces the efforts of these actuators in a block, which must follow the block before.
  /// @param motion  of the robot; before its start and after its end it keeps the state there
  /// @param sample  the block of another motion at the same times
  void replaceIn(SimulatedBlock& block,
                 const SimulatedMotion& motion,
                 const std::function<SimulatedBlock(const SimulatedMotion&)>& sample);

 private:
  struct Late {
    EffortOfTruth effort;
    std::vector<Eigen::Index> actuators;
  };

  const Robot& robot_;
  std::map<double, Late> late_;  // by delay [s]
};

}  // namespace dynid
