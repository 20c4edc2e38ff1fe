#include "dynid/logs/trajectory_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "child_process.h"
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace dynid {
namespace {

using testing::HasSubstr;

const char* const kArm = "datasets/quickstart/arm.toml";

std::vector<std::string> with(std::vector<std::string> arguments,
                              const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

// Short searches of a part of the arm: three joints, two harmonics.
std::vector<std::string> small(const std::string& output) {
  return {"excite",
          kArm,
          "--output",
          output,
          "--harmonics",
          "2",
          "--duration",
          "10",
          "--starts",
          "1",
          "--exclude-joint",
          "joint_4",
          "--exclude-joint",
          "joint_5",
          "--exclude-joint",
          "joint_6",
          "--noise",
          "0.5"};
}

TEST(Excite, WritesATrajectoryWithinItsLimits) {
  const TemporaryDirectory directory;
  const std::string file = directory / "t.h5";
  const Outcome outcome = dynid(
      with(small(file), {"--json", "--csv", directory / "t.csv", "--ros", directory / "t.yaml"}));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const nlohmann::json json = nlohmann::json::parse(outcome.out);
  EXPECT_TRUE(json["feasible"].get<bool>());
  EXPECT_LT(json["condition_number"].get<double>(), 1e3);
  EXPECT_EQ(json["seed"], 1);
  for (const auto& entry : json["forecast"]) EXPECT_GT(entry["std_dev"].get<double>(), 0.0);
  ASSERT_EQ(json["limits"].size(), 3u);
  const TrajectoryFile t = readTrajectory(file);
  for (int j = 0; j < 3; ++j) {
    const auto& limits = json["limits"][t.joint_names[static_cast<size_t>(j)]];
    EXPECT_GE(limits["position"][0], limits["position"][2]);
    EXPECT_LE(limits["position"][1], limits["position"][3]);
    for (const char* what : {"velocity", "acceleration", "effort"})
      EXPECT_LE(limits[what][0], limits[what][1]) << what;
    // The samples of the file are below the bounds told.
    EXPECT_LE(t.position.col(j).maxCoeff(), limits["position"][1].get<double>() + 1e-12);
    EXPECT_LE(t.velocity.col(j).cwiseAbs().maxCoeff(), limits["velocity"][0].get<double>() + 1e-12);
    EXPECT_LE(t.acceleration.col(j).cwiseAbs().maxCoeff(),
              limits["acceleration"][0].get<double>() + 1e-12);
  }
  // From rest to rest.
  const Eigen::Index last = t.time.size() - 1;
  for (Eigen::Index row : {Eigen::Index{0}, last}) {
    EXPECT_LT(t.velocity.row(row).norm(), 1e-9);
    EXPECT_LT(t.acceleration.row(row).norm(), 1e-8);
  }
  std::ifstream csv(directory / "t.csv"), ros(directory / "t.yaml");
  std::string line;
  std::getline(csv, line);
  EXPECT_THAT(line, HasSubstr("time,joint_1.position"));
  std::getline(ros, line);
  EXPECT_EQ(line, "joint_names:");
}

TEST(Excite, SameSeedSameTrajectoryWhateverTheThreads) {
  const TemporaryDirectory directory;
  for (const auto& [name, threads] : {std::pair{"a.h5", "1"}, std::pair{"b.h5", "2"}}) {
    auto arguments = small(directory / name);
    arguments[9] = "2";  // starts
    ASSERT_EQ(dynid(with(arguments, {"--threads", threads, "--quiet"})).status, 0);
  }
  const TrajectoryFile a = readTrajectory(directory / "a.h5"),
                       b = readTrajectory(directory / "b.h5");
  EXPECT_EQ(a.fourier->a, b.fourier->a);
  EXPECT_EQ(a.fourier->offset, b.fourier->offset);
}

TEST(Excite, InfeasibleSaysWhichLimitAndWritesNothing) {
  const TemporaryDirectory directory;
  const std::string file = directory / "t.h5";
  Outcome outcome = dynid({"excite", kArm, "--output", file, "--duration", "0.05"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("joint_1: in 0.05 s the harmonic 5 may move it by"));
  EXPECT_THAT(outcome.err, HasSubstr("--duration of at least"));

  outcome = dynid(with(small(file), {"--start", "0,9,0", "--json"}));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("joint_2: start posture 9 is 6.4 outside of the position"));
  EXPECT_FALSE(nlohmann::json::parse(outcome.out)["feasible"].get<bool>());
  EXPECT_TRUE(directory.files().empty());
}

TEST(Excite, WrongCommandLines) {
  const TemporaryDirectory directory;
  const std::string file = directory / "t.h5";
  Outcome outcome = dynid({"excite", kArm, "--output", file, "--criterion", "best"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("expected d, a, e or condition"));
  outcome = dynid({"excite", kArm, "--output", file, "--max-acceleration", "2,3"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("acceleration has 2 values"));
  outcome = dynid({"excite", kArm, "--output", file, "--noise", "1,x"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("\"x\" is not a number"));
  EXPECT_EQ(dynid({"excite", kArm}).status, 2);
  EXPECT_TRUE(directory.files().empty());
}

}  // namespace
}  // namespace dynid
