#pragma once

#include "dynid/robot/robot.h"
#include "dynid/spatial/pseudo_inertia.h"

#include <cmath>
#include <random>
#include <string>

namespace dynid {

/// Properties of random trees; probabilities are per joint.
struct RandomRobotOptions {
  int joints = 7;          ///< independent joints, 1 to 30
  double prismatic = 0.2;  ///< share of prismatic joints
  /// Probability that a body is attached to a random earlier body instead of the last one.
  double branching = 0.3;
  double mimic = 0.15;  ///< probability of an additional body that mimics an earlier joint
  /// Probability that a joint's axis is a coordinate axis and its frame is rotated by multiples of
  /// pi/2.
  double axis_aligned = 0.3;
  double coupling = 0.0;  ///< probability that two neighbouring drives are coupled through T
  bool limits = true;     ///< finite position, velocity and acceleration limits
};

namespace support {

inline double uniform(std::mt19937_64& rng, double lower, double upper) {
  return std::uniform_real_distribution<double>(lower, upper)(rng);
}
inline bool chance(std::mt19937_64& rng, double probability) {
  return uniform(rng, 0.0, 1.0) < probability;
}
inline Eigen::Vector3d vector(std::mt19937_64& rng, double size) {
  const double x = uniform(rng, -size, size), y = uniform(rng, -size, size);
  return {x, y, uniform(rng, -size, size)};
}
inline Eigen::VectorXd vectorX(std::mt19937_64& rng, Eigen::Index n, double size) {
  Eigen::VectorXd v(n);
  for (double& element : v) element = uniform(rng, -size, size);
  return v;
}

/// The ten parameters of a random physically possible body (positive definite pseudo-inertia) with
/// a mass of a few kilograms and a size of a few decimetres.
inline InertialParameters randomBody(std::mt19937_64& rng) {
  const double mass = uniform(rng, 0.5, 8.0);
  const Eigen::Vector3d com = vector(rng, 0.2);
  Eigen::Matrix3d A;
  for (int i = 0; i < 3; ++i) A.col(i) = vector(rng, 0.15);
  const Eigen::Matrix3d second = mass * (A * A.transpose() + 1e-3 * Eigen::Matrix3d::Identity());
  return inertialFromCenterOfMass(mass, com, second.trace() * Eigen::Matrix3d::Identity() - second);
}

inline void placeBody(std::mt19937_64& rng, const RandomRobotOptions& options, Body& body) {
  const bool aligned = chance(rng, options.axis_aligned);
  Eigen::Vector3d rpy = vector(rng, 3.0);
  if (aligned)
    for (double& angle : rpy) angle = std::acos(0.0) * std::round(angle / std::acos(0.0));
  body.X_PJ.R = rotationFromRpy(rpy);
  body.X_PJ.p = vector(rng, 0.5);
  body.axis = aligned
                  ? Eigen::Vector3d(Eigen::Vector3d::Unit(static_cast<int>(uniform(rng, 0, 2.999))))
                  : Eigen::Vector3d(vector(rng, 1.0).normalized());
  body.prior = randomBody(rng);
  Body::FixedLink link;
  link.name = body.name;
  body.links = {link};
}

}  // namespace support

/// A random tree with revolute and prismatic joints, branches, mimic joints, arbitrary axes and
/// physically consistent priors. The same seed and options give the same robot.
inline Robot randomRobot(std::uint64_t seed, const RandomRobotOptions& options = {}) {
  std::mt19937_64 rng(seed);
  Robot robot;
  robot.name = "random_" + std::to_string(seed);
  robot.root_link = "world";
  robot.gravity = support::vector(rng, 8.0);
  const auto parent = [&] {
    const int bodies = robot.numBodies();
    if (bodies == 0 || !support::chance(rng, options.branching)) return bodies - 1;
    return static_cast<int>(support::uniform(rng, -1.0, bodies - 1e-9));
  };
  for (int j = 0; j < options.joints; ++j) {
    Body body;
    body.name = "link" + std::to_string(j + 1);
    body.joint_name = "joint" + std::to_string(j + 1);
    body.parent = parent();
    body.prismatic = support::chance(rng, options.prismatic);
    body.joint = j;
    support::placeBody(rng, options, body);

    Joint joint;
    joint.name = body.joint_name;
    joint.prismatic = body.prismatic;
    joint.body = robot.numBodies();
    if (options.limits) {
      const double half = body.prismatic ? 0.5 : support::uniform(rng, 1.5, 3.0);
      const double middle = support::uniform(rng, -0.3, 0.3);
      joint.limits = {
          middle - half, middle + half, body.prismatic ? 1.0 : 2.5, body.prismatic ? 4.0 : 10.0};
    }
    robot.joints.push_back(joint);
    robot.bodies.push_back(body);
    Drive drive;
    drive.name = joint.name;
    robot.drives.push_back(drive);

    if (support::chance(rng, options.mimic)) {
      Body follower;
      follower.name = "follower" + std::to_string(j + 1);
      follower.joint_name = "mimic" + std::to_string(j + 1);
      follower.parent = parent();
      follower.joint = static_cast<int>(support::uniform(rng, 0.0, j + 1 - 1e-9));
      follower.prismatic = robot.joints[follower.joint].prismatic;
      follower.multiplier = support::uniform(rng, -2.0, 2.0);
      follower.offset = support::uniform(rng, -1.0, 1.0);
      support::placeBody(rng, options, follower);
      robot.bodies.push_back(follower);
    }
  }
  robot.T = Eigen::MatrixXd::Identity(options.joints, options.joints);
  for (int j = 0; j + 1 < options.joints; ++j)
    if (support::chance(rng, options.coupling))
      robot.T(j + 1, j) = support::uniform(rng, -1.5, 1.5);
  robot.transmission_offset = Eigen::VectorXd::Zero(options.joints);
  robot.measured_at_actuator.assign(options.joints, false);
  return robot;
}

/// The priors of all bodies, side by side: [10 bodies].
inline Eigen::VectorXd priorParameters(const Robot& robot) {
  Eigen::VectorXd pi(Eigen::Index{10} * robot.numBodies());
  for (int k = 0; k < robot.numBodies(); ++k)
    pi.segment<10>(Eigen::Index{10} * k) = robot.bodies[k].prior.value();
  return pi;
}

/// One joint of a chain: its frame in the parent's frame, axis and type; bodies have no priors.
struct ChainJoint {
  Transform X_PJ;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();
  bool prismatic = false;
};
inline Robot chainRobot(const std::vector<ChainJoint>& chain, const Eigen::Vector3d& gravity) {
  Robot robot;
  robot.name = "chain";
  robot.root_link = "world";
  robot.gravity = gravity;
  const auto n = static_cast<int>(chain.size());
  for (int j = 0; j < n; ++j) {
    const ChainJoint& given = chain[j];
    Body body;
    body.name = "link" + std::to_string(j + 1);
    body.joint_name = "joint" + std::to_string(j + 1);
    body.parent = j - 1;
    body.X_PJ = given.X_PJ;
    body.axis = given.axis;
    body.prismatic = given.prismatic;
    body.joint = j;
    Body::FixedLink link;
    link.name = body.name;
    body.links = {link};
    robot.bodies.push_back(body);
    Joint joint;
    joint.name = body.joint_name;
    joint.prismatic = given.prismatic;
    joint.body = j;
    robot.joints.push_back(joint);
    Drive drive;
    drive.name = joint.name;
    robot.drives.push_back(drive);
  }
  robot.T = Eigen::MatrixXd::Identity(n, n);
  robot.transmission_offset = Eigen::VectorXd::Zero(n);
  robot.measured_at_actuator.assign(chain.size(), false);
  return robot;
}

/// Frame from modified Denavit-Hartenberg parameters (Craig): Rot_x(alpha) Trans_x(a) Trans_z(d);
/// the joint axis is z.
inline ChainJoint modifiedDh(double a, double alpha, double d) {
  ChainJoint joint;
  joint.X_PJ.R = rotationFromRpy({alpha, 0.0, 0.0});
  joint.X_PJ.p = Eigen::Vector3d(a, 0.0, 0.0) + joint.X_PJ.R * Eigen::Vector3d(0.0, 0.0, d);
  return joint;
}

}  // namespace dynid
