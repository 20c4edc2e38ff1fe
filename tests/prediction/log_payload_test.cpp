#include "dynid/prediction/log_payload.h"

#include "dynid/core/files.h"
#include "dynid/logs/log_reader.h"
#include "dynid/prediction/predict.h"
#include "dynid/robot/load_robot.h"
#include "dynid/simulation/simulate.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <unistd.h>

namespace dynid {
namespace {

namespace fs = std::filesystem;

class PayloadToPredict : public testing::Test {
 protected:
  PayloadToPredict() {
    fs::create_directories(folder_);
    SimulationOptions simulation;
    simulation.motion.duration_s = 6.0;
    simulate(*robot_, randomTruth(*robot_, 3), simulation, log_);
    model_.provenance.logs = {{.file = "elsewhere/run.h5", .sha256 = sha256OfFile(log_)}};
    model_.payloads = {{"payload run.h5", "tool0", 1.7 * InertialParameters::Unit(0)}};
  }
  ~PayloadToPredict() override { fs::remove_all(folder_); }

  const std::shared_ptr<const Robot> robot_ = std::make_shared<const Robot>(
      loadRobot(fs::path(DYNID_DATASETS_DIR) / "quickstart" / "arm.toml"));
  const fs::path folder_ =
      fs::temp_directory_path() / ("dynid_log_payload_" + std::to_string(getpid()));
  const fs::path log_ = folder_ / "run.h5";
  Model model_ = modelFromDescription(robot_);
};

// `identify --payload run.h5=tool0:1.7`: the log itself says nothing about it.
TEST_F(PayloadToPredict, ATrainingLogHasThePayloadThatWasStatedBesideIt) {
  const auto payload = payloadToPredict(model_, readLogInfo(log_));
  ASSERT_TRUE(payload.has_value());
  EXPECT_EQ(payload->link, "tool0");
  EXPECT_EQ(payload->known(0), 1.7);
}

// A copy under another name is the same log.
TEST_F(PayloadToPredict, ATrainingLogIsKnownByItsContent) {
  fs::rename(log_, folder_ / "renamed.h5");
  EXPECT_TRUE(payloadToPredict(model_, readLogInfo(folder_ / "renamed.h5")).has_value());
}

TEST_F(PayloadToPredict, AnotherLogOfTheSameNameHasNone) {
  SimulationOptions other;
  other.motion.duration_s = 6.0;
  other.seed = 2;
  simulate(*robot_, randomTruth(*robot_, 3), other, log_);
  EXPECT_FALSE(payloadToPredict(model_, readLogInfo(log_)).has_value());
}

TEST_F(PayloadToPredict, ATrainingLogWithoutAPayloadHasNone) {
  model_.payloads[0].name = "payload other.h5";
  EXPECT_FALSE(payloadToPredict(model_, readLogInfo(log_)).has_value());
}

}  // namespace
}  // namespace dynid
