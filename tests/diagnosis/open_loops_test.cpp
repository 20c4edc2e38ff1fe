#include "dynid/diagnosis/open_loops.h"

#include "dynid/diagnosis/assumptions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_arm.h"
#include "support/closed_chains.h"
#include <cmath>
#include <random>

namespace dynid {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Twenty seconds of the five-bar linkage at 100 Hz with friction and 1 % noise.
class OpenLoopsTest : public ::testing::Test {
 protected:
  OpenLoopsTest() {
    constexpr Eigen::Index kRows = 2000;
    RawSignals log;
    log.time = Eigen::VectorXd::LinSpaced(kRows, 0.0, 0.01 * (kRows - 1));
    log.position = log.velocity = Eigen::MatrixXd::Zero(kRows, 2);
    log.position.rowwise() = Eigen::RowVector2d(1.8, 1.3);
    Eigen::MatrixXd ddq = log.velocity;
    for (Eigen::Index j = 0; j < 2; ++j)
      for (int k = 1; k <= 3; ++k) {
        const double w = 1.9 * k + 0.43 * static_cast<double>(j), size = 0.17 / k;
        const Eigen::ArrayXd phase = w * log.time.array() + 1.7 * k + static_cast<double>(j);
        log.position.col(j).array() += size * phase.sin();
        log.velocity.col(j).array() += size * w * phase.cos();
        ddq.col(j).array() -= size * w * w * phase.sin();
      }
    log.effort = ProjectionRegressor(robot_).efforts(
        2.0 * uniformRods(*robot_), log.position, log.velocity, ddq);
    log.effort += 0.1 * log.velocity + 0.2 * (log.velocity.array() / 0.02).tanh().matrix();
    std::mt19937_64 random(1);
    for (Eigen::Index j = 0; j < 2; ++j) {
      std::normal_distribution<double> noise(0.0,
                                             0.01 * log.effort.col(j).norm() / std::sqrt(kRows));
      for (double& effort : log.effort.col(j)) effort += noise(random);
    }
    log_.duration_s = log.time(kRows - 1);
    log_.windows = {std::move(log)};
  }
  RawSignals& rows() { return log_.windows.front(); }
  void reverseMotion(Eigen::Index j) {
    rows().position.col(j) *= -1.0;
    rows().velocity.col(j) *= -1.0;
  }

  const std::shared_ptr<const Robot> robot_ = std::make_shared<const Robot>(support::fiveBar());
  DiagnosedLog log_;
};

TEST_F(OpenLoopsTest, NothingIsFoundInARightLog) {
  EXPECT_THAT(diagnose(robot_, log_).findings, testing::IsEmpty());
}

TEST_F(OpenLoopsTest, AReversedPositionThatOpensTheLoopsIsNamedAndUndone) {
  for (const Eigen::Index j : {0, 1}) {
    reverseMotion(j);
    const std::string statement =
        "the position of " + robot_->joints[j].name + " has the opposite sign";
    const Diagnosis diagnosis = diagnose(robot_, log_);
    ASSERT_EQ(diagnosis.findings.size(), 1u);
    EXPECT_EQ(diagnosis.findings[0].severity, Finding::Severity::kRefuse);
    EXPECT_EQ(diagnosis.findings[0].code, "diagnosis-position-sign");
    EXPECT_THAT(diagnosis.findings[0].message, HasSubstr("it seems that " + statement));
    EXPECT_THAT(findAssumptions(robot_, log_).texts, ElementsAre(statement));
    reverseMotion(j);
  }
}

TEST_F(OpenLoopsTest, AReversedAxisIsNotTakenForAReversedPosition) {
  reverseMotion(0);
  rows().effort.col(0) *= -1.0;
  const Diagnosis diagnosis = diagnose(robot_, log_);
  ASSERT_EQ(diagnosis.correctable.size(), 1u);
  EXPECT_EQ(diagnosis.correctable[0].kind, Mistake::Kind::kAxisSign);
}

TEST_F(OpenLoopsTest, AReversedPositionAndAnotherReversedEffortAreUndone) {
  reverseMotion(1);
  rows().effort.col(0) *= -1.0;
  EXPECT_THAT(findAssumptions(robot_, log_).texts,
              ElementsAre("the position of right_motor has the opposite sign",
                          "the effort of left_motor has the opposite sign"));
}

}  // namespace
}  // namespace dynid
