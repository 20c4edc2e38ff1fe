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

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numbers>
#include <random>
#include <string>

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

std::string mjcf() {
  std::string xml =
      "<mujoco><option timestep=\"0.0005\" gravity=\"0 0 -9.81\"/><compiler angle=\"radian\"/>"
      "<worldbody>";
  for (const Link& link : kLinks)
    xml += "<body pos=\"" + text(link.x) + " 0 " + text(link.z) +
           "\"><joint type=\"hinge\" axis=\"" + link.axis + "\" damping=\"" + text(link.damping) +
           "\" frictionloss=\"" + text(link.friction) + "\" armature=\"" + text(link.armature) +
           "\"/><inertial pos=\"" + text(link.com_x) + " 0 " + text(link.com_z) + "\" mass=\"" +
           text(link.mass) + "\" diaginertia=\"" + text(link.ixx) + " " + text(link.iyy) + " " +
           text(link.izz) + "\"/>";
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
      const double own[] = {m,
                            m * x,
                            0.0,
                            m * z,
                            link.ixx + m * z * z,
                            0.0,
                            -m * x * z,
                            link.iyy + m * (x * x + z * z),
                            0.0,
                            link.izz + m * x * x};
      values(c) = own[column.component];
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

struct Recording {
  VectorXd time;
  MatrixXd q, dq, ddq, torque;
};

/// 500 Hz of 20 s; the torque is that of the motors, without noise.
Recording simulateArm(unsigned seed) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("mujoco_truth_" + std::to_string(seed) + ".xml");
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
  for (int j = 0; j < kJoints; ++j) data->qpos[j] = desired(0.0, j, seed).first;
  for (int row = -kSettle; row < kRows; ++row) {
    for (int step = 0; step < kSteps; ++step) {
      for (int j = 0; j < kJoints; ++j) {
        const auto [q, dq] = desired(data->time, j, seed);
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

void writeLog(const Recording& recording, const std::filesystem::path& file, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  RawBlock block;
  block.time = recording.time;
  const double step = 2.0 * pi / 65536.0;
  block.position = step * (recording.q.array() / step).round();
  block.effort = recording.torque;
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

TEST(MujocoTruth, SixJointArm) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "dynid_mujoco_truth";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "arm.urdf") << urdf();
  const auto robot = std::make_shared<const Robot>(loadRobot(folder / "arm.urdf"));
  const Recording unseen = simulateArm(9);
  double held = 0.0, all = 0.0;
  for (const unsigned seed : {1U, 2U}) {
    writeLog(simulateArm(seed), folder / "log.h5", seed);
    const Model model = identify(robot, {{folder / "log.h5", ""}}, {}, {}).model;
    ASSERT_TRUE(model.status.usable) << model.status.reason;
    EXPECT_NEAR(model.signals.effort_delay, 0.0, 1e-3);

    const BaseParameters base = structuralBase(robot, model.layout, {std::nullopt});
    const VectorXd truth = base.combination() * truthFor(model.layout);
    ASSERT_EQ(truth.size(), std::ssize(model.base_parameters));
    for (Index k = 0; k < truth.size(); ++k) {
      const BaseParameterEstimate& own = model.base_parameters[static_cast<std::size_t>(k)];
      held += own.lower_95 <= truth(k) && truth(k) <= own.upper_95 ? 1.0 : 0.0;
      all += 1.0;
    }
    const VectorXd fitted = base.combination() * model.parameters;
    EXPECT_LT((fitted - truth).norm(), 0.05 * truth.norm());

    const MatrixXd off = modelEfforts(model, unseen.q, unseen.dq, unseen.ddq) - unseen.torque;
    double error = 0.0, size = 0.0;
    for (Index j = 0; j < kJoints; ++j)
      for (Index i = 0; i < off.rows(); ++i) {
        if (std::abs(unseen.dq(i, j)) < 0.05) continue;
        error += off(i, j) * off(i, j);
        size += unseen.torque(i, j) * unseen.torque(i, j);
      }
    EXPECT_LT(std::sqrt(error / size), 0.02);
  }
  RecordProperty("coverage_percent", static_cast<int>(100.0 * held / all));
  EXPECT_GT(held / all, 0.7);
  std::filesystem::remove_all(folder);
}

#endif

}  // namespace
}  // namespace dynid
