#include "dynid/identification/structure.h"

#include "dynid/dynamics/joint_effects.h"

#include <cmath>

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

}  // namespace

BaseParameters structuralBase(const std::shared_ptr<const Robot>& robot,
                              const ParameterLayout& layout,
                              const std::vector<std::optional<PayloadPlacement>>& loadings) {
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
  }
  return baseParameters(stack);
}

}  // namespace dynid
