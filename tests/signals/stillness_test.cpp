#include "dynid/signals/stillness.h"

#include <gtest/gtest.h>

namespace dynid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(Stillness, SlowJointsGetTheirOwnThreshold) {
  MatrixXd dq(100, 3);
  dq.col(0).setConstant(1.0);    // a fast joint
  dq.col(1).setConstant(-0.05);  // a slow slide
  dq.col(2).setConstant(1e-5);   // at rest, encoder noise
  const VectorXd thresholds = stillThresholds(dq, 0.02);
  EXPECT_DOUBLE_EQ(thresholds(0), 0.02);
  EXPECT_DOUBLE_EQ(thresholds(1), 0.0025);
  EXPECT_DOUBLE_EQ(thresholds(2), 0.02);
  const MovingMask moving = movingMask(dq, thresholds);
  EXPECT_TRUE(moving.col(0).all());
  EXPECT_TRUE(moving.col(1).all());
  EXPECT_FALSE(moving.col(2).any());
}

}  // namespace
}  // namespace dynid
