#include "dynid/identification/structure.h"

#include "dynid/dynamics/joint_effects.h"

#include <cmath>
#include <numeric>
#include <random>

namespace dynid {
namespace {

// Signs jump: at random states presliding is the sign itself, and the load a number of its own.
double frictionEntry(const Column& column, const RandomState& state) {
  EffectBlock block;
  const auto one = [&](const Eigen::VectorXd& values) {
    return Eigen::VectorXd::Constant(1, values(column.owner));
  };
  block.q = one(column.at_joint ? state.q : state.q_actuator);
  block.dq = one(column.at_joint ? state.dq : state.dq_actuator);
  block.ddq = one(column.at_joint ? state.ddq : state.ddq_actuator);
  block.tau_model = one(state.q_actuator.array().sin() + 2.0 * state.ddq_actuator.array());
  if (column.effect == FrictionEffect::kCoulomb && column.smoothing > 0.0)
    return std::tanh(block.dq(0) / column.smoothing);
  return effectColumn(column, block)(0);
}

void fillColumns(const Robot& robot,
                 const ParameterLayout& layout,
                 const std::optional<PayloadPlacement>& loading,
                 const RandomState& state,
                 Eigen::Ref<Eigen::MatrixXd> rows) {
  for (int c = 0; c < layout.size(); ++c) {
    const Column& column = layout[c];
    if (column.kind == ColumnKind::kFriction && column.at_joint)
      rows.col(c) = frictionEntry(column, state) * robot.T.row(column.owner).transpose();
    if (column.kind == ColumnKind::kFriction && !column.at_joint)
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

// Body equations of one sensor at random motions, of the size that joints are drawn with.
Eigen::MatrixXd sensorRows(const Robot& robot,
                           const ParameterLayout& layout,
                           const std::optional<PayloadPlacement>& loading,
                           const BodySensor& sensor) {
  std::vector<int> all(static_cast<size_t>(layout.size()));
  std::iota(all.begin(), all.end(), 0);
  const std::vector<int> columns = sensedColumns(robot, sensor, layout, all);
  std::mt19937_64 random(1);
  const auto draw = [&](Eigen::Index size, double bound) {
    Eigen::VectorXd values(size);
    for (double& value : values)  // the same on every machine, as uniform_real_distribution is not
      value = bound * (2.0 * static_cast<double>(random() >> 11) * 0x1p-53 - 1.0);
    return values;
  };
  const Eigen::Index n = robot.numJoints(), states = 10 + static_cast<Eigen::Index>(columns.size());
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(6 * states, layout.size());
  for (Eigen::Index s = 0; s < states; ++s) {
    const SensedMotion motion{draw(3, 3.0), draw(3, 10.0), draw(3, 10.0)};
    const Eigen::VectorXd q = draw(n, 3.0), dq = draw(n, 3.0), ddq = draw(n, 10.0);
    rows.middleRows(6 * s, 6)(Eigen::all, columns) = sensedRows(
        robot, sensor, motion, q, dq, ddq, loading ? &*loading : nullptr, layout, columns);
  }
  return rows;
}

}  // namespace

BaseParameters structuralBase(const std::shared_ptr<const Robot>& robot,
                              const ParameterLayout& layout,
                              const std::vector<std::optional<PayloadPlacement>>& loadings,
                              const std::vector<BodySensor>& sensors) {
  Eigen::MatrixXd stack(0, layout.size());
  for (size_t i = 0; i < loadings.size(); ++i) {
    RandomStates states;
    states.seed = i + 1;
    const Eigen::MatrixXd rows = randomStateRows(
        *robot, layout, states, [&](const RandomState& state, Eigen::Ref<Eigen::MatrixXd> target) {
          fillColumns(*robot, layout, loadings[i], state, target);
        });
    stack.conservativeResize(stack.rows() + rows.rows(), Eigen::NoChange);
    stack.bottomRows(rows.rows()) = rows;
    for (const BodySensor& sensor : sensors) {
      const Eigen::MatrixXd own = sensorRows(*robot, layout, loadings[i], sensor);
      stack.conservativeResize(stack.rows() + own.rows(), Eigen::NoChange);
      stack.bottomRows(own.rows()) = own;
    }
  }
  return baseParameters(stack);
}

}  // namespace dynid
