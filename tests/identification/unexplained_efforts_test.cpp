#include "dynid/identification/unexplained_efforts.h"

#include "dynid/diagnosis/hypotheses.h"
#include "dynid/identification/usability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/synthetic_model.h"

namespace dynid {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class UnexplainedEffortsTest : public ::testing::Test {
 protected:
  UnexplainedEffortsTest() {
    model_.status = {true, ""};
    ChannelFit& wrist = model_.fit.per_joint[2];
    wrist.cross_validated_r2 = -0.1;
    wrist.noise_floor = 0.04;
    diagnosis_.covered = Eigen::Vector3d::Ones();
  }
  std::vector<std::string> found() {
    HypothesisResults results;
    results.as_logged.unexplained = unexplained_;
    diagnosis_.results = std::make_shared<const HypothesisResults>(results);
    return unexplainedEfforts(model_, {diagnosis_});
  }

  Model model_ = dynid::testing::syntheticModel();
  Diagnosis diagnosis_;
  Eigen::Vector3d unexplained_{0.01, 0.02, 1.02};
};

TEST_F(UnexplainedEffortsTest, AClearEffortThatDoesNotFollowFromTheMotionIsAReason) {
  EXPECT_THAT(found(),
              ElementsAre(HasSubstr("do not follow from the logged motion: m6 "
                                    "(cross-validated R2 -0.1, 4 % of the effort")));
  const ModelStatus status = judgedStatus(model_, {}, {diagnosis_});
  EXPECT_FALSE(status.usable);
  EXPECT_THAT(status.reasons, Contains(HasSubstr("do not follow from the logged motion")));
}

// A spring that the description lacks leaves a clear effort unexplained: no other motion helps.
TEST_F(UnexplainedEffortsTest, TheRemedyOfAClearEffortNamesSprings) {
  const std::string springs = "position_effects in [joint.NAME]";
  const auto reasons = [&] { return judgedStatus(model_, {}, {diagnosis_}).joints[2].reasons; };
  EXPECT_THAT(found(), ElementsAre(HasSubstr(springs)));
  EXPECT_THAT(reasons(), ElementsAre(HasSubstr(springs)));
  model_.fit.per_joint[2].noise_floor = 0.36;
  EXPECT_THAT(reasons(), ElementsAre(HasSubstr("record a motion that loads it")));
}

// A UR10 whose position was 1.25 times that of the joint moved in all rows.
TEST_F(UnexplainedEffortsTest, StandstillIsACauseOnlyWhereTheJointsStand) {
  model_.fit.relative_error = 0.07;
  model_.fit.samples = 100.0;
  for (ChannelFit& channel : model_.fit.per_joint) channel.samples = 60.0;
  EXPECT_THAT(causeOfError(model_, "another"), HasSubstr("closed brakes"));
  for (ChannelFit& channel : model_.fit.per_joint) channel.samples = 99.0;
  EXPECT_EQ(causeOfError(model_, "another"), "another");
}

// One joint in percent of its limit: what the others tell of the links leaves most of its effort.
TEST_F(UnexplainedEffortsTest, ALargeErrorIsAReasonAtAnyR2) {
  model_.fit.per_joint[2].cross_validated_r2 = 0.41;
  model_.fit.per_joint[2].relative_error = 0.71;
  EXPECT_THAT(found(), ElementsAre(HasSubstr("m6 (cross-validated R2 0.41")));
}

TEST_F(UnexplainedEffortsTest, ANoisyEffortIsNone) {
  model_.fit.per_joint[2].noise_floor = 0.36;
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(UnexplainedEffortsTest, AJointThatHardlyMovesIsNone) {
  diagnosis_.covered(2) = 0.05;
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(UnexplainedEffortsTest, AJointThatIsExplainedIsNone) {
  unexplained_(2) = 0.2;  // by the plain model of the diagnosis
  EXPECT_THAT(found(), IsEmpty());
  unexplained_(2) = 1.0;
  model_.fit.per_joint[2].cross_validated_r2 = 0.5;
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(UnexplainedEffortsTest, LogsThatWereNotDiagnosedSayNothing) {
  EXPECT_THAT(unexplainedEfforts(model_, {}), IsEmpty());
  EXPECT_THAT(unexplainedEfforts(model_, {Diagnosis{}}), IsEmpty());
}

}  // namespace
}  // namespace dynid
