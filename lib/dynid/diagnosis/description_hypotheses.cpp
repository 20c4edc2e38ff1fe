#include "dynid/core/errors.h"
#include "dynid/diagnosis/hypothesis_search.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

using Eigen::Index;
using Kind = Mistake::Kind;

constexpr double kSmallTilt = 0.5;  // cosine
// A tilt must gain this much more than the nearest axis of the root link, because most robots
// stand, hang or are mounted on a wall.
constexpr double kTiltGain = 0.1;
// [deg] The search for a tilt ends at steps below these, with and without a gain worth refining.
constexpr double kFinestTilt = 0.3, kCoarsestTilt = 4.0;
constexpr double kWideTilt = 15.0;  // [deg] shorter steps refine a direction
// [nat] Opposite directions explain the links of a gimbal equally well, but for rounding. The first
// of them is kept: downwards along the z axis, as most robots stand.
constexpr double kSameGravity = 1e-6;
// Cosine of the angle of two axes that are the same line.
constexpr double kSameLine = 0.999;

std::shared_ptr<const Robot> withAxis(const Robot& robot, int body, const Eigen::Vector3d& axis) {
  auto changed = std::make_shared<Robot>(robot);
  changed->bodies[body].axis = axis;
  return changed;
}

}  // namespace

std::vector<HypothesisSearch::Task> HypothesisSearch::descriptionTasks() {
  std::vector<Task> tasks;
  tasks.push_back([this] { return tryGravity(); });
  for (Task& task : sideTasks()) tasks.push_back(std::move(task));
  for (Index j = 0; j < n_; ++j)
    if (worthAnAxis(j)) tasks.push_back([this, j] { return tryAxes(j); });
  return tasks;
}

bool HypothesisSearch::worthAnAxis(Index j) const {
  return worthAWarning() && base_.motion.moves(j) != 0.0 &&
         !robot_->isCoupled(static_cast<int>(j)) && worthAPair(j, j);
}

std::vector<TriedHypothesis> HypothesisSearch::tryAxes(Index j) {
  const int body = robot_->joints[j].body;
  const Eigen::Vector3d described = robot_->bodies[body].axis;
  std::optional<TriedHypothesis> best;
  const auto one = [&](const Eigen::Vector3d& axis) {
    if (std::abs(axis.dot(described)) > kSameLine) return;
    Mistake mistake{Kind::kJointAxis, {static_cast<int>(j)}};
    mistake.direction = axis;
    auto hypothesis =
        triedRobot(mistake, withAxis(*robot_, body, axis), excerpt_.efforts_of_drives);
    if (hypothesis && (!best || explainsMore(*hypothesis, *best))) best = std::move(hypothesis);
  };
  for (int i = 0; i < 3; ++i)
    for (const double sign : {1.0, -1.0}) one(sign * Eigen::Vector3d::Unit(i));
  if (!best) return {};
  return {std::move(*best)};
}

std::optional<TriedHypothesis> HypothesisSearch::triedRobot(
    const Mistake& mistake, const std::shared_ptr<const Robot>& robot, bool efforts_of_drives) {
  const ChannelColumns columns(robot, efforts_of_drives);
  const ChannelColumns weightless(withGravity(*robot, Eigen::Vector3d::Zero()), efforts_of_drives);
  try {
    return tried(mistake, passOf(columns, weightless, motion()), columns, asLogged(n_));
  } catch (const InputError&) {  // the loops of the robot do not close in this motion
    ++loops_not_closed_;
    return std::nullopt;
  }
}

std::vector<HypothesisSearch::Task> HypothesisSearch::sideTasks() {
  std::vector<Kind> kinds;
  const std::vector<bool>& at_actuator = robot_->measured_at_actuator;
  for (int c = 0; c < static_cast<int>(n_); ++c) {
    if (!robot_->isCoupled(c)) continue;
    const Kind other = at_actuator[c] ? Kind::kJointSide : Kind::kDriveSide;
    if (std::find(kinds.begin(), kinds.end(), other) == kinds.end()) kinds.push_back(other);
  }
  // Currents are those of the drives wherever the positions are.
  if (!kinds.empty() && !excerpt_.efforts_of_drives) kinds.push_back(Kind::kMixedSides);
  std::vector<Task> tasks;
  for (const Kind kind : kinds) tasks.push_back([this, kind] { return trySide(kind); });
  return tasks;
}

std::vector<TriedHypothesis> HypothesisSearch::trySide(Kind kind) {
  Mistake mistake{kind};
  auto other = std::make_shared<Robot>(*robot_);
  for (int c = 0; c < static_cast<int>(n_); ++c) {
    if (!robot_->isCoupled(c)) continue;
    if (kind != Kind::kMixedSides && robot_->measured_at_actuator[c] != (kind == Kind::kJointSide))
      continue;
    mistake.joints.push_back(c);
    other->measured_at_actuator[c] = kind == Kind::kDriveSide;
  }
  const bool of_drives = excerpt_.efforts_of_drives || kind == Kind::kMixedSides;
  auto hypothesis = triedRobot(mistake, other, of_drives);
  if (!hypothesis) return {};
  return {std::move(*hypothesis)};
}

std::vector<TriedHypothesis> HypothesisSearch::tryGravity() {
  if (robot_->floating_base) return {};
  std::vector<TriedHypothesis> directions;
  const bool weightless = robot_->gravity.norm() == 0.0;
  if (!weightless)
    directions.push_back(
        tried({Kind::kNoGravity}, passOf(weightless_, motion()), weightless_, asLogged(n_)));
  std::optional<TriedHypothesis> best;
  const Eigen::Vector3d described = weightless ? Robot().gravity : robot_->gravity;
  const double g = described.norm();
  Eigen::Vector3d at = described;
  double needed = 0.0;   // gain beyond the best
  bool refines = false;  // near the direction that is best with the similarity to gravity of rods
  const auto one = [&](const Eigen::Vector3d& gravity) {
    if ((gravity - robot_->gravity).norm() < 1e-6 * g) return;
    TriedHypothesis hypothesis = towards(gravity);
    // Gravity torques of a small tilt are as similar to those of rods as without it: only the
    // gain of the fit counts.
    if (gravity.dot(robot_->gravity) > kSmallTilt * g * g)
      hypothesis.gravity_gain = std::min(hypothesis.gravity_gain, 0.0);
    const bool better = !best     ? true
                        : refines ? explainsMore(hypothesis, *best)
                                  : hypothesis.gain + hypothesis.gravity_gain >
                                        best->gain + best->gravity_gain + needed + kSameGravity;
    if (!better) return;
    needed = 0.0;
    best = std::move(hypothesis);
    at = gravity;
  };
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-1.0, 1.0}) one(sign * g * Eigen::Vector3d::Unit(axis));
  double step = 20.0;
  needed = kTiltGain;
  if (!best || best->gain < kSmallestGain) at = described;
  const auto smallest_step = [&] {
    return best && best->gain >= kWorthRefining ? kFinestTilt : kCoarsestTilt;
  };
  for (int round = 0; round < 20 && step > smallest_step(); ++round) {
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): `one` changes `at`
    const Eigen::Vector3d centre = at;
    const Eigen::Vector3d u = centre.unitOrthogonal(), v = centre.normalized().cross(u);
    const double before = best ? best->gain : 0.0;
    for (const Eigen::Vector3d& axis : {u, v})
      for (const double sign : {1.0, -1.0})
        one(Eigen::AngleAxisd(sign * step * kDegree, axis) * centre);
    // A step longer than the remaining tilt gains nothing; a shorter one may.
    const bool found = refines ? at != centre : best->gain >= before + 0.05;
    if (best->gain < kWorthRefining || !found) step *= 0.5;
    refines = step < kWideTilt && best->gain >= kWorthRefining;
  }
  directions.push_back(std::move(*best));
  return directions;
}

TriedHypothesis HypothesisSearch::towards(const Eigen::Vector3d& gravity) {
  Mistake mistake{Kind::kGravity};
  mistake.direction = gravity;
  const ChannelColumns columns(withGravity(*robot_, gravity), excerpt_.efforts_of_drives);
  return tried(mistake, passOf(columns, motion()), columns, asLogged(n_));
}

}  // namespace dynid
