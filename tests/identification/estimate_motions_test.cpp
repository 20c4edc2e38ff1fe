#include "dynid/core/errors.h"
#include "dynid/identification/identify.h"
#include "dynid/model/model_efforts.h"
#include "dynid/robot/load_robot.h"
#include "dynid/simulation/simulate.h"
#include "dynid/simulation/simulated_truth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <numbers>
#include <string>
#include <unistd.h>

namespace dynid {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class EstimateMotions : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("dynid_estimate_motions_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    robot_ = std::make_shared<const Robot>(
        loadRobot(fs::path(DYNID_DATASETS_DIR) / "quickstart" / "arm.toml"));
  }
  void TearDown() override { fs::remove_all(folder_); }

  // A brisk motion with an encoder of 11 bits and effort noise of 0.2 %.
  SimulationOptions coarse(std::uint64_t seed) const {
    SimulationOptions options;
    options.motion.duration_s = 15.0;
    options.motion.harmonics = 30;
    options.rate_hz = 100.0;
    options.encoder_step = 2.0 * std::numbers::pi / 2048.0;
    options.effort_noise_relative = 0.002;
    options.seed = seed;
    return options;
  }
  LogInput log(const std::string& name, const SimulationOptions& options) const {
    simulate(*robot_, randomTruth(*robot_, 3), options, folder_ / name);
    return {folder_ / name, ""};
  }
  Identification identifyWith(const std::string& motion, const std::vector<LogInput>& logs) const {
    IdentificationSettings settings;
    settings.motion = motion;
    settings.force = true;
    return identify(robot_, logs, settings);
  }
  // Relative error of the efforts on another motion that is known exactly.
  double errorOf(const Model& model) const {
    SimulationOptions options;
    options.motion.duration_s = 10.0;
    options.motion.harmonics = 30;
    options.rate_hz = 100.0;
    options.seed = 77;
    options.acceleration = true;
    double error = 0.0, size = 0.0;
    simulate(*robot_, randomTruth(*robot_, 3), options, [&](const RawBlock& block) {
      const Eigen::MatrixXd predicted =
          modelEfforts(model, block.position, block.velocity, block.acceleration);
      for (Eigen::Index i = 0; i < predicted.rows(); ++i)
        for (Eigen::Index j = 0; j < predicted.cols(); ++j) {
          if (std::abs(block.velocity(i, j)) < 0.05) continue;
          error += std::pow(predicted(i, j) - block.effort(i, j), 2.0);
          size += std::pow(block.effort(i, j), 2.0);
        }
    });
    return std::sqrt(error / size);
  }
  std::string refusalOf(const std::vector<LogInput>& logs) const {
    try {
      identifyWith("estimated", logs);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
  std::shared_ptr<const Robot> robot_;
};

const Finding* findingOf(const std::vector<Finding>& findings, const std::string& code) {
  for (const Finding& finding : findings)
    if (finding.code == code) return &finding;
  return nullptr;
}

TEST_F(EstimateMotions, CoarseEncodersAndQuietEffortsAreBetterThanFiltered) {
  const std::vector<LogInput> logs{log("a.h5", coarse(1)), log("b.h5", coarse(2))};
  const Identification filtered = identifyWith("filtered", logs);
  const Identification estimated = identifyWith("estimated", logs);
  ASSERT_TRUE(estimated.model.status.usable) << estimated.model.status.reason;
  EXPECT_EQ(estimated.model.signals.motion, "estimated");
  for (const std::vector<Finding>& findings : estimated.audits) {
    const Finding* finding = findingOf(findings, "motion-estimated");
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->severity, Finding::Severity::kNote);
    EXPECT_THAT(finding->message, HasSubstr("knots per second, converged in "));
  }
  EXPECT_EQ(findingOf(filtered.audits.front(), "motion-estimated"), nullptr);
  EXPECT_LT(errorOf(estimated.model), 0.6 * errorOf(filtered.model));
}

TEST_F(EstimateMotions, RefusesWhatItDoesNotSupportInWords) {
  SimulationOptions exact = coarse(1);
  exact.encoder_step = 0.0;
  exact.effort_noise_relative = 0.0;
  EXPECT_THAT(refusalOf({log("exact.h5", exact)}),
              HasSubstr("`motion` estimated: the positions of exact.h5 have no noise"));
  SimulationOptions long_log = coarse(1);
  long_log.motion.duration_s = 200.0;
  long_log.rate_hz = 500.0;
  EXPECT_THAT(refusalOf({log("long.h5", long_log)}),
              AllOf(HasSubstr("the longest of them long.h5, have 6000"),
                    HasSubstr("at most 500000 are estimated at once; take a part of them by "
                              "`from_s` and `to_s`")));
  robot_ =
      std::make_shared<const Robot>(loadRobot(fs::path(DYNID_DATASETS_DIR) / "tx40" / "tx40.toml"));
  EXPECT_THAT(
      refusalOf({log("coupled.h5", coarse(1))}),
      HasSubstr("drives that move several joints are not supported; use `motion` filtered"));
}

}  // namespace
}  // namespace dynid
