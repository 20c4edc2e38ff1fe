#include "dynid/signals/log_correction.h"

#include <gtest/gtest.h>

namespace dynid {
namespace {

RawSignals threeRows() {
  RawSignals rows;
  rows.time = Eigen::Vector3d(0.0, 1.0, 2.0);
  rows.position = Eigen::MatrixXd{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};
  rows.velocity = 2.0 * rows.position;
  rows.acceleration = 3.0 * rows.position;
  rows.effort = 4.0 * rows.position;
  return rows;
}

LogCorrection everyPart() {
  LogCorrection correction;
  correction.time_factor = 0.5;
  correction.position_source = {1, 2, 0};
  correction.effort_source = {2, 0, 1};
  correction.position_factor = Eigen::Vector3d(1.0, -1.0, 2.0);
  correction.position_shift = Eigen::Vector3d(0.0, 0.5, -1.0);
  correction.effort_factor = Eigen::Vector3d(-1.0, 1.0, 10.0);
  return correction;
}

TEST(LogCorrection, ChangesEveryChannelAsItsEquationsSay) {
  const RawSignals before = threeRows();
  RawSignals rows = before;
  apply(everyPart(), rows);
  EXPECT_EQ(rows.time, Eigen::Vector3d(0.0, 0.5, 1.0));
  EXPECT_EQ(rows.position.col(0), before.position.col(1));
  EXPECT_EQ(rows.position.col(1), (0.5 - before.position.col(2).array()).matrix());
  EXPECT_EQ(rows.position.col(2), (2.0 * before.position.col(0).array() - 1.0).matrix());
  EXPECT_EQ(rows.velocity.col(1), -2.0 * before.velocity.col(2));
  EXPECT_EQ(rows.acceleration.col(2), 8.0 * before.acceleration.col(0));
  EXPECT_EQ(rows.effort.col(0), -before.effort.col(2));
  EXPECT_EQ(rows.effort.col(2), 10.0 * before.effort.col(1));
}

TEST(LogCorrection, VelocitiesMayHaveAFactorOfTheirOwn) {
  const RawSignals before = threeRows();
  RawSignals rows = before;
  LogCorrection correction = everyPart();
  correction.velocity_factor = Eigen::Vector3d(1.0, -2.0, 1.0);
  apply(correction, rows);
  EXPECT_EQ(rows.velocity.col(0), before.velocity.col(1));
  EXPECT_EQ(rows.velocity.col(2), before.velocity.col(0));
  EXPECT_EQ(rows.acceleration.col(2), 8.0 * before.acceleration.col(0));
  RawSignals together = threeRows();
  apply(combined(correction, everyPart(), 3), together);
  apply(everyPart(), rows);
  EXPECT_TRUE(together.velocity.isApprox(rows.velocity));
}

TEST(LogCorrection, TheEmptyOneLeavesRowsAsTheyAre) {
  RawSignals rows = threeRows();
  EXPECT_TRUE(LogCorrection{}.changesNothing());
  EXPECT_FALSE(everyPart().changesNothing());
  apply(LogCorrection{}, rows);
  EXPECT_EQ(rows.position, threeRows().position);
  EXPECT_EQ(rows.effort, threeRows().effort);
}

TEST(LogCorrection, CombinedIsTheSameAsOneAfterTheOther) {
  LogCorrection second;
  second.time_factor = 4.0;
  second.position_source = {2, 1, 0};
  second.position_factor = Eigen::Vector3d(-1.0, 1.0, 3.0);
  second.position_shift = Eigen::Vector3d(0.1, 0.2, 0.3);
  second.effort_source = {1, 0, 2};
  LogCorrection only_signs;
  only_signs.effort_factor = Eigen::Vector3d(1.0, -1.0, 1.0);
  for (const LogCorrection& last : {second, only_signs, LogCorrection{}}) {
    RawSignals one_by_one = threeRows(), together = threeRows();
    apply(everyPart(), one_by_one);
    apply(last, one_by_one);
    apply(combined(everyPart(), last, 3), together);
    EXPECT_TRUE(together.time.isApprox(one_by_one.time));
    EXPECT_TRUE(together.position.isApprox(one_by_one.position));
    EXPECT_TRUE(together.velocity.isApprox(one_by_one.velocity));
    EXPECT_TRUE(together.acceleration.isApprox(one_by_one.acceleration));
    EXPECT_TRUE(together.effort.isApprox(one_by_one.effort));
  }
}

TEST(LogCorrection, OfAnotherNumberOfColumnsIsRefused) {
  RawSignals rows = threeRows();
  LogCorrection correction;
  correction.effort_factor = Eigen::Vector2d(1.0, -1.0);
  EXPECT_THROW(apply(correction, rows), std::invalid_argument);
  EXPECT_THROW(combined(correction, correction, 3), std::invalid_argument);
  correction = {};
  correction.position_shift = Eigen::Vector2d(1.0, -1.0);
  EXPECT_THROW(apply(correction, rows.position, rows.velocity, rows.acceleration),
               std::invalid_argument);
}

TEST(LogCorrection, ColumnsThatDoNotExistAreRefused) {
  const auto n = static_cast<int>(threeRows().position.cols());
  for (const int column : {-1, n, 1000000}) {
    RawSignals rows = threeRows();
    LogCorrection correction;
    correction.effort_source.assign(n, 0);
    correction.effort_source.back() = column;
    EXPECT_THROW(apply(correction, rows), std::invalid_argument) << column;
    std::swap(correction.effort_source, correction.position_source);
    EXPECT_THROW(apply(correction, rows), std::invalid_argument) << column;
    EXPECT_THROW(apply(correction, rows.position, rows.velocity, rows.acceleration),
                 std::invalid_argument)
        << column;
    EXPECT_THROW(combined(correction, correction, n), std::invalid_argument) << column;
  }
}

}  // namespace
}  // namespace dynid
