#include "dynid/recordings/log_source.h"

#include "dynid/logs/h5_output.h"
#include "dynid/robot/load_robot.h"
#include "dynid/robot/root_body.h"
#include "dynid/simulation/simulate.h"

#include <gtest/gtest.h>

#include "support/changed_rows.h"
#include "support/simulated_log.h"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unistd.h>

namespace dynid {
namespace {

namespace fs = std::filesystem;

/// 150 s of a robot of datasets/ at 1 kHz.
struct SimulatedLog {
  std::shared_ptr<const Robot> robot;
  fs::path path =
      fs::temp_directory_path() / ("dynid_log_source_" + std::to_string(getpid()) + ".h5");

  explicit SimulatedLog(SimulationOptions simulation,
                        const fs::path& description = fs::path("quickstart") / "arm.toml")
      : robot(
            std::make_shared<const Robot>(loadRobot(fs::path(DYNID_DATASETS_DIR) / description))) {
    simulation.motion.duration_s = 150.0;
    simulation.rate_hz = 1000.0;
    simulate(*robot, randomTruth(*robot, 3), simulation, path);
  }
  SimulatedLog(const SimulatedLog&) = delete;
  SimulatedLog& operator=(const SimulatedLog&) = delete;
  ~SimulatedLog() { fs::remove(path); }

  LogSource source() const { return {robot, {path, ""}, RecordingSettings{}}; }
};

// Nothing is filtered: windows are whole blocks or whole parts of a block, and cover the log.
TEST(LogSource, WindowsOfAnExactLogBeginWithItsBlocks) {
  const SimulatedLog log(SimulationOptions{});
  LogSource source = log.source();
  ASSERT_TRUE(source.plan().exact_motion);
  const auto check = [&](double block_s, std::int64_t core) {
    source.setBlocks(block_s);
    const WindowTiling tiling = source.tiling();
    std::int64_t next = 0;
    for (std::int64_t w = 0; w < tiling.windows; ++w) {
      const auto [first, end] = source.windowRows(w, tiling);
      EXPECT_EQ(first, next);
      if (w + 1 < tiling.windows) {
        EXPECT_EQ(end - first, core) << block_s;
      }
      EXPECT_LE(end - first, 3 * core / 2 + 1);
      next = end;
    }
    EXPECT_EQ(next, source.numRows());
  };
  check(2.0, 64000);     // 32 blocks per window
  check(64.0, 64000);    // one block
  check(128.0, 64000);   // half a block
  check(1024.0, 64000);  // a sixteenth
  check(1e-6, 65536);    // shorter than a sample
}

// A window takes no more memory than one of eight joints.
TEST(LogSource, WindowsOfManyJointsHaveFewerRows) {
  const SimulatedLog log(SimulationOptions{}, fs::path("humanoid") / "humanoid.toml");
  ASSERT_EQ(log.robot->numJoints(), 32);
  LogSource source = log.source();
  ASSERT_TRUE(source.plan().exact_motion);
  source.setBlocks(1e-6);
  const WindowTiling tiling = source.tiling();
  EXPECT_EQ(tiling.windows, std::lround(150000.0 / 16384.0));
  const auto [first, end] = source.windowRows(1, tiling);
  EXPECT_NEAR(static_cast<double>(end - first), 16384.0, 0.05 * 16384.0);
}

// Rows are neither filtered nor compressed: half the margin, cores of a length independent of the
// log, no rows left out.
TEST(LogSource, WindowsOfMotionAloneAreShortAndTileTheLog) {
  SimulationOptions noisy;
  noisy.effort_noise_relative = 0.02;
  noisy.encoder_step = 1e-4;
  const SimulatedLog log(noisy);
  const LogSource source = log.source();
  const SignalPlan& plan = source.plan();
  ASSERT_FALSE(plan.exact_motion);
  const WindowTiling all = source.tiling(), motion = source.tiling(plan.cutoff_hz, true);
  EXPECT_LT(motion.margin_s, 0.7 * all.margin_s);
  EXPECT_EQ(motion.margin_s, plan.motionMargin(plan.cutoff_hz));
  EXPECT_LT(source.tiling(0.5 * plan.cutoff_hz, true).margin_s, 2.5 * motion.margin_s);
  EXPECT_GT(source.tiling(0.5 * plan.cutoff_hz, true).margin_s, motion.margin_s);
  std::int64_t next = 0;
  for (std::int64_t w = 0; w < motion.windows; ++w) {
    const auto [first, end] = source.windowRows(w, motion);
    EXPECT_EQ(first, next);
    EXPECT_GT(end, first);
    next = end;
  }
  EXPECT_EQ(next, source.numRows());
}

// A part is cut off because it is faulty: no filter may carry the fault into the rest.
TEST(LogSource, RowsBeyondARangeHaveNoEffect) {
  SimulationOptions noisy;
  noisy.encoder_step = 1e-4;
  const SimulatedLog log(noisy);
  RecordingSettings settings;
  settings.cutoff_hz = 5.0;
  settings.from_s = 20.0;
  settings.to_s = 30.0;
  const auto read = [&] {
    const LogSource range(log.robot, {log.path, ""}, settings);
    return range.conditionWindow(range.readWindow(20000, 30000, range.tiling().margin_s), false);
  };
  const ActuatorSignals right = read();
  changeRows(log.path, "position", [](Eigen::MatrixXd& q) {
    q.topRows(20000).array() -= 0.5;
    q.bottomRows(q.rows() - 30001).array() += 0.5;
  });
  const ActuatorSignals beside_faults = read();
  ASSERT_EQ(right.joint.time.size(), 10000);
  EXPECT_GT(right.joint.dq.row(0).cwiseAbs().maxCoeff(), 0.01);
  EXPECT_EQ(beside_faults.joint.q, right.joint.q);
  EXPECT_EQ(beside_faults.joint.ddq, right.joint.ddq);
}

// Exact stamps and such that jitter take different ways through the clock.
TEST(LogSource, DecisionsAboutALogDoNotDependOnTheThreads) {
  for (const double jitter_s : {0.0, 2e-4}) {
    SimulationOptions noisy;
    noisy.clock_jitter_s = jitter_s;
    noisy.encoder_step = 1e-4;
    noisy.effort_noise_relative = 0.02;
    const SimulatedLog log(noisy);
    RecordingSettings settings;
    const LogSource one(log.robot, {log.path, ""}, settings);
    settings.threads = 3;
    const LogSource three(log.robot, {log.path, ""}, settings);
    const SignalPlan &a = one.plan(), &b = three.plan();
    EXPECT_EQ(a.clock.reason, b.clock.reason);
    EXPECT_EQ(a.clock.step, b.clock.step);
    EXPECT_EQ(a.clock.jitter, b.clock.jitter);
    EXPECT_EQ(a.clock.roughness_gain, b.clock.roughness_gain);
    EXPECT_EQ(a.clock.noise, b.clock.noise);
    EXPECT_EQ(a.clock.resolution, b.clock.resolution);
    EXPECT_EQ(a.cutoff_hz, b.cutoff_hz);
    EXPECT_EQ(a.position_noise, b.position_noise);
    EXPECT_EQ(a.still_speed, b.still_speed);
    ASSERT_EQ(std::ssize(a.velocity_delay), log.robot->numJoints());
    for (size_t j = 0; j < a.velocity_delay.size(); ++j) {
      EXPECT_EQ(a.velocity_delay[j].lag, b.velocity_delay[j].lag);
      EXPECT_EQ(a.velocity_delay[j].correlation, b.velocity_delay[j].correlation);
    }
    EXPECT_EQ(one.motionPeriodS(), three.motionPeriodS());
    ASSERT_EQ(one.findings().size(), three.findings().size());
    for (size_t i = 0; i < one.findings().size(); ++i)
      EXPECT_EQ(one.findings()[i].message, three.findings()[i].message);
  }
}

// A range of 18 rad is beyond two turns, which robots with limits usually have.
TEST(LogSource, PositionsWithinWideLimitsAreNotInDegrees) {
  const SimulatedArm arm("wide_limits");
  const fs::path log = arm.log("log.h5", SimulatedArm::shortLog());
  Eigen::RowVectorXd factor;
  changeRows(log, "position", [&](Eigen::MatrixXd& q) {
    const Eigen::RowVectorXd low = q.colwise().minCoeff(), high = q.colwise().maxCoeff();
    factor = 18.0 / (high - low).array();
    q.rowwise() -= 0.5 * (low + high);
    q *= factor.asDiagonal();
  });
  changeRows(log, "velocity", [&](Eigen::MatrixXd& dq) { dq *= factor.asDiagonal(); });
  const auto refused = [&](double lower, double upper, bool continuous) {
    Robot robot = *arm.robot;
    for (Joint& joint : robot.joints) {
      joint.continuous = continuous;
      joint.limits.lower = lower;
      joint.limits.upper = upper;
    }
    const LogSource source(std::make_shared<const Robot>(robot), {log, ""}, {});
    return std::any_of(source.findings().begin(), source.findings().end(), [](const Finding& f) {
      return f.code == "position-degrees";
    });
  };
  EXPECT_FALSE(refused(-9.5, 9.5, false));
  EXPECT_FALSE(refused(-62.83, 62.83, false));
  EXPECT_FALSE(refused(-kInfinity, kInfinity, true));
  EXPECT_TRUE(refused(-3.0, 3.0, false));
  EXPECT_TRUE(refused(-kInfinity, kInfinity, false));
  EXPECT_TRUE(refused(-170.0, 170.0, false));  // limits that look like degrees themselves
}

/// A log of an arm on a base that moves.
struct MovingBase {
  const SimulatedArm arm{"moving_base"};
  std::shared_ptr<const Robot> floating;
  fs::path log;

  MovingBase() {
    Robot robot = *arm.robot;
    robot.floating_base = true;
    robot = withRootBody(robot);
    SimulationOptions simulation = SimulatedArm::shortLog();
    simulation.base_frame = "body";
    log = arm.log("log.h5", SimulatedArm::shortLog());
    simulate(robot, randomTruth(robot, 3), simulation, log);
    floating = std::make_shared<const Robot>(std::move(robot));
  }
};

TEST(LogSource, ARowWithoutAPoseDoesNotHideThatAFixedBaseTurns) {
  const MovingBase base;
  loseRows(base.log, "base/pose", 0, 1);
  const std::vector<Finding> findings = LogSource(base.arm.robot, {base.log, ""}, {}).findings();
  EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.code == "base-moves";
  }));
}

TEST(LogSource, RowsWithoutTheMotionOfAFloatingBaseAreDropped) {
  const MovingBase base;
  loseRows(base.log, "base/twist", 300, 400);
  const LogSource source(base.floating, {base.log, ""}, {});
  const auto finding = std::find_if(source.findings().begin(),
                                    source.findings().end(),
                                    [](const Finding& f) { return f.code == "not-finite"; });
  ASSERT_NE(finding, source.findings().end());
  EXPECT_NE(finding->message.find("most in the motion of the base (base/pose, base/twist) in 100 "
                                  "rows; they were left out"),
            std::string::npos)
      << finding->message;
  const ActuatorSignals whole = source.readWhole();
  EXPECT_EQ(whole.counts.not_finite, 100);
  EXPECT_EQ(whole.joint.segments.size(), 2U);
}

}  // namespace
}  // namespace dynid
