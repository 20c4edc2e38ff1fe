#include "dynid/diagnosis/cheapest_assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

namespace dynid {
namespace {

double costOf(const Eigen::MatrixXd& cost, const std::vector<int>& columns) {
  double sum = 0.0;
  for (size_t row = 0; row < columns.size(); ++row) sum += cost(row, columns[row]);
  return sum;
}

TEST(CheapestAssignment, IsAsCheapAsTheBestOfAllPermutations) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform(-5.0, 5.0);
  for (int n = 1; n <= 6; ++n)
    for (int round = 0; round < 20; ++round) {
      Eigen::MatrixXd cost(n, n);
      for (double& value : cost.reshaped()) value = uniform(random);
      std::vector<int> order(n);
      std::iota(order.begin(), order.end(), 0);
      double least = std::numeric_limits<double>::infinity();
      do {
        least = std::min(least, costOf(cost, order));
      } while (std::next_permutation(order.begin(), order.end()));
      const std::vector<int> found = cheapestAssignment(cost);
      EXPECT_TRUE(std::is_permutation(found.begin(), found.end(), order.begin()));
      EXPECT_NEAR(costOf(cost, found), least, 1e-12);
    }
}

TEST(CheapestAssignment, CostsThatAreNotFiniteAreAvoided) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  Eigen::MatrixXd cost(3, 3);
  cost << nan, 1.0, 5.0, 2.0, infinity, 1.0, 1.0, 3.0, -1e308;
  const std::vector<int> found = cheapestAssignment(cost);
  EXPECT_EQ(found, (std::vector<int>{1, 0, 2}));
  cost.setConstant(nan);
  const std::vector<int> any = cheapestAssignment(cost);
  const std::vector<int> all = {0, 1, 2};
  EXPECT_TRUE(std::is_permutation(any.begin(), any.end(), all.begin()));
}

}  // namespace
}  // namespace dynid
