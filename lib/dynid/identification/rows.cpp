#include "dynid/identification/rows.h"

#include "dynid/dynamics/joint_effects.h"

#include <algorithm>
#include <stdexcept>

namespace dynid {

Eigen::Matrix<double, 10, 10> inertialTransform(const Transform& X_BL) {
  Eigen::Matrix<double, 10, 10> map;
  for (int c = 0; c < 10; ++c) map.col(c) = transformed(X_BL, InertialParameters::Unit(c));
  return map;
}

RowBuilder::RowBuilder(std::shared_ptr<const Robot> robot,
                       ParameterLayout layout,
                       const std::vector<int>& columns,
                       Eigen::VectorXd still_speed)
    : robot_(std::move(robot)),
      layout_(std::move(layout)),
      columns_(robot_->drives.size()),
      still_speed_(std::move(still_speed)),
      load_parameters_(Eigen::VectorXd::Zero(layout_.size())),
      regressor_(robot_) {
  const int n = robot_->numJoints();
  for (int c : columns) {
    const Column& column = layout_[c];
    for (int a = 0; a < n; ++a) {
      bool touches = false;
      switch (column.kind) {
        case ColumnKind::kInertial:
        case ColumnKind::kPayload:
          for (int j = 0; j < n; ++j) {
            const std::vector<int>& moved = regressor_.bodies(j);
            const int body = column.kind == ColumnKind::kInertial ? column.owner : column.carrier;
            touches |=
                robot_->T(j, a) != 0.0 && std::binary_search(moved.begin(), moved.end(), body);
          }
          break;
        case ColumnKind::kPosition: {
          const PositionEffect effect = positionEffect(*robot_, column);
          touches = effect.at_actuator ? column.owner == a : robot_->T(column.owner, a) != 0.0;
          break;
        }
        default:
          touches = column.at_joint ? robot_->T(column.owner, a) != 0.0 : column.owner == a;
      }
      if (touches) columns_[static_cast<size_t>(a)].push_back(c);
    }
  }
}

void RowBuilder::inertialColumns(const PayloadPlacement* payload,
                                 int actuator,
                                 Eigen::MatrixXd& rows) const {
  const std::vector<int>& columns = columns_[static_cast<size_t>(actuator)];
  Eigen::Matrix<double, 10, 10> payload_map;
  if (payload != nullptr) payload_map = inertialTransform(payload->X_BL);
  for (size_t c = 0; c < columns.size(); ++c) {
    const Column& column = layout_[columns[c]];
    const bool inertial = column.kind == ColumnKind::kInertial;
    if (!inertial && column.kind != ColumnKind::kPayload) continue;
    auto target = rows.col(static_cast<Eigen::Index>(c));
    target.setZero();
    if (!inertial && (payload == nullptr || columns[c] < payload->first_column ||
                      columns[c] >= payload->first_column + 10))
      continue;  // another log's load
    const int body = inertial ? column.owner : payload->body;
    for (int j = 0; j < robot_->numJoints(); ++j) {
      const double gain = robot_->T(j, actuator);
      if (gain == 0.0) continue;
      const std::vector<int>& moved = regressor_.bodies(j);
      const auto found = std::lower_bound(moved.begin(), moved.end(), body);
      if (found == moved.end() || *found != body) continue;
      const Eigen::MatrixXd& Y = Y_[static_cast<size_t>(j)];
      const Eigen::Index first = 10 * (found - moved.begin());
      if (inertial) {
        target += gain * Y.col(first + column.component);
      } else {
        target += gain * (Y.middleCols(first, 10) * payload_map.col(column.component));
      }
    }
  }
}

Eigen::VectorXd RowBuilder::transmittedLoad(const PayloadPlacement* payload, int actuator) const {
  const Eigen::Index samples = Y_.empty() ? 0 : Y_.front().rows();
  Eigen::VectorXd load = Eigen::VectorXd::Zero(samples);
  for (int j = 0; j < robot_->numJoints(); ++j) {
    const double gain = robot_->T(j, actuator);
    if (gain == 0.0) continue;
    const std::vector<int>& moved = regressor_.bodies(j);
    Eigen::VectorXd pi(10 * static_cast<Eigen::Index>(moved.size()));
    for (size_t k = 0; k < moved.size(); ++k) {
      pi.segment<10>(10 * static_cast<Eigen::Index>(k)) =
          load_parameters_.segment<10>(10 * moved[k]);
      if (payload != nullptr && payload->body == moved[k])
        pi.segment<10>(10 * static_cast<Eigen::Index>(k)) +=
            inertialTransform(payload->X_BL) * load_parameters_.segment<10>(payload->first_column);
    }
    load += gain * (Y_[static_cast<size_t>(j)] * pi);
  }
  return load;
}

RowBuilder RowBuilder::clone() const {
  RowBuilder copy = *this;
  copy.regressor_ = ProjectionRegressor(robot_);
  return copy;
}

namespace {

std::pair<int, double> preslidingKey(const Column& column) {
  return {column.at_joint ? -1 - column.owner : column.owner, column.presliding};
}

// z at the window's first sample, as the window before it left it; 0 where it does not reach.
double carriedState(const PreslidingCarry& before,
                    const std::pair<int, double>& key,
                    const std::vector<std::int64_t>& grid) {
  const auto carried = before.states.find(key);
  if (carried == before.states.end() || grid.empty()) return 0.0;
  const std::int64_t at = grid.front() - before.first_grid_index;
  return at >= 0 && at < carried->second.size() ? carried->second(at) : 0.0;
}

}  // namespace

PreslidingCarry RowBuilder::advance(const ActuatorSignals& signals,
                                    const PreslidingCarry& before) const {
  PreslidingCarry after;
  const std::vector<std::int64_t>& grid = signals.joint.grid_index;
  after.first_grid_index = grid.empty() ? 0 : grid.front();
  for (const std::vector<int>& columns : columns_) {
    for (int c : columns) {
      const Column& column = layout_[c];
      if (column.kind != ColumnKind::kFriction || column.presliding == 0.0 ||
          column.smoothing > 0.0)
        continue;
      const auto key = preslidingKey(column);
      if (after.states.count(key) > 0) continue;
      const Eigen::VectorXd q = (column.at_joint ? signals.joint.q : signals.q).col(column.owner);
      Eigen::VectorXd z(q.size());
      PreslidingState state;
      state.z = carriedState(before, key, grid);
      for (const Segment& segment : signals.joint.segments) {
        state.started = false;
        z.segment(segment.begin, segment.size()) =
            preslidingColumn(q.segment(segment.begin, segment.size()), column.presliding, state);
      }
      after.states.emplace(key, std::move(z));
    }
  }
  return after;
}

Eigen::VectorXd RowBuilder::direction(const Column& column,
                                      const ActuatorSignals& signals,
                                      const PreslidingCarry& presliding) const {
  if (column.smoothing == 0.0 && column.presliding > 0.0)
    return presliding.states.at(preslidingKey(column));
  const Eigen::VectorXd v = (column.at_joint ? signals.joint.dq : signals.dq).col(column.owner);
  if (column.smoothing > 0.0) return (v.array() / column.smoothing).tanh();
  return velocitySign(v, still_speed_(column.owner));
}

Eigen::VectorXd RowBuilder::effectColumn(const Column& column,
                                         const ActuatorSignals& signals,
                                         const Eigen::VectorXd& load,
                                         const PreslidingCarry& presliding) const {
  const Eigen::VectorXd v = (column.at_joint ? signals.joint.dq : signals.dq).col(column.owner);
  switch (column.effect) {
    case FrictionEffect::kCoulomb:
    case FrictionEffect::kPresliding:
      return direction(column, signals, presliding);
    case FrictionEffect::kLoad:
      return direction(column, signals, presliding).cwiseProduct(load.cwiseAbs());
    case FrictionEffect::kStribeck:
      return direction(column, signals, presliding)
          .cwiseProduct((-(v.array() / column.shape).square()).exp().matrix());
    default: {
      EffectBlock block;
      block.q = (column.at_joint ? signals.joint.q : signals.q).col(column.owner);
      block.dq = v;
      block.deadband = still_speed_(column.owner);
      return dynid::effectColumn(column.effect, column.shape, column.component, block);
    }
  }
}

void RowBuilder::build(const ActuatorSignals& signals,
                       const PayloadPlacement* payload,
                       const PreslidingCarry& presliding,
                       std::vector<Eigen::MatrixXd>& rows) {
  regressor_.evaluate(signals.joint.q, signals.joint.dq, signals.joint.ddq, Y_);
  const Eigen::Index samples = signals.q.rows();
  rows.resize(columns_.size());
  for (size_t a = 0; a < columns_.size(); ++a) {
    const std::vector<int>& columns = columns_[a];
    rows[a].resize(samples, static_cast<Eigen::Index>(columns.size()));
    inertialColumns(payload, static_cast<int>(a), rows[a]);
    Eigen::VectorXd load;
    for (size_t c = 0; c < columns.size(); ++c) {
      const Column& column = layout_[columns[c]];
      auto target = rows[a].col(static_cast<Eigen::Index>(c));
      if (column.kind == ColumnKind::kDriveInertia) target = signals.ddq.col(column.owner);
      if (column.kind == ColumnKind::kFriction) {
        if (column.effect == FrictionEffect::kLoad && load.size() == 0)
          load = transmittedLoad(payload, static_cast<int>(a));
        target = effectColumn(column, signals, load, presliding);
        if (column.at_joint) target *= robot_->T(column.owner, static_cast<Eigen::Index>(a));
      }
      if (column.kind == ColumnKind::kPosition) {
        const PositionEffect effect = positionEffect(*robot_, column);
        const double gain =
            effect.at_actuator ? 1.0 : robot_->T(column.owner, static_cast<Eigen::Index>(a));
        const Eigen::MatrixXd& q = effect.at_actuator ? signals.q : signals.joint.q;
        target = gain * positionColumns(effect, q.col(column.owner)).col(column.component);
      }
    }
  }
}

}  // namespace dynid
