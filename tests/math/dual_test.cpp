#include "dynid/math/dual.h"

#include <gtest/gtest.h>

namespace dynid {
namespace {

template <typename T>
T someFunction(const T& x) {
  return sin(x * x) * cos(3.0 * x) - 2.0 * x + x * 0.5 - 1.0;
}

TEST(Dual, SlopeIsTheDerivative) {
  for (double x : {-2.0, 0.0, 0.3, 5.0}) {
    const Dual1 y = someFunction(Dual1(x, 1.0));
    const double derivative =
        2 * x * std::cos(x * x) * std::cos(3 * x) - 3 * std::sin(x * x) * std::sin(3 * x) - 1.5;
    EXPECT_NEAR(y.slope, derivative, 1e-13);
    EXPECT_DOUBLE_EQ(y.value, std::sin(x * x) * std::cos(3 * x) - 2.0 * x + 0.5 * x - 1.0);
  }
}

TEST(Dual, NestedIsTheSecondDerivative) {
  const double x = 0.7, step = 1e-5;
  const Dual2 y = someFunction(Dual2(Dual1(x, 1.0), Dual1(1.0)));
  const double ahead = someFunction(Dual1(x + step, 1.0)).slope;
  const double behind = someFunction(Dual1(x - step, 1.0)).slope;
  EXPECT_NEAR(y.slope.slope, (ahead - behind) / (2 * step), 1e-8);
  EXPECT_DOUBLE_EQ(y.slope.value, y.value.slope);
}

TEST(Dual, WorksInMatrices) {
  const Eigen::Matrix<Dual1, 3, 1> a(Dual1(1.0, 1.0), Dual1(2.0), Dual1(3.0));
  EXPECT_DOUBLE_EQ(a.dot(a).value, 14.0);
  EXPECT_DOUBLE_EQ(a.dot(a).slope, 2.0);
  const Eigen::Matrix<Dual1, 3, 1> zero = Eigen::Matrix<Dual1, 3, 1>::Zero();
  EXPECT_EQ((a + zero)(0).slope, 1.0);
}

}  // namespace
}  // namespace dynid
