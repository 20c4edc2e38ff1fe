#include "dynid/dynamics/inverse_dynamics.h"
#include "dynid/model/json.h"
#include "dynid/validation/torque_budget_pass.h"
#include "dynid/validation/validate.h"

#include <gtest/gtest.h>

#include "support/random_robot.h"
#include <filesystem>

namespace dynid {
namespace {

TEST(LinkEfforts, AddUpToTheInverseDynamics) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Robot robot = randomRobot(seed);
    const Eigen::VectorXd pi = priorParameters(robot);
    std::mt19937_64 rng(seed);
    const int n = robot.numJoints();
    const Eigen::VectorXd q = support::vectorX(rng, n, 2.0), dq = support::vectorX(rng, n, 2.0);
    const Eigen::VectorXd ddq = support::vectorX(rng, n, 5.0);
    const Eigen::VectorXd tau = inverseDynamics(robot, pi, q, dq, ddq);
    const Eigen::MatrixXd links = linkEfforts(robot, pi, q, dq, ddq);
    ASSERT_EQ(links.cols(), 3 * robot.numBodies());
    EXPECT_LT((links.rowwise().sum() - tau).norm(), 1e-13 * links.norm()) << "seed " << seed;
  }
}

double sumOfShares(const TorqueBudget& budget, Eigen::Index joint) {
  double sum = 0.0;
  for (const BudgetPart& part : budget.effect) sum += part.share(joint);
  return sum;
}

/// The true parameters on the log simulated with them.
TEST(TorqueBudget, AddsUpOverALog) {
  const std::filesystem::path folder = DYNID_DATASETS_DIR "/quickstart";
  const Model truth = loadModel(folder / "truth.json");
  const ValidationResult result =
      validate(truth, {folder / "heldout.h5"}, {}, {}, {}, {}, {}, true);
  ASSERT_TRUE(result.budget.has_value());
  const TorqueBudget& budget = *result.budget;
  const auto joints = static_cast<Eigen::Index>(budget.joints.size());
  EXPECT_EQ(budget.joints, truth.robot->jointNames());
  EXPECT_EQ(budget.links.size(), truth.robot->bodies.size());
  EXPECT_EQ(budget.samples, result.samples);
  const auto effect = [&](BudgetEffect e) { return budget.effect[static_cast<size_t>(e)]; };
  for (Eigen::Index j = 0; j < joints; ++j) {
    EXPECT_NEAR(sumOfShares(budget, j), 1.0, 1e-12) << budget.joints[static_cast<size_t>(j)];
    // The difference between the log's samples and the conditioned motion is small.
    EXPECT_LT(effect(BudgetEffect::kConditioning).rms(j), 0.01 * budget.total(j));
    for (const BudgetEffect e :
         {BudgetEffect::kInertia, BudgetEffect::kCoupling, BudgetEffect::kGravity}) {
      double links = 0.0;
      for (const auto& link : budget.link_effect) links += link[static_cast<size_t>(e)].share(j);
      EXPECT_NEAR(links, effect(e).share(j), 1e-12);
    }
  }
  // The first axis of the arm is vertical.
  EXPECT_LT(effect(BudgetEffect::kGravity).rms(0), 1e-9);
  EXPECT_GT(effect(BudgetEffect::kGravity).share(1), 0.5);
  EXPECT_GT(effect(BudgetEffect::kFriction).rms.minCoeff(), 0.0);
  EXPECT_FALSE(validate(truth, {folder / "heldout.h5"}).budget.has_value());
}

TEST(TorqueBudget, NeedsTheParts) {
  const Model truth = loadModel(DYNID_DATASETS_DIR "/quickstart/truth.json");
  TorqueBudgetPass pass(truth);
  PredictionBlock block;
  pass.add(block);  // no parts in it
  block.time = Eigen::VectorXd::Zero(1);
  EXPECT_THROW(pass.add(block), std::invalid_argument);
}

}  // namespace
}  // namespace dynid
