/// Truth from a physics engine that is not ours: a six-joint arm with damping, dry friction and
/// armature follows a random motion under PD control in MuJoCo; encoders are rounded, torques
/// noisy.

#include "dynid/equations/structure.h"
#include "dynid/identification/identify.h"
#include "dynid/logs/log_writer.h"
#include "dynid/model/model_efforts.h"
#include "dynid/robot/load_robot.h"

#include <gtest/gtest.h>

#ifdef DYNID_HAVE_MUJOCO
#include <mujoco/mujoco.h>
#endif

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <utility>

namespace dynid {
namespace {

#ifndef DYNID_HAVE_MUJOCO

TEST(MujocoTruth, SixJointArm) { GTEST_SKIP() << "built without MuJoCo (libmujoco-dev)"; }

#else

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using std::numbers::pi;

struct Link {
  const char* axis;
  double x, z, mass, com_x, com_z, ixx, iyy, izz, damping, friction, armature;
};

const Link kLinks[] = {{"0 0 1", 0.0, 0.2, 6.0, 0.02, 0.08, 0.05, 0.05, 0.03, 2.0, 3.0, 0.4},
                       {"0 1 0", 0.1, 0.2, 8.0, 0.03, 0.18, 0.14, 0.15, 0.04, 3.0, 4.0, 0.5},
                       {"0 1 0", 0.0, 0.4, 5.0, 0.05, 0.12, 0.06, 0.06, 0.02, 1.5, 2.0, 0.3},
                       {"1 0 0", 0.1, 0.2, 2.0, 0.06, 0.01, 0.006, 0.01, 0.01, 0.5, 0.8, 0.1},
                       {"0 1 0", 0.2, 0.0, 1.2, 0.03, 0.01, 0.003, 0.003, 0.002, 0.3, 0.5, 0.06},
                       {"1 0 0", 0.1, 0.0, 0.8, 0.04, 0.02, 0.002, 0.003, 0.003, 0.2, 0.3, 0.04}};
constexpr int kJoints = 6;

std::string text(double value) { return std::to_string(value); }

/// MuJoCo's dry friction takes its sign from the velocity half a time constant of the constraint
/// later; with the shortest one that the time step allows this is .5 ms, with the default 10 ms.
std::string mjcf() {
  std::string xml =
      "<mujoco><option timestep=\"0.0005\" gravity=\"0 0 -9.81\"/><compiler angle=\"radian\"/>"
      "<worldbody>";
  for (const Link& link : kLinks)
    xml += "<body pos=\"" + text(link.x) + " 0 " + text(link.z) +
           "\"><joint type=\"hinge\" axis=\"" + link.axis + "\" damping=\"" + text(link.damping) +
           "\" solreffriction=\"0.001 1\" frictionloss=\"" + text(link.friction) +
           "\" armature=\"" + text(link.armature) + "\"/><inertial pos=\"" + text(link.com_x) +
           " 0 " + text(link.com_z) + "\" mass=\"" + text(link.mass) + "\" diaginertia=\"" +
           text(link.ixx) + " " + text(link.iyy) + " " + text(link.izz) + "\"/>";
  for (int j = 0; j < kJoints; ++j) xml += "</body>";
  return xml + "</worldbody></mujoco>";
}

/// The kinematics alone: no inertia, no friction.
std::string urdf() {
  std::string xml = "<robot name=\"arm\"><link name=\"base\"/>";
  for (int j = 0; j < kJoints; ++j) {
    const std::string child = "link" + std::to_string(j);
    xml += "<link name=\"" + child + "\"/><joint name=\"j" + std::to_string(j) +
           "\" type=\"revolute\"><parent link=\"" +
           (j == 0 ? "base" : "link" + std::to_string(j - 1)) + "\"/><child link=\"" + child +
           "\"/><origin xyz=\"" + text(kLinks[j].x) + " 0 " + text(kLinks[j].z) +
           "\"/><axis xyz=\"" + kLinks[j].axis +
           "\"/><limit lower=\"-3\" upper=\"3\" velocity=\"4\" effort=\"500\"/></joint>";
  }
  return xml + "</robot>";
}

/// Standard parameters of the truth, in the layout of a model; effects it does not have are zero.
VectorXd truthFor(const ParameterLayout& layout) {
  VectorXd values = VectorXd::Zero(layout.size());
  for (int c = 0; c < layout.size(); ++c) {
    const Column& column = layout[c];
    const Link& link = kLinks[column.owner];
    if (column.kind == ColumnKind::kInertial) {
      const double m = link.mass, x = link.com_x, z = link.com_z;
      const double components[] = {m,
                                   m * x,
                                   0.0,
                                   m * z,
                                   link.ixx + m * z * z,
                                   0.0,
                                   -m * x * z,
                                   link.iyy + m * (x * x + z * z),
                                   0.0,
                                   link.izz + m * x * x};
      values(c) = components[column.component];
    } else if (column.kind == ColumnKind::kDriveInertia) {
      values(c) = link.armature;
    } else if (column.kind == ColumnKind::kFriction) {
      if (column.effect == FrictionEffect::kViscous) values(c) = link.damping;
      if (column.effect == FrictionEffect::kCoulomb) values(c) = link.friction;
    }
  }
  return values;
}

/// Desired position of joint j and its speed.
std::pair<double, double> desired(double t, int j, unsigned seed) {
  std::mt19937 generator(seed * 31U + static_cast<unsigned>(j));
  std::uniform_real_distribution<double> phase(0.0, 2.0 * pi);
  double q = 0.0, dq = 0.0;
  for (int k = 1; k <= 5; ++k) {
    const double w = 2.0 * pi * 0.15 * k, p = phase(generator), a = 0.6 / k;
    q += a * std::sin(w * t + p);
    dq += a * w * std::cos(w * t + p);
  }
  return {q, dq};
}

/// The same of a motion between random poses: 1.3 s to the next one, then 0.7 s of rest.
std::pair<double, double> desiredWithStops(double t, int j, unsigned seed) {
  constexpr double kMove = 1.3, kRest = 0.7;
  std::minstd_rand generator(seed * 31U + static_cast<unsigned>(j));
  std::uniform_real_distribution<double> pose(-1.2, 1.2);
  double from = pose(generator), to = pose(generator);
  for (; t > kMove + kRest; t -= kMove + kRest) {
    from = to;
    to = pose(generator);
  }
  const double s = std::clamp(t / kMove, 0.0, 1.0);
  return {from + (to - from) * s * s * s * (10.0 + s * (-15.0 + 6.0 * s)),
          (to - from) * 30.0 * s * s * (1.0 - s) * (1.0 - s) / kMove};
}

struct Recording {
  VectorXd time;
  MatrixXd q, dq, ddq, torque;
};

/// 500 Hz of 20 s; the torque is that of the motors, without noise.
Recording simulateArm(unsigned seed, decltype(&desired) desired_motion = &desired) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() /
      ("mujoco_truth_" + std::to_string(getpid()) + "_" + std::to_string(seed) + ".xml");
  std::ofstream(file) << mjcf();
  char error[500] = "";
  const std::unique_ptr<mjModel, decltype(&mj_deleteModel)> model(
      mj_loadXML(file.string().c_str(), nullptr, error, sizeof error), &mj_deleteModel);
  std::filesystem::remove(file);
  if (!model) throw std::runtime_error(error);
  const std::unique_ptr<mjData, decltype(&mj_deleteData)> data(mj_makeData(model.get()),
                                                               &mj_deleteData);
  constexpr int kSteps = 4, kRows = 10000, kSettle = 1000;  // 2 ms a row; 2 s to settle
  Recording recording{VectorXd(kRows),
                      MatrixXd(kRows, kJoints),
                      MatrixXd(kRows, kJoints),
                      MatrixXd(kRows, kJoints),
                      MatrixXd(kRows, kJoints)};
  for (int j = 0; j < kJoints; ++j) data->qpos[j] = desired_motion(0.0, j, seed).first;
  for (int row = -kSettle; row < kRows; ++row) {
    for (int step = 0; step < kSteps; ++step) {
      for (int j = 0; j < kJoints; ++j) {
        const auto [q, dq] = desired_motion(data->time, j, seed);
        const double stiffness = 4000.0 / (1 << j), damping = 300.0 / (1 << j);
        data->qfrc_applied[j] = stiffness * (q - data->qpos[j]) + damping * (dq - data->qvel[j]);
      }
      if (step == 0 && row >= 0) {
        mj_forward(model.get(), data.get());
        recording.time(row) = 0.002 * row;
        for (int j = 0; j < kJoints; ++j) {
          recording.q(row, j) = data->qpos[j];
          recording.dq(row, j) = data->qvel[j];
          recording.ddq(row, j) = data->qacc[j];
          recording.torque(row, j) = data->qfrc_applied[j];
        }
      }
      mj_step(model.get(), data.get());
    }
  }
  return recording;
}

/// @param late  rows by which the torques are recorded later than the motion
void writeLog(const Recording& recording,
              const std::filesystem::path& file,
              unsigned seed,
              Index late = 0) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  RawBlock block;
  block.time = recording.time;
  const double step = 2.0 * pi / 65536.0;
  block.position = step * (recording.q.array() / step).round();
  block.effort = recording.torque;
  block.effort.bottomRows(block.effort.rows() - late) =
      recording.torque.topRows(block.effort.rows() - late);
  for (Index j = 0; j < kJoints; ++j) {
    const double sigma = 0.01 * recording.torque.col(j).norm() /
                         std::sqrt(static_cast<double>(recording.torque.rows()));
    for (Index i = 0; i < block.effort.rows(); ++i) block.effort(i, j) += sigma * normal(generator);
  }
  LogHeader header;
  for (int j = 0; j < kJoints; ++j) header.joint_names.push_back("j" + std::to_string(j));
  header.has_velocity = false;
  LogWriter writer(file, header);
  writer.append(block);
  writer.finish();
}

struct Outcome {
  bool usable = false;
  std::string reason;
  double delay = 0.0;            // s
  double parameters = 0.0;       // relative error of the inertial base parameters
  double torque = 0.0;           // relative error of the torque in an unseen motion, moving rows
  double held = 0.0, all = 0.0;  // base parameters inside their 95 % interval, and number
};

Outcome identifyAndCompare(const std::shared_ptr<const Robot>& robot,
                           const std::filesystem::path& log,
                           const Recording& unseen) {
  Outcome outcome;
  const IdentificationSettings settings;
  const Model model = identify(robot, {{log, ""}}, settings).model;
  outcome.usable = model.status.usable;
  outcome.reason = model.status.reason;
  outcome.delay = model.signals.effort_delay.lpNorm<Eigen::Infinity>();
  const BaseParameters base = structuralBase(robot, model.layout, {std::nullopt});
  const VectorXd truth = base.combination() * truthFor(model.layout);
  if (truth.size() != std::ssize(model.base_parameters)) throw std::logic_error("other base");
  for (Index k = 0; k < truth.size(); ++k) {
    const BaseParameterEstimate& estimate = model.base_parameters[k];
    outcome.held += estimate.lower_95 <= truth(k) && truth(k) <= estimate.upper_95 ? 1.0 : 0.0;
    outcome.all += 1.0;
  }
  const VectorXd fitted = base.combination() * model.parameters;
  double off_squared = 0.0, size_squared = 0.0;
  for (Index k = 0; k < truth.size(); ++k) {
    const Column& column = model.layout[base.independent[k]];
    if (!column.ofRigidBody() && column.kind != ColumnKind::kDriveInertia) continue;
    off_squared += std::pow(fitted(k) - truth(k), 2.0);
    size_squared += std::pow(truth(k), 2.0);
  }
  outcome.parameters = std::sqrt(off_squared / size_squared);
  const MatrixXd off = modelEfforts(model, unseen.q, unseen.dq, unseen.ddq) - unseen.torque;
  double error = 0.0, size = 0.0;
  for (Index j = 0; j < kJoints; ++j)
    for (Index i = 0; i < off.rows(); ++i) {
      if (std::abs(unseen.dq(i, j)) < 0.05) continue;
      error += off(i, j) * off(i, j);
      size += unseen.torque(i, j) * unseen.torque(i, j);
    }
  outcome.torque = std::sqrt(error / size);
  return outcome;
}

class MujocoTruth : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("dynid_mujoco_truth_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "arm.urdf") << urdf();
    robot_ = std::make_shared<const Robot>(loadRobot(folder_ / "arm.urdf"));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
  std::shared_ptr<const Robot> robot_;
};

// Measured with seeds 1 to 10: inertial parameters .1 to .8 %, torque .06 to .24 %, coverage of the
// 95 % intervals .98, .95, .93, .95, .83, .98, .95, .91, .86, .91 (mean .93); no delay is found.
TEST_F(MujocoTruth, SixJointArm) {
  const Recording unseen = simulateArm(99);
  double held = 0.0, all = 0.0;
  for (const unsigned seed : {1U, 2U, 3U}) {
    writeLog(simulateArm(seed), folder_ / "log.h5", seed);
    const Outcome outcome = identifyAndCompare(robot_, folder_ / "log.h5", unseen);
    EXPECT_TRUE(outcome.usable) << outcome.reason;
    // Where friction changes its sign is no evidence for a delay (1.8 ms were found before).
    EXPECT_EQ(outcome.delay, 0.0);
    EXPECT_LT(outcome.parameters, 0.01);
    EXPECT_LT(outcome.torque, 0.004);
    held += outcome.held;
    all += outcome.all;
  }
  EXPECT_GT(held / all, 0.9);
}

// The friction of a joint at rest has any value up to its size. It must not make the torque in
// motion wrong: with the weight of moving rows it was .14 and .52 %, now it is .05 %.
TEST_F(MujocoTruth, StopsDoNotSpoilTheTorqueInMotion) {
  const Recording unseen = simulateArm(99);
  for (const unsigned seed : {1U, 2U}) {
    writeLog(simulateArm(seed, &desiredWithStops), folder_ / "log.h5", seed);
    const Outcome outcome = identifyAndCompare(robot_, folder_ / "log.h5", unseen);
    EXPECT_TRUE(outcome.usable) << outcome.reason;
    EXPECT_LT(outcome.parameters, 0.0025);
    EXPECT_LT(outcome.torque, 0.001);
  }
}

TEST_F(MujocoTruth, LateTorquesOfAnArmWithDryFrictionAreFound) {
  const Recording unseen = simulateArm(99);
  writeLog(simulateArm(1), folder_ / "log.h5", 1, 3);
  const Outcome outcome = identifyAndCompare(robot_, folder_ / "log.h5", unseen);
  EXPECT_NEAR(outcome.delay, 6e-3, 1e-3);
  EXPECT_LT(outcome.parameters, 0.01);
}

#endif

}  // namespace
}  // namespace dynid
