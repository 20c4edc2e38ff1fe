#include "dynid/math/outside_span.h"

#include <gtest/gtest.h>

namespace dynid {
namespace {

TEST(OutsideSpan, IsOrthogonalToTheColumnsAndKeepsTheRest) {
  const Eigen::MatrixXd columns = Eigen::MatrixXd::Random(20, 4);
  const Eigen::MatrixXd vectors = Eigen::MatrixXd::Random(20, 3);
  const Eigen::MatrixXd rest = outsideSpan(columns, vectors);
  EXPECT_LT((columns.transpose() * rest).norm(), 1e-13);
  const Eigen::MatrixXd part = vectors - rest;
  EXPECT_LT(outsideSpan(columns, part).norm(), 1e-13);
  EXPECT_EQ(outsideSpan(Eigen::MatrixXd(20, 0), vectors), vectors);
}

TEST(OutsideSpan, DependentColumnsOfAnySizeCountOnce) {
  Eigen::MatrixXd columns = Eigen::MatrixXd::Random(20, 4);
  columns.col(1) = 1e-9 * columns.col(0) + 1e-9 * columns.col(2);
  columns.col(3).setZero();
  const Eigen::VectorXd vector = Eigen::VectorXd::Random(20);
  const Eigen::MatrixXd expected = outsideSpan(columns(Eigen::all, {0, 2}), vector);
  EXPECT_LT((outsideSpan(columns, vector) - expected).norm(), 1e-12);
}

// More columns than rows: nothing remains.
TEST(OutsideSpan, NothingIsOutsideTheWholeSpace) {
  EXPECT_LT(outsideSpan(Eigen::MatrixXd::Random(5, 9), Eigen::VectorXd::Random(5)).norm(), 1e-13);
}

}  // namespace
}  // namespace dynid
