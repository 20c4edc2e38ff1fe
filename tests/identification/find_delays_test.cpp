#include "dynid/identification/find_delays.h"

#include "dynid/identification/identify.h"
#include "dynid/logs/log_reader.h"
#include "dynid/logs/log_writer.h"
#include "dynid/robot/load_robot.h"
#include "dynid/simulation/simulate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>

namespace dynid {
namespace {

namespace fs = std::filesystem;

// Copies a log whose efforts are recorded `rows` rows later.
void delayEfforts(const fs::path& from, const fs::path& to, Eigen::Index rows) {
  const LogReader reader(from);
  RawBlock log;
  reader.read(0, reader.info().rows, log);
  LogHeader header;
  header.joint_names = reader.joints();
  header.prismatic = reader.prismatic();
  header.effort_kind = reader.info().effort_kind;
  header.robot = reader.info().robot;
  header.gravity = reader.info().gravity;
  const Eigen::MatrixXd effort = log.effort;
  for (Eigen::Index i = 0; i < effort.rows(); ++i)
    log.effort.row(i) = effort.row(std::max<Eigen::Index>(i - rows, 0));
  LogWriter writer(to, header);
  writer.append(log);
  writer.finish();
}

class EffortDelays : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("dynid_find_delays_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    robot_ = std::make_shared<const Robot>(
        loadRobot(fs::path(DYNID_DATASETS_DIR) / "quickstart" / "arm.toml"));
    SimulationOptions options;
    options.motion.duration_s = 20.0;
    options.rate_hz = 250.0;
    options.encoder_step = 1e-5;
    options.effort_noise_relative = 0.02;
    simulate(*robot_, randomTruth(*robot_, 3), options, folder_ / "log.h5");
  }
  void TearDown() override { fs::remove_all(folder_); }

  Identification identifyLate(Eigen::Index rows) const {
    delayEfforts(folder_ / "log.h5", folder_ / "late.h5", rows);
    IdentificationSettings settings;
    settings.force = true;  // the diagnosis may refuse delays beyond its range
    return identify(robot_, {{folder_ / "late.h5", ""}}, settings);
  }

  fs::path folder_;
  std::shared_ptr<const Robot> robot_;
};

const Finding* findingOf(const Identification& identification, const std::string& code) {
  for (const Finding& finding : identification.audits.front())
    if (finding.code == code) return &finding;
  return nullptr;
}

// A delay of 24 ms is recovered, said, and kept for predictions; the model is as good as without.
TEST_F(EffortDelays, ALongDelayIsRemovedAndSaid) {
  const Identification late = identifyLate(6);
  const LogRecord& record = late.model.provenance.logs.front();
  EXPECT_NEAR(record.effort_delay, 0.024, 3e-4);
  EXPECT_LT(record.effort_delay_std_dev, 1e-3);
  EXPECT_EQ(late.model.signals.effort_delay, record.effort_delay);
  const Finding* finding = findingOf(late, "effort-delay");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, Finding::Severity::kWarning);
  EXPECT_NE(finding->message.find("ms later than the motion"), std::string::npos)
      << finding->message;
  EXPECT_EQ(findingOf(late, "diagnosis-effort-late"), nullptr);
  const Identification clean = identifyLate(0);
  EXPECT_LT(late.model.fit.relative_error, 1.05 * clean.model.fit.relative_error);
}

TEST_F(EffortDelays, NothingIsRemovedWithoutADelay) {
  const Identification clean = identifyLate(0);
  EXPECT_EQ(clean.model.signals.effort_delay, 0.0);
  EXPECT_LT(std::abs(clean.model.provenance.logs.front().effort_delay), 3e-4);
  EXPECT_EQ(findingOf(clean, "effort-delay"), nullptr);
}

// Its rows are not filtered, and false delays of whole sampling periods would be found.
TEST_F(EffortDelays, ALogWithoutNoiseIsNotSearched) {
  SimulationOptions options;
  options.motion.duration_s = 8.0;
  simulate(*robot_, randomTruth(*robot_, 3), options, folder_ / "exact.h5");
  const Identification exact = identify(robot_, {{folder_ / "exact.h5", ""}}, {});
  EXPECT_TRUE(std::isnan(exact.model.provenance.logs.front().effort_delay));
  EXPECT_EQ(exact.model.signals.effort_delay, 0.0);
}

TEST_F(EffortDelays, ADelayBeyondTheRangeIsSaid) {
  const Identification late = identifyLate(32);
  EXPECT_EQ(late.model.signals.effort_delay, 0.0);
  const Finding* finding = findingOf(late, "effort-delay-range");
  ASSERT_NE(finding, nullptr);
  EXPECT_NE(finding->message.find("later than the motion by more than the 100 ms"),
            std::string::npos)
      << finding->message;
}

}  // namespace
}  // namespace dynid
