#include "dynid/prediction/predict.h"

#include "dynid/core/errors.h"
#include "dynid/equations/batches.h"
#include "dynid/equations/payloads.h"
#include "dynid/equations/rows.h"
#include "dynid/math/quantile.h"
#include "dynid/prediction/log_payload.h"
#include "dynid/recordings/log_source.h"
#include "dynid/recordings/window_pass.h"
#include "dynid/signals/back_at_times.h"
#include "dynid/signals/cutoff.h"
#include "dynid/signals/row_order.h"
#include "dynid/signals/stillness.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

namespace dynid {
namespace {

/// The least cut-off for a log of faster motion than that of the model's logs; 0 for others.
double leastCutoff(const SignalSettings& signals, const SignalPlan& plan) {
  const double of_log = predictionCutoff(signals, plan);
  return of_log > signals.cutoff_hz ? of_log : 0.0;
}

/// Data that all threads of a prediction share. It is accessed in the ordered steps only.
struct Delivery {
  const std::function<void(const PredictionBlock&)>* sink = nullptr;
  std::map<double, PreslidingStates> states;
};

class Predictor : public WindowWorker {
 public:
  Predictor(const Model& model,
            const LogSource& source,
            std::optional<Payload> payload,
            Delivery& delivery,
            PredictionExtras extras)
      : model_(model),
        source_(source),
        payload_(std::move(payload)),
        delivery_(delivery),
        extras_(extras),
        layout_(model.layout),
        parameters_(model.parameters),
        least_cutoff_(leastCutoff(model.signals, source.plan())),
        parts_(makeParts()),
        to_joint_(Eigen::MatrixXd(model.robot->T.transpose()).inverse()),
        to_effort_(gains()),
        regressor_(model.robot) {}

  double lowestCutoff() const { return parts_.empty() ? 0.0 : parts_.begin()->first; }

  bool wantsRawRows() const override { return true; }
  bool needsEfforts() const override { return false; }

  void prepare(const WindowTask&, const ActuatorSignals& window) override {
    near_ = nearCore(window);
    for (auto& [cutoff, part] : parts_)
      if (part.builder.hasPresliding())
        part.positions = positionsOf(source_.recondition(window, cutoff));
  }

  void updateState(const WindowTask&, const ActuatorSignals&) override {
    for (auto& [cutoff, part] : parts_) {
      PreslidingStates& state = delivery_.states[cutoff];
      state = part.builder.advance(part.positions, state);
      part.state = state;
      part.positions = {};
    }
  }

  void work(const WindowTask&, const ActuatorSignals& window) override { block_ = predict(window); }

  void deliver(const WindowTask&, const ActuatorSignals&) override { (*delivery_.sink)(block_); }

 private:
  /// The columns that are predicted from motion with the same cut-off.
  struct Part {
    RowBuilder builder;
    std::vector<Eigen::VectorXd> parameters;  // per actuator: of the builder's columns
    ActuatorSignals positions;                // of the whole window, if a column has presliding
    PreslidingStates state;                   // presliding states at the end of the window before
  };

  PredictionBlock predict(const ActuatorSignals& window) {
    const PayloadPlacement* placement = payload_ ? &payload_->placement : nullptr;
    const Eigen::Index near_samples = near_.size();
    Eigen::MatrixXd tau = Eigen::MatrixXd::Zero(near_samples, window.q().cols());
    std::map<ColumnKind, Eigen::MatrixXd> effects;  // on the actuator side
    // one after the other, to save memory: each cut-off has its own filtered motion
    for (auto& [cutoff, of_cutoff] : parts_) {
      Part& part = of_cutoff;  // clang 14 cannot capture structured bindings
      const ActuatorSignals filtered = source_.recondition(window, cutoff);
      inBatches(near_, [&](Segment batch) {
        part.builder.build(filtered, batch, placement, part.state, rows_);
        const Eigen::Index begin = batch.begin - near_.begin;
        for (int a = 0; a < tau.cols(); ++a) {
          const Eigen::VectorXd& parameters = part.parameters[a];
          const RowBlock::View rows = rows_[a];
          tau.col(a).segment(begin, rows.rows()).noalias() += rows * parameters;
          if (extras_.parts) addEffects(part, a, begin, near_samples, effects);
        }
      });
    }

    const Eigen::Index first = window.place.first_row - window.place.raw_first_row;
    const Eigen::Index count = window.place.end_row - window.place.first_row;
    std::vector<Segment> segments;
    for (Segment segment : window.joint.segments) {
      segment.begin = std::max(segment.begin, near_.begin) - near_.begin;
      segment.end = std::min(segment.end, near_.end) - near_.begin;
      if (segment.size() > 0) segments.push_back(segment);
    }
    const Eigen::VectorXd& delay = model_.signals.effort_delay;
    const double earlier =
        extras_.at_effort_time && delay.size() > 0 ? median({delay.begin(), delay.end()}) : 0.0;
    const BackAtTimes back(window.joint.time.segment(near_.begin, near_samples),
                           segments,
                           window.joint.row_time.segment(first, count).array() - earlier);
    const BackAtLateTimes back_late(window.joint.time.segment(near_.begin, near_samples),
                                    segments,
                                    window.joint.row_time.segment(first, count),
                                    delay);
    // Nothing is known in a gap.
    const std::vector<Eigen::Index> lost = rowsInGaps(window.joint, first, count);
    const auto at_rows = [&](const Eigen::MatrixXd& motion) {
      Eigen::MatrixXd rows = back.of(motion.middleRows(near_.begin, near_samples));
      rows(lost, Eigen::all).setConstant(std::nan(""));
      return rows;
    };
    PredictionBlock block;
    block.first_row = window.place.first_row;
    block.time = window.raw.time.segment(first, count);
    block.q = at_rows(window.joint.q);
    block.dq = at_rows(window.joint.dq);
    block.ddq = at_rows(window.joint.ddq);
    Eigen::MatrixXd at_actuators = back_late.of(tau);
    // Where the motion of the joints or of the base is unknown, so are the efforts.
    at_actuators(lost, Eigen::all).setConstant(std::nan(""));
    if (const Eigen::MatrixXd& required = window.raw.required; required.size() > 0)
      at_actuators(unusableRows(required.middleRows(first, count)), Eigen::all)
          .setConstant(std::nan(""));
    block.predicted = toJoints(at_actuators);
    block.cutoff_hz = predictionCutoff(model_.signals, source_.plan());
    block.moving = movingMask(block.dq, source_.plan().still_speed);
    fillMeasured(window.recorded_effort.middleRows(first, count), at_actuators, block);
    if (extras_.rigid) block.rigid = rigidEfforts(block, lost);
    if (extras_.parts) block.parts = effectParts(back_late, count, effects);
    return block;
  }

  // The rows of a range that lie in gaps: at no segment, nor within a period and a half of one.
  std::vector<Eigen::Index> rowsInGaps(const ConditionedSignals& signals,
                                       Eigen::Index first,
                                       Eigen::Index count) const {
    const double near = 1.5 * source_.plan().dt;
    const std::vector<Segment>& segments = signals.segments;
    std::vector<Eigen::Index> rows;
    for (Eigen::Index row = 0; row < count; ++row) {
      const double t = signals.row_time(first + row);
      const auto next = std::upper_bound(
          segments.begin(), segments.end(), t + near, [&](double time, const Segment& segment) {
            return time < signals.time(segment.begin);
          });
      if (next == segments.begin() || signals.time(std::prev(next)->end - 1) < t - near)
        rows.push_back(row);
    }
    return rows;
  }

  // Loops can be closed only where the motion is known. @param lost  rows without motion
  Eigen::MatrixXd rigidEfforts(const PredictionBlock& block,
                               const std::vector<Eigen::Index>& lost) {
    std::vector<Eigen::Index> known, all(block.q.rows());
    std::iota(all.begin(), all.end(), 0);
    std::set_difference(
        all.begin(), all.end(), lost.begin(), lost.end(), std::back_inserter(known));
    Eigen::MatrixXd rigid = Eigen::MatrixXd::Constant(block.q.rows(), block.q.cols(), std::nan(""));
    rigid(known, Eigen::all) =
        regressor_.efforts(model_.parameters.head(10 * model_.robot->numBodies()),
                           block.q(known, Eigen::all),
                           block.dq(known, Eigen::all),
                           block.ddq(known, Eigen::all));
    return rigid;
  }

  Eigen::MatrixXd toJoints(const Eigen::MatrixXd& at_actuators) const {
    if (to_joint_.isIdentity(0.0)) return at_actuators;
    return at_actuators * to_joint_.transpose();
  }

  // Adds the contributions of joint effects and payload to the effort of actuator a, by kind of
  // column.
  void addEffects(const Part& part,
                  int a,
                  Eigen::Index begin,
                  Eigen::Index samples,
                  std::map<ColumnKind, Eigen::MatrixXd>& effects) const {
    const RowBlock::View rows = rows_[a];
    const Eigen::VectorXd& parameters = part.parameters[a];
    for (Eigen::Index c = 0; c < parameters.size(); ++c) {
      const ColumnKind kind = layout_[part.builder.columns(a)[c]].kind;
      if (kind == ColumnKind::kInertial) continue;
      Eigen::MatrixXd& effect = effects[kind];
      if (effect.size() == 0) effect.setZero(samples, model_.robot->numJoints());
      effect.col(a).segment(begin, rows.rows()) += rows.col(c) * parameters(c);
    }
  }

  EffectParts effectParts(const BackAtLateTimes& back,
                          Eigen::Index rows,
                          const std::map<ColumnKind, Eigen::MatrixXd>& effects) const {
    const auto part = [&](ColumnKind kind) -> Eigen::MatrixXd {
      const auto found = effects.find(kind);
      if (found == effects.end()) return Eigen::MatrixXd::Zero(rows, model_.robot->numJoints());
      return reported(back.of(found->second));
    };
    EffectParts parts{part(ColumnKind::kFriction),
                      part(ColumnKind::kDriveInertia),
                      part(ColumnKind::kPosition),
                      part(ColumnKind::kPayload),
                      Eigen::VectorXd::Ones(model_.robot->numJoints())};
    if (!model_.scale_known) parts.effort_scale = to_effort_.cwiseInverse();
    return parts;
  }

  // Efforts of the actuators in the units and on the side of `predicted` and `recorded_predicted`.
  Eigen::MatrixXd reported(const Eigen::MatrixXd& at_actuators) const {
    Eigen::MatrixXd effort = toJoints(at_actuators);
    if (model_.scale_known) return effort;
    for (int a = 0; a < model_.robot->numJoints(); ++a)
      if (recordedAtActuator(a)) effort.col(a) = at_actuators.col(a) / to_effort_(a);
    return effort;
  }

  bool recordedAtActuator(int a) const {
    return source_.info().effort_kind == EffortKind::kCurrent ||
           model_.robot->measured_at_actuator[a];
  }

  // The core and a margin for the spline that interpolates at the times of the rows.
  Segment nearCore(const ActuatorSignals& window) const {
    const Eigen::VectorXd& delay = model_.signals.effort_delay;
    const auto late = static_cast<Eigen::Index>(
        std::ceil((delay.size() > 0 ? delay.cwiseAbs().maxCoeff() : 0.0) / source_.plan().dt));
    const Eigen::Index around = 64 + late;
    const Eigen::VectorXd& time = window.joint.time;
    Eigen::Index first = 0, end = time.size();
    while (first < end && time(first) < window.place.begin) ++first;
    while (end > first && time(end - 1) >= window.place.end) --end;
    return {std::max<Eigen::Index>(0, first - around), std::min(time.size(), end + around)};
  }

  // Cut-off of the motion for one column of an actuator's prediction.
  double cutoffOf(int actuator, int column) const {
    const bool friction = layout_[column].isFriction();
    const Eigen::VectorXd& cutoffs =
        friction ? model_.signals.friction_cutoff_hz : model_.signals.rigid_cutoff_hz;
    const bool of_log = source_.plan().exact_motion || ofExactMotion(model_.signals);
    if (of_log || cutoffs.size() == 0) return source_.plan().cutoff_hz;
    return std::max(cutoffs(actuator), least_cutoff_);
  }

  std::map<double, Part> makeParts() {
    placePayload();
    std::vector<int> all(layout_.size());
    std::iota(all.begin(), all.end(), 0);
    const RowBuilder whole = makeBuilder(all);
    std::map<double, std::set<int>> columns;
    for (int a = 0; a < model_.robot->numJoints(); ++a)
      for (int column : whole.columns(a)) columns[cutoffOf(a, column)].insert(column);
    std::map<double, Part> parts;
    for (const auto& [cutoff, members] : columns) {
      Part part{makeBuilder({members.begin(), members.end()}), {}, {}, {}};
      for (int a = 0; a < model_.robot->numJoints(); ++a) {
        part.parameters.emplace_back(parameters_(part.builder.columns(a)));
        for (Eigen::Index c = 0; c < part.parameters.back().size(); ++c)
          if (cutoffOf(a, part.builder.columns(a)[c]) != cutoff) part.parameters.back()(c) = 0.0;
      }
      parts.emplace(cutoff, std::move(part));
    }
    return parts;
  }

  // Adds the columns of this log's payload; the model may have columns of other payloads.
  void placePayload() {
    if (!payload_) return;
    payload_ = appendPayloadColumns({*payload_}, layout_).front();
    parameters_.conservativeResize(layout_.size());
    parameters_.tail<10>() = payload_->known;
  }

  RowBuilder makeBuilder(const std::vector<int>& columns) const {
    RowBuilder builder(model_.robot, layout_, columns, rampSpeed());
    builder.setTorqueModel(parameters_);
    return builder;
  }

  // The ramp of the fit. Of a model without one, or of a fit to motion without noise: none where
  // the motion of this log has no noise, otherwise that of the log.
  Eigen::VectorXd rampSpeed() const {
    const Eigen::VectorXd& of_fit = model_.signals.ramp_speed;
    if (of_fit.size() > 0 && !ofExactMotion(model_.signals)) return of_fit;
    const SignalPlan& plan = source_.plan();
    return plan.exact_motion ? Eigen::VectorXd::Zero(plan.still_speed.size()) : plan.still_speed;
  }

  Eigen::VectorXd gains() const {
    Eigen::VectorXd gains = Eigen::VectorXd::Ones(model_.robot->numJoints());
    if (source_.info().effort_kind == EffortKind::kEffort && !model_.scale_known)
      throw InputError(
          source_.input().path.string() +
          ":/effort: the log holds efforts and the model predicts currents (no drive gain is "
          "known), "
          "so that they cannot be compared: give drive_gain in the robot description and identify "
          "again, or a log of currents");
    if (source_.info().effort_kind != EffortKind::kCurrent) return gains;
    for (Eigen::Index a = 0; a < gains.size(); ++a) {
      const std::optional<double>& described = model_.robot->drives[a].drive_gain;
      if (model_.drive_gains.size() == gains.size() && std::isfinite(model_.drive_gains(a))) {
        gains(a) = model_.drive_gains(a);
      } else if (described) {
        gains(a) = *described;
      } else {
        throw InputError(
            source_.input().path.string() + ":/current: the model knows no drive gain for \"" +
            model_.robot->drives[a].name + "\"; give drive_gain in the robot description");
      }
    }
    return gains;
  }

  void fillMeasured(const Eigen::MatrixXd& recorded,
                    const Eigen::MatrixXd& at_actuators,
                    PredictionBlock& block) const {
    if (recorded.size() == 0) return;
    block.recorded = recorded;
    block.recorded_predicted = block.predicted;
    const bool currents = source_.info().effort_kind == EffortKind::kCurrent;
    const Robot& robot = *model_.robot;
    Eigen::MatrixXd effort_at_actuators = recorded;
    if (!currents && !robot.T.isIdentity(0.0)) effort_at_actuators = recorded * robot.T;
    for (int a = 0; a < robot.numJoints(); ++a) {
      if (!recordedAtActuator(a)) continue;
      effort_at_actuators.col(a) = to_effort_(a) * recorded.col(a);
      block.recorded_predicted.col(a) = at_actuators.col(a) / to_effort_(a);
    }
    block.measured = toJoints(effort_at_actuators);
    if (!model_.scale_known) {
      block.measured = block.recorded;
      block.predicted = block.recorded_predicted;
    }
  }

  const Model& model_;
  const LogSource& source_;
  std::optional<Payload> payload_;
  Delivery& delivery_;
  PredictionExtras extras_;
  ParameterLayout layout_;
  Eigen::VectorXd parameters_;
  double least_cutoff_;           // [Hz]
  std::map<double, Part> parts_;  // key: cut-off
  Eigen::MatrixXd to_joint_;      // tau_joint = T^-T tau_actuator
  Eigen::VectorXd to_effort_;
  ProjectionRegressor regressor_;
  Segment near_;  // samples of the window around its core
  RowBlock rows_;
  PredictionBlock block_;
};

/// Opens the log. The settings come from the model, so an error refers to the log.
LogSource openAsIdentified(const Model& model,
                           const LogInput& log,
                           const IdentificationSettings& settings) {
  try {
    return LogSource(model.robot, log, settings);
  } catch (const UsageError& error) {
    throw InputError(log.path.string() +
                     ": the settings with which the model was identified do not fit this log: " +
                     error.what() + "; check the unit of its time stamps and its sampling rate");
  }
}

}  // namespace

bool ofExactMotion(const SignalSettings& signals) {
  return signals.ramp_speed.size() > 0 && signals.ramp_speed.isZero(0.0);
}

double predictionCutoff(const SignalSettings& signals, const SignalPlan& plan) {
  constexpr double kMuchFaster = 1.5, kMostOfSpeed = 3.0;
  if (!(signals.cutoff_hz > 0.0)) return plan.cutoff_hz;
  const double highest = highestCutoff(plan.rateHz());
  const double of_log = std::min(plan.chosen_cutoff_hz, highest);
  if (ofExactMotion(signals)) return of_log;
  const double faster = std::min(of_log, kMostOfSpeed * plan.least_cutoff_hz);
  return faster > kMuchFaster * signals.cutoff_hz ? faster : std::min(signals.cutoff_hz, highest);
}

void predictLog(const Model& model,
                const LogInput& log,
                const IdentificationSettings& settings,
                const std::function<void(const PredictionBlock&)>& sink,
                const Progress& progress,
                PredictionExtras extras) {
  model.check();
  settings.check();
  IdentificationSettings as_identified = settings;
  as_identified.cutoff_hz = model.signals.cutoff_hz;
  as_identified.cutoff_of_other_logs = true;
  as_identified.motion = model.signals.motion;
  as_identified.still_speed = model.signals.still_speed;
  LogSource source = openAsIdentified(model, log, as_identified);
  if (!source.plan().exact_motion) source.setCutoff(predictionCutoff(model.signals, source.plan()));
  predictSource(model, source, settings.threads, sink, progress, extras);
}

void predictSource(const Model& model,
                   const LogSource& log,
                   int threads,
                   const std::function<void(const PredictionBlock&)>& sink,
                   const Progress& progress,
                   PredictionExtras extras) {
  const std::optional<Payload> payload = payloadToPredict(model, log.info(), log.input().payload);
  Delivery delivery{&sink, {}};
  WindowPass pass;
  pass.motion_only = true;
  pass.max_rows = extras.max_rows;
  pass.lowest_cutoff_hz = Predictor(model, log, payload, delivery, extras).lowestCutoff();
  runWindows(
      windowTasks({&log}, pass),
      threads,
      [&] { return std::make_unique<Predictor>(model, log, payload, delivery, extras); },
      progress);
}

}  // namespace dynid
