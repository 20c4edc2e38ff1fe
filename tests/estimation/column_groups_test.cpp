#include "dynid/estimation/column_groups.h"

#include "dynid/estimation/covariance.h"
#include "dynid/estimation/least_squares.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "estimation/synthetic_regression.h"

namespace dynid {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ColumnGroups, ChannelsThatShareColumnsAreTogether) {
  // Channels 0 and 3 share column 4, channels 2 and 3 column 1; channel 1 is alone, channel 4 has
  // no column.
  const std::vector<ColumnGroup> groups =
      independentGroups({{{0, 0}, {4, 1}}, {{2, 0}, {3, 1}}, {{1, 0}}, {{1, 0}, {4, 1}}, {}}, 6);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_THAT(groups[0].columns, ElementsAre(0, 1, 4));
  EXPECT_THAT(groups[0].channels, ElementsAre(0, 2, 3, 4));
  EXPECT_THAT(groups[1].columns, ElementsAre(2, 3));
  EXPECT_THAT(groups[1].channels, ElementsAre(1));
  EXPECT_THAT(groups[2].columns, ElementsAre(5));  // in no channel
  EXPECT_THAT(groups[2].channels, IsEmpty());
}

TEST(ColumnGroups, WithoutColumnsAllChannelsAreInOneGroup) {
  const std::vector<ColumnGroup> groups = independentGroups({{}, {}}, 0);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_THAT(groups[0].channels, ElementsAre(0, 1));
}

// Two limbs whose columns alternate in the layout, fitted together and each by itself with the
// noise of both known.
TEST(ColumnGroups, AFitOfTwoLimbsIsTheFitOfEach) {
  SyntheticRegression both;
  both.columns = {{0, 2, 4}, {1, 3, 5}, {2, 4}};
  both.sigma = Eigen::Vector3d(0.1, 0.3, 0.2);
  std::mt19937_64 rng(5);
  const Statistics statistics = compress(both, sampleRows(both, rng));
  LeastSquaresOptions options;
  options.sigma = both.sigma;
  const Estimate together = weightedLeastSquares(statistics, allColumns(both), options);
  const Covariance covariance = jackknifeCovariance(statistics, together);
  double residual_squared = 0.0, rows = 0.0;
  for (const std::vector<int>& columns : {std::vector<int>{0, 2, 4}, {1, 3, 5}}) {
    Statistics limb = statistics;
    limb.channels.clear();
    std::vector<double> sigma;
    for (std::size_t a = 0; a < both.columns.size(); ++a) {
      if (both.columns[a].front() % 2 != columns.front() % 2) continue;
      limb.channels.push_back(statistics.channels[a]);
      sigma.push_back(both.sigma(a));
    }
    options.sigma = Eigen::Map<Eigen::VectorXd>(sigma.data(), std::ssize(sigma));
    const Estimate alone = weightedLeastSquares(limb, columns, options);
    residual_squared += alone.residual_squared;
    rows += alone.rows;
    EXPECT_LT((together.beta(columns) - alone.beta).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_LT((together.R(columns, columns).cwiseAbs() - alone.R.cwiseAbs()).norm(),
              1e-12 * alone.R.norm());
    const Covariance of_limb = jackknifeCovariance(limb, alone);
    EXPECT_LT((covariance.std_dev(columns) - of_limb.std_dev).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((covariance.half_width(columns) - of_limb.half_width).cwiseAbs().maxCoeff(), 1e-11);
  }
  EXPECT_NEAR(together.residual_squared / residual_squared, 1.0, 1e-12);
  EXPECT_EQ(together.rows, rows);
  EXPECT_TRUE(together.R.isUpperTriangular(0.0));
  // Estimates of the two limbs are correlated by the blocks that they share.
  EXPECT_NE(covariance.matrix(0, 1), 0.0);
}

}  // namespace
}  // namespace dynid
