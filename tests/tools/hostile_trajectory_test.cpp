// `simulate` on trajectories with numbers that a defective program may write, at every place, and
// on trajectories without one of their channels: it ends with a documented exit status, and a log
// that it writes is one that `inspect` accepts.
#include "dynid/core/files.h"
#include "dynid/logs/trajectory_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/child_process.h"
#include "tools/edited_log.h"
#include "tools/quickstart_files.h"
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace dynid {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// Ten seconds in which every joint moves sinusoidally, given by samples and by its Fourier series.
TrajectoryFile sineTrajectory() {
  constexpr int kJoints = 6, kRows = 501;
  constexpr double kFundamentalHz = 0.1, kSpeed = 0.2;
  const double w = 2.0 * std::numbers::pi * kFundamentalHz;
  TrajectoryFile file;
  for (int i = 1; i <= kJoints; ++i) file.joint_names.push_back("joint_" + std::to_string(i));
  file.time = Eigen::VectorXd::LinSpaced(kRows, 0.0, 10.0);
  const Eigen::RowVectorXd ones = Eigen::RowVectorXd::Ones(kJoints);
  const Eigen::ArrayXd angle = w * file.time.array();
  file.position = (kSpeed / w * angle.sin()).matrix() * ones;
  file.velocity = (kSpeed * angle.cos()).matrix() * ones;
  file.acceleration = (-kSpeed * w * angle.sin()).matrix() * ones;
  file.fourier = FourierSeries{kFundamentalHz,
                               0.0,
                               Eigen::MatrixXd::Constant(kJoints, 1, kSpeed),
                               Eigen::MatrixXd::Zero(kJoints, 1),
                               Eigen::VectorXd::Zero(kJoints)};
  return file;
}

/// Simulates the trajectory of the file motion.h5.
Outcome simulated(const TemporaryDirectory& desk) {
  return dynid({"simulate",
                kArm,
                "--trajectory",
                desk / "motion.h5",
                "--output",
                desk / "log.h5",
                "--quiet"});
}

Outcome simulated(const TemporaryDirectory& desk, const TrajectoryFile& trajectory) {
  writeTrajectory(desk / "motion.h5", trajectory);
  return simulated(desk);
}

void expectSoundAnswer(const TrajectoryFile& trajectory) {
  const TemporaryDirectory desk;
  const Outcome run = simulated(desk, trajectory);
  EXPECT_THAT(run.status, AnyOf(0, 1, 3)) << run.err;
  if (run.status == 3) {
    EXPECT_THAT(run.err, HasSubstr("motion.h5"));
    EXPECT_EQ(desk.files(), std::vector<std::string>{"motion.h5"});
    return;
  }
  // A motion may be too poor to identify, but all numbers are finite.
  const Outcome inspect = dynid({"inspect", desk / "log.h5", "--robot", kArm});
  EXPECT_THAT(inspect.status, AnyOf(0, 1)) << inspect.out << inspect.err;
  EXPECT_THAT(inspect.out, Not(HasSubstr("NaN or Inf")));
}

/// A number of a trajectory, by its name.
struct Number {
  const char* name;
  std::function<double&(TrajectoryFile&, Eigen::Index row)> get;
};

const std::vector<Number> kSamples = {
    {"time", [](TrajectoryFile& f, Eigen::Index row) -> double& { return f.time(row); }},
    {"position", [](TrajectoryFile& f, Eigen::Index row) -> double& { return f.position(row, 1); }},
    {"velocity", [](TrajectoryFile& f, Eigen::Index row) -> double& { return f.velocity(row, 1); }},
    {"acceleration",
     [](TrajectoryFile& f, Eigen::Index row) -> double& { return f.acceleration(row, 1); }}};

const std::vector<Number> kCoefficients = {
    {"fundamental_hz",
     [](TrajectoryFile& f, Eigen::Index) -> double& { return f.fourier->fundamental_hz; }},
    {"t0_s", [](TrajectoryFile& f, Eigen::Index) -> double& { return f.fourier->t0_s; }},
    {"a", [](TrajectoryFile& f, Eigen::Index) -> double& { return f.fourier->a(1, 0); }},
    {"b", [](TrajectoryFile& f, Eigen::Index) -> double& { return f.fourier->b(1, 0); }},
    {"offset", [](TrajectoryFile& f, Eigen::Index) -> double& { return f.fourier->offset(1); }}};

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kStrangeNumbers[] = {
    std::numeric_limits<double>::quiet_NaN(), kInf, -kInf, 1e308, -1e308, 1e-308, 5e-324};

TEST(HostileTrajectories, TheTrajectoryWithoutThemIsFollowed) {
  const TemporaryDirectory desk;
  TrajectoryFile trajectory = sineTrajectory();
  EXPECT_EQ(simulated(desk, trajectory).status, 0);
  EXPECT_EQ(dynid({"inspect", desk / "log.h5", "--robot", kArm}).status, 0);
  trajectory.fourier.reset();
  EXPECT_EQ(simulated(desk, trajectory).status, 0);
}

TEST(HostileTrajectories, SamplesWithoutSeries) {
  for (const Number& number : kSamples)
    for (const double value : kStrangeNumbers)
      for (const Eigen::Index row : {0, 250, 500}) {
        SCOPED_TRACE(std::string(number.name) + " " + std::to_string(value) + " in row " +
                     std::to_string(row));
        TrajectoryFile trajectory = sineTrajectory();
        trajectory.fourier.reset();
        number.get(trajectory, row) = value;
        expectSoundAnswer(trajectory);
      }
}

TEST(HostileTrajectories, Series) {
  std::vector<Number> numbers = kCoefficients;
  numbers.push_back(kSamples.front());
  for (const Number& number : numbers)
    for (const double value : kStrangeNumbers)
      for (const Eigen::Index row : {0, 500}) {
        SCOPED_TRACE(std::string(number.name) + " " + std::to_string(value) + " in row " +
                     std::to_string(row));
        TrajectoryFile trajectory = sineTrajectory();
        number.get(trajectory, row) = value;
        expectSoundAnswer(trajectory);
        if (&number != &numbers.back()) break;  // coefficients have no rows
      }
}

TEST(HostileTrajectories, WhatIsWrongIsSaid) {
  const TemporaryDirectory desk;
  const auto error_of = [&](const std::function<void(TrajectoryFile&)>& edit) {
    TrajectoryFile trajectory = sineTrajectory();
    edit(trajectory);
    const Outcome run = simulated(desk, trajectory);
    EXPECT_EQ(run.status, 3);
    EXPECT_EQ(dynid({"inspect", desk / "motion.h5"}).status, run.status) << run.err;
    return run.err;
  };
  EXPECT_THAT(error_of([](TrajectoryFile& f) { f.velocity(250, 1) = kInf; }),
              HasSubstr("motion.h5:/velocity[250]: has NaN or Inf; a robot can follow finite "
                        "numbers only"));
  EXPECT_THAT(error_of([](TrajectoryFile& f) { f.velocity *= 57.3; }),
              HasSubstr("motion.h5:/velocity: contradicts the position of joint joint_1"));
  EXPECT_THAT(error_of([](TrajectoryFile& f) { f.time(2) = f.time(1); }),
              HasSubstr("motion.h5:/time[2]: is 0.02 s after 0.02 s; the time of a trajectory "
                        "increases"));
  EXPECT_THAT(error_of([](TrajectoryFile& f) {
                f.lead_in = QuinticPiece{Eigen::MatrixXd::Zero(6, 6), 0.0, -1.0};
              }),
              HasSubstr("motion.h5:/lead_in/duration_s: is -1; it must not be negative"));
}

TEST(HostileTrajectories, AMotionTooLargeOrTooLongIsRefused) {
  const TemporaryDirectory desk;
  TrajectoryFile trajectory = sineTrajectory();
  trajectory.fourier.reset();
  for (Eigen::MatrixXd* m : {&trajectory.position, &trajectory.velocity, &trajectory.acceleration})
    *m *= 1e300;
  EXPECT_THAT(simulated(desk, trajectory).err,
              HasSubstr("s after its start, the motion or an effort that it needs is "));
  trajectory = sineTrajectory();
  trajectory.time(500) = 1e308;
  trajectory.velocity.resize(0, 0);  // it would contradict the positions
  trajectory.acceleration.resize(0, 0);
  const std::string too_long =
      "the motion lasts 1e+308 s, which at 200 Hz is more than 1e+09 rows; expected a shorter "
      "motion or a lower rate";
  EXPECT_THAT(simulated(desk, trajectory).err, HasSubstr("motion.h5: " + too_long));
  const Outcome run = dynid({"simulate", kArm, "--duration", "1e308", "--output", desk / "log.h5"});
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr(too_long));
  EXPECT_EQ(dynid({"simulate", kArm, "--fundamental", "1e308", "--output", desk / "log.h5"}).status,
            2);
}

TEST(HostileTrajectories, WithoutOneOrTwoChannels) {
  const std::vector<std::string> names = {
      "time", "position", "velocity", "acceleration", "joint_names"};
  const auto expect_answer = [](bool series, const std::string& one, const std::string& other) {
    SCOPED_TRACE("without " + one + " and " + other + (series ? ", with a series" : ""));
    const TemporaryDirectory desk;
    TrajectoryFile trajectory = sineTrajectory();
    if (!series) trajectory.fourier.reset();
    writeTrajectory(desk / "motion.h5", trajectory);
    removeFromFile(desk / "motion.h5", one);
    if (other != one) removeFromFile(desk / "motion.h5", other);
    const Outcome run = simulated(desk);
    EXPECT_THAT(run.status, AnyOf(0, 3)) << run.err;
    if (run.status == 3) {
      EXPECT_THAT(run.err, HasSubstr("motion.h5"));
    }
  };
  for (const bool series : {true, false})
    for (size_t i = 0; i < names.size(); ++i)
      for (size_t j = i; j < names.size(); ++j) expect_answer(series, names[i], names[j]);
}

}  // namespace
}  // namespace dynid
