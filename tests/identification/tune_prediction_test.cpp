#include "dynid/identification/tune_prediction.h"

#include "dynid/signals/plan.h"

#include <gtest/gtest.h>

#include "support/simulated_log.h"

namespace dynid {
namespace {

struct Tuned {
  std::vector<double> grid;
  PredictionCutoffs cutoffs;
  PredictionCutoffs at_fit;  ///< with the cut-off of the fit only
};

class TunePrediction : public testing::Test {
 protected:
  Tuned tuned(const SimulationOptions& simulation) const {
    const Recordings recordings =
        openRecordings(arm_.robot, {{arm_.log("log.h5", simulation), ""}}, {}, {});
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

  const SimulatedArm arm_{"tune_prediction"};
};

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

}  // namespace
}  // namespace dynid
