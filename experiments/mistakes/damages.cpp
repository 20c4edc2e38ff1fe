#include "damages.h"

#include "dynid/core/errors.h"
#include "dynid/diagnosis/raw_rows.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace dynid::mistakes {
namespace {

using Eigen::Index;
using Kind = Mistake::Kind;

/// Applies `change` to position, velocity and acceleration of every window.
void changeMotion(DiagnosedLog& log, const std::function<void(Eigen::MatrixXd&)>& change) {
  for (RawSignals& window : log.windows)
    for (Eigen::MatrixXd* channel : {&window.position, &window.velocity, &window.acceleration})
      if (channel->size() > 0) change(*channel);
}
void changeEffort(DiagnosedLog& log, const std::function<void(Eigen::MatrixXd&)>& change) {
  for (RawSignals& window : log.windows) change(window.effort);
}
void changeTime(DiagnosedLog& log, double factor) {
  for (RawSignals& window : log.windows) window.time *= factor;
  log.duration_s *= factor;
}
void dropVelocity(DiagnosedLog& log) {
  for (RawSignals& window : log.windows) window.velocity = window.acceleration = Eigen::MatrixXd();
}

std::function<bool(const Mistake&)> either(std::vector<Kind> kinds, std::vector<Index> joints) {
  std::sort(joints.begin(), joints.end());
  return [kinds = std::move(kinds), joints = std::move(joints)](const Mistake& mistake) {
    return std::find(kinds.begin(), kinds.end(), mistake.kind) != kinds.end() &&
           std::equal(joints.begin(), joints.end(), mistake.joints.begin(), mistake.joints.end());
  };
}

std::function<bool(const Mistake&)> ofKind(std::vector<Kind> kinds) {
  return [kinds = std::move(kinds)](const Mistake& mistake) {
    return std::find(kinds.begin(), kinds.end(), mistake.kind) != kinds.end();
  };
}

class Damages {
 public:
  Damages(std::shared_ptr<const Robot> robot, const DiagnosedLog& log)
      : robot_(std::move(robot)), log_(log) {}

  DiagnosedLog& add(const std::string& name,
                    std::function<bool(const Mistake&)> is,
                    const std::string& finding = "") {
    all_.push_back({name, robot_, log_, std::move(is), finding});
    return all_.back().log;
  }
  void addRobot(const std::string& name, const Eigen::Vector3d& gravity) {
    auto robot = std::make_shared<Robot>(*robot_);
    robot->gravity = gravity;
    all_.push_back({name, robot, log_, ofKind({Kind::kGravity}), ""});
  }
  std::vector<Damaged> take() { return std::move(all_); }

 private:
  std::shared_ptr<const Robot> robot_;
  const DiagnosedLog& log_;
  std::vector<Damaged> all_;
};

std::function<bool(const Mistake&)> nothing() {
  return [](const Mistake&) { return false; };
}

void late(DiagnosedLog& log, double seconds) {
  const auto shift = std::max<Index>(1, std::lround(seconds / medianInterval(log.windows)));
  changeEffort(log, [&](Eigen::MatrixXd& effort) {
    if (effort.rows() <= shift) return;
    effort.bottomRows(effort.rows() - shift) = effort.topRows(effort.rows() - shift).eval();
  });
}

}  // namespace

std::vector<Index> byEffort(const DiagnosedLog& log) {
  const Eigen::MatrixXd& effort = log.windows.front().effort;
  if (effort.cols() < 2)
    throw InputError("the robot has one joint; expected two, whose columns can be exchanged");
  const Eigen::RowVectorXd mean = effort.colwise().mean();
  const Eigen::RowVectorXd power = (effort.rowwise() - mean).colwise().squaredNorm();
  std::vector<Index> order(effort.cols());
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return power(a) > power(b); });
  return order;
}

std::vector<Damaged> everydayMistakes(const std::shared_ptr<const Robot>& robot,
                                      const DiagnosedLog& log) {
  Damages damages(robot, log);
  const std::vector<Index> order = byEffort(log);
  const Index big = order[0], other = order[1], n = std::ssize(order);
  const auto column = [](Index j, double factor) {
    return [j, factor](Eigen::MatrixXd& values) { values.col(j) *= factor; };
  };
  const auto swap = [](Index i, Index j) {
    return [i, j](Eigen::MatrixXd& values) { values.col(i).swap(values.col(j)); };
  };
  damages.add("untouched", nothing());
  changeEffort(damages.add("effort_sign_one", either({Kind::kEffortSign}, {big})),
               column(big, -1.0));
  changeEffort(damages.add("effort_sign_other", either({Kind::kEffortSign}, {other})),
               column(other, -1.0));
  changeEffort(damages.add("effort_sign_all", either({Kind::kEffortSign}, {})),
               [](Eigen::MatrixXd& values) { values *= -1.0; });
  changeEffort(
      damages.add("effort_swapped", either({Kind::kEffortSwap, Kind::kPositionSwap}, {big, other})),
      swap(big, other));
  changeEffort(damages.add("effort_motor_side", either({Kind::kEffortScale}, {big})),
               column(big, 0.01));
  if (!log.currents)
    changeEffort(damages.add("effort_motor_side_all", nothing(), "effort-unit"),
                 [](Eigen::MatrixXd& values) { values *= 0.01; });
  if (n >= 3)
    changeMotion(damages.add("motion_swapped",
                             either({Kind::kEffortSwap, Kind::kPositionSwap}, {n - 3, n - 2})),
                 swap(n - 3, n - 2));
  changeMotion(damages.add("motion_sign_one", either({Kind::kPositionSign}, {other})),
               column(other, -1.0));
  for (RawSignals& window :
       damages.add("zero_90deg", either({Kind::kPositionZero}, {other})).windows)
    window.position.col(other).array() += 0.5 * std::numbers::pi;
  DiagnosedLog& slow = damages.add("time_ms", nothing(), "raw-time-unit");
  dropVelocity(slow);
  changeTime(slow, 1e3);
  changeEffort(damages.add("effort_nmm", nothing(), "effort-unit"),
               [](Eigen::MatrixXd& values) { values *= 1e3; });
  late(damages.add("effort_late_60ms", nothing(), "diagnosis-effort-late"), 0.06);
  changeEffort(damages.add("effort_dead", nothing(), "raw-effort-constant"),
               [big](Eigen::MatrixXd& values) { values.col(big).setZero(); });
  DiagnosedLog& brief = damages.add("too_short", nothing(), "raw-too-short");
  for (RawSignals& window : brief.windows) {
    const Index rows = std::max<Index>(4, window.rows() / 40);
    for (Eigen::MatrixXd* channel :
         {&window.position, &window.velocity, &window.acceleration, &window.effort})
      if (channel->size() > 0) *channel = channel->topRows(rows).eval();
    window.time = window.time.head(rows).eval();
  }
  brief.windows.resize(1);
  brief.duration_s = brief.windows.front().time.maxCoeff() - brief.windows.front().time.minCoeff();
  return damages.take();
}

std::vector<Damaged> furtherMistakes(const std::shared_ptr<const Robot>& robot,
                                     const DiagnosedLog& log) {
  Damages damages(robot, log);
  const std::vector<Index> by_effort = byEffort(log);
  const Index big = by_effort[0], n = std::ssize(by_effort);
  std::vector<Index> shifted(n), reversed(shifted);
  for (Index c = 0; c < n; ++c) {
    shifted[c] = (c + 1) % n;
    reversed[c] = n - 1 - c;
  }
  const auto reorder = [](const std::vector<Index>& order) {
    return [order](Eigen::MatrixXd& values) { values = values(Eigen::all, order).eval(); };
  };
  changeEffort(
      damages.add("efforts_shifted_by_one", ofKind({Kind::kEffortOrder, Kind::kPositionOrder})),
      reorder(shifted));
  changeEffort(
      damages.add("efforts_reversed_order", ofKind({Kind::kEffortOrder, Kind::kPositionOrder})),
      reorder(reversed));
  DiagnosedLog& columns = damages.add("columns_reversed_order", ofKind({Kind::kColumnOrder}));
  changeMotion(columns, reorder(reversed));
  changeEffort(columns, reorder(reversed));
  const double g = robot->gravity.norm();
  const Eigen::Vector3d down = robot->gravity.normalized();
  const Eigen::Vector3d side = down.unitOrthogonal();
  damages.addRobot("wall_mounted", g * side);
  damages.addRobot("ceiling_mounted", -g * down);
  damages.addRobot("base_tilted_30deg",
                   Eigen::AngleAxisd(std::numbers::pi / 6.0, side) * (g * down));
  changeEffort(damages.add(log.currents ? "current_mA" : "effort_mNm", nothing(), "effort-unit"),
               [](Eigen::MatrixXd& values) { values *= 1e3; });
  if (log.windows.front().velocity.size() > 0) {
    DiagnosedLog& rpm = damages.add("velocity_rpm", nothing(), "raw-velocity");
    for (RawSignals& window : rpm.windows) window.velocity *= 30.0 / std::numbers::pi;
    changeTime(damages.add("clock_half_speed", nothing(), "raw-clock"), 2.0);
  }
  for (RawSignals& window :
       damages.add("position_motor_side", nothing(), "raw-position-unit").windows)
    window.position.col(big) *= 100.0;
  for (RawSignals& window : damages.add("position_deg", nothing(), "raw-position-unit").windows)
    window.position *= 180.0 / std::numbers::pi;
  DiagnosedLog& mirrored =
      damages.add("axis_reversed", either({Kind::kAxisSign, Kind::kPositionSign}, {big}));
  changeMotion(mirrored, [big](Eigen::MatrixXd& values) { values.col(big) *= -1.0; });
  changeEffort(mirrored, [big](Eigen::MatrixXd& values) { values.col(big) *= -1.0; });
  return damages.take();
}

std::vector<Damaged> smallMistakes(const std::shared_ptr<const Robot>& robot,
                                   const DiagnosedLog& log) {
  Damages damages(robot, log);
  const std::vector<Index> order = byEffort(log);
  for (const Index joint : {order[0], order[1]})
    changeEffort(damages.add("effort_x_1.3", nothing()),
                 [joint](Eigen::MatrixXd& values) { values.col(joint) *= 1.3; });
  for (const Index joint : {order[0], order[1]})
    for (RawSignals& window : damages.add("zero_10deg", nothing()).windows)
      window.position.col(joint).array() += std::numbers::pi / 18.0;
  return damages.take();
}

std::vector<Damaged> pairsOfMistakes(const std::shared_ptr<const Robot>& robot,
                                     const DiagnosedLog& log) {
  Damages damages(robot, log);
  const std::vector<Index> order = byEffort(log);
  const Index big = order[0], other = order[1], n = std::ssize(order);
  const Index third = order[std::min<size_t>(2, order.size() - 1)];
  const auto flipped = [&](DiagnosedLog& log, Index joint) -> DiagnosedLog& {
    changeEffort(log, [joint](Eigen::MatrixXd& values) { values.col(joint) *= -1.0; });
    return log;
  };
  const auto swapped = [&](DiagnosedLog& log, Index i, Index j) -> DiagnosedLog& {
    changeEffort(log, [i, j](Eigen::MatrixXd& values) { values.col(i).swap(values.col(j)); });
    return log;
  };
  const auto turned = [&](DiagnosedLog& log, Index joint) -> DiagnosedLog& {
    for (RawSignals& window : log.windows)
      window.position.col(joint).array() += 0.5 * std::numbers::pi;
    return log;
  };
  flipped(flipped(damages.add("two effort signs", nothing()), big), other);
  flipped(swapped(damages.add("effort sign, efforts exchanged", nothing()), other, third), big);
  turned(flipped(damages.add("effort sign, zero off by 90 degrees", nothing()), big), other);
  DiagnosedLog& mirrored = flipped(damages.add("effort sign, position sign", nothing()), big);
  changeMotion(mirrored, [other](Eigen::MatrixXd& values) { values.col(other) *= -1.0; });
  DiagnosedLog& moved = flipped(damages.add("effort sign, positions exchanged", nothing()), big);
  const Index i = big == n - 2 || n < 3 ? 0 : n - 2;
  changeMotion(moved, [i, n](Eigen::MatrixXd& values) { values.col(i).swap(values.col(n - 1)); });
  DiagnosedLog& geared = flipped(damages.add("effort sign, effort x 0.01", nothing()), big);
  changeEffort(geared, [other](Eigen::MatrixXd& values) { values.col(other) *= 0.01; });
  DiagnosedLog& slow = flipped(damages.add("effort sign, milliseconds", nothing()), big);
  dropVelocity(slow);
  changeTime(slow, 1e3);
  DiagnosedLog& degrees = flipped(damages.add("effort sign, degrees", nothing()), big);
  changeMotion(degrees, [](Eigen::MatrixXd& values) { values *= 180.0 / std::numbers::pi; });
  DiagnosedLog& heavy = flipped(damages.add("effort sign, N mm", nothing()), big);
  changeEffort(heavy, [](Eigen::MatrixXd& values) { values *= 1e3; });
  return damages.take();
}

}  // namespace dynid::mistakes
