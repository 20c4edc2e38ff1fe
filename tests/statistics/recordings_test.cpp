#include "dynid/statistics/recordings.h"

#include "dynid/core/errors.h"
#include "dynid/statistics/record_statistics.h"
#include "dynid/statistics/statistics_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/changed_rows.h"
#include "support/simulated_log.h"
#include <cmath>
#include <fstream>

namespace dynid {
namespace {

using ::testing::HasSubstr;

class OpenRecordings : public testing::Test {
 protected:
  std::string complaint(const std::vector<LogInput>& logs) const {
    try {
      openRecordings(arm_.robot, logs, {}, {});
    } catch (const InputError& error) {
      return error.what();
    }
    return "no complaint";
  }
  const SimulatedArm arm_{"recordings"};
};

TEST_F(OpenRecordings, AllUnusableLogsAreNamedAtOnce) {
  const std::filesystem::path good = arm_.log("good.h5", SimulatedArm::shortLog());
  const std::filesystem::path text = good.parent_path() / "text.h5";
  std::ofstream(text) << "not a log";
  const std::string message = complaint({{good, ""}, {text, ""}, {"missing.h5", ""}});
  EXPECT_THAT(message, HasSubstr("text.h5"));
  EXPECT_THAT(message, HasSubstr("missing.h5"));
  EXPECT_THAT(message, ::testing::Not(HasSubstr("good.h5")));
}

// A log of a low rate uses the highest cut-off of its rate, wherever it stands in the list.
TEST_F(OpenRecordings, ALowRateDoesNotLowerTheSharedCutoff) {
  SimulationOptions quick = SimulatedArm::shortLog();
  quick.encoder_step = 1e-5;
  quick.velocity = false;
  quick.motion.fundamental_hz = 0.8;
  quick.motion.duration_s = 20.0;
  SimulationOptions coarse = quick;
  coarse.rate_hz = 20.0;
  coarse.motion.duration_s = 15.0;
  const LogInput fast{arm_.log("fast.h5", quick), ""}, low{arm_.log("low.h5", coarse), ""};
  for (const auto& logs : {std::vector<LogInput>{fast, low}, std::vector<LogInput>{low, fast}}) {
    const Recordings recordings = openRecordings(arm_.robot, logs, {}, {});
    EXPECT_GT(sharedCutoff(recordings), 4.0);
    for (const OpenedLog& log : recordings.logs) {
      EXPECT_LE(log.source->plan().cutoff_hz, 0.2 * log.source->plan().rateHz() + 1e-9);
      log.source->setPredictionMotion(sharedCutoff(recordings));
      EXPECT_GT(log.source->tiling(sharedCutoff(recordings), true).windows, 0);
    }
  }
}

TEST_F(OpenRecordings, OfTwoLogsTheFasterDecidesTheCutoff) {
  SimulationOptions quick = SimulatedArm::shortLog();
  quick.encoder_step = 1e-5;
  quick.velocity = false;
  quick.motion.duration_s = 20.0;
  quick.motion.fundamental_hz = 0.8;
  SimulationOptions slow = quick;
  slow.motion.fundamental_hz = 0.1;
  const LogInput fast_log{arm_.log("fast.h5", quick), ""};
  const LogInput slow_log{arm_.log("slow.h5", slow), ""};
  const double fast = sharedCutoff(openRecordings(arm_.robot, {fast_log}, {}, {}));
  EXPECT_GT(fast, 2.0 * sharedCutoff(openRecordings(arm_.robot, {slow_log}, {}, {})));
  EXPECT_EQ(sharedCutoff(openRecordings(arm_.robot, {slow_log, fast_log}, {}, {})), fast);
}

// Above its own cut-off a log whose efforts were low-passed misses a part of them.
TEST_F(OpenRecordings, ALogThatWasLowPassedKeepsItsOwnCutoff) {
  SimulationOptions simulation = SimulatedArm::shortLog();
  simulation.rate_hz = 200.0;
  simulation.encoder_step = 1e-5;
  simulation.velocity = false;
  simulation.effort_noise_relative = 0.03;
  simulation.motion.duration_s = 30.0;
  simulation.motion.fundamental_hz = 0.1;
  simulation.motion.harmonics = 30;
  const LogInput right{arm_.log("right.h5", simulation), ""};
  simulation.seed = 2;
  const LogInput filtered{arm_.log("filtered.h5", simulation), ""};
  lowpassRows(filtered.path, "effort", 10.0, 200.0);
  const Recordings alone = openRecordings(arm_.robot, {filtered}, {}, {});
  ASSERT_TRUE(alone.logs[0].source->plan().lowered_by_prefilter);
  const Recordings both = openRecordings(arm_.robot, {right, filtered}, {}, {});
  EXPECT_EQ(both.logs[1].source->plan().cutoff_hz, sharedCutoff(alone));
  EXPECT_EQ(both.logs[0].source->plan().cutoff_hz, sharedCutoff(both));
  EXPECT_GT(sharedCutoff(both), 1.3 * sharedCutoff(alone));
  const SignalPlan& plan = both.logs[1].source->plan();
  EXPECT_GT(plan.motion_cutoff_hz, 1.5 * plan.cutoff_hz);
  EXPECT_EQ(plan.motion_cutoff_hz, alone.logs[0].source->plan().motion_cutoff_hz);
  OpenOptions asked;
  asked.signals.cutoff_hz = 8.0;
  for (const OpenedLog& log : openRecordings(arm_.robot, {right, filtered}, {}, asked).logs)
    EXPECT_EQ(log.source->plan().cutoff_hz, 8.0);
}

TEST_F(OpenRecordings, LogsShareCutoffRampAndBlocks) {
  SimulationOptions quick = SimulatedArm::shortLog();
  quick.encoder_step = 1e-4;
  quick.velocity = false;
  SimulationOptions slow = quick;
  slow.motion.duration_s = 40.0;
  slow.motion.fundamental_hz = 0.03;
  slow.motion.amplitude = 0.05;
  slow.seed = 2;
  const Recordings recordings = openRecordings(
      arm_.robot, {{arm_.log("quick.h5", quick), ""}, {arm_.log("slow.h5", slow), ""}}, {}, {});
  ASSERT_EQ(recordings.logs.size(), 2u);
  const SignalPlan& first = recordings.logs[0].source->plan();
  const SignalPlan& second = recordings.logs[1].source->plan();
  EXPECT_EQ(first.cutoff_hz, second.cutoff_hz);
  const Eigen::VectorXd least = first.still_speed.cwiseMin(second.still_speed);
  EXPECT_TRUE((recordings.ramp_speed.array() <= least.array()).all());
  EXPECT_TRUE((recordings.ramp_speed.array() > 0.2 * least.array()).all());
  const LogBlocks& a = recordings.logs[0].blocks;
  const LogBlocks& b = recordings.logs[1].blocks;
  EXPECT_EQ(a.length_s, b.length_s);
  EXPECT_EQ(b.first, a.first + a.count);
  EXPECT_EQ(std::ssize(recordings.block_log), b.first + b.count);
  EXPECT_LE(recordings.block_log.size(), 64u);
  EXPECT_GT(b.count, a.count);
}

TEST_F(OpenRecordings, JoinedBlocksConsistOfWholeBlocks) {
  SimulationOptions longer = SimulatedArm::shortLog();
  longer.motion.duration_s *= 3.0;
  const Recordings recordings = openRecordings(
      arm_.robot,
      {{arm_.log("log.h5", SimulatedArm::shortLog()), ""}, {arm_.log("longer.h5", longer), ""}},
      {},
      {});
  const auto blocks = static_cast<int>(recordings.block_log.size());
  ASSERT_GT(blocks, 20);
  const Recordings joined = withJoinedBlocks(recordings, 16);
  EXPECT_LE(joined.block_log.size(), 16u);
  EXPECT_GE(joined.block_log.size(), 6u);
  for (size_t i = 0; i < 2; ++i) {
    const LogBlocks& fine = recordings.logs[i].blocks;
    const LogBlocks& coarse = joined.logs[i].blocks;
    const double ratio = coarse.length_s / fine.length_s;
    EXPECT_GE(ratio, 2.0);
    EXPECT_EQ(ratio, std::floor(ratio));
    EXPECT_EQ(coarse.count, std::floor(fine.count / ratio));
    for (int b = 0; b < coarse.count; ++b)
      EXPECT_EQ(joined.block_log.at(coarse.first + b), static_cast<int>(i));
  }
  EXPECT_EQ(joined.logs[1].blocks.first, joined.logs[0].blocks.count);
  EXPECT_EQ(withJoinedBlocks(recordings, blocks).block_log, recordings.block_log);
}

TEST_F(OpenRecordings, ExactMotionHasNoRamp) {
  const Recordings recordings =
      openRecordings(arm_.robot, {{arm_.log("log.h5", SimulatedArm::shortLog()), ""}}, {}, {});
  EXPECT_EQ(recordings.ramp_speed, Eigen::VectorXd::Zero(arm_.robot->numJoints()));
}

TEST_F(OpenRecordings, PayloadsAndSensorsAreFound) {
  SimulationOptions loaded = SimulatedArm::shortLog();
  loaded.payload = PayloadNote{"tool0", "box", 1.5, std::nullopt, std::nullopt};
  SimulationOptions sensed = SimulatedArm::shortLog();
  sensed.bodies = {"forearm"};
  const Recordings recordings =
      openRecordings(arm_.robot,
                     {{arm_.log("loaded.h5", loaded), ""}, {arm_.log("sensed.h5", sensed), ""}},
                     {},
                     {});
  EXPECT_EQ(recordings.logs[0].payload, 0);
  EXPECT_EQ(recordings.logs[1].payload, -1);
  EXPECT_EQ(recordings.payloads.at(0).name, "box");
  ASSERT_EQ(distinctSensors(recordings).size(), 1u);
  EXPECT_EQ(distinctSensors(recordings)[0].link, "forearm");
  EXPECT_FALSE(baseKnowledge(recordings).wrench);
}

// Of logs, and of saved statistics.
TEST_F(OpenRecordings, DifferentPayloadsStayDifferent) {
  const auto carrying = [&](const std::string& file, const std::string& name, double mass) {
    SimulationOptions simulation = SimulatedArm::shortLog();
    simulation.payload = PayloadNote{"tool0", name, mass, std::nullopt, std::nullopt};
    const std::filesystem::path log = arm_.log(file, simulation);
    std::filesystem::path moved = log.parent_path() / (name + std::to_string(mass)) / "run.h5";
    std::filesystem::create_directories(moved.parent_path());
    std::filesystem::rename(log, moved);
    return moved;
  };
  const auto masses = [](const Recordings& recordings) {
    std::vector<double> masses;
    for (const Payload& payload : recordings.payloads) masses.push_back(payload.known(0));
    return masses;
  };
  const std::filesystem::path two = carrying("two.h5", "", 2.0),
                              five = carrying("five.h5", "", 5.0);
  EXPECT_THAT(masses(openRecordings(arm_.robot, {{two, ""}, {five, ""}}, {}, {})),
              ::testing::ElementsAre(2.0, 5.0));
  const std::filesystem::path box = carrying("box.h5", "box", 2.0),
                              other = carrying("other.h5", "box", 5.0);
  const std::filesystem::path saved = box.parent_path() / "statistics.h5";
  writeStatistics(saved,
                  *recordStatistics(openRecordings(arm_.robot, {{box, ""}}, {}, {}),
                                    unitedEffects({arm_.effects()}),
                                    arm_.options())
                       .pool.data);
  EXPECT_THAT(masses(openRecordings(arm_.robot, {{box, ""}}, {saved}, {})),
              ::testing::ElementsAre(2.0));
  try {
    openRecordings(arm_.robot, {{other, ""}}, {saved}, {});
    FAIL() << "two payloads became one";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr(other.string() + ":/payload and " + saved.string() +
                          ":/payloads: the payload \"box\" has m = 5 kg and m = 2 kg;"));
  }
}

}  // namespace
}  // namespace dynid
