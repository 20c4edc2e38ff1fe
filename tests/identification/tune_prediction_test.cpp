#include "dynid/identification/tune_prediction.h"

#include "dynid/logs/log_reader.h"
#include "dynid/logs/log_writer.h"
#include "dynid/signals/plan.h"
#include "dynid/signals/resample.h"

#include <gtest/gtest.h>

#include "support/simulated_log.h"
#include "support/speed_dip.h"
#include <algorithm>
#include <cmath>
#include <filesystem>

namespace dynid {
namespace {

struct Tuned {
  std::vector<double> grid;
  PredictionCutoffs cutoffs;
  PredictionCutoffs at_fit;  ///< with the cut-off of the fit only
};

class TunePrediction : public ::testing::Test {
 protected:
  Tuned tuned(const SimulationOptions& simulation) const {
    return tuned(arm_.log("log.h5", simulation));
  }
  Tuned tuned(const std::filesystem::path& log) const {
    const Recordings recordings = openRecordings(arm_.robot, {{log, ""}}, {}, {});
    const Regression regression = gather(recordings, arm_.effects(), arm_.options());
    const Fit fit = fitModel(recordings, regression, {});
    Tuned result;
    result.grid = cutoffGrid(recordings);
    const auto tune = [&](const std::vector<double>& grid) {
      return tunePrediction(recordings, regression, fit, grid, arm_.options(), {});
    };
    result.cutoffs = tune(result.grid);
    result.at_fit = tune({recordings.logs[0].source->plan().cutoff_hz});
    return result;
  }

  static SimulationOptions noisy(double fundamental_hz) {
    SimulationOptions simulation = SimulatedArm::shortLog();
    simulation.motion.duration_s = 20.0;
    simulation.motion.fundamental_hz = fundamental_hz;
    simulation.motion.harmonics = 5;
    simulation.rate_hz = 500.0;
    simulation.encoder_step = 7.67e-4;  // 13 bits
    simulation.velocity = false;
    simulation.effort_noise_relative = 0.01;
    return simulation;
  }

  /// A copy of the log in which the speed of all joints dips by 70 % within 60 ms and rebounds,
  /// from `at` [s] on. The efforts stay as they are.
  static std::filesystem::path withDip(const std::filesystem::path& path, double at) {
    const LogReader reader(path);
    RawBlock block;
    reader.read(0, reader.info().rows, block);
    const Eigen::VectorXd warped = block.time.unaryExpr(
        [&](double t) { return t - latenessByDip(t - block.time(0), at, 0.06, 0.7); });
    block.position = splineAt(block.time, block.position, warped);
    LogHeader header;
    header.joint_names = reader.joints();
    header.prismatic = reader.prismatic();
    header.has_velocity = false;
    header.effort_kind = reader.info().effort_kind;
    std::filesystem::path changed = path.parent_path() / "dip.h5";
    LogWriter writer(changed, header);
    writer.append(block);
    writer.finish();
    return changed;
  }

  const SimulatedArm arm_{"tune_prediction"};
};

// Where the motion is interrupted, positions and efforts do not belong together: a lower cut-off
// would predict these rows better and all others worse. The cut-offs may change by one octave, by
// two where the rows of the interruption are used.
TEST_F(TunePrediction, AnInterruptionDoesNotLowerTheCutoffs) {
  SimulationOptions simulation = noisy(0.4);
  simulation.encoder_step = 1e-5;
  simulation.effort_noise_relative = 0.05;
  const std::filesystem::path log = arm_.log("log.h5", simulation);
  const Tuned whole = tuned(log), interrupted = tuned(withDip(log, 10.0));
  ASSERT_EQ(interrupted.grid.size(), whole.grid.size());
  EXPECT_NEAR(interrupted.grid.front(), whole.grid.front(), 0.1 * whole.grid.front());
  for (Eigen::Index a = 0; a < whole.cutoffs.rigid.size(); ++a)
    EXPECT_GE(2.0 * interrupted.cutoffs.rigid(a) / interrupted.grid.front(),
              whole.cutoffs.rigid(a) / whole.grid.front())
        << "actuator " << a;
}

// Motion with frequencies up to five times the fundamental, measured by a coarse encoder: the
// cut-off for accelerations must be above all of them, and not much higher.
TEST_F(TunePrediction, CutoffsFollowTheBandwidthOfTheMotion) {
  const Tuned slow = tuned(noisy(0.1)), fast = tuned(noisy(0.4));
  for (const auto& [found, highest] : {std::pair{slow, 0.5}, std::pair{fast, 2.0}}) {
    EXPECT_GE(found.cutoffs.rigid.minCoeff(), highest);
    EXPECT_LE(found.cutoffs.rigid.head(3).maxCoeff(), 20.0 * highest);  // the heavy joints
  }
  EXPECT_GT(fast.cutoffs.rigid.head(3).mean(), slow.cutoffs.rigid.head(3).mean());
}

TEST_F(TunePrediction, NeverPredictsWorseThanTheFitsOwnCutoff) {
  const Tuned found = tuned(noisy(0.2));
  for (Eigen::Index a = 0; a < found.cutoffs.r2.size(); ++a) {
    EXPECT_GE(found.cutoffs.r2(a), found.at_fit.r2(a) - 1e-9) << "actuator " << a;
    EXPECT_LE(found.cutoffs.r2(a), 1.0);
  }
}

TEST_F(TunePrediction, AMotionWithoutNoiseIsNotFiltered) {
  const Tuned found = tuned(SimulatedArm::shortLog());
  EXPECT_EQ(found.grid.size(), 1u);
  EXPECT_GT(found.cutoffs.r2.minCoeff(), 0.99);
}

TEST_F(TunePrediction, TheGridStaysBelowAFifthOfTheRate) {
  const Tuned found = tuned(noisy(0.4));
  EXPECT_TRUE(std::is_sorted(found.grid.begin(), found.grid.end()));
  EXPECT_LE(found.grid.back(), 0.2 * 500.0 + 1e-9);
  for (size_t i = 1; i < found.grid.size(); ++i)
    EXPECT_DOUBLE_EQ(found.grid[i], 2.0 * found.grid[i - 1]);
}

// The smallest error is far from the cut-off of the fit, but no better than one nearby.
TEST(NearestCutoffs, MoveOnlyAsFarAsItPays) {
  Eigen::Matrix3d errors;
  errors << 0.898, 0.950, 0.990,  //
      0.897, 0.899, 0.901,        //
      0.960, 0.940, 1.000;
  const CutoffPair found = nearestGoodCutoffs(errors, 2);
  EXPECT_EQ(found.rigid, 1);
  EXPECT_EQ(found.friction, 2);
}

TEST(NearestCutoffs, AreThoseOfTheFitIfNoOthersPay) {
  Eigen::Matrix3d errors = Eigen::Matrix3d::Constant(0.996);
  errors(1, 1) = 1.0;
  const CutoffPair found = nearestGoodCutoffs(errors, 1);
  EXPECT_EQ(found.rigid, 1);
  EXPECT_EQ(found.friction, 1);
}

}  // namespace
}  // namespace dynid
