#include "dynid/identification/estimate_motions.h"

#include "dynid/core/errors.h"
#include "dynid/equations/structure.h"
#include "dynid/motion/estimate_motion.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Effort rows (samples times joints) that are estimated together; memory grows to 1 kB per row.
constexpr double kMostRows = 5e5;
// Effort rows are used above this multiple of the speed that counts as standstill.
constexpr double kMovingTimes = 2.5;
// Width of the sign of Coulomb friction relative to the slowest speed that is used.
constexpr double kWidthShare = 0.2;
// Knots per period of the cut-off: at the beginning of the continuation, at most, and the fewest
// that the sample rate must allow.
constexpr double kFirstKnots = 1.0, kMostKnots = 16.0, kLeastKnots = 1.5;
// Fewer samples per knot than this do not determine a spline.
constexpr double kSamplesPerKnot = 3.0;
constexpr Index kFewestSamples = 64;  // of a section without gaps
// Position residuals above this multiple of the position noise: the splines miss the motion.
constexpr double kMostMissed = 3.0;
// Position noise below this share of the median of its kind of joint is taken to be unknown.
constexpr double kLeastNoise = 1e-3;

[[noreturn]] void refuse(const std::string& why) { throw UsageError("`motion` estimated: " + why); }

std::string nameOf(const LogSource& source) { return source.input().path.filename().string(); }

void requireSupported(const Recordings& recordings, const Team* team) {
  const Robot& robot = *recordings.robot;
  const char* other = "use `motion` filtered";
  if (recordings.logs.empty())
    refuse("needs the logs themselves; statistics do not contain positions (add `logs` FILE)");
  if (team != nullptr && team->size() > 1)
    refuse(fmt::format("does not divide its work among processes; run it in one, or {}", other));
  if (!robot.loops.empty()) refuse(fmt::format("closed loops are not supported; {}", other));
  if (robot.floating_base) refuse(fmt::format("floating bases are not supported; {}", other));
  MatrixXd coupling = robot.T;
  coupling.diagonal().setZero();
  if (!coupling.isZero(0.0))
    refuse(fmt::format("drives that move several joints are not supported; {}", other));
  for (std::size_t j = 0; j < robot.joints.size(); ++j)
    if (robot.measured_at_actuator[j])
      refuse(
          fmt::format("the position of joint {} is recorded at its drive, which is not "
                      "supported; {}",
                      robot.joints[j].name,
                      other));
  for (const OpenedLog& log : recordings.logs)
    if (log.source->plan().exact_motion)
      refuse(
          fmt::format("the positions of {} have no noise, so that there is nothing to estimate; "
                      "{}",
                      nameOf(*log.source),
                      other));
}

// Drive inertias come first: then they are independent, and inertial parameters with the same
// effect are left out.
EffortSensitivity modelOf(const std::shared_ptr<const Robot>& robot,
                          const ParameterLayout& layout,
                          const VectorXd& slowest) {
  const bool drive_inertia =
      std::any_of(layout.columns().begin(), layout.columns().end(), [](const Column& column) {
        return column.kind == ColumnKind::kDriveInertia;
      });
  ParameterLayout ordered;
  const int n = robot->numJoints(), first = drive_inertia ? n : 0;
  for (int a = 0; a < first; ++a) ordered.append(driveInertiaColumn(*robot, a));
  const ParameterLayout inertial = inertialLayout(*robot);
  for (const Column& column : inertial.columns()) ordered.append(column);
  std::vector<int> independent;
  for (const int c : structuralBase(robot, ordered, {std::nullopt}).independent)
    if (c >= first) independent.push_back(c - first);
  return {robot, independent, kWidthShare * slowest, drive_inertia};
}

// Columns whose effect is not in EffortSensitivity.
std::vector<int> otherEffects(const ParameterLayout& layout, const VectorXd& parameters) {
  std::vector<int> others;
  for (int c = 0; c < layout.size(); ++c) {
    const Column& column = layout[c];
    const bool modelled =
        column.ofRigidBody() || column.kind == ColumnKind::kDriveInertia ||
        column.isFriction(FrictionEffect::kViscous) || column.isFriction(FrictionEffect::kOffset) ||
        (column.isFriction(FrictionEffect::kCoulomb) && !column.hasPreslidingState());
    if (!modelled && parameters(c) != 0.0) others.push_back(c);
  }
  return others;
}

// Logs that are estimated together.
struct Group {
  std::vector<std::size_t> logs;
  std::vector<MotionRecord> records;
  std::vector<std::size_t> log_of_record;
};

std::vector<Group> groupsOf(const Recordings& recordings) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < recordings.logs.size(); ++i) {
    const OpenedLog& log = recordings.logs[i];
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      const OpenedLog& first = recordings.logs[group.logs.front()];
      return first.payload == log.payload &&
             std::abs(log.source->plan().dt / first.source->plan().dt - 1.0) < 1e-3;
    });
    if (same == groups.end())
      groups.push_back({{i}, {}, {}});
    else
      same->logs.push_back(i);
  }
  return groups;
}

void requireShort(const Recordings& recordings, const Group& group) {
  double rows = 0.0, longest = 0.0;
  std::string file;
  for (const std::size_t i : group.logs) {
    const LogSource& source = *recordings.logs[i].source;
    const double of_log =
        source.duration() * source.plan().rateHz() * recordings.robot->numJoints();
    rows += of_log;
    if (of_log > longest) file = nameOf(source);
    longest = std::max(longest, of_log);
  }
  if (rows > kMostRows)
    refuse(
        fmt::format("{} logs, the longest of them {}, have {:.0f} samples of all joints "
                    "together; at most {:.0f} are estimated at once; take a part of them by "
                    "`from_s` and `to_s`, give fewer logs, or use `motion` filtered",
                    group.logs.size(),
                    file,
                    rows,
                    kMostRows));
}

VectorXd positionNoise(const Recordings& recordings, const Group& group) {
  const Robot& robot = *recordings.robot;
  VectorXd noise = VectorXd::Zero(robot.numJoints());
  for (const std::size_t i : group.logs)
    noise = noise.cwiseMax(recordings.logs[i].source->plan().position_noise);
  for (Index j = 0; j < noise.size(); ++j) {
    const auto& joint = robot.joints[j];
    std::vector<double> others;
    for (Index k = 0; k < noise.size(); ++k)
      if (robot.joints[k].prismatic == joint.prismatic) others.push_back(noise(k));
    std::nth_element(others.begin(), others.begin() + std::ssize(others) / 2, others.end());
    if (!(noise(j) > kLeastNoise * others[others.size() / 2]))
      refuse(
          fmt::format("the positions of joint {} have no noise from which the accuracy of its "
                      "encoder could be found (does it move in these logs?); leave the joint "
                      "out by `exclude_joints`, or use `motion` filtered",
                      joint.name));
  }
  return noise;
}

class LogConverter {
 public:
  LogConverter(const Recordings& recordings,
               const Regression& regression,
               const VectorXd& parameters,
               const GatherOptions& options)
      : robot_(*recordings.robot),
        logs_(logRows(recordings, regression.payloads, options.drive_gains)),
        others_(otherEffects(regression.layout(), parameters)),
        parameters_(parameters),
        builder_(recordings.robot, regression.layout(), others_, recordings.ramp_speed) {
    builder_.setTorqueModel(regression.transmitting);
  }

  // Appends the sections of a log.
  void append(std::size_t log, Group& group) {
    const LogRows& rows = logs_[log];
    const ActuatorSignals whole = rows.source->readWhole();
    MatrixXd effort = whole.effort * rows.to_effort.asDiagonal();
    if (!others_.empty()) effort -= otherEfforts(rows, whole);
    const MatrixXd at_joints = effort * robot_.T.inverse();
    for (const Segment& part : whole.joint.segments) {
      if (part.size() < kFewestSamples) continue;
      group.records.push_back({whole.joint.time.segment(part.begin, part.size()),
                               whole.recorded_q.middleRows(part.begin, part.size()),
                               at_joints.middleRows(part.begin, part.size())});
      group.log_of_record.push_back(log);
    }
  }

 private:
  MatrixXd otherEfforts(const LogRows& log, const ActuatorSignals& whole) {
    RowBlock rows;
    builder_.build(whole, log.payload ? &*log.payload : nullptr, builder_.advance(whole, {}), rows);
    MatrixXd efforts(whole.effort.rows(), whole.effort.cols());
    for (Index a = 0; a < efforts.cols(); ++a)
      efforts.col(a) = rows[a] * parameters_(builder_.columns(static_cast<int>(a)));
    return efforts;
  }

  const Robot& robot_;
  std::vector<LogRows> logs_;
  std::vector<int> others_;
  VectorXd parameters_;
  RowBuilder builder_;
};

// Knot rates of the continuation [1/s].
std::pair<double, double> knotRates(const Recordings& recordings, const Group& group) {
  const LogSource& source = *recordings.logs[group.logs.front()].source;
  const double cutoff = source.plan().motion_cutoff_hz, rate = source.plan().rateHz();
  const double most = std::min(kMostKnots * cutoff, rate / kSamplesPerKnot);
  const double least = kLeastKnots * cutoff;
  if (most < least)
    refuse(
        fmt::format("{} has {:.4g} samples per second, which allow {:.3g} knots of a spline per "
                    "second; motion up to the cut-off of {:.3g} Hz needs {:.3g}; record faster, "
                    "lower `cutoff_hz`, or use `motion` filtered",
                    nameOf(source),
                    rate,
                    rate / kSamplesPerKnot,
                    cutoff,
                    least));
  return {kFirstKnots * cutoff, most};
}

std::string whyNotUsed(const MotionEstimate& estimate) {
  if (!estimate.converged)
    return fmt::format("it did not converge in {} iterations", estimate.iterations);
  const double missed = estimate.position_ratio.maxCoeff();
  if (!(missed < kMostMissed))
    return fmt::format("it misses the recorded positions by {:.3g} times their noise", missed);
  return "";
}

Finding findingOf(const MotionEstimate& estimate) {
  const std::string unused = whyNotUsed(estimate);
  if (!unused.empty())
    return {Finding::Severity::kWarning,
            "motion-not-estimated",
            -1,
            fmt::format("motion estimated together with the parameters is not used, because {}; "
                        "filtered motion is used instead",
                        unused),
            static_cast<double>(estimate.iterations),
            "take a part of the log by `from_s` and `to_s`, or use `motion` filtered"};
  return {Finding::Severity::kNote,
          "motion-estimated",
          -1,
          fmt::format("motion estimated together with the parameters: {:.3g} knots per second, "
                      "converged in {} iterations; position residuals are {:.2f} to {:.2f} of the "
                      "noise",
                      estimate.knot_rate,
                      estimate.iterations,
                      estimate.position_ratio.minCoeff(),
                      estimate.position_ratio.maxCoeff()),
          estimate.knot_rate,
          ""};
}

void setMotions(const Recordings& recordings,
                const Group& group,
                const MotionEstimate& estimate,
                double end_s) {
  const Finding finding = findingOf(estimate);
  const bool used = whyNotUsed(estimate).empty();
  for (const std::size_t i : group.logs) {
    LogSource& source = *recordings.logs[i].source;
    source.addFinding(finding);
    if (!used) continue;
    auto motion = std::make_shared<GivenMotion>();
    for (std::size_t r = 0; r < group.records.size(); ++r) {
      if (group.log_of_record[r] != i) continue;
      const VectorXd& time = group.records[r].time;
      motion->pieces.push_back({time(0) + end_s,
                                time(time.size() - 1) - end_s,
                                estimate.splines[r],
                                estimate.coefficients[r]});
    }
    source.setMotion(std::move(motion));
  }
}

}  // namespace

void requireEstimable(const Recordings& recordings, const Team* team) {
  requireSupported(recordings, team);
  for (const Group& group : groupsOf(recordings)) {
    requireShort(recordings, group);
    positionNoise(recordings, group);
    knotRates(recordings, group);
  }
}

void estimateMotions(const Recordings& recordings,
                     const Regression& regression,
                     const Fit& fit,
                     const GatherOptions& options) {
  const Robot& robot = *recordings.robot;
  VectorXd still = VectorXd::Zero(robot.numJoints());
  for (const OpenedLog& log : recordings.logs)
    still = still.cwiseMax(log.source->plan().still_speed);
  const VectorXd slowest = kMovingTimes * still;
  const EffortSensitivity model =
      modelOf(recordings.robot,
              regression.layout(),
              robot.T.diagonal().cwiseAbs().cwiseInverse().asDiagonal() * slowest);
  LogConverter converter(recordings, regression, fit.parameters, options);
  for (Group& group : groupsOf(recordings)) {
    MotionOptions settings;
    settings.position_std_dev = positionNoise(recordings, group);
    settings.slowest_speed = slowest;
    std::tie(settings.first_knot_rate, settings.highest_knot_rate) = knotRates(recordings, group);
    for (const std::size_t i : group.logs) converter.append(i, group);
    if (options.progress)
      options.progress("motion, " + nameOf(*recordings.logs[group.logs.front()].source), 0.0);
    setMotions(recordings, group, estimateMotion(model, group.records, settings), settings.end_s);
  }
}

}  // namespace dynid
