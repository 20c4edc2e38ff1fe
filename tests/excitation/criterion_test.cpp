#include "dynid/excitation/criterion.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <cmath>

namespace dynid {
namespace {

Eigen::MatrixXd example() { return Eigen::Vector4d(4.0, 0.01, 1.0, 25.0).asDiagonal(); }

TEST(Criterion, ClosedForms) {
  EXPECT_NEAR(evaluateCriterion(Criterion::kD, example(), 1.0).value, 0.0, 1e-12);  // det = 1
  EXPECT_NEAR(evaluateCriterion(Criterion::kA, example(), 1.0).value,
              std::log(0.25 + 100.0 + 1.0 + 0.04),
              1e-12);
  EXPECT_NEAR(evaluateCriterion(Criterion::kE, example(), 1e6).value, std::log(100.0), 1e-6);
  EXPECT_NEAR(evaluateCriterion(Criterion::kCondition, example(), 1e6).value, std::log(50.0), 1e-6);
  EXPECT_NEAR(conditionNumber(example()), 50.0, 1e-9);
}

TEST(Criterion, SmoothStandInsAreNeverBetterThanTheTruth) {
  double before = INFINITY;
  for (double sharpness : {1.0, 3.0, 10.0, 100.0}) {
    const double value = evaluateCriterion(Criterion::kCondition, example(), sharpness).value;
    EXPECT_GE(value, std::log(50.0) - 1e-12);
    EXPECT_LE(value, std::log(50.0) + std::log(4.0) / sharpness);
    EXPECT_LE(value, before);
    before = value;
  }
}

TEST(Criterion, SingularIsInfinite) {
  const Eigen::MatrixXd singular = Eigen::Vector3d(1.0, 0.0, 2.0).asDiagonal();
  for (Criterion c : {Criterion::kD, Criterion::kA, Criterion::kE, Criterion::kCondition})
    EXPECT_TRUE(std::isinf(evaluateCriterion(c, singular, 2.0).value)) << toString(c);
  EXPECT_TRUE(std::isinf(conditionNumber(singular)));
}

TEST(Criterion, NamesReadBack) {
  for (Criterion c : {Criterion::kD, Criterion::kA, Criterion::kE, Criterion::kCondition})
    EXPECT_EQ(criterionOf(toString(c)), c);
  EXPECT_THROW(criterionOf("D-optimal"), std::invalid_argument);
}

}  // namespace
}  // namespace dynid
