#include "dynid/math/sparse_product.h"

#include <gtest/gtest.h>

namespace dynid {
namespace {

TEST(SparseProduct, IsTheProduct) {
  std::srand(5);
  const Eigen::MatrixXd A = Eigen::MatrixXd::Random(7, 12);
  Eigen::MatrixXd S = Eigen::MatrixXd::Identity(12, 9);
  S(3, 1) = -2.5;
  S(11, 8) = 0.25;
  S.col(4).setZero();
  EXPECT_LT((productWithSparse(A, S) - A * S).norm(), 1e-14);
  EXPECT_TRUE(productWithSparse(A, S).col(4).isZero(0.0));
  EXPECT_EQ(productWithSparse(Eigen::MatrixXd(0, 12), S).cols(), 9);
}

}  // namespace
}  // namespace dynid
