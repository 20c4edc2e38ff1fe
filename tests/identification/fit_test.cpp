#include "dynid/identification/fit.h"

#include <gtest/gtest.h>

#include "support/simulated_log.h"
#include <algorithm>

namespace dynid {
namespace {

class FitModel : public ::testing::Test {
 protected:
  FitModel() {
    SimulationOptions simulation = SimulatedArm::shortLog();
    simulation.motion.duration_s = 16.0;
    recordings_ = openRecordings(arm_.robot, {{arm_.log("log.h5", simulation), ""}}, {}, {});
    regression_ = gather(recordings_, arm_.effects(), arm_.options());
    truth_ = translated({arm_.truth.layout, arm_.truth.parameters}, regression_.layout());
  }

  /// ||E (parameters - truth)|| / ||E truth|| over base parameters.
  double errorOf(const Eigen::VectorXd& parameters) const {
    const Eigen::MatrixXd E = regression_.base.combination();
    return (E * (parameters - truth_)).norm() / (E * truth_).norm();
  }

  const SimulatedArm arm_{"fit_model"};
  Recordings recordings_;
  Regression regression_;
  Eigen::VectorXd truth_;
};

TEST_F(FitModel, ALogWithoutNoiseGivesTheTruth) {
  const Fit fit = fitModel(recordings_, regression_, {});
  EXPECT_TRUE(fit.consistent.result.converged) << fit.consistent.result.reason;
  EXPECT_LT(errorOf(fit.parameters), 1e-4);
  EXPECT_EQ(fit.estimate.columns, fittedColumns(regression_, fit.choice));
}

TEST_F(FitModel, EveryFoldIsLeftOutOnceAndGivesTheTruthToo) {
  const Fit fit = fitModel(recordings_, regression_, {});
  const FoldFits folds = fitFolds(recordings_, regression_, fit, 4, {});
  ASSERT_EQ(folds.parameters.size(), 4u);
  ASSERT_EQ(std::ssize(folds.fold_of_block), regression_.statistics->numBlocks());
  EXPECT_TRUE(std::is_sorted(folds.fold_of_block.begin(), folds.fold_of_block.end()));
  EXPECT_EQ(folds.fold_of_block.back(), 3);
  for (const Eigen::VectorXd& parameters : folds.parameters) {
    EXPECT_LT(errorOf(parameters), 1e-3);
    EXPECT_NE(parameters, folds.parameters.front() * 1.5);
  }
  EXPECT_NE(folds.parameters[0], folds.parameters[1]);
}

// At random states a sign model may be a combination of others, with large entries. A fit must not
// use friction through them that was not selected: the noise and the weights of the next fit, and
// thereby its selection, would be wrong.
TEST(FitModelWithCandidates, SelectsTheTrueFrictionAndNothingElse) {
  SimulatedArm arm("fit_candidates");
  Robot automatic = *arm.robot;
  for (Drive& drive : automatic.drives) drive.automatic_friction = true;
  arm.robot = std::make_shared<const Robot>(automatic);
  constexpr double kSmoothing = 0.3;
  std::vector<Column> columns = arm.truth.layout.columns();
  for (Column& column : columns)
    if (column.isFriction(FrictionEffect::kCoulomb)) column.smoothing = kSmoothing;
  arm.truth.layout = ParameterLayout(columns);
  SimulationOptions simulation = SimulatedArm::shortLog();
  simulation.motion.duration_s = 30.0;
  simulation.effort_noise_relative = 0.02;
  const Recordings recordings =
      openRecordings(arm.robot, {{arm.log("log.h5", simulation), ""}}, {}, {});
  const Regression regression = gather(recordings, arm.effects(), arm.options());
  const Fit fit = fitModel(recordings, regression, {});
  for (int a = 0; a < arm.robot->numJoints(); ++a) {
    const int chosen = regression.candidates.sign_models[a][fit.choice.sign_model[a]];
    EXPECT_EQ(regression.layout()[chosen].smoothing, kSmoothing) << arm.robot->drives[a].name;
    EXPECT_TRUE(fit.choice.optional[a].empty()) << arm.robot->drives[a].name;
  }
  for (const int candidate : candidateColumns(regression.candidates)) {
    if (!std::ranges::binary_search(fit.estimate.columns, candidate))
      EXPECT_EQ(fit.parameters(candidate), 0.0) << regression.layout()[candidate].name;
  }
}

// Bounds that contradict each other: the result is the least-squares fit.
TEST_F(FitModel, WhereTheConsistentFitFailsLeastSquaresStands) {
  Robot contradictory = *arm_.robot;
  contradictory.bodies[2].bounds.mass = {{1.0, 1e-6}};
  Recordings recordings = recordings_;
  recordings.robot = std::make_shared<const Robot>(contradictory);
  const Fit fit = fitModel(recordings, regression_, {});
  EXPECT_EQ(fit.consistent.parameters.size(), 0);
  ASSERT_EQ(fit.parameters.size(), regression_.layout().size());
  EXPECT_LT(errorOf(fit.parameters), 1e-4);
}

TEST(Translated, ParametersFollowTheirColumns) {
  const SimulatedArm arm("translated");
  ParameterLayout from;
  from.append(frictionColumn(*arm.robot, 1, FrictionEffect::kViscous));
  from.append(frictionColumn(*arm.robot, 0, FrictionEffect::kCoulomb));
  ParameterLayout to;
  to.append(frictionColumn(*arm.robot, 0, FrictionEffect::kCoulomb));
  to.append(frictionColumn(*arm.robot, 2, FrictionEffect::kViscous));
  to.append(frictionColumn(*arm.robot, 1, FrictionEffect::kViscous));
  const Eigen::VectorXd values = translated({from, Eigen::Vector2d(3.0, 5.0)}, to);
  EXPECT_EQ(values, Eigen::Vector3d(5.0, 0.0, 3.0));
}

}  // namespace
}  // namespace dynid
