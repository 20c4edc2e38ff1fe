#include "dynid/statistics/record_statistics.h"

#include "dynid/core/errors.h"
#include "dynid/statistics/statistics_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/simulated_log.h"

namespace dynid {
namespace {

using ::testing::HasSubstr;

class RecordStatistics : public testing::Test {
 protected:
  Recordings opened(const std::vector<LogInput>& logs) const {
    return openRecordings(arm_.robot, logs, {}, {});
  }
  const SimulatedArm arm_{"record_statistics"};
};

// Without reading the logs again, including a log with a payload.
TEST_F(RecordStatistics, WhatWasRecordedStandsForTheLogs) {
  SimulationOptions loaded = SimulatedArm::shortLog();
  loaded.seed = 2;
  loaded.payload = PayloadNote{"tool0", "", 1.5, std::nullopt, std::nullopt};
  const Recordings recordings = opened(
      {{arm_.log("free.h5", SimulatedArm::shortLog()), ""}, {arm_.log("loaded.h5", loaded), ""}});
  const RecordedStatistics recorded =
      recordStatistics(recordings, unitedEffects({arm_.effects()}), arm_.options());
  const Regression from_logs = gather(recordings, arm_.effects(), arm_.options());
  const Regression from_recorded = gather(recordings, arm_.effects(), arm_.options(), &recorded);
  ASSERT_EQ(from_logs.layout().size(), from_recorded.layout().size());
  for (int a = 0; a < from_logs.statistics->numChannels(); ++a) {
    const Eigen::MatrixXd expected = gramOf(from_logs.statistics->channels[a]);
    const Eigen::MatrixXd found = gramOf(from_recorded.statistics->channels[a]);
    ASSERT_EQ(found.rows(), expected.rows());
    EXPECT_LT((found - expected).norm(), 1e-12 * expected.norm());
    EXPECT_EQ(from_recorded.statistics->movingRows(a), from_logs.statistics->movingRows(a));
  }
  ASSERT_EQ(recorded.pool.data->logs.size(), 2u);
  EXPECT_EQ(recorded.pool.data->logs[0].payload, -1);
  EXPECT_EQ(recorded.pool.data->logs[1].payload, 0);
  EXPECT_EQ(recorded.pool.data->logs[1].used, from_logs.use[1].used);
}

// A model of saved statistics predicts with the delay that was removed from their logs.
TEST_F(RecordStatistics, RemovedDelaysAreKept) {
  const std::filesystem::path log = arm_.log("late.h5", SimulatedArm::shortLog());
  const Recordings recordings = opened({{log, ""}});
  const Eigen::VectorXd delay = Eigen::VectorXd::LinSpaced(arm_.robot->numJoints(), 0.001, 0.006);
  recordings.logs[0].source->setEffortDelay(delay);
  const RecordedStatistics recorded =
      recordStatistics(recordings, unitedEffects({arm_.effects()}), arm_.options());
  const std::filesystem::path file = log.parent_path() / "late.statistics.h5";
  writeStatistics(file, *recorded.pool.data);
  const Recordings saved = openRecordings(arm_.robot, {}, {file}, {});
  EXPECT_EQ(predictionDelays(saved), delay);
  EXPECT_FALSE(saved.pools.front().data->spline_motion);
}

TEST_F(RecordStatistics, CandidatesOfSeveralRoundsAreUnitedOnce) {
  std::vector<ActuatorEffects> first = arm_.effects(), second = first;
  const Column extra = frictionColumn(*arm_.robot, 0, FrictionEffect::kSqrtViscous);
  first[0].optional.push_back({{extra}});
  second[0].fixed.push_back(extra);
  const std::vector<ActuatorEffects> united = unitedEffects({first, second});
  EXPECT_EQ(united[0].fixed.size(), first[0].fixed.size());
  EXPECT_TRUE(united[0].sign_models.empty());
  int times = 0;
  for (const EffectGroup& group : united[0].optional)
    times += group.columns.front().isFriction(FrictionEffect::kSqrtViscous) ? 1 : 0;
  EXPECT_EQ(times, 1);
  EXPECT_EQ(united[0].optional.size(), first[0].sign_models.size() + 1);
}

TEST_F(RecordStatistics, MissingColumnsAreNamed) {
  const std::filesystem::path log = arm_.log("log.h5", SimulatedArm::shortLog());
  const RecordedStatistics recorded =
      recordStatistics(opened({{log, ""}}), unitedEffects({arm_.effects()}), arm_.options());
  const std::filesystem::path file = log.parent_path() / "statistics.h5";
  writeStatistics(file, *recorded.pool.data);
  const Recordings recordings = openRecordings(arm_.robot, {}, {file}, {});
  std::vector<ActuatorEffects> effects = arm_.effects();
  effects[1].optional.push_back({{frictionColumn(*arm_.robot, 1, FrictionEffect::kStribeck, 0.3)}});
  EXPECT_EQ(available(recordings, effects)[1].optional.size(), effects[1].optional.size() - 1);
  effects[1].fixed.push_back(frictionColumn(*arm_.robot, 1, FrictionEffect::kSqrtViscous));
  try {
    available(recordings, effects);
    FAIL() << "a missing column was accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("the statistics hold no column \"joint_2.sqrt_viscous\" that all of them "
                          "share; make them again with this robot description"));
  }
}

}  // namespace
}  // namespace dynid
