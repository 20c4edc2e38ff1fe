#include "dynid/validation/verdict.h"

#include "dynid/core/errors.h"
#include "dynid/validation/joint_verdicts.h"
#include "dynid/validation/log_suspicion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/synthetic_model.h"
#include <limits>

namespace dynid {
namespace {

using dynid::testing::syntheticModel;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

ValidationResult goodResult() {
  ValidationResult result;
  result.relative_error = 0.1;
  result.samples = result.scored = result.moving = 1000;
  for (const char* name : {"shoulder", "elbow", "wrist"}) {
    JointScore score;
    score.joint = name;
    score.samples = score.moving_samples = 1000;
    score.relative_error_moving = 0.1;
    result.per_joint.push_back(score);
  }
  return result;
}

/// A model whose training logs leave 5 % of the effort of every joint, rms 10 N m, and a joint
/// score with ten times that error.
Model modelWithTrainingErrors() {
  Model model = syntheticModel();
  model.fit.per_joint.resize(3);
  for (ChannelFit& channel : model.fit.per_joint) {
    channel.cross_validated_error = 0.05;
    channel.cross_validated_r2 = 0.99;
  }
  model.operating_points.measured = Eigen::MatrixXd::Constant(4, 3, 10.0);
  model.operating_points.predicted = Eigen::MatrixXd::Constant(4, 3, 9.9);
  return model;
}
JointScore scoreOf(double relative_error, double effort) {
  JointScore score;
  score.joint = "elbow";
  score.samples = score.moving_samples = 1000;
  score.relative_error = score.relative_error_moving = relative_error;
  score.rmse = score.rmse_moving = relative_error * effort;
  return score;
}

TEST(Verdict, PassesWhatIsWithinTheThresholds) {
  ValidationResult result = goodResult();
  judge(syntheticModel(), {}, result);
  EXPECT_TRUE(result.passed);
  EXPECT_EQ(result.verdict, "passed");
  EXPECT_THAT(
      result.notes,
      ElementsAre(StartsWith("no joint was compared with the training logs: the model file does "
                             "not hold their errors")));
  Model unusable = syntheticModel();
  unusable.status.usable = false;
  result = goodResult();
  judge(unusable, {}, result);
  EXPECT_THAT(result.notes, Contains(HasSubstr(": a model that is not usable does not hold")));
  result = goodResult();
  for (JointScore& score : result.per_joint) score.relative_error = score.rmse = 0.1;
  result.notes.clear();
  judge(modelWithTrainingErrors(), {}, result);
  EXPECT_THAT(result.notes, IsEmpty());
}

TEST(Verdict, JointsThatAreNotJudgedAreNoSignOfAnOldModel) {
  ValidationResult result = goodResult();
  for (JointScore& score : result.per_joint) score.moving_samples = 5;
  judge(syntheticModel(), {}, result);
  for (const std::string& note : result.notes)
    EXPECT_THAT(note, Not(HasSubstr("was compared with the training logs")));
}

TEST(Verdict, NamesEveryReason) {
  ValidationResult result = goodResult();
  result.relative_error = 0.5;
  result.per_joint[1].relative_error_moving = 0.7;
  result.checks = {{"energy_balance", Check::Outcome::kFailed, 0.4, 0.25, "40 % lost"}};
  judge(syntheticModel(), {}, result);
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(result.verdict,
            "failed: relative error 50 % over all samples and joints is above 35 %; elbow: "
            "relative error 70 % while "
            "moving is above 60 %; energy_balance: 40 % lost");
}

TEST(Verdict, NamesAJointThatBarelyMovesInsteadOfJudgingIt) {
  ValidationResult result = goodResult();
  result.per_joint[2].moving_samples = 5;
  result.per_joint[2].relative_error_moving = 3.0;
  judge(syntheticModel(), {}, result);
  EXPECT_TRUE(result.passed);
  EXPECT_THAT(result.notes,
              Contains(HasSubstr("wrist: not judged, it barely moves in this log (5 of 1000")));
}

/// Only the shoulder moves, with 10 % error; elbow and wrist stand still with an error of 4 N m.
ValidationResult oneMovingJoint() {
  ValidationResult result = goodResult();
  for (JointScore& score : result.per_joint) {
    const bool moves = score.joint == "shoulder";
    score.moving_samples = moves ? 1000 : 0;
    score.rmse = moves ? 1.0 : 4.0;
    score.relative_error = moves ? 0.1 : 0.8;
    score.rmse_moving = moves ? 1.0 : std::numeric_limits<double>::quiet_NaN();
    score.relative_error_moving = moves ? 0.1 : std::numeric_limits<double>::quiet_NaN();
  }
  result.relative_error = 0.47;
  return result;
}

Model withCoulombFriction(double of_each_drive) {
  Model model = syntheticModel();
  for (int c = 0; c < model.layout.size(); ++c)
    if (model.layout[c].isFriction())
      model.parameters(c) =
          model.layout[c].isFriction(FrictionEffect::kCoulomb) ? of_each_drive : 0.0;
  return model;
}

TEST(Verdict, JudgesTheMotionWhereFrictionHoldsTheOtherJoints) {
  ValidationResult result = oneMovingJoint();
  judge(withCoulombFriction(4.1), {}, result);
  EXPECT_TRUE(result.passed) << result.verdict;
  EXPECT_THAT(result.notes,
              Contains(HasSubstr("judged by the samples in which the joints move (relative error "
                                 "10 %): at standstill friction carries any load")));
  EXPECT_TRUE(result.judged_by_motion);
  EXPECT_NEAR(result.relative_error_moving, 0.1, 1e-12);
}

TEST(Verdict, JudgesStandstillWhereFrictionIsTooSmallForIt) {
  ValidationResult result = oneMovingJoint();
  judge(withCoulombFriction(1.0), {}, result);
  EXPECT_FALSE(result.passed);
  EXPECT_THAT(result.verdict,
              HasSubstr("relative error 47 % over all samples and joints is above"));
  EXPECT_FALSE(result.judged_by_motion);
}

TEST(Verdict, SaysThatAChannelWasNotExplainedByTheFitEither) {
  Model model = syntheticModel();
  ValidationResult result = goodResult();
  result.per_joint[2].relative_error_moving = 0.97;
  judge(model, {}, result);
  EXPECT_EQ(result.reasons,
            std::vector<std::string>{"wrist: relative error 97 % while moving is above 60 %"});
  model.fit.per_joint[2].relative_error = 0.95;
  model.fit.per_joint[2].cross_validated_r2 = -0.1;
  judge(model, {}, result);
  EXPECT_FALSE(result.passed);
  EXPECT_THAT(result.verdict,
              HasSubstr("wrist: relative error 97 % while moving is above 60 % (expected: the logs "
                        "of the identification do not explain this channel either, relative error "
                        "95 %, cross-validated R2 -0.1; it is not identifiable from them)"));
}

TEST(Verdict, FailsWhatIsFarAboveTheNoiseFloor) {
  ValidationResult result = goodResult();
  result.relative_error = 0.267;
  result.filtered.noise_floor = 0.01;
  judge(syntheticModel(), {}, result);
  EXPECT_FALSE(result.passed);
  EXPECT_THAT(
      result.verdict,
      HasSubstr("relative error 26.7 % is far above the noise floor of 1 %: the model leaves "
                "26.7 % of the effort that a model can explain, more than 25 % "
                "(`max_excess_error`)"));
  result.filtered.noise_floor = 0.15;  // most of it is noise
  judge(syntheticModel(), {}, result);
  EXPECT_TRUE(result.passed) << result.verdict;
}

TEST(Verdict, AJointMadeOfNoiseDoesNotFail) {
  ValidationResult result = goodResult();
  result.per_joint[2].relative_error_moving = 0.69;
  result.filtered.joint_noise_floor = {0.1, 0.1, 0.65};
  judge(syntheticModel(), {}, result);
  EXPECT_TRUE(result.passed) << result.verdict;
  EXPECT_THAT(
      result.notes,
      Contains("wrist: relative error 69 % while moving, but the noise floor of its effort is "
               "65 %"));
  result.filtered.joint_noise_floor[2] = 0.1;
  judge(syntheticModel(), {}, result);
  EXPECT_FALSE(result.passed);
}

TEST(Verdict, DoesNotJudgeAJointThatTheModelGivesUp) {
  Model model = syntheticModel();
  model.status.joints.resize(3);
  model.status.joints[2] = {false, {"the logs do not explain its effort"}};
  ValidationResult result = goodResult();
  result.per_joint[2].relative_error_moving = 0.97;
  judge(model, {}, result);
  EXPECT_TRUE(result.passed) << result.verdict;
  ASSERT_EQ(result.joints.size(), 3U);
  EXPECT_EQ(result.joints[1].outcome, JointVerdict::Outcome::kPassed);
  EXPECT_EQ(result.joints[2].outcome, JointVerdict::Outcome::kNotJudged);
  EXPECT_THAT(result.notes,
              Contains("wrist: not judged, relative error 97 % while moving; the model says that "
                       "its effort must not be used: the logs do not explain its effort"));
}

TEST(Verdict, NamesTheMistakeInTheLogBeforeItsEffects) {
  ValidationResult result = goodResult();
  result.relative_error = 0.9;
  result.diagnosis = {{Finding::Severity::kRefuse,
                       "diagnosis-effort-sign",
                       1,
                       "it seems that the effort of elbow has the opposite sign",
                       5.0,
                       "set sign = -1"}};
  judge(syntheticModel(), {}, result);
  ASSERT_GE(result.reasons.size(), 2U);
  EXPECT_EQ(result.reasons[0],
            "this log seems to be wrong, rather than the model: it seems that the effort of elbow "
            "has the opposite sign -> set sign = -1 [diagnosis-effort-sign]");
}

TEST(Verdict, AWarningAboutTheLogIsAReasonOnlyWhereTheVerdictFailsAnyway) {
  ValidationResult result = goodResult();
  const Finding late{
      Finding::Severity::kWarning, "diagnosis-effort-late", -1, "the efforts are late", 0.06, ""};
  result.diagnosis = {late};
  judge(syntheticModel(), {}, result);
  EXPECT_TRUE(result.passed);
  EXPECT_THAT(result.notes,
              Contains("about this log: the efforts are late [diagnosis-effort-late]"));
  result = goodResult();
  result.diagnosis = {late};
  result.relative_error = 0.5;
  judge(syntheticModel(), {}, result);
  EXPECT_THAT(
      result.verdict,
      HasSubstr("failed: this log may be wrong, rather than the model: the efforts are late "
                "[diagnosis-effort-late]; relative error 50 %"));
}

TEST(Verdict, AWarningAboutALogThatIsPredictedWorseThanTheTrainingLogsIsAReason) {
  ValidationResult result = goodResult();  // 10 %
  result.diagnosis = {
      {Finding::Severity::kWarning, "diagnosis-effort-late", -1, "the efforts are late", 0.06, ""}};
  result.training_error = 0.07;
  judge(syntheticModel(), {}, result);
  EXPECT_TRUE(result.passed) << result.verdict;
  result.training_error = 0.06;
  judge(syntheticModel(), {}, result);
  EXPECT_EQ(result.verdict,
            "failed: this log may be wrong, rather than the model: the efforts are late "
            "[diagnosis-effort-late]");
  result.filtered.noise_floor = 0.07;
  judge(syntheticModel(), {}, result);
  EXPECT_FALSE(result.passed) << "7.1 % above the floor";
  result.filtered.noise_floor = 0.09;
  judge(syntheticModel(), {}, result);
  EXPECT_TRUE(result.passed) << "4.4 % above it";
}

TEST(Verdict, ALogOfAMomentJudgesNothing) {
  ValidationResult result = goodResult();
  result.duration_s = 0.05;
  judge(syntheticModel(), {}, result);
  EXPECT_THAT(result.verdict,
              HasSubstr("the log lasts 0.05 s: too short to judge a model by, at least 1 s"));
}

TEST(ErrorOverTraining, IsTheSmallerOfTheRatiosOfShareAndNewtonMetres) {
  const Model model = modelWithTrainingErrors();
  EXPECT_NEAR(errorOverTraining(model, 1, scoreOf(0.2, 10.0), 0.0), 4.0, 1e-12);
  // small efforts: 20 % are 0.2 N m, training 0.5 N m
  EXPECT_NEAR(errorOverTraining(model, 1, scoreOf(0.2, 1.0), 0.0), 0.4, 1e-12);
  // large efforts: 20 N m are 20 %, training 5 %
  EXPECT_NEAR(errorOverTraining(model, 1, scoreOf(0.2, 100.0), 0.0), 4.0, 1e-12);
  // only what is above the noise floor counts
  EXPECT_NEAR(errorOverTraining(model, 1, scoreOf(0.2, 10.0), 0.12), 3.2, 1e-12);
}

// A model that does not predict its training logs excuses no error.
TEST(ErrorOverTraining, IsNotThatOfPredictionsAboveTheEffortItself) {
  Model model = modelWithTrainingErrors();
  model.operating_points.predicted.setConstant(-2000.0);
  EXPECT_NEAR(errorOverTraining(model, 1, scoreOf(450.0, 10.0), 0.0), 9000.0, 1e-9);
}

TEST(ErrorOverTraining, IsNotKnownWithoutTrainingLogs) {
  Model model = modelWithTrainingErrors();
  model.operating_points = {};
  EXPECT_TRUE(std::isnan(errorOverTraining(model, 1, scoreOf(0.2, 10.0), 0.0)));
  model = modelWithTrainingErrors();
  model.fit.per_joint[1].cross_validated_error = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(errorOverTraining(model, 1, scoreOf(0.2, 10.0), 0.0)));
}

TEST(Verdict, FailsTheJointThatIsPredictedFarWorseThanInTraining) {
  ValidationResult result = goodResult();
  result.per_joint[1] = scoreOf(0.22, 10.0);
  judge(modelWithTrainingErrors(), {}, result);
  EXPECT_FALSE(result.passed);
  ASSERT_EQ(result.joints.size(), 3U);
  EXPECT_EQ(result.joints[0].outcome, JointVerdict::Outcome::kPassed);
  EXPECT_EQ(result.joints[1].outcome, JointVerdict::Outcome::kFailed);
  EXPECT_EQ(result.verdict,
            "failed: elbow: its error is 4.4 times that of the training logs, above 4 "
            "(`max_error_over_training`): 22 % of its effort instead of 5 %");
  ValidationThresholds generous;
  generous.max_error_over_training = 5.0;
  judge(modelWithTrainingErrors(), generous, result);
  EXPECT_TRUE(result.passed) << result.verdict;
}

// Friction at rest has any value up to that in motion.
TEST(Verdict, AnErrorAtStandstillOnlyIsARemark) {
  ValidationResult result = goodResult();
  result.per_joint[1] = scoreOf(0.4, 10.0);
  result.per_joint[1].relative_error_moving = 0.08;
  result.per_joint[1].rmse_moving = 0.8;
  judge(modelWithTrainingErrors(), {}, result);
  EXPECT_TRUE(result.passed) << result.verdict;
  EXPECT_THAT(result.notes,
              Contains(HasSubstr("elbow: its error is 8 times that of the training logs, at "
                                 "standstill only (while moving 8 % of its effort)")));

  // Half of the samples at rest: 5.6 N m there, and the model has less friction.
  result = goodResult();
  result.per_joint[1] = scoreOf(0.4, 10.0);
  result.per_joint[1].relative_error_moving = 0.08;
  result.per_joint[1].rmse_moving = 0.8;
  result.per_joint[1].moving_samples = 0.5 * result.per_joint[1].samples;
  judge(modelWithTrainingErrors(), {}, result);
  EXPECT_FALSE(result.passed);
  EXPECT_THAT(result.verdict, HasSubstr("5.6 N m (rms), more than friction explains"));
}

// An effort that is mostly noise, as large in N m as in the training logs.
TEST(Verdict, ASmallEffortInThisLogIsARemark) {
  ValidationResult result = goodResult();
  result.per_joint[1] = scoreOf(0.9, 0.6);
  judge(modelWithTrainingErrors(), {}, result);
  EXPECT_TRUE(result.passed) << result.verdict;
  EXPECT_THAT(result.notes,
              Contains(HasSubstr("elbow: relative error 90 % while moving, but not larger than in "
                                 "the training logs in N m")));
  result.per_joint[1] = scoreOf(0.9, 1.0);  // 1.8 times as large
  judge(modelWithTrainingErrors(), {}, result);
  EXPECT_FALSE(result.passed);
}

TEST(Verdict, ASmallErrorPassesHoweverGoodTheTrainingLogsWere) {
  Model model = modelWithTrainingErrors();
  model.fit.per_joint[1].cross_validated_error = 1e-3;
  model.operating_points.predicted = model.operating_points.measured;
  ValidationResult result = goodResult();
  result.per_joint[1] = scoreOf(0.019, 10.0);
  judge(model, {}, result);
  EXPECT_TRUE(result.passed) << result.verdict;
  result.per_joint[1] = scoreOf(0.021, 10.0);
  judge(model, {}, result);
  EXPECT_FALSE(result.passed);
}

TEST(Verdict, NamesTheLikelyCauseOfABadJoint) {
  const auto cause = [](double slope, double correlation, double bias) {
    ValidationResult result = goodResult();
    result.per_joint[1] = scoreOf(0.5, 10.0);
    result.per_joint[1].slope = slope;
    result.per_joint[1].correlation = correlation;
    result.per_joint[1].bias = bias;
    judge(modelWithTrainingErrors(), {}, result);
    return result.verdict;
  };
  EXPECT_THAT(cause(-0.98, -0.99, 0.0),
              HasSubstr("the measured effort is -0.98 times the predicted one (correlation -0.99), "
                        "its sign or that of the position is reversed in this log -> set sign"));
  EXPECT_THAT(cause(0.01, 0.99, 0.0),
              HasSubstr("0.01 times the predicted one (correlation 0.99), its unit, gear ratio"));
  EXPECT_THAT(cause(1.9, 0.99, 0.0),
              AllOf(HasSubstr("1.9 times the predicted one (correlation 0.99), the robot carries "
                              "another payload, or its unit"),
                    HasSubstr("-> state the payload of this log (`payload`), or set unit")));
  EXPECT_THAT(cause(1.0, 0.99, 4.9), HasSubstr("is 4.9 N m above the predicted one throughout"));
  EXPECT_THAT(cause(1.0, 0.99, -4.9), HasSubstr("is 4.9 N m below the predicted one throughout"));
  EXPECT_THAT(cause(0.2, 0.1, 0.0), HasSubstr("does not follow the predicted one"));
  EXPECT_THAT(cause(1.0, 0.9, 0.0), HasSubstr("(correlation 0.9, slope 1), as with a payload"));
}

// 250 samples at 25 Hz, low-passed at 5 Hz; above it lies the given error of the elbow.
TEST(Verdict, NamesARateThatDoesNotResolveTheMotion) {
  const auto judged = [](double cutoff_hz, double above, double slope = 1.0) {
    ValidationResult result = goodResult();
    result.samples = 250;
    result.duration_s = 10.0;
    result.per_joint[1] = scoreOf(0.5, 10.0);
    result.per_joint[1].slope = slope;
    result.per_joint[1].correlation = 0.9;
    result.filtered.cutoff_hz = cutoff_hz;
    result.filtered.joint_noise_floor = {0.01, above, 0.01};
    result.training_error = 0.05;
    judge(modelWithTrainingErrors(), {}, result);
    return result;
  };
  const ValidationResult slow = judged(5.0, 0.4);
  EXPECT_THAT(slow.verdict,
              HasSubstr("(correlation 0.9, slope 1), and most of the error lies above 5 Hz: the "
                        "25 Hz of this log do not resolve its motion -> log at a higher rate"));
  EXPECT_THAT(slow.notes, Contains(HasSubstr("the motion is too fast for the rate of the log")));
  EXPECT_FALSE(slow.passed);
  EXPECT_TRUE(failsByRate(slow));
  for (const ValidationResult& other :
       {judged(4.0, 0.4), judged(5.0, 0.3), judged(5.0, 0.4, 1.6)}) {
    EXPECT_THAT(other.verdict, Not(HasSubstr("higher rate")));
    EXPECT_FALSE(failsByRate(other));
  }
}

TEST(Verdict, ADeadEffortFails) {
  ValidationResult result = goodResult();
  result.per_joint[1] = scoreOf(std::numeric_limits<double>::quiet_NaN(), 0.0);
  judge(modelWithTrainingErrors(), {}, result);
  EXPECT_THAT(result.verdict, HasSubstr("elbow: its measured effort is zero in all samples"));
}

TEST(Suspicion, NeedsABadPrediction) {
  Model model = syntheticModel();
  model.fit.cross_validated_error = 0.06;
  for (ChannelFit& channel : model.fit.per_joint) channel.cross_validated_error = 0.06;
  ValidationResult result = goodResult();
  for (JointScore& score : result.per_joint) score.relative_error = 0.1;
  result.relative_error = 0.1;
  EXPECT_FALSE(isSuspicious(model, {}, result));
  result.per_joint[0].relative_error = 0.13;  // more than twice the training logs'
  EXPECT_TRUE(isSuspicious(model, {}, result));
  result.per_joint[0].relative_error = 0.1;
  result.relative_error = 0.3;
  model.fit.cross_validated_error = 0.29;
  EXPECT_TRUE(isSuspicious(model, {}, result));  // above the threshold
}

TEST(Verdict, FailsOnNotANumberAndWithoutMotion) {
  ValidationResult result = goodResult();
  result.relative_error = std::numeric_limits<double>::quiet_NaN();
  judge(syntheticModel(), {}, result);
  EXPECT_FALSE(result.passed);
  EXPECT_THAT(result.verdict, HasSubstr("no effort of this log is measured and other than zero"));
  for (const std::string& note : result.notes) EXPECT_THAT(note, Not(HasSubstr("older version")));
  result = goodResult();
  result.moving = 0;
  judge(syntheticModel(), {}, result);
  EXPECT_THAT(result.verdict, HasSubstr("no joint moves in this log"));
}

TEST(Verdict, WhatCannotBeVerifiedIsANoteNoFailure) {
  ValidationResult result = goodResult();
  result.checks = {{"certificate", Check::Outcome::kNotVerifiable, 0.0, 0.0, "not there"}};
  judge(syntheticModel(), {}, result);
  EXPECT_TRUE(result.passed);
  EXPECT_THAT(result.notes, Contains("certificate: not there"));
}

TEST(Verdict, FailsAModelThatSaysItIsNotUsable) {
  Model model = syntheticModel();
  model.status = {false, "rank deficient"};
  ValidationResult result = goodResult();
  judge(model, {}, result);
  EXPECT_THAT(result.verdict, HasSubstr("not usable: rank deficient"));
}

TEST(Thresholds, AreCheckedByName) {
  ValidationThresholds thresholds;
  EXPECT_NO_THROW(thresholds.check());
  thresholds.max_gap = 0.0;
  try {
    thresholds.check();
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "`max_gap` is 0; expected a positive number");
  }
  thresholds = {};
  thresholds.max_relative_error = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(thresholds.check(), UsageError);
}

}  // namespace
}  // namespace dynid
