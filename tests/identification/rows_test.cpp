#include "dynid/identification/rows.h"

#include "dynid/estimation/least_squares.h"

#include <gtest/gtest.h>

#include "identification/exact_rows.h"
#include "support/random_robot.h"
#include <cmath>
#include <limits>

namespace dynid {
namespace {

ExactRows randomRows(std::uint64_t seed, double coupling) {
  RandomRobotOptions options;
  options.joints = 6;
  options.coupling = coupling;
  const auto robot = std::make_shared<const Robot>(randomRobot(seed, options));
  return exactRows(robot, randomTruth(*robot, seed), {}, 50.0);
}

TEST(RowBuilder, RowsTimesTheTruthAreTheEffortOfNewtonEuler) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const ExactRows exact = randomRows(seed, seed % 2 == 0 ? 0.5 : 0.0);
    for (size_t a = 0; a < exact.Y.size(); ++a) {
      const auto actuator = static_cast<Eigen::Index>(a);
      Eigen::VectorXd beta(exact.Y[a].cols());
      for (Eigen::Index c = 0; c < beta.size(); ++c) {
        const auto& independent = exact.base.independent;
        const int column = exact.columns[a][static_cast<size_t>(c)];
        beta(c) = exact.truth(std::lower_bound(independent.begin(), independent.end(), column) -
                              independent.begin());
      }
      // Inside the still band the rows ramp through zero where the truth jumps.
      double worst = 0.0;
      const Eigen::VectorXd error = exact.Y[a] * beta - exact.effort.col(actuator);
      for (Eigen::Index i = 0; i < error.size(); ++i)
        if (exact.moving(i, actuator)) worst = std::max(worst, std::abs(error(i)));
      EXPECT_LT(worst, 1e-10 * exact.effort.col(actuator).cwiseAbs().maxCoeff())
          << "seed " << seed << ", actuator " << a;
    }
  }
}

TEST(RowBuilder, ExactRowsRecoverTheTruthToRounding) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const ExactRows exact = randomRows(seed, seed % 2 == 0 ? 0.5 : 0.0);
    const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(exact.samples(), exact.robot->numJoints());
    const Estimate estimate =
        weightedLeastSquares(compress(exact, none, 16), exact.base.independent);
    EXPECT_TRUE(estimate.unexcited.empty()) << "seed " << seed;
    // Rounding of the rows, eps ||W beta||, reaches a parameter through its row of R^-1.
    const Eigen::MatrixXd inverse = estimate.R.triangularView<Eigen::Upper>().solve(
        Eigen::MatrixXd::Identity(estimate.R.cols(), estimate.R.cols()));
    const Eigen::VectorXd reach = inverse.rowwise().norm() * estimate.z.norm();
    const double worst = ((estimate.beta - exact.truth).array().abs() / reach.array()).maxCoeff();
    EXPECT_LT(worst, 10.0 * std::numeric_limits<double>::epsilon()) << "seed " << seed;
    EXPECT_LT((estimate.beta - exact.truth).norm(), 1e-10 * exact.truth.norm()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace dynid
