#include "dynid/identification/consistent_fit.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace dynid
