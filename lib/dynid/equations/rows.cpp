#include "dynid/equations/rows.h"

#include "dynid/dynamics/joint_effects.h"
#include "dynid/kernels/instruction_set.h"

#include <algorithm>
#include <functional>
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
                       Eigen::VectorXd ramp_speed)
    : robot_(std::move(robot)),
      layout_(std::move(layout)),
      actuators_{0, std::ssize(robot_->drives)},
      columns_(robot_->drives.size()),
      ramp_speed_(std::move(ramp_speed)),
      load_parameters_(Eigen::VectorXd::Zero(layout_.size())),
      regressor_(robot_),
      tanh_(chosenInstructionSet().tanh),
      exponential_(chosenInstructionSet().exponential) {
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
      if (!touches) continue;
      std::vector<int>& in_channel = columns_[a];
      if (column.isFriction()) friction_.push_back({a, std::ssize(in_channel), c});
      in_channel.push_back(c);
    }
  }
  placeColumns();
}

void RowBuilder::placeColumns() {
  const int n = robot_->numJoints();
  for (int j = 0; j < n; ++j) {
    const std::vector<int> standard = regressor_.columns(j);
    std::vector<int> place(standard.size(), -1);  // position in an actuator's rows
    bool all = false, through = robot_->T(j, j) != 1.0;
    for (int a = 0; a < n; ++a) {
      if (robot_->T(j, a) == 0.0) {
        through |= a != j && robot_->T(a, j) != 0.0;
        continue;
      }
      through |= a != j;
      all |= hasLoadFriction(a);
      const std::vector<int>& columns = columns_[a];
      for (int c = 0; c < std::ssize(columns); ++c) {
        const Column& column = layout_[columns[c]];
        all |= column.kind == ColumnKind::kPayload;
        if (column.kind != ColumnKind::kInertial) continue;
        const auto at = std::lower_bound(
            standard.begin(), standard.end(), 10 * column.owner + column.component);
        if (at == standard.end() || *at != 10 * column.owner + column.component) continue;
        place[at - standard.begin()] = c;
      }
    }
    targets_.emplace_back(standard.size(), nullptr);
    direct_.push_back(!all && !through);
    wanted_.emplace_back();
    for (size_t c = 0; c < place.size(); ++c)
      if (all || place[c] >= 0) wanted_.back().push_back({c, place[c]});
  }
}

void RowBuilder::aim(Segment samples, RowBlock* rows) {
  if (rows == nullptr || !std::all_of(direct_.begin(), direct_.end(), std::identity{})) {
    std::vector<Eigen::Index> sizes;
    for (const std::vector<double*>& targets : targets_) sizes.push_back(std::ssize(targets));
    Y_.resize(samples.size(), sizes);
  }
  for (size_t j = 0; j < targets_.size(); ++j) {
    for (const Wanted& wanted : wanted_[j])
      targets_[j][wanted.column] =
          rows != nullptr && direct_[j]
              ? rows->withEffort(j).col(wanted.place).data() + samples.begin
              : Y_.withEffort(j).col(static_cast<Eigen::Index>(wanted.column)).data();
  }
}

void RowBuilder::inertialColumns(const Load& load,
                                 int actuator,
                                 Eigen::Ref<Eigen::MatrixXd> rows) const {
  const std::vector<int>& columns = columns_[actuator];
  const PayloadPlacement* payload = load.placement;
  for (size_t c = 0; c < columns.size(); ++c) {
    const Column& column = layout_[columns[c]];
    const bool inertial = column.kind == ColumnKind::kInertial;
    if (!inertial && column.kind != ColumnKind::kPayload) continue;
    auto target = rows.col(c);
    bool filled = false;
    const auto add = [&](const auto& values) {
      if (filled) {
        target += values;
      } else {
        target = values;
      }
      filled = true;
    };
    const bool of_payload = payload != nullptr && columns[c] >= payload->first_column &&
                            columns[c] < payload->first_column + 10;
    for (int j = 0; (inertial || of_payload) && j < robot_->numJoints(); ++j) {
      const double gain = robot_->T(j, actuator);
      if (gain == 0.0) continue;
      const std::vector<int>& moved = regressor_.bodies(j);
      const int body = inertial ? column.owner : payload->body;
      const auto found = std::lower_bound(moved.begin(), moved.end(), body);
      if (found == moved.end() || *found != body) continue;
      const RowBlock::View Y = Y_[j];
      const Eigen::Index first = 10 * (found - moved.begin());
      if (inertial) {
        add(gain * Y.col(first + column.component));
      } else {
        add(gain * (Y.middleCols(first, 10) * load.to_body.col(column.component)));
      }
    }
    if (!filled) target.setZero();
  }
}

Eigen::VectorXd RowBuilder::transmittedTorque(const Load& load, int actuator) const {
  Eigen::VectorXd sum;
  for (int j = 0; j < robot_->numJoints(); ++j) {
    const double gain = robot_->T(j, actuator);
    if (gain == 0.0) continue;
    const std::vector<int>& moved = regressor_.bodies(j);
    Eigen::VectorXd pi(10 * std::ssize(moved));
    for (Eigen::Index k = 0; k < std::ssize(moved); ++k) {
      pi.segment<10>(10 * k) = load_parameters_.segment<10>(10 * moved[k]);
      if (load.placement != nullptr && load.placement->body == moved[k])
        pi.segment<10>(10 * k) +=
            load.to_body * load_parameters_.segment<10>(load.placement->first_column);
    }
    const RowBlock::View Y = Y_[j];
    if (sum.size() == 0) sum.setZero(Y.rows());
    sum += gain * (Y * pi);
  }
  return sum.cwiseAbs();
}

namespace {

/// The joints that any of these actuators moves.
std::vector<bool> movedBy(const Robot& robot, Segment actuators) {
  std::vector<bool> moved(robot.numJoints(), false);
  for (int j = 0; j < robot.numJoints(); ++j)
    for (Eigen::Index a = actuators.begin; a < actuators.end; ++a)
      if (robot.T(j, a) != 0.0) moved[j] = true;
  return moved;
}

}  // namespace

RowBuilder::RowBuilder(const RowBuilder& other, Segment actuators)
    : robot_(other.robot_),
      layout_(other.layout_),
      actuators_(actuators),
      columns_(other.columns_.size()),
      ramp_speed_(other.ramp_speed_),
      load_parameters_(other.load_parameters_),
      regressor_(other.regressor_, movedBy(*robot_, actuators)),
      tanh_(other.tanh_),
      exponential_(other.exponential_) {
  for (Eigen::Index a = actuators.begin; a < actuators.end; ++a) columns_[a] = other.columns_[a];
  for (const FrictionPlace& friction : other.friction_)
    if (friction.actuator >= actuators.begin && friction.actuator < actuators.end)
      friction_.push_back(friction);
  placeColumns();
}

RowBuilder RowBuilder::clone() const { return {*this, actuators_}; }

std::vector<RowBuilder> RowBuilder::divided(std::size_t least_columns) const {
  std::vector<RowBuilder> parts;
  Segment part{actuators_.begin, actuators_.begin};
  std::size_t columns = 0;
  while (part.end < actuators_.end) {
    columns += columns_[part.end++].size();
    if (columns < least_columns && part.end < actuators_.end) continue;
    parts.push_back({*this, part});
    part.begin = part.end;
    columns = 0;
  }
  return parts;
}

namespace {

std::pair<int, double> preslidingKey(const Column& column) {
  return {column.at_joint ? -1 - column.owner : column.owner, column.presliding};
}

// Whether the column is as smooth as the filtered motion.
bool isSmooth(FrictionEffect effect) {
  return effect == FrictionEffect::kViscous || effect == FrictionEffect::kOffset;
}

// z at the first sample of the window, from the states of the window before; 0 if that window does
// not reach it.
double carriedState(const PreslidingStates& before,
                    const std::pair<int, double>& key,
                    const std::vector<std::int64_t>& grid) {
  const auto carried = before.states.find(key);
  if (carried == before.states.end() || grid.empty()) return 0.0;
  const std::int64_t at = grid.front() - before.first_grid_index;
  return at >= 0 && at < carried->second.size() ? carried->second(at) : 0.0;
}

Eigen::Ref<const Eigen::VectorXd> velocityOf(const Column& column,
                                             const ActuatorSignals& signals,
                                             Segment samples) {
  return (column.at_joint ? signals.joint.dq : signals.dq())
      .col(column.owner)
      .segment(samples.begin, samples.size());
}

}  // namespace

bool RowBuilder::hasLoadFriction(int actuator) const {
  for (int c : columns(actuator))
    if (layout_[c].dependsOnTransmittedTorque()) return true;
  return false;
}

bool RowBuilder::hasRigidColumns() const {
  for (int a = 0; a < numActuators(); ++a) {
    if (hasLoadFriction(a)) return true;
    for (int c : columns(a))
      if (layout_[c].ofRigidBody()) return true;
  }
  return false;
}

bool RowBuilder::hasPresliding() const {
  for (const std::vector<int>& columns : columns_)
    for (int c : columns)
      if (layout_[c].hasPreslidingState()) return true;
  return false;
}

PreslidingStates RowBuilder::advance(const ActuatorSignals& signals,
                                     const PreslidingStates& before) const {
  PreslidingStates after;
  const std::vector<std::int64_t>& grid = signals.joint.grid_index;
  after.first_grid_index = grid.empty() ? 0 : grid.front();
  for (const std::vector<int>& columns : columns_) {
    for (int c : columns) {
      const Column& column = layout_[c];
      if (!column.hasPreslidingState()) continue;
      const auto key = preslidingKey(column);
      if (after.states.count(key) > 0) continue;
      const Eigen::VectorXd q = (column.at_joint ? signals.joint.q : signals.q()).col(column.owner);
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

Eigen::VectorXd RowBuilder::signOfVelocity(const Column& column,
                                           const ActuatorSignals& signals,
                                           Segment samples,
                                           const PreslidingStates& presliding) const {
  if (column.smoothing == 0.0 && column.presliding > 0.0)
    return presliding.states.at(preslidingKey(column)).segment(samples.begin, samples.size());
  const Eigen::Ref<const Eigen::VectorXd> v = velocityOf(column, signals, samples);
  if (column.smoothing > 0.0) {
    Eigen::VectorXd sign(v.size());
    tanh_(v.data(), 1.0 / column.smoothing, v.size(), sign.data());
    return sign;
  }
  return velocitySign(v, ramp_speed_(column.owner));
}

Eigen::VectorXd RowBuilder::effectColumn(const Column& column,
                                         const ActuatorSignals& signals,
                                         Segment samples,
                                         const PreslidingStates& presliding) const {
  const Eigen::Ref<const Eigen::VectorXd> v = velocityOf(column, signals, samples);
  switch (column.effect) {
    case FrictionEffect::kCoulomb:
    case FrictionEffect::kPresliding:
    case FrictionEffect::kLoad:
      return signOfVelocity(column, signals, samples, presliding);
    case FrictionEffect::kStribeck: {
      const Eigen::VectorXd square = v.cwiseAbs2();
      Eigen::VectorXd curve(v.size());
      exponential_(square.data(), -1.0 / (column.shape * column.shape), v.size(), curve.data());
      return signOfVelocity(column, signals, samples, presliding).cwiseProduct(curve);
    }
    default: {
      EffectBlock block;
      block.q = (column.at_joint ? signals.joint.q : signals.q())
                    .col(column.owner)
                    .segment(samples.begin, samples.size());
      block.dq = v;
      block.deadband = ramp_speed_(column.owner);
      return dynid::effectColumn(column.effect, column.shape, column.component, block);
    }
  }
}

void RowBuilder::onMovingBase(const ActuatorSignals& signals,
                              Eigen::Index first,
                              Eigen::Index count) {
  for (Eigen::Index i = 0; i < count; ++i) {
    const Eigen::MatrixXd rows =
        movingBaseRows(*robot_,
                       baseMotion(signals.base.motion, first + i, robot_->gravity),
                       signals.joint.q.row(first + i),
                       signals.joint.dq.row(first + i),
                       signals.joint.ddq.row(first + i))
            .joints;
    for (int j = 0; j < robot_->numJoints(); ++j) {
      const std::vector<int>& moved = regressor_.bodies(j);
      for (size_t k = 0; k < moved.size(); ++k)
        Y_[j].row(i).segment<10>(static_cast<Eigen::Index>(10 * k)) =
            rows.row(j).segment<10>(Eigen::Index{10} * moved[k]);
    }
  }
}

void RowBuilder::buildSmooth(const ActuatorSignals& signals,
                             Segment range,
                             const PayloadPlacement* payload,
                             RowBlock& rows) {
  constexpr Eigen::Index kBatch = ProjectionRegressor::kBatch;
  const Eigen::Index samples = range.size();
  Load load{payload, {}};
  if (payload != nullptr) load.to_body = inertialTransform(payload->X_BL);
  std::vector<Eigen::Index> sizes;
  for (const std::vector<int>& columns : columns_) sizes.push_back(std::ssize(columns));
  rows.resize(samples, sizes);
  transmitted_.resize(samples, numActuators());
  const bool rigid = hasRigidColumns(), moving_base = signals.base.motion.rows() > 0;
  for (Eigen::Index first = 0; rigid && first < samples; first += kBatch) {
    const Eigen::Index count = std::min(kBatch, samples - first);
    aim({first, first + count}, moving_base ? nullptr : &rows);
    regressor_.evaluate(signals.joint.q.middleRows(range.begin + first, count),
                        signals.joint.dq.middleRows(range.begin + first, count),
                        signals.joint.ddq.middleRows(range.begin + first, count),
                        targets_);
    if (moving_base) onMovingBase(signals, range.begin + first, count);
    for (int a = 0; a < numActuators(); ++a) {
      if (moving_base || !direct_[a]) inertialColumns(load, a, rows[a].middleRows(first, count));
      if (hasLoadFriction(a))
        transmitted_.col(a).segment(first, count) = transmittedTorque(load, a);
    }
  }
  for (Eigen::Index a = 0; a < std::ssize(columns_); ++a) {
    const std::vector<int>& columns = columns_[a];
    RowBlock::View of_channel = rows[a];
    for (size_t c = 0; c < columns.size(); ++c) {
      const Column& column = layout_[columns[c]];
      auto target = of_channel.col(c);
      if (column.kind == ColumnKind::kDriveInertia)
        target = signals.ddq().col(column.owner).segment(range.begin, samples);
      if (column.kind == ColumnKind::kPosition) {
        const PositionEffect effect = positionEffect(*robot_, column);
        const double gain = effect.at_actuator ? 1.0 : robot_->T(column.owner, a);
        const Eigen::MatrixXd& q = effect.at_actuator ? signals.q() : signals.joint.q;
        const auto owner_q = q.col(column.owner).segment(range.begin, samples);
        target = gain * positionColumns(effect, owner_q).col(column.component);
      }
    }
  }
}

void RowBuilder::frictionColumn(const FrictionPlace& friction,
                                const ActuatorSignals& signals,
                                Segment samples,
                                const PreslidingStates& presliding,
                                Eigen::Ref<Eigen::VectorXd> values) const {
  const Column& column = layout_[friction.column];
  if (column.effect == FrictionEffect::kOffset)
    values.setOnes();
  else if (column.effect == FrictionEffect::kViscous)
    values = velocityOf(column, signals, samples);
  else
    values = effectColumn(column, signals, samples, presliding);
  if (column.at_joint) values *= robot_->T(column.owner, friction.actuator);
}

void RowBuilder::multiplyByLoad(const FrictionPlace& friction, const RowBlock& rows) const {
  if (layout_[friction.column].effect != FrictionEffect::kLoad) return;
  rows[friction.actuator].col(friction.place).array() *=
      transmitted_.col(friction.actuator).array();
}

void RowBuilder::build(const ActuatorSignals& signals,
                       const PayloadPlacement* payload,
                       const PreslidingStates& presliding,
                       RowBlock& rows) {
  build(signals, {0, signals.q().rows()}, payload, presliding, rows);
}

void RowBuilder::build(const ActuatorSignals& signals,
                       Segment samples,
                       const PayloadPlacement* payload,
                       const PreslidingStates& presliding,
                       RowBlock& rows) {
  buildSmooth(signals, samples, payload, rows);
  for (const FrictionPlace& friction : friction_) {
    RowBlock::View of_channel = rows[friction.actuator];
    frictionColumn(friction, signals, samples, presliding, of_channel.col(friction.place));
    multiplyByLoad(friction, rows);
  }
}

void RowBuilder::buildSampled(const ActuatorSignals& signals,
                              const std::vector<Eigen::Index>& samples,
                              const Lowpass& anti_alias,
                              const PayloadPlacement* payload,
                              const PreslidingStates& presliding,
                              ActuatorSignals& sampled,
                              RowBlock& rows) {
  const Segment all_sampled{0, sampled.q().rows()}, all_samples{0, signals.q().rows()};
  buildSmooth(sampled, all_sampled, payload, rows);
  std::vector<const FrictionPlace*> jumps;
  for (const FrictionPlace& friction : friction_) {
    if (!isSmooth(layout_[friction.column].effect)) {
      jumps.push_back(&friction);
      continue;
    }
    RowBlock::View of_channel = rows[friction.actuator];
    frictionColumn(friction, sampled, all_sampled, presliding, of_channel.col(friction.place));
  }
  // Filtered in groups of as many columns as the filter takes at a time; the efforts come last.
  const auto num_jumps = std::ssize(jumps);
  const Eigen::Index all = num_jumps + actuators_.size();
  jumping_.resize(signals.q().rows(), std::min<Eigen::Index>(all, kFilterLanes));
  for (Eigen::Index first = 0; first < all; first += kFilterLanes) {
    const Eigen::Index count = std::min<Eigen::Index>(kFilterLanes, all - first);
    for (Eigen::Index k = 0; k < count; ++k) {
      const Eigen::Index at = first + k;
      if (at < num_jumps)
        frictionColumn(*jumps[at], signals, all_samples, presliding, jumping_.col(k));
      else
        jumping_.col(k) = signals.effort.col(actuators_.begin + at - num_jumps);
    }
    filterSegments(signals.joint, anti_alias, jumping_.leftCols(count), workspace_);
    for (Eigen::Index k = 0; k < count; ++k) {
      const Eigen::Index at = first + k;
      if (at >= num_jumps) {
        sampled.effort.col(actuators_.begin + at - num_jumps) = jumping_.col(k)(samples);
        continue;
      }
      const FrictionPlace& friction = *jumps[at];
      rows[friction.actuator].col(friction.place) = jumping_.col(k)(samples);
      multiplyByLoad(friction, rows);
    }
  }
}

PreslidingStates atSamples(const PreslidingStates& presliding,
                           const std::vector<Eigen::Index>& samples) {
  PreslidingStates chosen;
  for (const auto& [key, z] : presliding.states) chosen.states.emplace(key, z(samples));
  return chosen;
}

}  // namespace dynid
