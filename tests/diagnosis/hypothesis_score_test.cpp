#include "dynid/diagnosis/hypothesis_score.h"

#include <gtest/gtest.h>

#include "arm_statistics.h"

namespace dynid {
namespace {

// A fit whose gains are not found leaves more of the efforts than the right gains do, and a wrong
// hypothesis seems to explain it. Eight rounds leave 0.005 here.
TEST(HypothesisScore, GainsThatAreNotKnownAreFound) {
  const std::shared_ptr<const Robot> robot = support::simulatedArms(2);
  const support::ArmStatistics arm(robot, support::simulatedLog(*robot));
  const HypothesisScore found = scoreHypothesis(arm.columns,
                                                arm.motion,
                                                arm.effort,
                                                asLogged(robot->numJoints()),
                                                EffortScale::kUnknown,
                                                true,
                                                kMostRounds);
  EXPECT_LT(found.unexplained.maxCoeff(), 1e-3) << found.unexplained.transpose();
}

}  // namespace
}  // namespace dynid
