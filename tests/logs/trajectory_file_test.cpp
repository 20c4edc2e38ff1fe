#include "dynid/logs/trajectory_file.h"

#include "dynid/core/errors.h"
#include "dynid/logs/inspect.h"
#include "dynid/logs/log_reader.h"

#include <gmock/gmock.h>

#include "logs/test_files.h"
#include <numbers>

namespace dynid {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TrajectoryFile example() {
  TrajectoryFile trajectory;
  trajectory.joint_names = {"hinge", "slide"};
  trajectory.prismatic = {false, true};
  trajectory.time = Eigen::VectorXd::LinSpaced(50, 0.0, 4.9);
  trajectory.position = Eigen::MatrixXd::Random(50, 2);
  trajectory.velocity = Eigen::MatrixXd::Random(50, 2);
  trajectory.acceleration = Eigen::MatrixXd::Random(50, 2);
  FourierSeries fourier;
  fourier.fundamental_hz = 0.1;
  fourier.t0_s = 1.5;
  fourier.a = Eigen::MatrixXd::Random(2, 5);
  fourier.b = Eigen::MatrixXd::Random(2, 5);
  fourier.offset = Eigen::Vector2d(0.25, -1.0);
  trajectory.fourier = fourier;
  trajectory.lead_in = QuinticPiece{Eigen::MatrixXd::Random(2, 6), 0.0, 1.5};
  trajectory.lead_out = QuinticPiece{Eigen::MatrixXd::Random(2, 6), 3.5, 1.4};
  trajectory.robot = "rp";
  return trajectory;
}

TEST(TrajectoryFile, WhatIsWrittenReadsBackBitForBit) {
  const TestDirectory directory;
  const auto path = directory.file("trajectory.h5");
  const TrajectoryFile written = example();
  writeTrajectory(path, written);
  EXPECT_EQ(fileKind(path), FileKind::kTrajectory);
  const TrajectoryFile read = readTrajectory(path);
  EXPECT_EQ(read.joint_names, written.joint_names);
  EXPECT_EQ(read.prismatic, written.prismatic);
  EXPECT_EQ(read.robot, "rp");
  EXPECT_EQ(read.time, written.time);
  EXPECT_EQ(read.position, written.position);
  EXPECT_EQ(read.velocity, written.velocity);
  EXPECT_EQ(read.acceleration, written.acceleration);
  ASSERT_TRUE(read.fourier && read.lead_in && read.lead_out);
  EXPECT_EQ(read.fourier->fundamental_hz, 0.1);
  EXPECT_EQ(read.fourier->t0_s, 1.5);
  EXPECT_EQ(read.fourier->a, written.fourier->a);
  EXPECT_EQ(read.fourier->b, written.fourier->b);
  EXPECT_EQ(read.fourier->offset, written.fourier->offset);
  EXPECT_EQ(read.lead_in->coefficients, written.lead_in->coefficients);
  EXPECT_EQ(read.lead_out->coefficients, written.lead_out->coefficients);
  EXPECT_EQ(read.lead_out->t0_s, 3.5);
  EXPECT_EQ(read.lead_out->duration_s, 1.4);
}

TEST(TrajectoryFile, JointsInTheOrderAskedFor) {
  const TestDirectory directory;
  const auto path = directory.file("trajectory.h5");
  const TrajectoryFile written = example();
  writeTrajectory(path, written);
  const TrajectoryFile read = readTrajectory(path, {"slide", "hinge"}, {"slide"});
  EXPECT_THAT(read.prismatic, ElementsAre(true, false));
  EXPECT_EQ(read.position, written.position.rowwise().reverse());
  EXPECT_EQ(read.fourier->a, written.fourier->a.colwise().reverse());
  EXPECT_EQ(read.fourier->offset, written.fourier->offset.reverse());
  EXPECT_EQ(read.lead_in->coefficients, written.lead_in->coefficients.colwise().reverse());
}

TEST(TrajectoryFile, Refusals) {
  const TestDirectory directory;
  const auto path = directory.file("trajectory.h5");
  TrajectoryFile bad = example();
  bad.fourier->b.resize(2, 4);
  EXPECT_THAT(messageOf<std::invalid_argument>([&] { writeTrajectory(path, bad); }),
              HasSubstr("fourier has a shape that does not fit"));
  writeTrajectory(path, example());
  EXPECT_EQ(messageOf<InputError>([&] { LogReader{path}; }),
            path.string() +
                ": is a 'dynid-trajectory' file, not a log; give a log (format 'dynid-log', or "
                "none)");
  EXPECT_THAT(messageOf<InputError>([&] { readTrajectory(path, {"elbow"}); }),
              HasSubstr("no column for the joint 'elbow'; the log has hinge, slide"));
}

// The rows at the end would be left out without a word, and the motion would stop there.
TEST(TrajectoryFile, DatasetsOfUnequalLengthAreRefused) {
  const TestDirectory directory;
  const auto path = directory.file("trajectory.h5");
  {
    RawH5 file(path);
    file.names({"hinge", "slide"});
    file.numbers("time", {10}, ramp(10));
    file.numbers("position", {9, 2}, ramp(18));
  }
  EXPECT_THAT(messageOf<InputError>([&] { readTrajectory(path); }),
              HasSubstr("time: has 10 rows, position has 9"));
}

/// A slow oscillation by samples, without a series.
TrajectoryFile oscillation(int rows) {
  TrajectoryFile trajectory;
  trajectory.joint_names = {"hinge", "slide"};
  trajectory.prismatic = {false, true};
  trajectory.time = Eigen::VectorXd::LinSpaced(rows, 0.0, 4.0);
  const Eigen::ArrayXd angle = 2.0 * trajectory.time.array();
  const Eigen::RowVector2d sizes(0.1, 0.2);
  trajectory.position = (1.0 - angle.cos()).matrix() * sizes;
  trajectory.velocity = 2.0 * angle.sin().matrix() * sizes;
  trajectory.acceleration = 4.0 * angle.cos().matrix() * sizes;
  return trajectory;
}

TEST(TrajectoryFile, DerivativesThatContradictTheMotionAreRefused) {
  const TestDirectory directory;
  const auto path = directory.file("trajectory.h5");
  const auto refusal = [&](const TrajectoryFile& trajectory) {
    writeTrajectory(path, trajectory);
    return messageOf<InputError>([&] { readTrajectory(path); });
  };
  const TrajectoryFile right = oscillation(401);
  writeTrajectory(path, right);
  EXPECT_NO_THROW(readTrajectory(path));
  TrajectoryFile degrees = right;
  degrees.velocity.col(0) *= 180.0 / std::numbers::pi;
  EXPECT_THAT(refusal(degrees), HasSubstr("velocity: contradicts the position of joint hinge"));
  TrajectoryFile still = right;
  still.velocity.col(1).setZero();
  EXPECT_THAT(refusal(still), HasSubstr("the integral of this dataset is 0;"));
  TrajectoryFile flipped = right;
  flipped.acceleration *= -1.0;
  EXPECT_THAT(refusal(flipped), HasSubstr("acceleration: contradicts the velocity of joint hinge"));
  // Way points: the motion between two of them is not known.
  TrajectoryFile points = oscillation(5);
  points.velocity.setZero();
  points.acceleration.setZero();
  writeTrajectory(path, points);
  EXPECT_NO_THROW(readTrajectory(path));
}

}  // namespace
}  // namespace dynid
