#include "dynid/math/independent_columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dynid {
namespace {

using testing::ElementsAre;

TEST(IndependentColumns, FollowChainsOfRows) {
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(4, 6);
  rows(0, 0) = rows(0, 3) = 1.0;
  rows(1, 3) = rows(1, 5) = -2.0;  // connects 0, 3 and 5
  rows(2, 1) = rows(2, 2) = 3.0;
  EXPECT_THAT(independentColumns(rows),
              ElementsAre(ElementsAre(0, 3, 5), ElementsAre(1, 2), ElementsAre(4)));
}

TEST(IndependentColumns, OneRowMayConnectAllSets) {
  Eigen::MatrixXd rows = Eigen::MatrixXd::Identity(5, 4);
  EXPECT_EQ(independentColumns(rows).size(), 4U);
  rows.row(4).setOnes();
  EXPECT_THAT(independentColumns(rows), ElementsAre(ElementsAre(0, 1, 2, 3)));
}

TEST(IndependentColumns, RowsOfASetAreThoseWithEntries) {
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(4, 3);
  rows(0, 0) = 1e-300;
  rows(2, 1) = -1.0;
  rows(3, 2) = 1.0;
  EXPECT_THAT(rowsWithEntries(rows, {0, 1}), ElementsAre(0, 2));
  EXPECT_TRUE(rowsWithEntries(rows, {}).empty());
}

TEST(IndependentColumns, AMatrixWithoutRowsOrColumnsIsAllowed) {
  EXPECT_EQ(independentColumns(Eigen::MatrixXd(0, 3)).size(), 3U);
  EXPECT_TRUE(independentColumns(Eigen::MatrixXd(3, 0)).empty());
}

}  // namespace
}  // namespace dynid
