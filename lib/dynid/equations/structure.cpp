#include "dynid/equations/structure.h"

#include "dynid/dynamics/closed_motion.h"
#include "dynid/dynamics/joint_effects.h"
#include "dynid/equations/rigid_columns.h"
#include "dynid/robot/root_body.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

namespace dynid {
namespace {

// A presliding state at a random state, where the path since the last reversal is drawn as well:
// states of different distances are independent of each other and of the sign of the velocity.
double presliding(double velocity, double path, double distance) {
  const double length = 1e3 * distance;
  return std::copysign((path - length) / (path + length), velocity);
}

// At random states the transmitted torque is replaced by an independent number, and the presliding
// state of friction other than Coulomb friction by the sign of the velocity.
double frictionEntry(const Column& column, const RandomState& state) {
  EffectBlock block;
  const int k = column.owner;
  const auto one = [](double value) { return Eigen::VectorXd::Constant(1, value); };
  block.q = one(column.at_joint ? state.q(k) : state.q_actuator(k));
  block.dq = one(column.at_joint ? state.dq(k) : state.dq_actuator(k));
  block.ddq = one(column.at_joint ? state.ddq(k) : state.ddq_actuator(k));
  block.tau_model = one(std::sin(state.q_actuator(k)) + 2.0 * state.ddq_actuator(k));
  if (column.effect == FrictionEffect::kCoulomb && column.hasPreslidingState())
    return presliding(block.dq(0), std::abs(block.q(0)), column.presliding);
  return effectColumn(column, block)(0);
}

// Fills the columns of friction, position effects and the payload at one state. Effects of a joint
// act on every actuator that drives it, by the row of T.
void fillColumns(const Robot& robot,
                 const ParameterLayout& layout,
                 const std::optional<PayloadPlacement>& loading,
                 const RandomState& state,
                 Eigen::Ref<Eigen::MatrixXd> rows) {
  for (int c = 0; c < layout.size(); ++c) {
    const Column& column = layout[c];
    if (column.isFriction() && column.at_joint)
      rows.col(c) = frictionEntry(column, state) * robot.T.row(column.owner).transpose();
    if (column.isFriction() && !column.at_joint)
      rows(column.owner, c) = frictionEntry(column, state);
    if (column.kind == ColumnKind::kPosition) {
      const PositionEffect effect = positionEffect(robot, column);
      const double q = effect.at_actuator ? state.q_actuator(column.owner) : state.q(column.owner);
      const double value =
          positionColumns(effect, Eigen::VectorXd::Constant(1, q))(0, column.component);
      if (effect.at_actuator) {
        rows(column.owner, c) = value;
      } else {
        rows.col(c) = value * robot.T.row(column.owner).transpose();
      }
    }
  }
  if (loading)
    rows.middleCols(loading->first_column, 10) =
        rows.middleCols(10 * loading->body, 10) * inertialTransform(loading->X_BL);
}

/// Random values in the range used for joints. Unlike std::uniform_real_distribution, the same on
/// every machine.
class Draw {
 public:
  Eigen::VectorXd operator()(Eigen::Index size, double bound) {
    Eigen::VectorXd values(size);
    for (double& value : values)
      value = bound * (2.0 * static_cast<double>(random_() >> 11) * 0x1p-53 - 1.0);
    return values;
  }

 private:
  std::mt19937_64 random_{1};
};

// Random position; for a mechanism within the limits and with closed loops.
Eigen::VectorXd drawPosition(const Robot& robot, Draw& draw) {
  const Eigen::Index n = robot.numJoints();
  if (robot.loops.empty()) return draw(n, 3.0);
  return closablePosition(robot, [&] {
    Eigen::VectorXd q = draw(n, 1.0);
    for (Eigen::Index j = 0; j < n; ++j) {
      const JointLimits& limits = robot.joints[j].limits;
      const double lower = std::max(limits.lower, -3.0), upper = std::min(limits.upper, 3.0);
      q(j) = lower + 0.5 * (1.0 + q(j)) * (upper - lower);
    }
    return q;
  });
}

// Wrench rows of one sensor at random motions.
Eigen::MatrixXd sensorRows(const Robot& robot,
                           const ParameterLayout& layout,
                           const std::optional<PayloadPlacement>& loading,
                           const BodySensor& sensor) {
  std::vector<int> all(layout.size());
  std::iota(all.begin(), all.end(), 0);
  const std::vector<int> columns = sensedColumns(robot, sensor, layout, all);
  Draw draw;
  const Eigen::Index n = robot.numJoints(), states = 10 + static_cast<Eigen::Index>(columns.size());
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(6 * states, layout.size());
  for (Eigen::Index s = 0; s < states; ++s) {
    const SensedMotion motion{draw(3, 3.0), draw(3, 10.0), draw(3, 10.0)};
    const Eigen::VectorXd q = drawPosition(robot, draw), dq = draw(n, 3.0), ddq = draw(n, 10.0);
    rows.middleRows(6 * s, 6)(Eigen::all, columns) = sensedRows(
        robot, sensor, motion, q, dq, ddq, loading ? &*loading : nullptr, layout, columns);
  }
  return rows;
}

// Rows of the ground's wrench and of the actuators' rigid bodies, at random motions of the base.
Eigen::MatrixXd baseRows(const Robot& robot,
                         const ParameterLayout& layout,
                         const std::optional<PayloadPlacement>& loading,
                         const BaseKnowledge& base) {
  std::vector<int> all(layout.size());
  std::iota(all.begin(), all.end(), 0);
  const PayloadPlacement* payload = loading ? &*loading : nullptr;
  const RigidColumns places(layout, all, payload);
  Draw draw;
  const Eigen::Index n = robot.numJoints(), states = 10 + static_cast<Eigen::Index>(layout.size());
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero((6 + n) * states, layout.size());
  for (Eigen::Index s = 0; s < states; ++s) {
    SensedMotion motion{Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), -robot.gravity};
    if (base.moves) motion = {draw(3, 3.0), draw(3, 10.0), draw(3, 10.0)};
    const Eigen::VectorXd q = drawPosition(robot, draw), dq = draw(n, 3.0), ddq = draw(n, 10.0);
    const MovingBaseRows moving = movingBaseRows(robot, motion, q, dq, ddq);
    const Eigen::MatrixXd joints = robot.T.transpose() * moving.joints;
    for (Eigen::Index i = 0; base.wrench && i < 6; ++i)
      places.place(moving.base.row(i), rows.row((6 + n) * s + i));
    for (Eigen::Index j = 0; base.moves && j < n; ++j)
      places.place(joints.row(j), rows.row((6 + n) * s + 6 + j));
  }
  return rows;
}

}  // namespace

BaseParameters structuralBase(const std::shared_ptr<const Robot>& robot,
                              const ParameterLayout& layout,
                              const std::vector<std::optional<PayloadPlacement>>& payload_cases,
                              const std::vector<BodySensor>& sensors,
                              const BaseKnowledge& base,
                              int threads) {
  Eigen::MatrixXd stack(0, layout.size());
  for (size_t i = 0; i < payload_cases.size(); ++i) {
    RandomStates states;
    states.seed = i + 1;
    states.threads = threads;
    Eigen::MatrixXd rows = randomStateRows(
        *robot, layout, states, [&](const RandomState& state, Eigen::Ref<Eigen::MatrixXd> target) {
          fillColumns(*robot, layout, payload_cases[i], state, target);
        });
    const auto append = [&](Eigen::MatrixXd more) {
      if (stack.rows() == 0) {
        stack = std::move(more);
        return;
      }
      stack.conservativeResize(stack.rows() + more.rows(), Eigen::NoChange);
      stack.bottomRows(more.rows()) = more;
    };
    append(std::move(rows));
    for (const BodySensor& sensor : sensors)
      append(sensorRows(*robot, layout, payload_cases[i], sensor));
    if (base.moves || base.wrench) append(baseRows(*robot, layout, payload_cases[i], base));
  }
  std::vector<int> of_root;
  for (int c = 0; c < layout.size(); ++c) {
    if (layout[c].kind != ColumnKind::kInertial) continue;
    if (robot->bodies[layout[c].owner].massless) stack.col(c).setZero();
    if (hasRootBody(*robot) && layout[c].owner == robot->numBodies() - 1) of_root.push_back(c);
  }
  return baseParameters(stack, kStructuralTolerance, threads, of_root);
}

}  // namespace dynid
