#include "dynid/diagnosis/tried_hypothesis.h"

#include <gtest/gtest.h>

namespace dynid {
namespace {

using Kind = Mistake::Kind;

TriedHypothesis triedWith(const Mistake& mistake, double gain, int folds, double unexplained) {
  TriedHypothesis tried;
  tried.mistake = mistake;
  tried.gain = gain;
  tried.folds = folds;
  tried.unexplained = Eigen::VectorXd::Constant(3, unexplained);
  return tried;
}

TriedHypothesis zero(double degrees, double gain) {
  return triedWith({Kind::kPositionZero, {1}, degrees * kDegree}, gain, 5, 0.01);
}

Eigen::Index named(std::vector<TriedHypothesis> tried) {
  HypothesisResults results;
  results.tried = std::move(tried);
  return namedHypothesis(results);
}

// A zero of any angle is found among many more values than a quarter of a turn or a small error.
TEST(TriedHypothesis, AnUnusualZeroNeedsMoreCertainty) {
  for (const double degrees : {90.0, 74.0, -87.0, 180.0, 266.0, 10.0, -30.0})
    EXPECT_EQ(named({zero(degrees, 2.8)}), 0) << degrees;
  for (const double degrees : {-111.0, 152.0, 45.0, 60.0}) {
    EXPECT_EQ(named({zero(degrees, 2.8)}), -1) << degrees;
    EXPECT_EQ(named({zero(degrees, 3.1)}), 0) << degrees;
  }
}

TEST(TriedHypothesis, NothingIsNamedThatIsLessCertainThanAnUnusualZero) {
  const TriedHypothesis sign = triedWith({Kind::kAxisSign, {2}}, 2.4, 5, 0.01);
  EXPECT_EQ(named({zero(90.0, 1.0), sign}), 1);
  EXPECT_EQ(named({zero(-111.0, 2.8), sign}), -1);
}

// An axis of TIAGo's arm reached 2.0 on a right log, with an effort that nothing explains, and one
// of a PSM 2.7.
TEST(TriedHypothesis, AnAxisAndAFactorNearOneMustExplainEveryJoint) {
  for (const Mistake& mistake : {Mistake{Kind::kJointAxis, {0}},
                                 Mistake{Kind::kPositionScale, {0}, 1.25},
                                 Mistake{Kind::kPositionScale, {0}, 0.8}}) {
    EXPECT_EQ(named({triedWith(mistake, 2.8, 5, 0.09)}), 0);
    EXPECT_EQ(named({triedWith(mistake, 5.0, 5, 0.11)}), -1);
  }
  EXPECT_EQ(named({triedWith({Kind::kPositionScale, {0}, 2.0}, 2.8, 5, 0.3)}), 0);
}

TEST(TriedHypothesis, TheDelayOfAPositionWarnsEarlyWhereAllIsExplained) {
  const Mistake late{Kind::kPositionDelay, {0}, 0.04};
  EXPECT_EQ(named({triedWith(late, 1.5, 4, 0.1)}), 0);
  EXPECT_EQ(named({triedWith(late, 1.3, 5, 0.1)}), -1);
  EXPECT_EQ(named({triedWith(late, 1.5, 3, 0.1)}), -1);
  EXPECT_EQ(named({triedWith(late, 1.5, 5, 0.3)}), -1);
  EXPECT_EQ(named({triedWith(late, 2.3, 5, 0.3)}), 0);
  const Mistake early{Kind::kPositionDelay, {0}, -0.04};
  EXPECT_EQ(named({triedWith(early, 1.5, 5, 0.1)}), -1);
  EXPECT_EQ(named({triedWith(early, 2.3, 5, 0.1)}), 0);
}

}  // namespace
}  // namespace dynid
