#include "dynid/dynamics/friction_resistance.h"

#include "dynid/dynamics/joint_effects.h"

#include <Eigen/LU>

#include <cmath>

namespace dynid {
namespace {

constexpr int kEven = 200;
constexpr int kGeometric = 15;
constexpr double kSlowest = 1e-4;     // fraction of the highest speed
constexpr double kRevolute = 5.0;     // [rad/s] if there is no velocity limit
constexpr double kPrismatic = 0.5;    // [m/s] if there is no velocity limit
constexpr double kHighestRise = 3.0;  // height of a Stribeck curve / Coulomb friction

}  // namespace

bool isDissipative(const Column& column) {
  return column.kind == ColumnKind::kFriction && column.effect != FrictionEffect::kOffset &&
         column.effect != FrictionEffect::kRipple && column.effect != FrictionEffect::kLoad;
}

Eigen::VectorXd highestJointSpeeds(const Robot& robot) {
  Eigen::VectorXd speeds(robot.numJoints());
  for (int j = 0; j < robot.numJoints(); ++j) {
    const Joint& joint = robot.joints[j];
    speeds(j) = std::isfinite(joint.limits.velocity) ? joint.limits.velocity
                : joint.prismatic                    ? kPrismatic
                                                     : kRevolute;
  }
  return speeds;
}

Eigen::VectorXd highestActuatorSpeeds(const Robot& robot) {
  return robot.T.inverse().cwiseAbs() * highestJointSpeeds(robot);
}

Eigen::VectorXd frictionSpeeds(double highest) {
  Eigen::VectorXd speeds(2 * (kEven + kGeometric));
  Eigen::Index at = 0;
  const auto append = [&](double speed) {
    speeds(at++) = speed;
    speeds(at++) = -speed;
  };
  for (int i = 0; i < kGeometric; ++i)
    append(highest * kSlowest * std::pow(1.0 / kEven / kSlowest, i / double{kGeometric}));
  for (int i = 1; i <= kEven; ++i) append(highest * i / kEven);
  return speeds;
}

Eigen::MatrixXd frictionResistance(const std::vector<Column>& columns,
                                   const Eigen::VectorXd& speeds) {
  EffectBlock block;
  block.dq = speeds;
  const Eigen::VectorXd sign = velocitySign(speeds);
  Eigen::MatrixXd resistance(speeds.size(), std::ssize(columns));
  for (Eigen::Index c = 0; c < resistance.cols(); ++c)
    resistance.col(c) = effectColumn(columns[c], block).cwiseProduct(sign);
  return resistance;
}

Eigen::MatrixXd stribeckMargin(const std::vector<Column>& columns) {
  Eigen::RowVectorXd highest = Eigen::RowVectorXd::Zero(std::ssize(columns));
  std::vector<Eigen::Index> curves;
  for (Eigen::Index c = 0; c < std::ssize(columns); ++c) {
    if (columns[c].isFriction(FrictionEffect::kCoulomb)) highest(c) = kHighestRise;
    if (columns[c].isFriction(FrictionEffect::kStribeck)) curves.push_back(c);
  }
  if (highest.isZero(0.0)) curves.clear();
  Eigen::MatrixXd margin = highest.replicate(std::ssize(curves), 1);
  for (Eigen::Index i = 0; i < std::ssize(curves); ++i) margin(i, curves[i]) = -1.0;
  return margin;
}

}  // namespace dynid
