#include "dynid/diagnosis/hypotheses.h"

#include "dynid/diagnosis/diagnosis.h"

#include <gtest/gtest.h>

#include "diagnosis/simulated_arm.h"
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace dynid {
namespace {

constexpr double kMove = 2.0, kRest = 0.6;  // [s] of one joint, and then of all

// The arm's joints move one after the other, each `times` times to a random position. The Coulomb
// friction of a joint at rest is that of its last motion.
DiagnosedLog joggedLog(const Robot& robot, std::uint64_t seed, int times) {
  const Eigen::Index n = robot.numJoints();
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> anywhere(-1.4, 1.4);
  std::normal_distribution<double> noise(0.0, 0.01);
  const auto rows =
      static_cast<Eigen::Index>(100 * (kMove + kRest) * static_cast<double>(n * times));
  RawSignals log;
  log.time = Eigen::VectorXd::LinSpaced(rows, 0.0, 0.01 * static_cast<double>(rows - 1));
  log.position = log.velocity = Eigen::MatrixXd::Zero(rows, n);
  Eigen::MatrixXd ddq = log.position, held = log.position;
  Eigen::RowVectorXd q = Eigen::RowVectorXd::Constant(n, 0.3),
                     direction = Eigen::RowVectorXd::Zero(n);
  double travel = 0.0;
  Eigen::Index moving = -1;
  for (Eigen::Index i = 0; i < rows; ++i) {
    const double since = std::fmod(log.time(i), kMove + kRest);
    const auto move = static_cast<Eigen::Index>(log.time(i) / (kMove + kRest));
    if (move != moving) {
      if (moving >= 0) q(moving % n) += travel;
      moving = move;
      travel = anywhere(random) - q(move % n);
      direction(move % n) = travel > 0.0 ? 1.0 : -1.0;
    }
    const double s = std::min(since / kMove, 1.0);
    const Eigen::Index j = move % n;
    log.position.row(i) = q;
    log.position(i, j) += travel * s * s * s * (10.0 - 15.0 * s + 6.0 * s * s);
    log.velocity(i, j) = travel * 30.0 * s * s * (1.0 - s) * (1.0 - s) / kMove;
    ddq(i, j) = travel * 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / (kMove * kMove);
    held.row(i) = direction;
  }
  Eigen::VectorXd inertial = 2.0 * uniformRods(robot);
  log.effort = ProjectionRegressor(std::make_shared<const Robot>(robot))
                   .efforts(inertial, log.position, log.velocity, ddq);
  log.effort += 0.4 * log.velocity + 0.02 * ddq + 2.0 * held;
  for (double& effort : log.effort.reshaped()) effort += noise(random);
  DiagnosedLog diagnosed;
  diagnosed.duration_s = log.time(rows - 1);
  diagnosed.windows = {std::move(log)};
  return diagnosed;
}

TEST(Hypotheses, RightLogsOfJointsThatMoveOneAfterTheOtherAreNotRefused) {
  const auto robot = support::simulatedArm();
  int refused = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed)
    refused += anyRefused(diagnose(robot, joggedLog(*robot, seed, 2), 1).findings) ? 1 : 0;
  EXPECT_EQ(refused, 0);
}

TEST(Hypotheses, MistakesOfJointsThatMoveOneAfterTheOtherAreFound) {
  const auto robot = support::simulatedArm();
  int named = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    DiagnosedLog log = joggedLog(*robot, seed, 3);
    log.windows.front().effort.col(1) *= -1.0;
    const Diagnosis diagnosis = diagnose(robot, std::move(log), 1);
    named +=
        std::any_of(diagnosis.findings.begin(),
                    diagnosis.findings.end(),
                    [](const Finding& finding) { return finding.code == "diagnosis-effort-sign"; })
            ? 1
            : 0;
  }
  EXPECT_GE(named, 6);
}

}  // namespace
}  // namespace dynid
