#include "dynid/simulation/simulated_effort.h"

#include "dynid/core/errors.h"
#include "dynid/formulations/base_joints.h"
#include "dynid/formulations/hamilton_principle.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace dynid {
InertialParameters payloadBody(const PayloadNote& note) {
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  if (note.inertia) {
    const Eigen::Matrix<double, 6, 1>& i = *note.inertia;
    inertia << i(0), i(1), i(2), i(1), i(3), i(4), i(2), i(4), i(5);
  }
  return inertialFromCenterOfMass(note.mass, note.com.value_or(Eigen::Vector3d::Zero()), inertia);
}

EffortOfTruth::EffortOfTruth(const Robot& robot,
                             const SimulationTruth& truth,
                             const std::optional<PayloadNote>& payload)
    : robot_(robot), truth_(truth), from_joints_(robot.T.inverse()) {
  truth.check(robot);
  pi_ = truth.parameters.head(Eigen::Index{10} * robot.numBodies());
  states_.resize(truth.layout.size());
  if (!payload) return;
  const std::string link = payload->link.empty() ? robot.payload_link.value_or("") : payload->link;
  if (link.empty())
    throw UsageError(
        "the payload has no link; name it, or give the robot description a [payload] link");
  if (!std::isfinite(payload->mass) || payload->mass < 0.0)
    throw UsageError("payload on \"" + link +
                     "\": the mass is missing or negative; a simulation needs it [kg]");
  const auto [body, X_BL] = robot.findLink(link);
  pi_.segment<10>(Eigen::Index{10} * body) += transformed(X_BL, payloadBody(*payload));
}

Eigen::VectorXd EffortOfTruth::rigidEffort(const SimulatedBlock& block, Eigen::Index i) {
  if (block.step > 0.0)
    return discreteEulerLagrangeRows(
               robot_, block.q_before.row(i), block.q.row(i), block.q_after.row(i), block.step) *
           pi_;
  Eigen::VectorXd tau;
  if (block.base_q.rows() > 0) {
    const auto joined = [&](const Eigen::MatrixXd& base, const Eigen::MatrixXd& joints) {
      Eigen::VectorXd all(base.cols() + joints.cols());
      all << base.row(i).transpose(), joints.row(i).transpose();
      return all;
    };
    if (!on_base_) on_base_ = withBaseJoints(robot_);
    Eigen::VectorXd pi = Eigen::VectorXd::Zero(Eigen::Index{10} * on_base_->numBodies());
    pi.tail(pi_.size()) = pi_;
    inverseDynamics<double>(*on_base_,
                            pi,
                            joined(block.base_q, block.q),
                            joined(block.base_dq, block.dq),
                            joined(block.base_ddq, block.ddq),
                            scratch_,
                            tau);
    return tau.tail(robot_.numJoints());
  }
  inverseDynamics<double>(
      robot_, pi_, block.q.row(i), block.dq.row(i), block.ddq.row(i), scratch_, tau);
  return tau;
}

void EffortOfTruth::evaluate(SimulatedBlock& block) {
  const Eigen::Index samples = block.q.rows(), n = robot_.numJoints();
  Eigen::MatrixXd rigid(samples, n);
  for (Eigen::Index i = 0; i < samples; ++i) rigid.row(i) = rigidEffort(block, i);
  block.q_actuator =
      (block.q.rowwise() - robot_.transmission_offset.transpose()) * from_joints_.transpose();
  block.dq_actuator = block.dq * from_joints_.transpose();
  block.ddq_actuator = block.ddq * from_joints_.transpose();
  block.tau_actuator = rigid * robot_.T;
  const Eigen::MatrixXd load = block.tau_actuator;
  addEffects(block, load);
  block.tau = block.tau_actuator * from_joints_;
}

void EffortOfTruth::addEffects(SimulatedBlock& block, const Eigen::MatrixXd& load) {
  for (int c = 10 * robot_.numBodies(); c < truth_.layout.size(); ++c) {
    const Column& column = truth_.layout[c];
    const double parameter = truth_.parameters(c);
    if (column.kind == ColumnKind::kPosition) {
      const PositionEffect effect = positionEffect(robot_, column);
      const Eigen::MatrixXd& q = effect.at_actuator ? block.q_actuator : block.q;
      const Eigen::VectorXd torque =
          parameter * positionColumns(effect, q.col(column.owner)).col(column.component);
      if (effect.at_actuator) {
        block.tau_actuator.col(column.owner) += torque;
      } else {
        block.tau_actuator += torque * robot_.T.row(column.owner);
      }
      continue;
    }
    EffectBlock input;
    input.q = (column.at_joint ? block.q : block.q_actuator).col(column.owner);
    input.dq = (column.at_joint ? block.dq : block.dq_actuator).col(column.owner);
    input.ddq = block.ddq_actuator.col(column.owner);
    input.tau_model = load.col(column.owner);
    if (truth_.ramp_speed.size() > 0) input.deadband = truth_.ramp_speed(column.owner);
    const Eigen::VectorXd effort = parameter * effectColumn(column, input, &states_[c]);
    if (column.at_joint) {
      block.tau_actuator += effort * robot_.T.row(column.owner);
    } else {
      block.tau_actuator.col(column.owner) += effort;
    }
  }
}

LateEfforts::LateEfforts(const Robot& robot,
                         const SimulationTruth& truth,
                         const std::optional<PayloadNote>& payload)
    : robot_(robot) {
  for (Eigen::Index a = 0; a < truth.effort_delay.size(); ++a) {
    const double delay = truth.effort_delay(a);
    if (delay == 0.0) continue;
    const EffortOfTruth effort(robot, truth, payload);
    late_.try_emplace(delay, Late{effort, {}}).first->second.actuators.push_back(a);
  }
}

void LateEfforts::replaceIn(SimulatedBlock& block,
                            const SimulatedMotion& motion,
                            const std::function<SimulatedBlock(const SimulatedMotion&)>& sample) {
  for (auto& entry : late_) {
    const double delay = entry.first;
    Late& late = entry.second;
    SimulatedBlock before =
        sample({motion.duration_s, [&](double t) {
                  return motion.at(std::clamp(t - delay, 0.0, motion.duration_s));
                }});
    late.effort.evaluate(before);
    block.tau_actuator(Eigen::all, late.actuators) =
        before.tau_actuator(Eigen::all, late.actuators).eval();
  }
  if (!late_.empty()) block.tau = block.tau_actuator * robot_.T.inverse();
}

}  // namespace dynid
