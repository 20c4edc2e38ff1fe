#include "dynid/diagnosis/channel_columns.h"

#include "dynid/diagnosis/diagnosis.h"
#include "dynid/diagnosis/tried_hypothesis.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "simulated_arm.h"
#include <cmath>
#include <memory>
#include <random>

namespace dynid {
namespace {

using Eigen::Index;

constexpr Index kRows = 3000;
constexpr double kStep = 0.01;  // [s]

/// Moves between random poses, with a pause of 0.8 s after each move of 1 s: in a pause a joint
/// keeps the Coulomb friction of its last motion, as drives with a gear do.
DiagnosedLog logWithPauses(const std::shared_ptr<const Robot>& robot, std::uint64_t seed) {
  constexpr double kMove = 1.0, kPause = 0.8, kCoulomb = 8.0;
  const Index n = robot->numJoints();
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> pose(-1.2, 1.2);
  std::normal_distribution<double> noise(0.0, 0.05);
  RawSignals log;
  log.time = Eigen::VectorXd::LinSpaced(kRows, 0.0, kStep * (kRows - 1));
  log.position = log.velocity = Eigen::MatrixXd::Zero(kRows, n);
  Eigen::MatrixXd ddq = log.position, friction = log.position;
  Eigen::VectorXd from = Eigen::VectorXd::Zero(n), to = from, held = from;
  double begin = -kMove - kPause;
  for (Index i = 0; i < kRows; ++i) {
    if (log.time(i) >= begin + kMove + kPause) {
      begin += kMove + kPause;
      from = to;
      for (double& q : to) q = pose(random);
    }
    const double s = std::min(1.0, (log.time(i) - begin) / kMove);  // minimum jerk
    const double place = s * s * s * (10.0 + s * (6.0 * s - 15.0));
    log.position.row(i) = (from + place * (to - from)).transpose();
    log.velocity.row(i) = 30.0 * s * s * (1.0 - s) * (1.0 - s) / kMove * (to - from).transpose();
    ddq.row(i) = 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / (kMove * kMove) * (to - from).transpose();
    for (Index j = 0; j < n; ++j) {
      if (std::abs(log.velocity(i, j)) > 1e-4) held(j) = log.velocity(i, j) > 0.0 ? 1.0 : -1.0;
      friction(i, j) = kCoulomb * held(j) + noise(random);
    }
  }
  log.effort = ProjectionRegressor(robot).efforts(
      2.0 * uniformRods(*robot), log.position, log.velocity, ddq);
  log.effort += friction + 0.4 * log.velocity + 0.2 * ddq;
  DiagnosedLog diagnosed;
  diagnosed.windows = {log};
  diagnosed.duration_s = log.time(kRows - 1);
  return diagnosed;
}

TEST(ChannelColumns, FrictionInPausesIsNoMistake) {
  const std::shared_ptr<const Robot> robot = support::simulatedArm();
  for (const std::uint64_t seed : {1, 2}) {
    const Diagnosis diagnosis = diagnose(robot, logWithPauses(robot, seed));
    for (const Finding& finding : diagnosis.findings) ADD_FAILURE() << finding.message;
    ASSERT_TRUE(diagnosis.results);
    EXPECT_LT(diagnosis.results->as_logged.unexplained.maxCoeff(), 0.1);
  }
}

TEST(ChannelColumns, FrictionInPausesDoesNotHideALateEffort) {
  const std::shared_ptr<const Robot> robot = support::simulatedArm();
  for (const Index late : {15, 30})
    for (const int joint : {0, 2}) {
      DiagnosedLog log = logWithPauses(robot, 1);
      auto effort = log.windows.front().effort.col(joint);
      effort.tail(kRows - late) = effort.head(kRows - late).eval();
      const Diagnosis diagnosis = diagnose(robot, log);
      ASSERT_FALSE(diagnosis.findings.empty()) << late << " rows, joint " << joint;
      EXPECT_EQ(diagnosis.findings.front().code, "diagnosis-effort-late");
      const std::vector<TriedHypothesis>& tried = diagnosis.results->tried;
      const double found =
          tried.empty() ? diagnosis.results->effort_delay(joint) : tried.front().mistake.value;
      EXPECT_NEAR(found, kStep * static_cast<double>(late), 0.03) << "joint " << joint;
    }
}

// Two drives move the last two joints together; positions are those of the joints. Currents are
// those of the drives: read as efforts of the joints, right logs were refused.
TEST(ChannelColumns, CurrentsBelongToTheDrivesOfACoupledWrist) {
  Robot coupled = *support::simulatedArm();
  coupled.T(2, 3) = -0.8;
  for (Drive& drive : coupled.drives) drive.drive_gain = 20.0;
  const auto robot = std::make_shared<const Robot>(coupled);
  DiagnosedLog log = support::simulatedLog(*support::simulatedArm());
  const auto friction = [](const Eigen::MatrixXd& v) -> Eigen::MatrixXd {
    return 0.4 * v.array() + 0.3 * (v.array() / 0.02).tanh();
  };
  RawSignals& rows = log.windows.front();
  Eigen::MatrixXd& effort = rows.effort;
  const Eigen::MatrixXd of_drives = rows.velocity * coupled.T.transpose().inverse();
  effort = (((effort - friction(rows.velocity)) * coupled.T + friction(of_drives)) / 20.0).eval();
  log.currents = true;
  const Diagnosis right = diagnose(robot, log);
  for (const Finding& finding : right.findings) ADD_FAILURE() << finding.message;
  ASSERT_TRUE(right.results);
  EXPECT_LT(right.results->as_logged.unexplained.maxCoeff(), 0.05);
  effort.col(2) *= -1.0;
  const Diagnosis reversed = diagnose(robot, log);
  ASSERT_FALSE(reversed.findings.empty());
  EXPECT_EQ(reversed.findings.front().code, "diagnosis-effort-sign");
  EXPECT_EQ(reversed.findings.front().joint, 2);
}

TEST(ChannelColumns, RowsAtStandstillAreUsedOnlyWhereAJointHardlyMovesElsewhere) {
  const std::shared_ptr<const Robot> robot = support::simulatedArm();
  constexpr Index kCount = 200;
  ColumnMotion motion{Eigen::MatrixXd::Random(kCount, 4),
                      Eigen::MatrixXd::Zero(kCount, 4),
                      Eigen::MatrixXd::Random(kCount, 4)};
  motion.dq.col(0).head(120).setOnes();
  motion.dq.col(1).head(6).setOnes();
  const ChannelColumns columns(robot);
  const ChannelRows rows = columns.rows(motion);
  EXPECT_EQ(rows.used.col(0).head(120).minCoeff(), 1.0);
  EXPECT_EQ(rows.used.col(0).tail(80).maxCoeff(), 0.0);
  EXPECT_EQ(rows.columns[0].bottomRows(80).cwiseAbs().maxCoeff(), 0.0);
  EXPECT_EQ(rows.used.col(1).minCoeff(), 1.0);
  EXPECT_GT(rows.columns[1].row(kCount - 1).norm(), 0.0);
}

}  // namespace
}  // namespace dynid
