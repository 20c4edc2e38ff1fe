#pragma once

#include "dynid/diagnosis/diagnosis.h"
#include "dynid/diagnosis/uniform_rods.h"
#include "dynid/dynamics/inverse_dynamics.h"
#include "dynid/dynamics/projection.h"
#include "dynid/robot/load_robot.h"

#include <cmath>
#include <memory>
#include <random>
#include <string>

namespace dynid::support {

/// Arms of four revolute joints, each a vertical axis at its base, two perpendicular axes and a
/// wrist, which stand side by side on one turning torso; without torso if there is one arm only.
/// The joints of the first arm are "turn", "shoulder", "elbow" and "wrist", those of the others
/// have its number at their end.
inline std::shared_ptr<const Robot> simulatedArms(int arms) {
  const auto link = [](const std::string& name) { return "<link name=\"" + name + "\"/>"; };
  const auto joint = [](const std::string& name,
                        const std::string& parent,
                        const std::string& child,
                        const std::string& xyz,
                        const std::string& axis) {
    return "<joint name=\"" + name + "\" type=\"revolute\"><parent link=\"" + parent +
           "\"/><child link=\"" + child + "\"/><origin xyz=\"" + xyz + "\"/><axis xyz=\"" + axis +
           "\"/><limit lower=\"-3\" upper=\"3\" effort=\"0\" velocity=\"3\"/></joint>";
  };
  std::string urdf = "<robot name=\"arm\">" + link("base");
  if (arms > 1) urdf += link("body") + joint("torso", "base", "body", "0 0 0.5", "0 1 0");
  for (int arm = 0; arm < arms; ++arm) {
    const std::string end = arm == 0 ? "" : std::to_string(arm + 1);
    urdf += link("turret" + end) + link("upper" + end) + link("fore" + end) + link("hand" + end);
    urdf += joint("turn" + end,
                  arms > 1 ? "body" : "base",
                  "turret" + end,
                  "0 " + std::to_string(0.3 * arm) + " 0.2",
                  "0 0 1");
    urdf += joint("shoulder" + end, "turret" + end, "upper" + end, "0.05 0 0.1", "0 1 0");
    urdf += joint("elbow" + end, "upper" + end, "fore" + end, "0 0 0.4", "0 1 0");
    urdf += joint("wrist" + end, "fore" + end, "hand" + end, "0 0 0.35", "1 0 0");
  }
  return std::make_shared<const Robot>(parseRobot("", urdf + "</robot>"));
}

inline std::shared_ptr<const Robot> simulatedArm() { return simulatedArms(1); }

/// Thirty seconds of the arm at 100 Hz: sums of sines; efforts of rods twice as heavy as
/// uniformRods (the hand off its axis), friction, drive inertia and 1 % noise.
/// @param size_of_motion  factor on all amplitudes; at 1 the joints cover about 2 rad
/// @param braked  this joint rests at zero on its brake, with an effort of noise; -1: none
inline DiagnosedLog simulatedLog(const Robot& robot,
                                 std::uint64_t seed = 1,
                                 double size_of_motion = 1.0,
                                 Eigen::Index braked = -1) {
  constexpr Eigen::Index kRows = 3000;
  constexpr double kStep = 0.01;
  const Eigen::Index n = robot.numJoints();
  Eigen::VectorXd inertial = 2.0 * uniformRods(robot);
  inertial.tail<10>() = inertialFromCenterOfMass(
      1.5, {0.03, 0.02, 0.06}, Eigen::Vector3d(0.01, 0.012, 0.004).asDiagonal());
  RawSignals log;
  log.time = Eigen::VectorXd::LinSpaced(kRows, 0.0, kStep * (kRows - 1));
  log.position.resize(kRows, n);
  log.velocity.resize(kRows, n);
  Eigen::MatrixXd ddq(kRows, n);
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = 0; i < kRows; ++i) {
      double q = j == braked ? 0.0 : 0.1, dq = 0.0, a = 0.0;
      for (int k = 1; k <= 3 && j != braked; ++k) {
        const double w = 0.9 * k + 0.23 * static_cast<double>(j), size = 0.7 * size_of_motion / k;
        const double phase = w * log.time(i) + 1.7 * k + 0.9 * static_cast<double>(j);
        q += size * std::sin(phase);
        dq += size * w * std::cos(phase);
        a -= size * w * w * std::sin(phase);
      }
      log.position(i, j) = q;
      log.velocity(i, j) = dq;
      ddq(i, j) = a;
    }
  log.effort = ProjectionRegressor(std::make_shared<const Robot>(robot))
                   .efforts(inertial, log.position, log.velocity, ddq);
  log.effort += 0.4 * log.velocity + 0.02 * ddq;
  log.effort += 0.3 * (log.velocity.array() / 0.02).tanh().matrix();
  std::mt19937_64 random(seed);
  for (Eigen::Index j = 0; j < n; ++j) {
    const double size = j == braked ? 1.0 : std::sqrt(log.effort.col(j).squaredNorm() / kRows);
    if (j == braked) log.effort.col(j).setZero();
    std::normal_distribution<double> noise(0.0, 0.01 * size);
    for (double& effort : log.effort.col(j)) effort += noise(random);
  }
  DiagnosedLog diagnosed;
  diagnosed.windows = {log};
  diagnosed.duration_s = log.time(kRows - 1);
  return diagnosed;
}

/// Two vertical axes, a vertical slide and a wrist.
inline std::shared_ptr<const Robot> scara() {
  return std::make_shared<const Robot>(parseRobot("", R"(<robot name="scara">
    <link name="base"/><link name="inner"/><link name="outer"/><link name="quill"/><link name="tool"/>
    <joint name="first" type="revolute"><parent link="base"/><child link="inner"/>
      <origin xyz="0 0 0.4"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="0" velocity="4"/></joint>
    <joint name="second" type="revolute"><parent link="inner"/><child link="outer"/>
      <origin xyz="0.3 0 0.05"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="0" velocity="4"/></joint>
    <joint name="slide" type="prismatic"><parent link="outer"/><child link="quill"/>
      <origin xyz="0.25 0 0.1"/><axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="0" velocity="2"/></joint>
    <joint name="roll" type="revolute"><parent link="quill"/><child link="tool"/>
      <origin xyz="0 0 -0.2"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="0" velocity="4"/></joint>
    </robot>)"));
}

}  // namespace dynid::support
