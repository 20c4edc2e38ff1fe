#include "dynid/signals/audit.h"
#include "dynid/signals/condition.h"
#include "dynid/signals/resample.h"

#include <gtest/gtest.h>

#include "real_log.h"
#include "support/speed_dip.h"
#include <map>
#include <set>
#include <string>

namespace dynid {
namespace {

using Eigen::Index;

class RealLogs : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string(DYNID_REAL_DATA_DIR).empty())
      GTEST_SKIP() << "no real logs (DYNID_REAL_DATA_DIR)";
  }

  static RawSignals read(const std::string& name) {
    return readRealLog(std::string(DYNID_REAL_DATA_DIR) + "/" + name);
  }
  static SignalPlan planOf(const RawSignals& log) { return planSignals({&log, 1}, {}); }
  static std::set<std::string> codesOf(const RawSignals& log) { return codesOf(log, planOf(log)); }
  static std::set<std::string> codesOf(const RawSignals& log, const SignalPlan& plan) {
    std::set<std::string> codes;
    for (const Finding& finding : auditSignals({&log, 1}, plan, {})) codes.insert(finding.code);
    return codes;
  }
};

TEST_F(RealLogs, PandaTicksAreWholeMillisecondsUnderJitteredStamps) {
  const RawSignals log = read("panda/train_a_0_8p5s.h5");
  const SignalPlan plan = planOf(log);
  EXPECT_EQ(plan.clock.kind, ClockKind::kQuantised);
  EXPECT_NEAR(plan.clock.step, 1e-3, 1e-7);
  EXPECT_GT(plan.clock.roughness_gain, 10.0);
  EXPECT_NEAR(plan.clock.repeated_fraction, 0.06, 0.01);
  for (const DelayEstimate& delay : plan.velocity_delay) {
    EXPECT_NEAR(delay.lag, 0.005, 0.001);
    EXPECT_GT(delay.correlation, 0.99);
  }
  const std::set<std::string> codes = codesOf(log, plan);
  EXPECT_TRUE(codes.contains("clock-quantised"));
  EXPECT_TRUE(codes.contains("velocity-lag"));
}

TEST_F(RealLogs, TiagoVelocitiesAreLateByATenthOfASecondAndMore) {
  const RawSignals log = read("tiago/train_0_44s.h5");
  const SignalPlan plan = planOf(log);
  EXPECT_EQ(plan.clock.kind, ClockKind::kJittered);
  EXPECT_NEAR(plan.clock.step, 0.01, 1e-6);
  for (const DelayEstimate& delay : plan.velocity_delay) {
    EXPECT_GT(delay.lag, 0.14);
    EXPECT_LT(delay.lag, 0.21);
  }
  const std::set<std::string> codes = codesOf(log, plan);
  EXPECT_TRUE(codes.contains("velocity-lag"));
  EXPECT_TRUE(codes.contains("effort-coarse"));
}

TEST_F(RealLogs, RepeatedRowsAreFoundWhereTheyAreAndNowhereElse) {
  const std::map<std::string, double> expected{{"lwa3/train_traj1.h5", 0.2},
                                               {"lwa3/heldout_traj2.h5", 0.21},
                                               {"dvrk_mtm/train_one.h5", 0.148},
                                               {"dvrk_mtm/heldout_two.h5", 0.132},
                                               {"dvrk_psm/train_one.h5", 0.0},
                                               {"tx40/train_a_0_3s.h5", 0.0},
                                               {"tx40/heldout_3_5p5s.h5", 0.0},
                                               {"kr300/train_A.h5", 0.0},
                                               {"xmate7p/train_traj1.h5", 0.0},
                                               {"ur10e/train_12harm30s.h5", 0.0},
                                               {"tiago/heldout_44_59s.h5", 0.0}};
  for (const auto& [name, share] : expected) {
    const SignalPlan plan = planOf(read(name));
    EXPECT_NEAR(plan.clock.repeated_fraction, share, 0.02) << name;
    EXPECT_EQ(plan.clock.drop_repeated, share > 0.0) << name;
  }
}

TEST_F(RealLogs, Ur10eStampsAlternateAndAreRight) {
  const SignalPlan plan = planOf(read("ur10e/train_12harm30s.h5"));
  EXPECT_EQ(plan.clock.kind, ClockKind::kIrregular);
  EXPECT_NEAR(plan.dt, 0.01065, 1e-4);
}

TEST_F(RealLogs, CutOffsAreAboveTheMotionAndInTheBandOthersUsed) {
  // Cut-offs [Hz] that other authors chose for the same logs; agreement within a factor of three is
  // expected.
  const std::map<std::string, double> others{{"ur10e/train_12harm30s.h5", 5.0},
                                             {"panda/train_a_0_8p5s.h5", 8.0},
                                             {"tx40/train_a_0_3s.h5", 60.0},
                                             {"kr300/train_A.h5", 6.0},
                                             {"xmate7p/train_traj1.h5", 2.0},
                                             {"lwa3/train_traj1.h5", 3.0},
                                             {"tiago/train_0_44s.h5", 3.0},
                                             {"dvrk_mtm/train_one.h5", 3.0},
                                             {"dvrk_psm/train_one.h5", 5.4}};
  for (const auto& [name, hertz] : others) {
    const SignalPlan plan = planOf(read(name));
    EXPECT_GT(plan.cutoff_hz, hertz / 3.0) << name;
    EXPECT_LT(plan.cutoff_hz, hertz * 3.0) << name;
    EXPECT_LE(plan.cutoff_hz, 0.2 * plan.rateHz()) << name;
  }
}

TEST_F(RealLogs, ADipOfTheSpeedIsFoundAndHardlyMovesTheCutOff) {
  struct Case {
    const char* log;
    double at_s;
  };
  for (const Case& dip : {Case{"panda/train_b_13p2_21s.h5", 4.0},
                          Case{"tx40/train_a_0_3s.h5", 0.8},
                          Case{"tx40/train_a_0_3s.h5", 1.5},
                          Case{"dvrk_psm/train_one.h5", 10.0},
                          Case{"kr300/train_A.h5", 4.0}}) {
    RawSignals log = read(dip.log);
    const double untouched = planOf(log).cutoff_hz;
    const Index rows = log.rows();
    const double start = log.time(0), interval = (log.time(rows - 1) - start) / (rows - 1.0);
    Eigen::VectorXd late(rows);
    for (Index k = 0; k < rows; ++k) {
      const auto row = static_cast<double>(k);
      late(k) = row - latenessByDip(row * interval, dip.at_s, 0.06, 0.7) / interval;
    }
    const Eigen::VectorXd knots = Eigen::VectorXd::LinSpaced(rows, 0.0, rows - 1.0);
    log.position = splineAt(knots, log.position, late);
    log.velocity.resize(0, 0);
    log.acceleration.resize(0, 0);
    const SignalPlan plan = planOf(log);
    ASSERT_EQ(plan.interruptions.size(), 1U) << dip.log << " " << dip.at_s;
    EXPECT_NEAR(plan.interruptions[0].begin - start, dip.at_s, 0.1) << dip.log;
    EXPECT_NEAR(plan.cutoff_hz, untouched, 0.2 * untouched) << dip.log;
  }
}

TEST_F(RealLogs, AuditNamesWhatTheirOwnersKnow) {
  EXPECT_TRUE(codesOf(read("kr300/train_A.h5")).contains("velocity-lag"));
  EXPECT_TRUE(codesOf(read("lwa3/train_traj1.h5")).contains("repeated-rows"));
  EXPECT_TRUE(codesOf(read("ur10e/extra_static_pose_p03.h5")).contains("no-motion"));
  EXPECT_TRUE(codesOf(read("ur10e/extra_jointwise_6.h5")).contains("joint-still"));
  EXPECT_TRUE(codesOf(read("tx40/train_a_0_3s.h5")).empty());
  EXPECT_TRUE(codesOf(read("dvrk_psm/train_one.h5")).empty());
}

TEST_F(RealLogs, EveryRowIsAccountedForAndHasATime) {
  for (const char* name : {"panda/heldout_8p5_13p2s.h5",
                           "lwa3/heldout_traj2.h5",
                           "ur10e/heldout_12harm50s.h5",
                           "dvrk_mtm/heldout_two.h5"}) {
    const RawSignals log = read(name);
    const ConditionedSignals signals = condition(log, planOf(log));
    const RowCounts& c = signals.counts;
    EXPECT_EQ(c.read, log.rows()) << name;
    EXPECT_EQ(c.kept + c.not_finite + c.backward + c.duplicate_time + c.repeated + c.short_segment,
              c.read)
        << name;
    EXPECT_TRUE(signals.row_time.allFinite()) << name;
    EXPECT_LT((signals.row_time - log.time).cwiseAbs().maxCoeff(), 0.02) << name;
    EXPECT_TRUE(signals.ddq.allFinite() && signals.effort.allFinite()) << name;
  }
}

}  // namespace
}  // namespace dynid
