#include "dynid/recordings/base_audit.h"

#include "dynid/core/errors.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <optional>
#include <string>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Severity = Finding::Severity;

constexpr double kDegrees = 180.0 / std::numbers::pi;
constexpr double kFixedBaseTurn = 0.02;  // [rad] above the rounding of a pose at rest
constexpr double kGravityTilt = 10.0 / kDegrees;
// Twist and pose are compared over this time, which averages the noise of the pose.
constexpr double kTwistInterval = 0.2;  // s
// Root mean square motion in that time from which it is judged: a tracking system has 1 mm and 1
// mrad of noise.
constexpr double kLeastTurn = 0.01, kLeastWay = 0.005;  // rad, m
constexpr double kTwistDisagreement = 0.35;
// Twists of simulated bases differ by 1 %; a reading that is right leaves less than a fifth.
constexpr double kExplainedDisagreement = 0.1, kLeftDisagreement = 0.2;

enum class QuaternionOrder { kAsStated, kScalarFirst, kInverse };

/// How the two channels may be meant.
struct BaseReading {
  std::string frame = {};
  QuaternionOrder order = QuaternionOrder::kAsStated;
  bool exchanged = false;
  double angular_factor = 1.0, linear_factor = 1.0;  ///< of the twist
  std::string mistake = {}, remedy = {};
};

/// Motions over kTwistInterval by the pose and by the twist, and their difference.
struct MotionSums {
  double pose = 0.0, twist = 0.0, difference = 0.0, count = 0.0;

  void add(const Vector3d& of_pose, const Vector3d& of_twist) {
    pose += of_pose.squaredNorm();
    twist += of_twist.squaredNorm();
    difference += (of_pose - of_twist).squaredNorm();
    count += 1.0;
  }
  /// Relative to the larger one; 0 where neither moves by `least` (root mean square).
  double disagreement(double least) const {
    const double larger = std::max(pose, twist);
    return larger > least * least * count ? std::sqrt(difference / larger) : 0.0;
  }
};

struct Disagreement {
  double angular = 0.0, linear = 0.0;
  double largest() const { return std::max(angular, linear); }
};

Quaterniond attitude(const MatrixXd& pose, Index row, QuaternionOrder order) {
  const Eigen::Vector4d q = pose.row(row).tail<4>().transpose();
  Quaterniond result = order == QuaternionOrder::kScalarFirst ? Quaterniond(q(0), q(1), q(2), q(3))
                                                              : Quaterniond(q(3), q(0), q(1), q(2));
  result.normalize();
  return order == QuaternionOrder::kInverse ? result.conjugate() : result;
}

/// (v, w) of the base's origin in world axes.
Eigen::Matrix<double, 6, 1> worldTwist(const BaseReading& reading,
                                       const BaseSamples& samples,
                                       Index row) {
  Vector3d v = samples.twist.row(row).head<3>(), w = samples.twist.row(row).tail<3>();
  if (reading.exchanged) v.swap(w);
  v *= reading.linear_factor;
  w *= reading.angular_factor;
  const Quaterniond R_WB = attitude(samples.pose, row, reading.order);
  if (reading.frame != "space") w = R_WB * w;
  if (reading.frame == "body") v = R_WB * v;
  if (reading.frame == "space") v += w.cross(Vector3d(samples.pose.row(row).head<3>()));
  return (Eigen::Matrix<double, 6, 1>() << v, w).finished();
}

/// Adds the intervals of one excerpt, one after the other.
void addIntervals(const BaseReading& reading,
                  const BaseSamples& samples,
                  const Eigen::VectorXd& time,
                  MotionSums& angular,
                  MotionSums& linear) {
  const auto usable = [&](Index row) {
    return samples.pose.row(row).allFinite() && samples.twist.row(row).allFinite();
  };
  Eigen::Matrix<double, 6, 1> path = Eigen::Matrix<double, 6, 1>::Zero();
  std::optional<Index> start;
  for (Index row = 0; row < time.size(); ++row) {
    const double step = row > 0 ? time(row) - time(row - 1) : 0.0;
    if (!usable(row) || (start && !(step > 0.0 && step < kTwistInterval))) start.reset();
    if (!start) {
      path.setZero();
      if (usable(row)) start = row;
      continue;
    }
    path +=
        0.5 * step * (worldTwist(reading, samples, row - 1) + worldTwist(reading, samples, row));
    if (time(row) - time(*start) < kTwistInterval) continue;
    const Quaterniond from = attitude(samples.pose, *start, reading.order);
    const Eigen::AngleAxisd turn(attitude(samples.pose, row, reading.order) * from.conjugate());
    const double angle = std::remainder(turn.angle(), 2.0 * std::numbers::pi);
    angular.add(angle * turn.axis(), path.tail<3>());
    linear.add(samples.pose.row(row).head<3>() - samples.pose.row(*start).head<3>(),
               path.head<3>());
    start = row;
    path.setZero();
  }
}

Disagreement disagreementOf(const BaseReading& reading,
                            const std::vector<BaseSamples>& samples,
                            const AuditedRows& audited) {
  MotionSums angular, linear;
  for (size_t i = 0; i < samples.size(); ++i)
    addIntervals(reading, samples[i], audited.excerpts[i].time, angular, linear);
  return {angular.disagreement(kLeastTurn), linear.disagreement(kLeastWay)};
}

std::vector<BaseReading> otherReadings(const BaseReading& stated) {
  std::vector<BaseReading> readings;
  for (const char* frame : {"body", "space", "hybrid"})
    if (frame != stated.frame)
      readings.push_back(
          {.frame = frame,
           .mistake = fmt::format("the frame is \"{}\" and not \"{}\"", frame, stated.frame),
           .remedy = fmt::format("set the attribute `frame` of base/twist to \"{}\" "
                                 "(and check that of base/wrench)",
                                 frame)});
  const auto add = [&](auto change, const std::string& mistake, const std::string& remedy) {
    BaseReading reading = stated;
    change(reading);
    reading.mistake = mistake;
    reading.remedy = remedy;
    readings.push_back(reading);
  };
  add([](BaseReading& r) { r.exchanged = true; },
      "the linear and the angular velocity are exchanged",
      "write base/twist as (v, w)");
  add([](BaseReading& r) { r.order = QuaternionOrder::kScalarFirst; },
      "the quaternions of base/pose are w x y z",
      "write base/pose as x y z qx qy qz qw");
  add([](BaseReading& r) { r.order = QuaternionOrder::kInverse; },
      "the quaternions of base/pose turn the world into the base",
      "write the attitude of the base in the world, the conjugate quaternion");
  add([](BaseReading& r) { r.angular_factor = 1.0 / kDegrees; },
      "the angular velocity is in deg/s",
      "write it in rad/s");
  add([](BaseReading& r) { r.angular_factor = r.linear_factor = -1.0; },
      "the twist has the opposite sign, as that of the world seen from the base",
      "write the twist of the base in the world");
  add([](BaseReading& r) { r.linear_factor = 1e3; },
      "the position of base/pose is in mm",
      "write it in m");
  add([](BaseReading& r) { r.linear_factor = 1e-3; },
      "the linear velocity is in mm/s",
      "write it in m/s");
  return readings;
}

std::vector<Finding> auditTwist(const BaseReader& base, const AuditedRows& audited) {
  std::vector<BaseSamples> samples;
  for (size_t i = 0; i < audited.starts.size(); ++i)
    samples.push_back(base.read(audited.starts[i], audited.excerpts[i].rows()));
  const BaseReading stated{.frame = base.twistFrame()};
  const Disagreement found = disagreementOf(stated, samples, audited);
  if (!(found.largest() > kExplainedDisagreement)) return {};
  std::string message = fmt::format(
      "base/twist is not the derivative of base/pose: the angular velocity differs by {:.0f} %, "
      "the linear velocity by {:.0f} % of its size",
      100.0 * found.angular,
      100.0 * found.linear);
  for (const BaseReading& other : otherReadings(stated)) {
    const Disagreement left = disagreementOf(other, samples, audited);
    if (left.largest() > kLeftDisagreement * found.largest()) continue;
    return {{Severity::kRefuse,
             "base-twist",
             -1,
             fmt::format("{}; they agree within {:.0f} % if {}",
                         message,
                         std::max(1.0, 100.0 * left.largest()),
                         other.mistake),
             found.largest(),
             other.remedy}};
  }
  if (!(found.largest() > kTwistDisagreement)) return {};
  return {
      {Severity::kWarning,
       "base-twist",
       -1,
       message,
       found.largest(),
       "check the attribute `frame`, axes, units and the order of the numbers of both channels, "
       "and that they are of one body and one clock; without base/twist the derivative of "
       "base/pose is used"}};
}

/// How far a base turns from its first attitude: in all, and against gravity [rad].
struct BaseTurn {
  double all = 0.0, tilt = 0.0;
};

// In up to a thousand rows. Throws InputError for a row whose numbers are not a pose.
BaseTurn baseTurn(const BaseReader& base, const RowRange& used, const Vector3d& gravity) {
  const std::int64_t stride = std::max<std::int64_t>(1, (used.end - used.begin) / 1000);
  BaseTurn turn;
  std::optional<Quaterniond> start;
  for (std::int64_t row = used.begin; row < used.end; row += stride) {
    const MatrixXd pose = base.read(row, 1).pose;
    if (!pose.allFinite()) continue;
    const Quaterniond now = attitude(pose, 0, QuaternionOrder::kAsStated);
    if (!start) start = now;
    turn.all = std::max(turn.all, start->angularDistance(now));
    const Vector3d down = now.conjugate() * gravity;
    const Vector3d before = start->conjugate() * gravity;
    turn.tilt = std::max(turn.tilt, std::atan2(down.cross(before).norm(), down.dot(before)));
  }
  return turn;
}

std::vector<Finding> auditFixedBase(const Robot& robot,
                                    const BaseReader& base,
                                    const RowRange& used) {
  BaseTurn turn;
  try {
    turn = baseTurn(base, used, robot.gravity);
  } catch (const InputError&) {
    // Poses that cannot be read do not matter where the description fixes the base.
  }
  if (!(turn.all > kFixedBaseTurn)) return {};
  const bool tilts = turn.tilt > kGravityTilt;
  return {{tilts ? Severity::kRefuse : Severity::kWarning,
           "base-moves",
           -1,
           fmt::format("the base turns by {:.3g} deg in this log{}, but the description fixes it: "
                       "gravity and the motion of the base are left out",
                       kDegrees * turn.all,
                       tilts ? fmt::format(" ({:.3g} deg against gravity)", kDegrees * turn.tilt)
                             : std::string()),
           turn.all,
           "set base = \"floating\" in the robot description (.toml)"}};
}

}  // namespace

std::vector<Finding> auditBase(const Robot& robot,
                               const BaseReader* base,
                               const RowRange& used,
                               const AuditedRows& audited) {
  if (!robot.floating_base)
    return base != nullptr && base->hasPose() ? auditFixedBase(robot, *base, used)
                                              : std::vector<Finding>();
  if (base == nullptr)
    return {{Severity::kWarning,
             "base-unknown",
             -1,
             "the base floats, but the log does not contain its motion: it is assumed to rest in "
             "the attitude of the description",
             0.0,
             "record base/pose and base/twist, or set base = \"fixed\" in the description"}};
  return base->hasTwist() ? auditTwist(*base, audited) : std::vector<Finding>();
}

}  // namespace dynid
