// Statistics files: statistics gathered separately and merged equal those gathered together.
#include "dynid/core/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include "tools/child_process.h"
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

namespace dynid {
namespace {

using ::testing::HasSubstr;

/// The quickstart arm with given friction terms (no selection), and three logs of different
/// motions, the last one with a payload.
class StatisticsFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string source = std::string(DYNID_SOURCE_DIR) + "/datasets/quickstart/";
    std::filesystem::copy_file(source + "arm.urdf", desk_ / "arm.urdf");
    std::string text = readTextFile(source + "arm.toml");
    for (const char* joint : {"joint_2", "joint_3", "joint_4", "joint_5", "joint_6"})
      if (text.find(std::string("[joint.") + joint + "]") == std::string::npos)
        text += std::string("\n[joint.") + joint +
                "]\nfriction = [\"viscous\", \"coulomb\", \"offset\"]\n";
    writeTextFile(desk_ / "arm.toml", text);
    const std::string noise = " --effort-noise-relative 0.02 --encoder-step 1e-5 --quiet";
    run("simulate arm.toml --seed 11 --duration 40 --output a.h5" + noise);
    run("simulate arm.toml --seed 12 --duration 25 --output b.h5" + noise);
    run("simulate arm.toml --seed 13 --duration 30 --payload tool0:1.5 --output c.h5" + noise);
    for (const std::string log : {"a", "b", "c"})
      run("identify --robot arm.toml --cutoff 8 --quiet " + log + ".h5 --save-statistics s" + log +
          ".h5");
  }

  Outcome tryTo(const std::string& arguments) const {
    RunOptions options;
    options.directory = desk_ / "";
    return dynid(argumentsOf("dynid " + arguments), options);
  }
  void run(const std::string& arguments) const {
    const Outcome outcome = tryTo(arguments);
    ASSERT_EQ(outcome.status, 0) << arguments << "\n" << outcome.err;
  }
  nlohmann::json identify(const std::string& inputs) const {
    run("identify --robot arm.toml --cutoff 8 --quiet --output m.json " + inputs);
    return nlohmann::json::parse(readTextFile(desk_ / "m.json"));
  }
  /// Largest difference of two models' base values and standard deviations, in standard deviations.
  static double difference(const nlohmann::json& x, const nlohmann::json& y) {
    EXPECT_EQ(x.at("base_parameters").size(), y.at("base_parameters").size());
    double worst = 0.0;
    for (size_t i = 0; i < x.at("base_parameters").size(); ++i) {
      const auto& a = x.at("base_parameters")[i];
      const auto& b = y.at("base_parameters")[i];
      EXPECT_EQ(a.at("name"), b.at("name"));
      const double sigma = a.at("std_dev").get<double>();
      for (const char* key : {"value", "std_dev"})
        worst =
            std::max(worst, std::abs(a.at(key).get<double>() - b.at(key).get<double>()) / sigma);
    }
    return worst;
  }

  TemporaryDirectory desk_;
};

// In standard deviations. The sums are equal except for the order of additions; the fit to them
// stops at a certified relative gap of 1e-9, within which rounding decides: 5e-12 to 2.4e-6 were
// measured with different ways of solving for the steps.
constexpr double kRounding = 1e-5;

TEST_F(StatisticsFiles, MergedTheyGiveTheModelOfAllLogsTogether) {
  const nlohmann::json together = identify("a.h5 b.h5");
  const nlohmann::json merged = identify("--statistics sa.h5 --statistics sb.h5");
  EXPECT_LT(difference(together, merged), kRounding);
  EXPECT_EQ(together.at("fit").at("samples"), merged.at("fit").at("samples"));
  EXPECT_EQ(merged.at("provenance").at("logs").size(), 2U);
  EXPECT_EQ(merged.at("provenance").at("logs")[1].at("file"), "b.h5");
  EXPECT_LT(difference(together, identify("--statistics sa.h5 b.h5")), kRounding)
      << "a new log adds to an old result";
}

TEST_F(StatisticsFiles, LogsWithAndWithoutALoadShareTheRobot) {
  const nlohmann::json together = identify("a.h5 c.h5");
  const nlohmann::json merged = identify("--statistics sa.h5 --statistics sc.h5");
  EXPECT_LT(difference(together, merged), kRounding);
  ASSERT_EQ(merged.at("payloads").size(), 1U);
}

TEST_F(StatisticsFiles, MergedStatisticsCanBeSavedAndMergedAgain) {
  run("identify --robot arm.toml --cutoff 8 --quiet --statistics sa.h5 --statistics sb.h5 "
      "--save-statistics sab.h5");
  const nlohmann::json together = identify("a.h5 b.h5 c.h5");
  EXPECT_LT(difference(together, identify("--statistics sab.h5 --statistics sc.h5")), kRounding);
}

TEST_F(StatisticsFiles, AModelDoesNotDependOnTheThreads) {
  const nlohmann::json one = identify("a.h5 b.h5 --threads 1");
  const nlohmann::json three = identify("a.h5 b.h5 --threads 3");
  EXPECT_EQ(one.at("base_parameters"), three.at("base_parameters"));
  EXPECT_EQ(one.at("links"), three.at("links"));
  EXPECT_EQ(one.at("fit"), three.at("fit"));
}

TEST_F(StatisticsFiles, WhatDoesNotBelongIsRefused) {
  const Outcome log = tryTo("identify --robot arm.toml --statistics a.h5");
  EXPECT_EQ(log.status, 3);
  EXPECT_THAT(log.err, HasSubstr("a.h5: is an HDF5 log, expected a file of statistics"));

  writeTextFile(desk_ / "other.toml", readTextFile(desk_ / "arm.toml") + "\n# changed\n");
  const Outcome other = tryTo("identify --robot other.toml --statistics sa.h5");
  EXPECT_EQ(other.status, 3);
  EXPECT_THAT(other.err, HasSubstr("another description"));
  const Outcome forced = tryTo("identify --robot other.toml --statistics sa.h5 --force");
  EXPECT_EQ(forced.status, 0);
  EXPECT_THAT(forced.out, HasSubstr("- its statistics were made with another description"));

  const std::string whole = readTextFile(desk_ / "sa.h5");
  std::ofstream(desk_ / "half.h5", std::ios::binary) << whole.substr(0, whole.size() / 2);
  const Outcome half =
      tryTo("identify --robot arm.toml --statistics half.h5 --save-statistics n.h5");
  EXPECT_EQ(half.status, 3);
  EXPECT_THAT(half.err, HasSubstr("half.h5"));
  EXPECT_FALSE(std::filesystem::exists(desk_ / "n.h5"));
}

/// Overwrites one number of a dataset; numbers are counted row by row.
void overwrite(const std::string& path, const std::string& name, size_t index, double value) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  ASSERT_GE(dataset, 0) << name;
  std::vector<double> numbers(H5Dget_storage_size(dataset) / sizeof(double));
  H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
  ASSERT_LT(index, numbers.size());
  numbers[index] = value;
  H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
  H5Dclose(dataset);
  H5Fclose(file);
}

// An earlier version chose other columns for links between the joints of one body.
TEST_F(StatisticsFiles, OtherBaseParametersAreRefused) {
  overwrite(desk_ / "sa.h5", "channels/0/columns", 0, 0.0);  // mass of the first link: no effect
  const Outcome outcome = tryTo("identify --robot arm.toml --cutoff 8 --statistics sa.h5 b.h5");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("sa.h5: holds the parameter \"shoulder.m\""));
  EXPECT_THAT(outcome.err, HasSubstr("record the statistics again"));
}

// Numbers of a column: kind, owner, component, carrier, effect, inner number, presliding distance,
// smoothing speed, at joint, not negative. Those of the arm: 60 of its links, then those of its
// joints, then 10 of each payload.
TEST_F(StatisticsFiles, ColumnsThatTheRobotDoesNotHaveAreRefused) {
  const auto refusal = [&](const std::string& file, size_t row, size_t number, double value) {
    std::filesystem::copy_file(
        desk_ / file, desk_ / "x.h5", std::filesystem::copy_options::overwrite_existing);
    overwrite(desk_ / "x.h5", "columns/numbers", 10 * row + number, value);
    const Outcome outcome =
        tryTo("identify --robot arm.toml --cutoff 8 --statistics x.h5 --output x.json");
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(desk_ / "x.json"));
    return outcome.err;
  };
  const auto names = [](size_t row) {
    return HasSubstr("x.h5:/columns/numbers: row " + std::to_string(row) +
                     " is not a column of this robot; the file is damaged");
  };
  EXPECT_THAT(refusal("sa.h5", 64, 1, 1048576.0), names(64));  // owner: read out of bounds
  EXPECT_THAT(refusal("sa.h5", 60, 1, 6.0), names(60));        // one actuator too many
  EXPECT_THAT(refusal("sa.h5", 60, 0, 0.0), names(60));        // an inertial column of no link
  EXPECT_THAT(refusal("sa.h5", 61, 0, 3.0), names(61));  // a spring, which the arm does not have
  EXPECT_THAT(refusal("sa.h5", 51, 1, 4.0), names(51));  // of another link
  EXPECT_THAT(refusal("sa.h5", 51, 2, 0.0), names(51));  // another of the ten parameters
  const size_t mass =
      nlohmann::json::parse(tryTo("inspect sc.h5 --json").out).at("columns").get<size_t>() - 10;
  EXPECT_THAT(refusal("sc.h5", mass, 3, -1.0), names(mass));  // carried by no link
  EXPECT_THAT(refusal("sc.h5", mass + 1, 2, 2.0), names(mass + 1));
  EXPECT_THAT(refusal("sc.h5", mass, 1, 1.0), HasSubstr("payload 0 has no columns"));
}

TEST_F(StatisticsFiles, NumbersWithoutMeaningAreRefused) {
  const auto refusal = [&](const std::string& name, size_t index, double value) {
    std::filesystem::copy_file(
        desk_ / "sc.h5", desk_ / "x.h5", std::filesystem::copy_options::overwrite_existing);
    overwrite(desk_ / "x.h5", name, index, value);
    const Outcome outcome = tryTo("identify --robot arm.toml --cutoff 8 --statistics x.h5");
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(refusal("logs/counts", 4, -0.5), HasSubstr("names a payload that is not there"));
  EXPECT_THAT(refusal("logs/counts", 4, 1.0), HasSubstr("names a payload that is not there"));
  const auto inner = HasSubstr("row 62 holds a negative or infinite distance or velocity");
  EXPECT_THAT(refusal("columns/numbers", 10 * 62 + 6, -1e-3), inner);     // presliding distance
  EXPECT_THAT(refusal("columns/numbers", 10 * 62 + 7, INFINITY), inner);  // smoothing velocity
  EXPECT_THAT(refusal("stretches", 0, -1.0), HasSubstr("a length that does not fit the blocks"));
  const auto period = HasSubstr("x.h5:/periods: holds a time after which no motion repeats");
  for (const double hostile :
       {-1.0, 1e-300, 1e-20, std::numeric_limits<double>::infinity(), std::nan("")})
    EXPECT_THAT(refusal("periods", 0, hostile), period);
  const auto actuator = HasSubstr("row 1 holds a speed or a cut-off that cannot be used");
  EXPECT_THAT(refusal("actuators", 4, -1.0), actuator);    // still speed
  EXPECT_THAT(refusal("actuators", 5, 1e308), actuator);   // typical speed
  EXPECT_THAT(refusal("actuators", 6, 1e-300), actuator);  // cut-offs
  EXPECT_THAT(refusal("actuators", 7, std::nan("")), actuator);
  overwrite(desk_ / "sc.h5", "columns/numbers", 10 * 62 + 5, 0.01);
  EXPECT_THAT(refusal("columns/numbers", 10 * 62 + 4, 8.0),
              HasSubstr("row 62 is presliding by itself"));
}

TEST_F(StatisticsFiles, InspectSaysWhatTheyHold) {
  const Outcome text = tryTo("inspect sc.h5 --robot arm.toml");
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("c.h5"));
  EXPECT_THAT(text.out, HasSubstr("tool0"));
  const auto json = nlohmann::json::parse(tryTo("inspect sc.h5 --json").out);
  EXPECT_EQ(json.at("kind"), "statistics");
}

}  // namespace
}  // namespace dynid
