#include "dynid/statistics/accumulate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/simulated_log.h"
#include <algorithm>

namespace dynid {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

class Accumulate : public testing::Test {
 protected:
  const SimulatedArm arm_{"accumulate"};
};

// With noise the rows are filtered; without, blocks are compressed by one thread each.
TEST_F(Accumulate, TheThreadsDoNotChangeABit) {
  SimulationOptions simulation = SimulatedArm::shortLog();
  simulation.motion.duration_s = 60.0;
  for (const double encoder_step : {1e-5, 0.0}) {
    simulation.encoder_step = encoder_step;
    const std::string name = encoder_step > 0.0 ? "noise.h5" : "exact.h5";
    const Recordings recordings =
        openRecordings(arm_.robot, {{arm_.log(name, simulation), ""}}, {}, {});
    const Regression one = gather(recordings, arm_.effects(), arm_.options(1));
    const Regression three = gather(recordings, arm_.effects(), arm_.options(3));
    for (int a = 0; a < one.statistics->numChannels(); ++a)
      EXPECT_EQ(gramOf(one.statistics->channels[a]), gramOf(three.statistics->channels[a]));
    ASSERT_EQ(one.use.size(), 1u);
    EXPECT_EQ(one.use[0].used, three.use[0].used);
  }
}

// Every sample of a noise-free log is a row: the factors are those of all rows computed at once.
TEST_F(Accumulate, TheFactorsHoldTheRowsOfTheWholeLog) {
  const Recordings recordings =
      openRecordings(arm_.robot, {{arm_.log("log.h5", SimulatedArm::shortLog()), ""}}, {}, {});
  const Regression gathered = gather(recordings, arm_.effects(), arm_.options());
  const LogSource& source = *recordings.logs[0].source;
  const ActuatorSignals signals =
      source.conditionWindow(source.readWindow(0, source.numRows(), 0.0), false);
  std::vector<int> columns = fixedColumns(gathered);
  for (int column : candidateColumns(gathered.candidates)) columns.push_back(column);
  std::sort(columns.begin(), columns.end());
  RowBuilder builder(arm_.robot, gathered.layout(), columns, recordings.ramp_speed);
  RowBlock rows;
  builder.build(signals, nullptr, {}, rows);
  EXPECT_EQ(gathered.use[0].counts.read, source.numRows());
  for (int a = 0; a < gathered.statistics->numChannels(); ++a) {
    const ChannelStatistics& channel = gathered.statistics->channels[a];
    ASSERT_EQ(channel.columns, builder.columns(a));
    Eigen::MatrixXd all(signals.q().rows(), std::ssize(channel.columns) + 1);
    all << rows[a], signals.effort.col(a);
    Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(all.cols(), all.cols());
    double moving = 0.0;
    for (Eigen::Index i = 0; i < all.rows(); ++i) {
      if (!(std::abs(signals.dq()(i, a)) > signals.still_speed(a))) continue;
      expected += all.row(i).transpose() * all.row(i);
      moving += 1.0;
    }
    EXPECT_EQ(gathered.statistics->movingRows(a), moving);
    EXPECT_LT((gramOf(channel) - expected).norm(), 1e-10 * expected.norm());
  }
}

TEST_F(Accumulate, BlocksAreThoseOfTheTime) {
  const Recordings recordings =
      openRecordings(arm_.robot, {{arm_.log("log.h5", SimulatedArm::shortLog()), ""}}, {}, {});
  const OpenedLog& log = recordings.logs[0];
  const double origin = log.source->plan().clock.origin;
  const LogBlocks blocks{5, 4, 2.0};
  EXPECT_EQ(blockAt(*log.source, blocks, origin), 5);
  EXPECT_EQ(blockAt(*log.source, blocks, origin + 1.98), 5);
  EXPECT_EQ(blockAt(*log.source, blocks, origin + 2.0), 6);
  // The last block includes the remainder
  EXPECT_EQ(blockAt(*log.source, blocks, origin + 100.0), 8);
}

TEST_F(Accumulate, DroppedRowsAreNoted) {
  const Recordings recordings =
      openRecordings(arm_.robot, {{arm_.log("log.h5", SimulatedArm::shortLog()), ""}}, {}, {});
  LogUse use;
  use.counts.not_finite = 3;
  EXPECT_THAT(logNotes(*recordings.logs[0].source, use), Contains("3 rows dropped: NaN or Inf"));
  EXPECT_THAT(logNotes(*recordings.logs[0].source, {}),
              ::testing::Not(Contains(HasSubstr("dropped"))));
}

}  // namespace
}  // namespace dynid
