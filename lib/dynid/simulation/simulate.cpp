#include "dynid/simulation/simulate.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/formulations/base_joints.h"
#include "dynid/math/random_stream.h"
#include "dynid/robot/root_body.h"
#include "dynid/signals/row_order.h"
#include "dynid/simulation/integrated_motion.h"
#include "dynid/simulation/passive_columns.h"
#include "dynid/simulation/simulated_base.h"
#include "dynid/simulation/simulated_effort.h"
#include "dynid/simulation/simulated_sensors.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <stdexcept>

namespace dynid {
namespace {

constexpr int kInstants = 500;  // distributed over a motion, to compute the size of its efforts

// The motion at rows [first, first + rows) of the log.
SimulatedBlock sampleMotion(
    const SimulatedMotion& motion, double rate_hz, std::int64_t first, int rows, Eigen::Index n) {
  SimulatedBlock block;
  block.q.resize(rows, n);
  block.dq.resize(rows, n);
  block.ddq.resize(rows, n);
  for (int i = 0; i < rows; ++i) {
    const JointMotion m = motion.at(static_cast<double>(first + i) / rate_hz);
    block.q.row(i) = m.q;
    block.dq.row(i) = m.dq;
    block.ddq.row(i) = m.ddq;
  }
  return block;
}

// Separates the six base joints, which are the first joints of the motion of a floating base.
void splitBase(SimulatedBlock& block) {
  const auto split = [](Eigen::MatrixXd& all, Eigen::MatrixXd& base) {
    base = all.leftCols(kBaseJoints);
    all = all.rightCols(all.cols() - kBaseJoints).eval();
  };
  split(block.q, block.base_q);
  split(block.dq, block.base_dq);
  split(block.ddq, block.base_ddq);
}

// The same as a variational integrator represents it: by the positions one step before and after.
void fromPositions(const SimulatedMotion& motion,
                   double rate_hz,
                   std::int64_t first,
                   SimulatedBlock& block) {
  block.step = 1.0 / rate_hz;
  block.q_before = block.q_after = block.q;
  for (Eigen::Index i = 0; i < block.q.rows(); ++i) {
    const auto row = static_cast<double>(first + i);
    block.q_before.row(i) = motion.at((row - 1.0) / rate_hz).q;
    block.q_after.row(i) = motion.at((row + 1.0) / rate_hz).q;
  }
  block.dq = (block.q_after - block.q_before) / (2.0 * block.step);
  block.ddq = (block.q_after - 2.0 * block.q + block.q_before) / (block.step * block.step);
}

// Selects the measured side: column i is joint i, or actuator i if the log is on its side.
Eigen::MatrixXd asMeasured(const Robot& robot,
                           const Eigen::MatrixXd& joints,
                           const Eigen::MatrixXd& actuators) {
  Eigen::MatrixXd columns = joints;
  for (Eigen::Index i = 0; i < joints.cols(); ++i)
    if (robot.measured_at_actuator[i]) columns.col(i) = actuators.col(i);
  return columns;
}

// Efforts as the log has them: currents are always those of the actuators.
Eigen::MatrixXd recordedEffort(const Robot& robot,
                               const SimulationOptions& options,
                               const SimulatedBlock& block) {
  return options.current ? block.tau_actuator : asMeasured(robot, block.tau, block.tau_actuator);
}

// The sensors: noise, rounding, clock. Every channel has its own random stream, so that the log
// does not depend on the block size.
class Measurement {
 public:
  Measurement(const Robot& robot,
              const SimulationTruth& truth,
              const SimulationOptions& options,
              Eigen::VectorXd sigma)
      : robot_(robot),
        truth_(truth),
        options_(options),
        sigma_(std::move(sigma)),
        clock_(options.seed, 1000) {
    const auto n = static_cast<std::uint64_t>(robot.numJoints());
    for (std::uint64_t j = 0; j < n; ++j) {
      effort_.emplace_back(options.seed, 2000 + j);
      velocity_.emplace_back(options.seed, 3000 + j);
      // The noise is stationary from the first sample on.
      noise_.push_back(effort_.back().normal());
    }
    const double tau = options.effort_noise_correlation_s;
    correlation_ = tau > 0.0 ? std::exp(-1.0 / (options.rate_hz * tau)) : 0.0;
  }

  RawBlock measure(const SimulatedBlock& block, std::int64_t first) {
    RawBlock raw;
    raw.first_row = first;
    const Eigen::Index rows = block.q.rows(), n = block.q.cols();
    raw.time.resize(rows);
    for (Eigen::Index i = 0; i < rows; ++i) raw.time(i) = stamp(first + i);
    raw.position = asMeasured(robot_, block.q, block.q_actuator);
    const double step = options_.encoder_step;
    if (step > 0.0) raw.position = (raw.position.array() / step).round() * step;
    if (options_.velocity) raw.velocity = asMeasured(robot_, block.dq, block.dq_actuator);
    if (options_.acceleration) raw.acceleration = asMeasured(robot_, block.ddq, block.ddq_actuator);
    raw.effort = recordedEffort(robot_, options_, block);
    for (Eigen::Index j = 0; j < n; ++j) {
      for (Eigen::Index i = 0; i < rows; ++i) {
        if (options_.velocity && options_.velocity_noise > 0.0)
          raw.velocity(i, j) += options_.velocity_noise * velocity_[j].normal();
        if (sigma_(j) == 0.0) continue;
        raw.effort(i, j) += sigma_(j) * noise_[j];
        noise_[j] = correlation_ * noise_[j] +
                    std::sqrt(1.0 - correlation_ * correlation_) * effort_[j].normal();
      }
      if (options_.current) raw.effort.col(j) /= truth_.drive_gains(j);
    }
    return raw;
  }

 private:
  double stamp(std::int64_t row) {
    double time = static_cast<double>(row) / options_.rate_hz;
    if (options_.clock_jitter_s > 0.0) {
      time += options_.clock_jitter_s * clock_.normal();
      time = std::max(time, last_stamp_ + 1e-6);  // time stamps stay in order
    }
    last_stamp_ = time;
    return time;
  }

  const Robot& robot_;
  const SimulationTruth& truth_;
  const SimulationOptions& options_;
  Eigen::VectorXd sigma_;
  RandomStream clock_;
  std::vector<RandomStream> effort_, velocity_;
  std::vector<double> noise_;  // of the next sample, unit variance
  double correlation_ = 0.0;
  double last_stamp_ = -kInfinity;
};

bool movesBase(const Robot& robot, const SimulationOptions& options) {
  return robot.floating_base && !options.base_frame.empty();
}

// Motion of joints and base at rows [first, first + rows).
SimulatedBlock sampleRobot(const Robot& robot,
                           const SimulationOptions& options,
                           const SimulatedMotion& motion,
                           double rate_hz,
                           std::int64_t first,
                           int rows) {
  const bool moves = movesBase(robot, options);
  SimulatedBlock block =
      sampleMotion(motion, rate_hz, first, rows, robot.numJoints() + (moves ? kBaseJoints : 0));
  if (moves) splitBase(block);
  return block;
}

// Standard deviation of the noise of each channel; the relative part refers to efforts at instants
// distributed over the motion.
Eigen::VectorXd noiseLevel(const Robot& robot,
                           const SimulationTruth& truth,
                           const SimulationOptions& options,
                           const SimulatedMotion& motion) {
  const Eigen::Index n = robot.numJoints();
  Eigen::VectorXd variance =
      Eigen::VectorXd::Constant(n, options.effort_noise * options.effort_noise);
  if (options.effort_noise_relative > 0.0) {
    EffortOfTruth effort(robot, truth, options.payload);
    SimulatedBlock block =
        sampleRobot(robot, options, motion, kInstants / motion.duration_s, 0, kInstants);
    effort.evaluate(block);
    const Eigen::MatrixXd measured = recordedEffort(robot, options, block);
    variance += options.effort_noise_relative * options.effort_noise_relative / kInstants *
                measured.colwise().squaredNorm().transpose();
  }
  return variance.cwiseSqrt();
}

void summarise(const SimulatedBlock& block, SimulationSummary& summary) {
  const auto widen = [](Eigen::VectorXd& most, const Eigen::MatrixXd& values) {
    most = most.cwiseMax(values.cwiseAbs().colwise().maxCoeff().transpose());
  };
  summary.min_position = summary.min_position.cwiseMin(block.q.colwise().minCoeff().transpose());
  summary.max_position = summary.max_position.cwiseMax(block.q.colwise().maxCoeff().transpose());
  widen(summary.max_velocity, block.dq);
  widen(summary.max_acceleration, block.ddq);
  widen(summary.max_effort, block.tau);
  summary.rms_effort += block.tau.colwise().squaredNorm().transpose();
  summary.rows += block.q.rows();
}

void noteLimits(const Robot& robot, SimulationSummary& summary) {
  const auto note = [&](const Joint& joint, const char* what, double most, double limit) {
    if (most > limit)
      summary.notes.push_back(joint.name + ": " + what + " reaches " + toText(most, 4) +
                              ", its limit is " + toText(limit, 4));
  };
  const auto note_position = [&](const Joint& joint, double least, double most) {
    const JointLimits& limits = joint.limits;
    const double rounding = 1e-9 * (1.0 + std::abs(least) + std::abs(most));
    if (joint.continuous || (least >= limits.lower - rounding && most <= limits.upper + rounding))
      return;
    summary.notes.push_back(fmt::format("{}: position reaches {} to {}, its limits are {} to {}",
                                        joint.name,
                                        toText(least, 4),
                                        toText(most, 4),
                                        toText(limits.lower, 4),
                                        toText(limits.upper, 4)));
  };
  for (Eigen::Index j = 0; j < summary.max_effort.size(); ++j) {
    const Joint& joint = robot.joints[j];
    note_position(joint, summary.min_position(j), summary.max_position(j));
    note(joint, "velocity", summary.max_velocity(j), joint.limits.velocity);
    note(joint, "acceleration", summary.max_acceleration(j), joint.limits.acceleration);
    note(joint, "effort", summary.max_effort(j), joint.limits.effort);
  }
}

SimulatedMotion motionFor(const Robot& robot, const SimulationOptions& options) {
  if (!options.trajectory) {
    RandomMotionOptions motion = options.motion;
    motion.seed = options.seed;
    return randomMotion(movesBase(robot, options) ? withBaseJoints(robot) : robot, motion);
  }
  if (options.trajectory->joint_names != robot.jointNames())
    throw UsageError("the joints of the trajectory are " + join(options.trajectory->joint_names) +
                     "; expected those of the robot in its order: " + join(robot.jointNames()));
  return motionOf(*options.trajectory);
}

// The motion of a mechanism whose drives track the given motion; adds a note to the summary.
SimulatedMotion integrated(const Robot& robot,
                           const Eigen::VectorXd& pi,
                           const SimulatedMotion& motion,
                           const SimulationOptions& options,
                           SimulationSummary& summary) {
  if (robot.loops.empty())
    throw UsageError("the integrator \"" + options.solver +
                     "\" solves constrained equations of motion, and robot \"" + robot.name +
                     "\" has no [[loop]]; leave the integrator out, or take variational");
  if (options.variational)
    throw UsageError("the integrator \"" + options.solver +
                     "\" and variational efforts are both asked for; give one of them");
  const IntegratedMotion done = integrateMotion(robot, pi, motion, options.rate_hz, options.solver);
  summary.notes.push_back("integrated by " + options.solver + ": loops stay closed to " +
                          toText(done.largest_gap, 2) + " (a step opens them by up to " +
                          toText(done.opened_gap, 2) + " before they are closed again), drives " +
                          toText(done.off_course, 2) + " off the motion at most");
  return done.motion;
}

}  // namespace

void SimulationOptions::check() const {
  const auto fail =
      [](const std::string& field, const std::string& got, const std::string& expected) {
        throw std::invalid_argument("`" + field + "` is " + got + "; expected " + expected);
      };
  if (!trajectory) motion.check();
  if (!(rate_hz >= 1.0 && rate_hz <= 1e5)) fail("rate_hz", toText(rate_hz), "1 to 100000 Hz");
  const auto size = [&](const char* field, double value) {
    if (!(value >= 0.0) || !std::isfinite(value)) fail(field, toText(value), "0 or more");
  };
  size("effort_noise", effort_noise);
  size("effort_noise_relative", effort_noise_relative);
  size("effort_noise_correlation_s", effort_noise_correlation_s);
  size("encoder_step", encoder_step);
  size("velocity_noise", velocity_noise);
  size("clock_jitter_s", clock_jitter_s);
  if (compression < 0 || compression > 9)
    fail("compression", std::to_string(compression), "0 to 9");
  const std::vector<std::string> frames = {"", "body", "space", "hybrid"};
  if (std::find(frames.begin(), frames.end(), base_frame) == frames.end())
    fail("base_frame", "\"" + base_frame + "\"", "body, space or hybrid");
  if (block_rows < 1) fail("block_rows", std::to_string(block_rows), "at least 1");
}

namespace {

using Sink =
    std::function<void(const RawBlock&, const std::vector<BodySamples>&, const BaseSamples&)>;

void checkBase(const Robot& robot, const SimulationOptions& options) {
  if (options.base_frame.empty()) return;
  if (!hasRootBody(robot))
    throw std::invalid_argument(
        "the wrench on the base is asked for, but the robot has no root body; expected a robot "
        "with its root link as a body");
  if (!robot.floating_base) return;
  const std::string why = "a floating base moves at random; ";
  if (options.trajectory) throw UsageError(why + "a trajectory has no column for it");
  if (options.variational) throw UsageError(why + "variational efforts need a base at rest");
  if (!options.bodies.empty())
    throw UsageError(why + "sensors on links cannot be simulated with it");
}

constexpr double kMostRows = 1e9;

// A trajectory comes from a file (InputError), a random motion from the options (UsageError).
[[noreturn]] void refuseMotion(const SimulationOptions& options, const std::string& why) {
  if (options.trajectory) throw InputError(why);
  throw UsageError(why);
}

// Rows of a log of a motion; refuses more than kMostRows.
std::int64_t rowsOf(const SimulatedMotion& motion, const SimulationOptions& options) {
  const double rows = std::floor(motion.duration_s * options.rate_hz + 1e-9) + 1.0;
  if (rows <= kMostRows) return static_cast<std::int64_t>(rows);
  refuseMotion(options,
               fmt::format("the motion lasts {} s, which at {} Hz is more than {} rows; expected a "
                           "shorter motion or a lower rate",
                           toText(motion.duration_s),
                           toText(options.rate_hz),
                           toText(kMostRows)));
}

// Refuses motions with numbers that readers of logs take for corrupt.
void requireUsable(const SimulatedBlock& block,
                   const SimulationOptions& options,
                   std::int64_t first) {
  for (const Eigen::MatrixXd* numbers : {&block.q, &block.dq, &block.ddq, &block.tau})
    for (Eigen::Index i = 0; i < numbers->rows(); ++i)
      for (Eigen::Index j = 0; j < numbers->cols(); ++j)
        if (!isUsable((*numbers)(i, j)))
          refuseMotion(
              options,
              fmt::format("{} s after its start, the motion or an effort that it needs is {} (SI "
                          "units); no robot can follow it",
                          toText(static_cast<double>(first + i) / options.rate_hz),
                          toText((*numbers)(i, j))));
}

// Simulates block by block: motion, effort of the true robot, sensors of links and base,
// measurement. Each block is passed to `sink`.
SimulationSummary simulateInto(const Robot& robot,
                               const SimulationTruth& truth,
                               const SimulationOptions& options,
                               const Sink& sink,
                               const Progress& progress) {
  options.check();
  checkBase(robot, options);
  EffortOfTruth effort(robot, truth, options.payload);
  if (options.current && truth.drive_gains.size() == 0)
    throw UsageError(
        "currents are asked for but no drive gains are known; give drive_gain [N m/A] of "
        "the "
        "joints in the robot description");
  if (!options.bodies.empty() && !robot.loops.empty())
    throw UsageError("the wrench of a link of robot \"" + robot.name +
                     "\" holds the forces in its loops, which are not simulated; leave it out");
  if (options.passive && robot.passive_joints.empty())
    throw UsageError("the passive joints of loops are asked for, and robot \"" + robot.name +
                     "\" has no [[loop]]; leave them out");
  SimulationSummary summary;
  SimulatedMotion motion = motionFor(robot, options);
  if (!options.solver.empty())
    motion = integrated(robot, effort.rigidParameters(), motion, options, summary);
  const std::int64_t rows = rowsOf(motion, options);
  const Eigen::Index n = robot.numJoints();
  LateEfforts late(robot, truth, options.payload);
  Measurement measurement(robot, truth, options, noiseLevel(robot, truth, options, motion));
  std::optional<BaseSensor> base;
  if (!options.base_frame.empty())
    base.emplace(robot,
                 truth,
                 options,
                 sampleRobot(robot, options, motion, kInstants / motion.duration_s, 0, kInstants));

  summary.min_position = Eigen::VectorXd::Constant(n, std::numeric_limits<double>::infinity());
  summary.max_position = -summary.min_position;
  summary.max_velocity = summary.max_acceleration = Eigen::VectorXd::Zero(n);
  summary.max_effort = summary.rms_effort = Eigen::VectorXd::Zero(n);
  for (std::int64_t first = 0; first < rows; first += options.block_rows) {
    if (progress) progress("simulating", static_cast<double>(first) / static_cast<double>(rows));
    const auto count = static_cast<int>(std::min<std::int64_t>(options.block_rows, rows - first));
    const auto sample = [&](const SimulatedMotion& sampled) {
      SimulatedBlock at = sampleRobot(robot, options, sampled, options.rate_hz, first, count);
      if (options.variational) fromPositions(sampled, options.rate_hz, first, at);
      return at;
    };
    SimulatedBlock block = sample(motion);
    effort.evaluate(block);
    late.replaceIn(block, motion, sample);
    requireUsable(block, options, first);
    summarise(block, summary);
    std::vector<BodySamples> bodies;
    for (const std::string& link : options.bodies)
      bodies.push_back(sensedBy(robot,
                                link,
                                truth.parameters.head(Eigen::Index{10} * robot.numBodies()),
                                options.payload,
                                block));
    RawBlock raw = measurement.measure(block, first);
    if (options.passive) appendPassiveColumns(robot, block, raw);
    sink(raw, bodies, base ? base->measure(block) : BaseSamples());
  }
  summary.duration_s = static_cast<double>(rows - 1) / options.rate_hz;
  summary.rms_effort = (summary.rms_effort / static_cast<double>(summary.rows)).cwiseSqrt();
  noteLimits(robot, summary);
  return summary;
}

}  // namespace

SimulationSummary simulate(const Robot& robot,
                           const SimulationTruth& truth,
                           const SimulationOptions& options,
                           const std::function<void(const RawBlock&)>& sink,
                           const Progress& progress) {
  return simulateInto(
      robot,
      truth,
      options,
      [&](const RawBlock& block, const std::vector<BodySamples>&, const BaseSamples&) {
        sink(block);
      },
      progress);
}

LogHeader simulatedHeader(const Robot& robot, const SimulationOptions& options) {
  LogHeader header;
  header.joint_names = robot.logColumnNames();
  for (const Joint& joint : robot.joints) header.prismatic.push_back(joint.prismatic);
  if (options.passive)
    for (const Joint& joint : robot.passive_joints) {
      header.joint_names.push_back(joint.name);
      header.prismatic.push_back(joint.prismatic);
    }
  header.has_velocity = options.velocity;
  header.has_acceleration = options.acceleration;
  header.effort_kind = options.current ? EffortKind::kCurrent : EffortKind::kEffort;
  header.robot = robot.name;
  header.source = "simulated, seed " + std::to_string(options.seed);
  header.sample_rate_hz = options.rate_hz;
  header.gravity = robot.gravity;
  header.payload = options.payload;
  header.bodies = options.bodies;
  header.base_frame = options.base_frame;
  header.base_moves = movesBase(robot, options);
  header.compression = options.compression;
  return header;
}

SimulationSummary simulate(const Robot& robot,
                           const SimulationTruth& truth,
                           const SimulationOptions& options,
                           const std::filesystem::path& path,
                           const Progress& progress) {
  LogWriter writer(path, simulatedHeader(robot, options));
  SimulationSummary summary = simulateInto(
      robot,
      truth,
      options,
      [&](const RawBlock& block, const std::vector<BodySamples>& bodies, const BaseSamples& base) {
        writer.append(block, bodies, base);
      },
      progress);
  writer.finish();
  return summary;
}

}  // namespace dynid
