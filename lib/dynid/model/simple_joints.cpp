#include "dynid/model/simple_joints.h"

#include "dynid/core/text.h"
#include "dynid/dynamics/joint_effects.h"
#include "dynid/model/column_place.h"
#include "dynid/model/model_efforts.h"

#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>

namespace dynid {
namespace {

constexpr Eigen::Index kFewPoints =
    8;  // fewest points in motion per joint: two slopes and an offset need more than three points
// A loss below this fraction of the model's error is not reported.
constexpr double kNegligible = 1e-3;

/// Whether the simple form contains the friction column unchanged.
bool isSimple(const Model& model, const Column& column) {
  if (column.kind != ColumnKind::kFriction || model.robot->isCoupled(column.owner)) return false;
  if (column.effect == FrictionEffect::kViscous) return true;
  return column.effect == FrictionEffect::kCoulomb && column.presliding == 0.0 &&
         column.smoothing == 0.0;
}

/// Friction of constant size against the motion, however its sign is smoothed.
bool isDry(const Column& column) {
  return column.effect == FrictionEffect::kCoulomb || column.effect == FrictionEffect::kPresliding;
}

/// A spring that a file can hold: at one joint, pulling towards its reference.
bool isHeldSpring(const Model& model, int column) {
  if (model.layout[column].kind != ColumnKind::kPosition) return false;
  const PositionEffect effect = positionEffect(*model.robot, model.layout[column]);
  return effect.kind == PositionEffect::Kind::kSpring && !effect.at_actuator &&
         model.parameters(column) > 0.0;
}

/// An offset that acts on one joint alone.
bool isJointOffset(const Model& model, const Column& column) {
  return column.kind == ColumnKind::kFriction && column.effect == FrictionEffect::kOffset &&
         (column.at_joint || !model.robot->isCoupled(column.owner));
}

/// min ||b - A x||, x(0), x(1) >= 0, by trying which of the two are zero.
Eigen::Vector3d nonnegativeFit(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  Eigen::Vector3d best = Eigen::Vector3d::Zero();
  double best_error = std::numeric_limits<double>::infinity();
  for (const Eigen::Vector3d& used : {Eigen::Vector3d(1, 1, 1),
                                      Eigen::Vector3d(1, 0, 1),
                                      Eigen::Vector3d(0, 1, 1),
                                      Eigen::Vector3d(0, 0, 1)}) {
    const Eigen::MatrixXd chosen = A * used.asDiagonal();
    const Eigen::VectorXd x = chosen.completeOrthogonalDecomposition().solve(b);
    const Eigen::Vector3d all(used(0) * x(0), used(1) * x(1), x(2));
    const double error = (A.lazyProduct(all) - b).squaredNorm();
    if (all(0) < 0.0 || all(1) < 0.0 || !(error < best_error)) continue;
    best = all;
    best_error = error;
  }
  return best;
}

/// ||measured - predicted|| / ||measured||, of one joint or of all.
double relativeError(const Eigen::Ref<const Eigen::MatrixXd>& measured,
                     const Eigen::Ref<const Eigen::MatrixXd>& predicted) {
  const double norm = measured.norm();
  return norm > 0.0 ? (measured - predicted).norm() / norm : 0.0;
}

/// Names of the terms, without repeating "friction" for each joint.
std::string namesOf(const Model& model, const std::vector<int>& columns) {
  std::vector<std::string> names;
  for (const int i : columns) names.push_back(model.layout[i].name);
  constexpr size_t kMany = 6;
  if (names.size() <= kMany) return join(names);
  const size_t count = names.size();
  names.resize(kMany - 1);
  return fmt::format("{} and {} more", join(names), count - names.size());
}

/// The joint that loses most, where that is much: the error of all joints hides that of a small
/// one.
std::string worstJoint(const Model& model, const ExportCost& cost) {
  constexpr double kMuch = 0.1, kTimes = 2.0;
  if (cost.file_error_per_joint.size() == 0) return "";  // C: not compared joint by joint
  Eigen::Index worst = 0;
  const double error = cost.file_error_per_joint.maxCoeff(&worst);
  const double of_model = cost.model_error_per_joint(worst);
  if (!(error > std::max({kMuch, kTimes * of_model, kTimes * cost.file_error}))) return "";
  return fmt::format("; of {} alone: model {}, file {}",
                     model.robot->joints[worst].name,
                     toPercent(of_model),
                     toPercent(error));
}

}  // namespace

SimpleJoints fitSimpleJoints(const Model& model) {
  const Robot& robot = *model.robot;
  const Eigen::Index n = robot.numJoints();
  SimpleJoints joints{Eigen::VectorXd::Zero(n),
                      Eigen::VectorXd::Zero(n),
                      Eigen::VectorXd::Zero(n),
                      Eigen::VectorXd::Zero(n),
                      Eigen::VectorXd::Zero(n),
                      std::vector<bool>(n, false)};
  const Eigen::MatrixXd to_actuator = robot.T.inverse();
  Eigen::VectorXd offset = Eigen::VectorXd::Zero(n);
  Eigen::Array<bool, Eigen::Dynamic, 1> others =
      Eigen::Array<bool, Eigen::Dynamic, 1>::Constant(n, false);
  for (int i = 10 * robot.numBodies(); i < model.layout.size(); ++i) {
    const Column& column = model.layout[i];
    if (column.kind == ColumnKind::kDriveInertia)
      joints.armature +=
          model.parameters(i) * to_actuator.row(column.owner).cwiseAbs2().transpose();
    if (isHeldSpring(model, i)) joints.stiffness(column.owner) += model.parameters(i);
    if (isJointOffset(model, column)) offset(column.owner) += model.parameters(i);
    if (column.kind != ColumnKind::kFriction) continue;
    if (!robot.isCoupled(column.owner)) {
      if (column.effect == FrictionEffect::kViscous)
        joints.damping(column.owner) += model.parameters(i);
      if (isDry(column)) joints.friction(column.owner) += model.parameters(i);
    }
    if (isSimple(model, column)) continue;
    if (column.effect != FrictionEffect::kOffset || robot.isCoupled(column.owner)) {
      for (Eigen::Index j = 0; j < n; ++j)
        others(j) = others(j) ||
                    (column.at_joint ? j == column.owner : to_actuator(column.owner, j) != 0.0);
    }
  }
  for (Eigen::Index j = 0; j < n; ++j)
    if (joints.stiffness(j) > 0.0) joints.spring_reference(j) = -offset(j) / joints.stiffness(j);
  const OperatingPoints& points = model.operating_points;
  if (points.q.rows() == 0 || !others.any()) return joints;
  const Eigen::MatrixXd friction = effortsByCause(model, points.q, points.dq, points.ddq).friction;
  for (Eigen::Index j = 0; j < n; ++j) {
    if (!others(j)) continue;
    // Slow slides move below the still speed; their ramp is as narrow as their speeds ask for.
    const double still =
        std::min(model.signals.still_speed, model.signals.rampSpeed(static_cast<int>(j)));
    std::vector<Eigen::Index> moving;
    for (Eigen::Index i = 0; i < points.dq.rows(); ++i)
      if (std::abs(points.dq(i, j)) > still) moving.push_back(i);
    if (std::ssize(moving) < kFewPoints) continue;
    const Eigen::VectorXd dq = points.dq(moving, j);
    Eigen::MatrixXd A(dq.size(), 3);
    A << dq, velocitySign(dq), Eigen::VectorXd::Ones(dq.size());
    const Eigen::Vector3d fit = nonnegativeFit(A, friction(moving, j));
    joints.damping(j) = fit(0);
    joints.friction(j) = fit(1);
    joints.refitted[j] = true;
  }
  return joints;
}

ExportCost exportCost(const Model& model, const SimpleJoints& joints, const FileHolds& holds) {
  ExportCost cost;
  const OperatingPoints& points = model.operating_points;
  cost.points = points.q.rows();
  std::map<ColumnKind, std::vector<int>> lost;
  for (int i = 10 * model.robot->numBodies(); i < model.layout.size(); ++i) {
    const Column& column = model.layout[i];
    if (column.kind == ColumnKind::kPayload || model.parameters(i) == 0.0) continue;
    if (isSimple(model, column) && holds.friction) continue;
    if (isHeldSpring(model, i) && holds.springs) continue;
    if (isJointOffset(model, column) && holds.springs && joints.stiffness(column.owner) > 0.0)
      continue;
    if (column.kind == ColumnKind::kDriveInertia && holds.armature &&
        !model.robot->isCoupled(column.owner))
      continue;
    lost[column.kind].push_back(i);
  }
  const EffortsByCause parts =
      cost.points > 0 ? effortsByCause(model, points.q, points.dq, points.ddq) : EffortsByCause{};
  Eigen::MatrixXd all_missing = Eigen::MatrixXd::Zero(points.q.rows(), model.robot->numJoints());
  for (const auto& [kind, columns] : lost) {
    ExportCost::Loss loss{namesOf(model, columns), 0.0};
    if (cost.points > 0) {
      Eigen::MatrixXd missing;
      if (kind == ColumnKind::kDriveInertia) {
        missing = parts.drive;
        if (holds.armature) missing -= points.ddq * joints.armature.asDiagonal();
      } else if (kind == ColumnKind::kPosition) {
        missing = parts.position;
        if (holds.springs) missing -= points.q * joints.stiffness.asDiagonal();
      } else {
        missing = parts.friction;
        if (holds.springs)
          missing.rowwise() += joints.stiffness.cwiseProduct(joints.spring_reference).transpose();
        for (Eigen::Index j = 0; holds.friction && j < missing.cols(); ++j)
          missing.col(j) -=
              joints.damping(j) * points.dq.col(j) +
              joints.friction(j) *
                  velocitySign(points.dq.col(j), model.signals.rampSpeed(static_cast<int>(j)));
      }
      loss.error = relativeError(points.measured, points.predicted - missing);
      all_missing += missing;
    }
    cost.losses.push_back(std::move(loss));
  }
  if (cost.points == 0) return cost;
  const Eigen::MatrixXd file = points.predicted - all_missing;
  cost.model_error = relativeError(points.measured, points.predicted);
  cost.file_error = relativeError(points.measured, file);
  const Eigen::Index n = file.cols();
  cost.model_error_per_joint.resize(n);
  cost.file_error_per_joint.resize(n);
  for (Eigen::Index j = 0; j < n; ++j) {
    cost.model_error_per_joint(j) = relativeError(points.measured.col(j), points.predicted.col(j));
    cost.file_error_per_joint(j) = relativeError(points.measured.col(j), file.col(j));
  }
  return cost;
}

std::vector<std::string> costSentences(const Model& model,
                                       const ExportCost& cost,
                                       const std::string& format) {
  std::vector<std::string> sentences;
  if (const Eigen::VectorXd& delay = model.signals.effort_delay;
      delay.size() > 0 && !delay.isZero(0.0)) {
    const std::string least = toText(1e3 * delay.minCoeff(), 3);
    const std::string most = toText(1e3 * delay.maxCoeff(), 3);
    sentences.push_back("the efforts of the training logs are late by " +
                        (least == most ? most : least + " to " + most) +
                        " ms; the file has no delay: shift its efforts by that time to compare "
                        "them with such logs (the torque errors named here are those after this "
                        "shift)");
  }
  for (const ExportCost::Loss& loss : cost.losses) {
    std::string sentence = format + " cannot represent " + loss.what;
    if (cost.points > 0)
      sentence += loss.error - cost.model_error < kNegligible * cost.model_error
                      ? " (does not change the torque error)"
                      : " (without it the torque error is " + toPercent(loss.error) +
                            " instead of " + toPercent(cost.model_error) + ")";
    sentences.push_back(sentence);
  }
  if (cost.points == 0) {
    if (!cost.losses.empty())
      sentences.push_back(
          "what this costs is not known: the model holds no operating points of logs, which "
          "identify adds (in C++: addOperatingPoints); models of simulate, of statistics and of an "
          "older dynid have none");
  } else {
    sentences.push_back(
        fmt::format("torque error on the training logs ({} samples): model {}, file {}{}",
                    cost.points,
                    toPercent(cost.model_error),
                    toPercent(cost.file_error),
                    worstJoint(model, cost)));
  }
  return sentences;
}

}  // namespace dynid
