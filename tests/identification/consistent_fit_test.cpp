#include "dynid/identification/consistent_fit.h"

#include "dynid/robot/load_robot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

namespace dynid {
namespace {

BaseParameters fourColumns() {
  BaseParameters base;
  base.columns = 4;
  base.rank = 2;
  base.independent = {0, 2};
  base.dependent = {1, 3};
  base.K.resize(2, 2);
  base.K << 5.0, 6.0, 7.0, 8.0;
  return base;
}

TEST(CombinationOf, IndependentColumnsTakeTheirRowsOfTheBase) {
  Eigen::MatrixXd expected(2, 4);
  expected << 1.0, 5.0, 0.0, 6.0, 0.0, 7.0, 1.0, 8.0;
  EXPECT_EQ(combinationOf(fourColumns(), {0, 2}), expected);
  EXPECT_EQ(combinationOf(fourColumns(), {2}), expected.bottomRows(1));
}

TEST(CombinationOf, ADependentColumnOfTheEstimateStandsForItself) {
  Eigen::MatrixXd between(3, 4);
  between << 1.0, 0.0, 0.0, 6.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 8.0;
  EXPECT_EQ(combinationOf(fourColumns(), {0, 1, 2}), between);
  Eigen::MatrixXd behind_all(2, 4);  // no independent column follows; reading one was out of bounds
  behind_all << 1.0, 5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0;
  EXPECT_EQ(combinationOf(fourColumns(), {0, 3}), behind_all);
}

// For any parameters that the columns of the estimate can represent, the combination gives the same
// effort.
TEST(CombinationOf, PredictsTheSameEffortAsTheFullRegressor) {
  const BaseParameters base = fourColumns();
  Eigen::MatrixXd rows = Eigen::MatrixXd::Random(12, 4);
  rows.col(1) = rows(Eigen::all, base.independent) * base.K.col(0);
  const Eigen::VectorXd parameters = Eigen::Vector4d(0.3, -0.7, 0.2, 0.0);
  for (const std::vector<int>& columns : {std::vector<int>{0, 2}, std::vector<int>{0, 1, 2}}) {
    const Eigen::MatrixXd seen = rows(Eigen::all, columns);
    EXPECT_LT((seen * combinationOf(base, columns) * parameters - rows * parameters).norm(), 1e-14);
  }
}

// The quickstart arm with one bound of every kind, and rows that say nothing special.
struct BoundedArm {
  BoundedArm() {
    robot.bodies[0].bounds.mass = {1.0, 2.0};
    robot.bodies[0].bounds.com_box = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Ones()};
    robot.bodies[0].bounds.ellipsoid = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Ones()};
    robot.total_mass = {10.0, 20.0};
    for (int c = 0; c < layout.size(); ++c) estimate.columns.push_back(c);
    estimate.R = Eigen::MatrixXd::Random(2L * layout.size(), layout.size());
    estimate.z = Eigen::VectorXd::Random(estimate.R.rows());
  }
  ConsistentProblem problem(const std::vector<Payload>& payloads, bool scale_known) const {
    const Eigen::MatrixXd E = Eigen::MatrixXd::Identity(layout.size(), layout.size());
    return consistentProblem(robot, layout, E, estimate, payloads, scale_known);
  }

  Robot robot = loadRobot(std::filesystem::path(DYNID_DATASETS_DIR) / "quickstart" / "arm.toml");
  ParameterLayout layout = inertialLayout(robot);
  Estimate estimate;
};

TEST(ConsistentProblem, WithoutAScaleOnlyBoundsInKilogramsAreLeftOut) {
  using ::testing::Contains;
  using ::testing::HasSubstr;
  using ::testing::Not;
  const BoundedArm arm;
  const std::vector<std::string> all = arm.problem({}, true).problem.bound_names;
  const std::vector<std::string> rest = arm.problem({}, false).problem.bound_names;
  for (const char* name : {"com x upper", "ellipsoid"}) {
    EXPECT_THAT(all, Contains(HasSubstr(name)));
    EXPECT_THAT(rest, Contains(HasSubstr(name)));
  }
  EXPECT_THAT(all, Contains(HasSubstr("mass")));
  EXPECT_THAT(rest, Not(Contains(HasSubstr("mass"))));
}

// The drive inertia of a braked joint came out as 2.9e8 kg m^2.
TEST(ConsistentProblem, AScalarThatTheLogsDoNotSeeIsZero) {
  BoundedArm arm;
  for (const int drive : {0, 1})
    arm.layout.append(frictionColumn(arm.robot, drive, FrictionEffect::kViscous, 0.1));
  const Eigen::Index size = arm.layout.size();
  arm.estimate.R = Eigen::MatrixXd::Random(2 * size, size);
  arm.estimate.R.col(size - 1) *= 1e-9;
  arm.estimate.z = arm.estimate.R.col(size - 2) + 1e9 * arm.estimate.R.col(size - 1);
  arm.robot.bodies[0].bounds = {};
  arm.robot.total_mass.reset();
  const ConsistentFit fit = fitConsistently(
      arm.robot, arm.layout, Eigen::MatrixXd::Identity(size, size), arm.estimate, {}, true, {});
  ASSERT_TRUE(fit.result.feasible);
  EXPECT_GT(fit.parameters(size - 2), 0.1);
  EXPECT_EQ(fit.parameters(size - 1), 0.0);
}

// With the Coulomb friction of a drive its Stribeck curve is at most three times as high.
TEST(ConsistentProblem, TheHeightOfAStribeckCurveIsBounded) {
  BoundedArm arm;
  for (const FrictionEffect effect : {FrictionEffect::kCoulomb, FrictionEffect::kStribeck})
    arm.layout.append(frictionColumn(arm.robot, 1, effect, 0.1));
  const Eigen::Index size = arm.layout.size();
  arm.estimate.R = Eigen::MatrixXd::Random(2 * size, size);
  // The fit asks for ten times the Coulomb friction.
  arm.estimate.z = arm.estimate.R.col(size - 2) + 10.0 * arm.estimate.R.col(size - 1);
  arm.robot.bodies[0].bounds = {};
  arm.robot.total_mass.reset();
  const ConsistentFit fit = fitConsistently(
      arm.robot, arm.layout, Eigen::MatrixXd::Identity(size, size), arm.estimate, {}, true, {});
  ASSERT_TRUE(fit.result.feasible);
  for (const Eigen::VectorXd& parameters : {fit.first_stage, fit.parameters}) {
    EXPECT_GT(parameters(size - 1), 1.0);
    EXPECT_NEAR(parameters(size - 1) / parameters(size - 2), 3.0, 1e-2);
    EXPECT_LE(parameters(size - 1), (3.0 + 1e-6) * parameters(size - 2));
  }
  const std::string name = kStribeckBound + arm.robot.drives[1].name;
  EXPECT_TRUE(std::any_of(
      fit.result.bounds.begin(), fit.result.bounds.end(), [&](const BoundReport& bound) {
        return bound.name == name && bound.active;
      }));
}

// What a payload does not state is that of least squares in its prior.
TEST(ConsistentProblem, ThePriorOfAnUnknownPayloadIsNearLeastSquares) {
  BoundedArm arm;
  Payload payload;
  payload.name = "payload";
  payload.placement.body = arm.robot.numBodies() - 1;
  std::vector<Payload> payloads = appendPayloadColumns({payload}, arm.layout);
  const int first = payloads[0].placement.first_column;
  arm.estimate.columns.clear();
  for (int c = 0; c < arm.layout.size(); ++c) arm.estimate.columns.push_back(c);
  arm.estimate.R = 1e3 * Eigen::MatrixXd::Random(2L * arm.layout.size(), arm.layout.size());
  Eigen::VectorXd truth = Eigen::VectorXd::Random(arm.layout.size());
  truth.segment<4>(first) << 30.0, 12.0, 0.0, -3.0;
  arm.estimate.z = arm.estimate.R * truth;
  const auto prior = [&](bool scale_known) -> Eigen::Vector4d {
    return arm.problem(payloads, scale_known).problem.prior.back().head<4>();
  };
  EXPECT_LT((prior(true) - truth.segment<4>(first)).norm(), 1e-6);
  EXPECT_LT((prior(false) - Eigen::Vector4d(1.0, 0.0, 0.0, 0.05)).norm(), 1e-12);
  payloads[0].known(0) = 20.0;
  EXPECT_LT((prior(true) - Eigen::Vector4d(20.0, 12.0, 0.0, -3.0)).norm(), 1e-6);
  payloads[0].known(0) = std::nan("");
  arm.estimate.R.middleCols(first, 2).setZero();  // no row tells the mass and the first moment
  arm.estimate.z = arm.estimate.R * truth;
  EXPECT_LT((prior(true) - Eigen::Vector4d(1.0, 0.0, 0.0, -3.0)).norm(), 1e-6);
}

}  // namespace
}  // namespace dynid
