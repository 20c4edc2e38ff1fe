#include "dynid/logs/unwrap_angles.h"

#include "dynid/logs/units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace dynid {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Three turns forth and back.
Eigen::MatrixXd continuousAngles() {
  Eigen::MatrixXd q(2000, 2);
  for (Eigen::Index i = 0; i < q.rows(); ++i) {
    q(i, 0) = 4.5 * kTurn * std::sin(0.005 * static_cast<double>(i));
    q(i, 1) = 0.4 * std::sin(0.01 * static_cast<double>(i));
  }
  return q;
}

TEST(AngleUnwrapper, GivesBackTheContinuousAngleBlockByBlock) {
  const Eigen::MatrixXd q = continuousAngles();
  Eigen::MatrixXd wrapped = q.unaryExpr([](double angle) { return std::remainder(angle, kTurn); });
  ASSERT_GT((wrapped - q).cwiseAbs().maxCoeff(), 6.0);
  wrapped(700, 0) = std::nan("");
  AngleUnwrapper unwrapper;
  for (Eigen::Index first = 0; first < q.rows(); first += 250)
    unwrapper.apply(wrapped.middleRows(first, 250));
  EXPECT_TRUE(std::isnan(wrapped(700, 0)));
  wrapped(700, 0) = q(700, 0);
  EXPECT_LT((wrapped - q).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_THAT(unwrapper.notes({"turn", "tilt"}),
              ElementsAre(::testing::StartsWith("the angle of turn wraps at a full turn ")));
}

TEST(AngleUnwrapper, LeavesContinuousAnglesSlidersAndOtherJumpsAlone) {
  Eigen::MatrixXd q = continuousAngles();
  q.col(0).tail(1000).array() += 4.0;  // a jump, no turn
  Eigen::MatrixXd same = q;
  AngleUnwrapper unwrapper;
  unwrapper.apply(same);
  EXPECT_EQ(same, q);
  EXPECT_THAT(unwrapper.notes({"turn", "tilt"}), IsEmpty());
  q.col(1).tail(1000).array() += kTurn;
  same = q;
  AngleUnwrapper sliding({false, true});
  sliding.apply(same);
  EXPECT_EQ(same, q);
}

}  // namespace
}  // namespace dynid
