#include "dynid/validation/validate.h"

#include "dynid/consistency/physical_fit.h"
#include "dynid/core/errors.h"
#include "dynid/dynamics/inverse_dynamics.h"
#include "dynid/dynamics/mass_matrix.h"
#include "dynid/dynamics/projection.h"
#include "dynid/model/json.h"
#include "dynid/model/model_efforts.h"
#include "dynid/validation/joint_verdicts.h"
#include "dynid/validation/log_suspicion.h"
#include "dynid/validation/model_checks.h"
#include "dynid/validation/validation_pass.h"
#include "dynid/validation/verdict.h"

#include <Eigen/LU>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/synthetic_model.h"
#include <cmath>
#include <filesystem>
#include <limits>

namespace dynid {
namespace {

using dynid::testing::syntheticModel;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

/// Efforts of the links as in the blocks of a prediction.
Eigen::MatrixXd linkEfforts(const Model& model, const PredictionBlock& block) {
  return ProjectionRegressor(model.robot)
      .efforts(model.parameters.head(10 * model.robot->numBodies()), block.q, block.dq, block.ddq);
}

/// A motion in closed form with efforts of links and drives by Newton-Euler, and viscous friction
/// that the model contains.
PredictionBlock exactBlock(const Model& model, Eigen::Index rows, double step) {
  const Robot& robot = *model.robot;
  const int n = robot.numJoints();
  PredictionBlock block;
  block.time = Eigen::VectorXd::LinSpaced(rows, 0.0, static_cast<double>(rows - 1) * step);
  block.q.resize(rows, n);
  block.dq.resize(rows, n);
  block.ddq.resize(rows, n);
  block.predicted.resize(rows, n);
  const Eigen::VectorXd pi = model.parameters.head(10 * robot.numBodies());
  const Eigen::MatrixXd T_inverse = robot.T.inverse();
  const Eigen::MatrixXd reflected =
      T_inverse.transpose() * driveInertias(model).asDiagonal() * T_inverse;
  for (Eigen::Index i = 0; i < rows; ++i) {
    const double t = block.time(i);
    for (Eigen::Index j = 0; j < n; ++j) {
      const double w = 1.0 + 0.3 * static_cast<double>(j);
      block.q(i, j) = 0.8 * std::sin(w * t) + 0.2 * t / 10.0;
      block.dq(i, j) = 0.8 * w * std::cos(w * t) + 0.02;
      block.ddq(i, j) = -0.8 * w * w * std::sin(w * t);
    }
    const Eigen::VectorXd dq = block.dq.row(i), ddq = block.ddq.row(i);
    block.predicted.row(i) =
        inverseDynamics(robot, pi, block.q.row(i), dq, ddq) + reflected * ddq + 0.7 * dq;
  }
  block.rigid = linkEfforts(model, block);
  block.measured = block.predicted;
  block.moving = block.dq.array().abs() > 0.02;
  return block;
}

Check energyCheck(const Model& model, const PredictionBlock& block, double limit = 0.25) {
  EnergyBalance balance(model);
  balance.add(block);
  return balance.check(limit);
}

TEST(EnergyBalance, ClosesForAnExactModel) {
  const Model model = syntheticModel();
  const Check check = energyCheck(model, exactBlock(model, 5000, 0.002));
  EXPECT_EQ(check.outcome, Check::Outcome::kPassed);
  EXPECT_LT(check.value, 1e-6);  // error of the trapezoidal rule
}

TEST(EnergyBalance, ClosesOverStretchesPartedByAGap) {
  const Model model = syntheticModel();
  PredictionBlock block = exactBlock(model, 5000, 0.002);
  block.time.tail(2500).array() += 60.0;
  block.measured.row(1000).setConstant(std::numeric_limits<double>::quiet_NaN());
  EXPECT_LT(energyCheck(model, block).value, 1e-6);
}

TEST(EnergyBalance, MissesWorkThatTheModelDoesNotExplain) {
  const Model model = syntheticModel();
  PredictionBlock block = exactBlock(model, 5000, 0.002);
  block.measured = block.predicted + 3.0 * block.dq;  // friction that the model does not contain
  const double flow = (block.measured.array() * block.dq.array()).abs().sum();
  const double missed = 3.0 * block.dq.squaredNorm();
  const Check check = energyCheck(model, block, 0.5 * missed / flow);
  EXPECT_EQ(check.outcome, Check::Outcome::kFailed);
  EXPECT_NEAR(check.value, missed / flow, 1e-3 * missed / flow);
}

TEST(EnergyBalance, MissesAWrongInverseDynamics) {
  // Efforts of other links than those whose energy is computed: checks that M(q) and the regressor
  // are compared.
  const Model model = syntheticModel();
  PredictionBlock block = exactBlock(model, 5000, 0.002);
  block.ddq *= 0.5;  // inconsistent with this motion
  block.rigid = linkEfforts(model, block);
  EXPECT_GT(energyCheck(model, block).value, 1e-3);
}

TEST(EnergyBalance, SaysNothingWithoutMotion) {
  const Model model = syntheticModel();
  PredictionBlock block = exactBlock(model, 100, 0.002);
  block.dq.setZero();
  EXPECT_EQ(energyCheck(model, block).outcome, Check::Outcome::kNotVerifiable);
}

TEST(ModelChecks, PassForPossibleBodies) {
  const Model model = syntheticModel();
  EXPECT_EQ(checkPhysicalConsistency(model).outcome, Check::Outcome::kPassed);
  const Check mass = checkMassMatrix(model, 0.0);
  EXPECT_EQ(mass.outcome, Check::Outcome::kPassed);
  EXPECT_GT(mass.value, 0.0);
  EXPECT_THAT(mass.message, HasSubstr("shoulder"));
  EXPECT_EQ(checkMassMatrix(model, 0.0).value, mass.value);  // the same states each time
}

TEST(ModelChecks, NameTheLinkThatIsNoBody) {
  Model model = syntheticModel();
  model.parameters(10 + 4) = -1.0;
  const Check check = checkPhysicalConsistency(model);
  EXPECT_EQ(check.outcome, Check::Outcome::kFailed);
  EXPECT_THAT(check.message, HasSubstr("fore is no possible body"));
}

TEST(ModelChecks, NameTheFrictionBelowZero) {
  Model model = syntheticModel();
  model.parameters(model.layout.find("m6.coulomb")) = -0.2;
  const Check check = checkPhysicalConsistency(model);
  EXPECT_EQ(check.outcome, Check::Outcome::kFailed);
  EXPECT_THAT(check.message, HasSubstr("m6.coulomb is -0.2 N m, below zero"));
}

TEST(ModelChecks, MassMatrixOfImpossibleLinksIsFoundOut) {
  Model model = syntheticModel();
  model.parameters.segment<10>(20) *= -1.0;
  for (const char* name : {"shoulder.drive_inertia", "m5.drive_inertia", "m6.drive_inertia"})
    model.parameters(model.layout.find(name)) = 0.0;
  const Check check = checkMassMatrix(model, 0.0);
  EXPECT_EQ(check.outcome, Check::Outcome::kFailed);
  EXPECT_LT(check.value, 0.0);
}

TEST(ModelChecks, MassMatrixBelowTheWantedEigenvalueFails) {
  const Check check = checkMassMatrix(syntheticModel(), 1e3);
  EXPECT_EQ(check.outcome, Check::Outcome::kFailed);
  EXPECT_THAT(check.message, HasSubstr("it has to be above 1e+03"));
}

TEST(ModelChecks, CertificateOfAnIdentifiedModel) {
  Model model = syntheticModel();
  PhysicalFitProblem problem;
  problem.bodies = 3;
  problem.prior.assign(3, model.body(0));
  problem.R = Eigen::MatrixXd::Random(40, 30);
  problem.z = problem.R * model.parameters.head(30) + 0.1 * Eigen::VectorXd::Random(40);
  model.consistency = solvePhysicalFit(problem);
  ASSERT_TRUE(model.consistency.converged) << model.consistency.reason;
  model.parameters.head(30) = model.consistency.x.head(30);
  const Check check = checkModelCertificate(model, 1e-6);
  EXPECT_EQ(check.outcome, Check::Outcome::kPassed) << check.message;
  EXPECT_LE(check.value, 1e-8);

  Model edited = model;
  edited.parameters(0) += 0.1;
  EXPECT_EQ(checkModelCertificate(edited, 1e-6).outcome, Check::Outcome::kFailed);
  EXPECT_THAT(checkModelCertificate(edited, 1e-6).message, HasSubstr("are not those of the fit"));
  EXPECT_EQ(checkModelCertificate(model, 1e-30).outcome, Check::Outcome::kFailed);
  Model forged = model;
  forged.consistency.certificate.x(0) = -1.0;
  EXPECT_EQ(checkModelCertificate(forged, 1e-6).outcome, Check::Outcome::kFailed);
  Model without = model;
  without.has_certificate = false;
  EXPECT_EQ(checkModelCertificate(without, 1e-6).outcome, Check::Outcome::kNotVerifiable);
  EXPECT_THAT(checkModelCertificate(without, 1e-6).message, HasSubstr("carries no certificate"));
}

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
  score.rmse = relative_error * effort;
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
  for (JointScore& score : result.per_joint) score.relative_error = score.rmse = 0.1;
  result.notes.clear();
  judge(modelWithTrainingErrors(), {}, result);
  EXPECT_THAT(result.notes, IsEmpty());
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
  EXPECT_THAT(cause(1.0, 0.99, 4.9), HasSubstr("is 4.9 N m above the predicted one throughout"));
  EXPECT_THAT(cause(0.2, 0.1, 0.0), HasSubstr("does not follow the predicted one"));
  EXPECT_THAT(cause(1.0, 0.9, 0.0), HasSubstr("(correlation 0.9, slope 1), as with a payload"));
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
    EXPECT_STREQ(error.what(), "max-gap is 0; expected a positive number");
  }
  thresholds = {};
  thresholds.max_relative_error = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(thresholds.check(), UsageError);
}

/// The arm whose logs were simulated, and its true parameters.
struct Quickstart {
  std::filesystem::path folder = DYNID_DATASETS_DIR "/quickstart";
  Model truth = loadModel(folder / "truth.json");
  std::filesystem::path heldout = folder / "heldout.h5";
};

TEST(Validate, TheTruthPassesOnItsOwnLog) {
  const Quickstart arm;
  double rows = 0;
  const ValidationResult result =
      validate(arm.truth, arm.heldout, {}, {}, {}, [&](const PredictionBlock& block) {
        rows += static_cast<double>(block.time.size());
      });
  EXPECT_TRUE(result.passed) << result.verdict;
  EXPECT_EQ(result.samples, rows);
  EXPECT_EQ(result.per_joint.size(), arm.truth.robot->joints.size());
  EXPECT_LT(result.relative_error, 0.06);  // effort noise of 2 % of the largest effort
  EXPECT_GT(result.filtered.cutoff_hz, 0.0);
  std::vector<std::string> names;
  for (const Check& check : result.checks) {
    names.push_back(check.name);
    EXPECT_NE(check.outcome, Check::Outcome::kFailed) << check.message;
  }
  EXPECT_THAT(names,
              ::testing::UnorderedElementsAre("mass_matrix_positive_definite",
                                              "physically_consistent",
                                              "coriolis_skew_symmetric",
                                              "power_balance",
                                              "friction_passive",
                                              "certificate",
                                              "energy_balance"));
}

TEST(Validate, TellsTheTruthFromTheDescription) {
  const Quickstart arm;
  const Model described = modelFromDescription(arm.truth.robot);
  const ValidationResult result =
      validate(described, arm.heldout, {}, {}, {{"truth.json", arm.truth}});
  EXPECT_GT(result.filtered.cutoff_hz, 0.0) << "the log's own, where the model has none";
  ASSERT_EQ(result.against.size(), 1U);
  EXPECT_TRUE(result.against[0].significant);
  EXPECT_LT(result.against[0].relative_error, result.relative_error);
  EXPECT_THAT(result.against[0].message, HasSubstr("truth.json is better"));
  EXPECT_EQ(validate(arm.truth, arm.heldout, {}, {}, {{"itself", arm.truth}}).against[0].p_value,
            1.0);
}

TEST(Validate, RefusesWhatCannotBeCompared) {
  const Quickstart arm;
  const auto message = [&](const Model& rival) -> std::string {
    try {
      validate(arm.truth, arm.heldout, {}, {}, {{"rival.json", rival}});
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(message(syntheticModel()),
              HasSubstr("`against` rival.json: its joints are shoulder, elbow, wrist"));
  Model amperes = arm.truth;
  amperes.effort_unit = "A";
  EXPECT_THAT(message(amperes), HasSubstr("it predicts in A, the model in N m"));
}

TEST(ValidationPass, GathersScoresCurvesAndEnergy) {
  const Model model = syntheticModel();
  const PredictionBlock block = exactBlock(model, 3000, 0.01);
  ValidationPass pass(model, model.signals);
  EXPECT_TRUE(pass.empty());
  pass.add(block);
  ValidationResult result;
  pass.finish({}, result);
  EXPECT_EQ(result.samples, 3000.0);
  EXPECT_LT(result.relative_error, 1e-12);
  EXPECT_EQ(result.filtered.cutoff_hz, 7.5);
  EXPECT_EQ(result.filtered.per_joint.size(), 3U);
  EXPECT_GT(result.curves.time.size(), 1000);
  ASSERT_EQ(result.checks.size(), 1U);
  EXPECT_EQ(result.checks[0].name, "energy_balance");
}

}  // namespace
}  // namespace dynid
