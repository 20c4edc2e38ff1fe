#include "dynid/prediction/log_payload.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/logs/log_reader.h"
#include "dynid/prediction/model_from_description.h"
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

// `validate --payload run.h5=tool0:2`
TEST_F(PayloadToPredict, AStatedPayloadIsAPointAtItsLink) {
  model_.payloads.clear();
  const auto payload = payloadToPredict(model_, readLogInfo(log_), "tool0:2");
  ASSERT_TRUE(payload.has_value());
  EXPECT_EQ(payload->link, "tool0");
  EXPECT_EQ(payload->known, 2.0 * InertialParameters::Unit(0));
  EXPECT_THROW(payloadToPredict(model_, readLogInfo(log_), "nowhere:2"), InputError);
}

// The model knows the centre of mass of the payload of its own log, but that of no other log.
TEST_F(PayloadToPredict, AStatedPayloadOfATrainingLogIsThatOfTheModel) {
  model_.payloads[0].parameters(1) = 0.3;
  const auto known = payloadToPredict(model_, readLogInfo(log_), "tool0:2");
  ASSERT_TRUE(known.has_value());
  EXPECT_EQ(known->known, model_.payloads[0].parameters);
  const auto elsewhere = payloadToPredict(model_, readLogInfo(log_), robot_->bodies[2].name + ":2");
  ASSERT_TRUE(elsewhere.has_value());
  EXPECT_EQ(elsewhere->known, 2.0 * InertialParameters::Unit(0));
  model_.provenance.logs[0].sha256 = "of another log";
  const auto other = payloadToPredict(model_, readLogInfo(log_), "tool0:2");
  ASSERT_TRUE(other.has_value());
  EXPECT_EQ(other->known, 2.0 * InertialParameters::Unit(0));
}

// `identify --payload run.h5=tool0:1.7`, then `validate --payload other.h5=tool0:1.7`.
TEST_F(PayloadToPredict, TheSameMassOnTheSameLinkIsThePayloadOfTheModel) {
  model_.provenance.logs[0].sha256 = "of another log";
  model_.payloads[0].parameters(1) = 0.3;
  const auto of_mass = [&](const std::string& stated) {
    const auto payload = payloadToPredict(model_, readLogInfo(log_), stated);
    return payload ? payload->known : InertialParameters(InertialParameters::Zero());
  };
  EXPECT_EQ(of_mass("tool0:1.7"), model_.payloads[0].parameters);
  EXPECT_EQ(of_mass("tool0:1.9"), 1.9 * InertialParameters::Unit(0)) << "another mass";
  EXPECT_EQ(of_mass(robot_->bodies[2].name + ":1.7"), 1.7 * InertialParameters::Unit(0))
      << "another link";
  model_.payloads.push_back(model_.payloads[0]);
  model_.payloads[1].name = "payload second.h5";
  EXPECT_EQ(of_mass("tool0:1.7"), 1.7 * InertialParameters::Unit(0)) << "which of the two?";
}

TEST_F(PayloadToPredict, ATrainingLogWithoutAPayloadHasNone) {
  model_.payloads[0].name = "payload other.h5";
  EXPECT_FALSE(payloadToPredict(model_, readLogInfo(log_)).has_value());
}

}  // namespace
}  // namespace dynid
