#pragma once

#include "dynid/dynamics/kinematics.h"
#include "dynid/robot/load_robot.h"
#include "dynid/robot/loop_closure.h"

#include <Eigen/Core>

#include "random_robot.h"
#include <cmath>
#include <memory>

namespace dynid::support {

inline Robot fourBar() {
  return loadRobot(std::string(DYNID_DATASETS_DIR) + "/four_bar/four_bar.toml");
}

/// A planar five-bar linkage (pantograph) in the x-z plane: motors at x = -0.08 m ("left_motor")
/// and 0.08 m ("right_motor"), arms of 0.22 m, rods of 0.21 m. It stands with the left arm at 1.8
/// rad and the right one at 1.3 rad; with the arm of one motor pointing down the rods do not meet.
inline Robot fiveBar() {
  const auto joint = [](const std::string& name,
                        const std::string& parent,
                        const std::string& child,
                        const std::string& x,
                        const std::string& limits) {
    return "<joint name=\"" + name + "\" type=\"revolute\"><parent link=\"" + parent +
           "\"/><child link=\"" + child + "\"/><origin xyz=\"" + x +
           " 0 0\"/><axis xyz=\"0 -1 0\"/><limit " + limits +
           " velocity=\"6\" effort=\"30\"/></joint>";
  };
  std::string urdf = "<robot name=\"pantograph\">";
  for (const std::string name : {"frame", "left", "left_rod", "right", "right_rod"})
    urdf += "<link name=\"" + name + "\"/>";
  urdf += joint("left_motor", "frame", "left", "-0.08", "lower=\"1.1\" upper=\"2.5\"");
  urdf += joint("left_elbow", "left", "left_rod", "0.22", "lower=\"-3\" upper=\"3\"");
  urdf += joint("right_motor", "frame", "right", "0.08", "lower=\"0.6\" upper=\"2.0\"");
  urdf += joint("right_elbow", "right", "right_rod", "0.22", "lower=\"-3\" upper=\"3\"");
  return parseRobot(R"(
[[loop]]
link_a = "left_rod"
link_b = "right_rod"
type = "revolute"
origin_a = { xyz = [0.21, 0.0, 0.0] }
origin_b = { xyz = [0.21, 0.0, 0.0] }
axis = [0.0, -1.0, 0.0]
[joint.left_motor]
assembly = 1.8
[joint.right_motor]
assembly = 1.3
[joint.left_elbow]
passive = true
assembly = -1.2
[joint.right_elbow]
passive = true
assembly = 1.2
)",
                    urdf + "</robot>");
}

/// The four-bar linkage of datasets/four_bar in closed form (Freudenstein), as a function of the
/// crank's angle.
struct FourBar {
  double crank = 0.15, coupler = 0.45, rocker = 0.35, ground = 0.5;

  double rockerAngle(double u) const {
    const double K1 = ground / crank, K2 = ground / rocker;
    const double K3 = (crank * crank - coupler * coupler + rocker * rocker + ground * ground) /
                      (2.0 * crank * rocker);
    const double A = std::cos(u) - K1 - K2 * std::cos(u) + K3, B = -2.0 * std::sin(u),
                 C = K1 - (K2 + 1.0) * std::cos(u) + K3;
    return 2.0 * std::atan2(-B - std::sqrt(B * B - 4.0 * A * C), 2.0 * A);
  }
  /// Angle of the coupler in the frame of the mechanism.
  double couplerAngle(double u) const {
    const double t4 = rockerAngle(u);
    return std::atan2(rocker * std::sin(t4) - crank * std::sin(u),
                      ground + rocker * std::cos(t4) - crank * std::cos(u));
  }
  double couplerRate(double u) const {
    const double t3 = couplerAngle(u), t4 = rockerAngle(u);
    return crank * std::sin(t4 - u) / (coupler * std::sin(t3 - t4));
  }
  double rockerRate(double u) const {
    const double t3 = couplerAngle(u), t4 = rockerAngle(u);
    return crank * std::sin(t3 - u) / (rocker * std::sin(t3 - t4));
  }
};

/// A random spatial chain whose last body is connected by a cut joint: first `driven` joints, then
/// as many passive ones as the cut joint has rows. It is closed at a random position by
/// construction.
/// @param on_base  the other side of the cut joint is the root link; otherwise the first body, so
///     that the first joint is not part of the loop
inline Robot randomClosedRobot(std::uint64_t seed, Loop::Type type, int driven, bool on_base) {
  RandomRobotOptions options;
  options.joints = driven + rowsOf(type);
  options.branching = options.mimic = 0.0;
  options.axis_aligned = 0.0;
  Robot robot = randomRobot(seed, options);
  std::mt19937_64 rng(1000 + seed);
  const Eigen::VectorXd q = vectorX(rng, options.joints, 0.8);
  const std::vector<Transform> X_WB = bodyPoses(robot, q);
  Loop loop;
  loop.name = "first - last";
  loop.type = type;
  loop.body_a = on_base ? -1 : 0;
  loop.body_b = options.joints - 1;
  loop.X_B = {rotationFromRpy(vector(rng, 3.0)), vector(rng, 0.4)};
  const Transform X_WF = X_WB.back() * loop.X_B;
  loop.X_A = on_base ? X_WF : X_WB.front().inverse() * X_WF;
  loop.axis = vector(rng, 1.0).normalized();
  for (int j = on_base ? 0 : 1; j < options.joints; ++j) loop.joints.push_back(j);
  robot.loops = {loop};
  robot.passive_joints.assign(robot.joints.begin() + driven, robot.joints.end());
  robot.joints.resize(driven);
  robot.drives.resize(driven);
  robot.T = Eigen::MatrixXd::Identity(driven, driven);
  robot.transmission_offset = Eigen::VectorXd::Zero(driven);
  robot.measured_at_actuator.resize(driven);
  robot.assembly = q;
  return robot;
}

inline constexpr Loop::Type kLoopTypes[] = {
    Loop::Type::kRevolute, Loop::Type::kPrismatic, Loop::Type::kSpherical, Loop::Type::kFixed};

}  // namespace dynid::support
