#include "dynid/identification/usability.h"

#include "dynid/identification/verdicts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/synthetic_model.h"
#include <algorithm>
#include <cmath>
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

Model goodModel() {
  Model model = syntheticModel();
  model.status = {true, ""};
  model.fit.per_joint[2].relative_error = 0.2;
  model.base_parameters.resize(1);
  model.consistency.objective_optimal = 1.05 * model.fit.objective_unconstrained;
  model.base_covariance = model.base_covariance.topLeftCorner<1, 1>().eval();
  return model;
}

Diagnosis ofSeconds(double seconds) {
  Diagnosis diagnosis;
  diagnosis.duration_s = seconds;
  diagnosis.turning_points = 7;
  return diagnosis;
}

TEST(Usability, AGoodModelHasNothingAgainstIt) {
  const ModelStatus status = judgedStatus(goodModel(), {}, {ofSeconds(60.0)});
  EXPECT_TRUE(status.usable);
  EXPECT_EQ(status.reason, "");
  EXPECT_THAT(status.reasons, IsEmpty());
  EXPECT_THAT(status.reservations, IsEmpty());
  ASSERT_EQ(status.joints.size(), 3U);
  for (const JointStatus& joint : status.joints) EXPECT_TRUE(joint.usable);
}

TEST(Usability, EffortsThatAreMostlyNoiseAreNamed) {
  Model model = goodModel();
  model.fit.noise_floor = 0.76;
  EXPECT_THAT(judgedStatus(model, {}, {ofSeconds(60.0)}).reservations,
              ElementsAre("the residual above the cut-off of the fit, which no model explains, is "
                          "76 % of the efforts: measured efforts are quieter (those of nine real "
                          "robots have at most 27 %), and dynid validate fails logs with more than "
                          "35 %; check that the column holds the measured effort, and no command "
                          "of a controller or estimate of external efforts"));
}

TEST(Usability, MassesFarFromThoseOfTheDescriptionAreNamed) {
  Model model = goodModel();
  auto robot = std::make_shared<Robot>(*model.robot);
  double mass = 0.0;
  for (int b = 0; b < robot->numBodies(); ++b) mass += model.parameters(10 * b);
  for (Body& body : robot->bodies)
    body.prior = inertialFromCenterOfMass(
        50.0 * mass / robot->numBodies(), Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity());
  model.robot = robot;
  EXPECT_THAT(judgedStatus(model, {}, {ofSeconds(60.0)}).reservations,
              ElementsAre(HasSubstr("check masses (kg) and lengths (m) of the description")));
  // A warning about the unit of the efforts is a second fact.
  Diagnosis small = ofSeconds(60.0);
  small.findings = {{Finding::Severity::kWarning, "raw-effort-unit", -1, "small", 0.002, ""}};
  const ModelStatus status = judgedStatus(model, {}, {small});
  EXPECT_FALSE(status.usable);
  EXPECT_THAT(status.reasons, ElementsAre(HasSubstr("they are not joint torques in N m")));
}

TEST(Usability, MassesOfASmallRobotInNewtonMillimetresAreNamed) {
  Model model = goodModel();
  auto robot = std::make_shared<Robot>(*model.robot);
  for (Body& body : robot->bodies) body.prior.reset();
  model.robot = robot;
  EXPECT_THAT(reservations(model, {ofSeconds(60.0)}), IsEmpty());
  model.parameters *= 1e3;
  EXPECT_THAT(reservations(model, {ofSeconds(60.0)}),
              ElementsAre(HasSubstr("times what rods of the size of this robot would: check the "
                                    "unit of the efforts (N mm, mA)")));
}

TEST(Usability, AJointThatTheLogsDoNotExplainMustNotBeUsed) {
  Model model = goodModel();
  model.fit.per_joint[2].cross_validated_r2 = -0.1;
  const ModelStatus status = judgedStatus(model, {}, {ofSeconds(60.0)});
  EXPECT_TRUE(status.usable);  // the others may be
  EXPECT_TRUE(status.joints[0].usable);
  EXPECT_FALSE(status.joints[2].usable);
  EXPECT_THAT(status.joints[2].reasons,
              ElementsAre(HasSubstr("cross-validated R2 -0.1, at least 0.3 is needed; relative ")));
  EXPECT_THAT(status.reservations,
              Contains(HasSubstr("not identifiable from these logs: the effort of")));
  model.fit.per_joint[1].cross_validated_r2 = 0.2;  // more than half
  EXPECT_FALSE(judgedStatus(model, {}, {}).usable);
}

TEST(Usability, AJointThatValidationWouldFailMustNotBeUsed) {
  Model model = goodModel();
  model.fit.per_joint[2].relative_error = 0.55;
  EXPECT_TRUE(judgedStatus(model, {}, {}).joints[2].usable);
  model.fit.per_joint[2].relative_error = 0.65;  // R2 0.9: gravity at rest is explained
  const ModelStatus status = judgedStatus(model, {}, {});
  EXPECT_TRUE(status.usable);
  EXPECT_FALSE(status.joints[2].usable);
  EXPECT_THAT(status.joints[2].reasons,
              ElementsAre(HasSubstr("relative error 65 %, at most 60 %")));
}

TEST(Usability, AJointThatDoesNotMoveMustNotBeUsed) {
  Model model = goodModel();
  model.fit.per_joint[2].samples = 3.0;
  model.fit.per_joint[2].cross_validated_r2 = 0.95;  // gravity explains its effort
  ModelStatus status = judgedStatus(model, {}, {ofSeconds(60.0)});
  EXPECT_TRUE(status.usable);
  EXPECT_FALSE(status.joints[2].usable);
  EXPECT_THAT(status.joints[2].reasons,
              ElementsAre("it moves in 3 of the samples used: its friction and drive inertia are "
                          "unknown; add a log that moves it, or exclude the joint (it is then "
                          "held fixed)"));
  EXPECT_THAT(status.reservations,
              ElementsAre(HasSubstr("does not move in these logs: friction and drive inertia")));
  model.fit.per_joint[1].samples = 0.0;
  status = judgedStatus(model, {}, {});
  EXPECT_FALSE(status.usable);
  EXPECT_THAT(status.reasons, ElementsAre(HasSubstr("2 of 3 joints do not move")));
}

// The reservation about the joint says it already.
TEST(Usability, FrictionOfAJointThatDoesNotMoveIsNotNamedAgain) {
  Model model = goodModel();
  model.fit.per_joint[2].samples = 0.0;
  model.fit.condition_number = std::numeric_limits<double>::infinity();
  model.base_parameters.clear();
  for (const int actuator : {1, 2}) {
    const auto column = std::find_if(
        model.layout.columns().begin(), model.layout.columns().end(), [&](const Column& c) {
          return c.isFriction() && c.owner == actuator;
        });
    ASSERT_NE(column, model.layout.columns().end());
    BaseParameterEstimate silent;
    silent.name = column->name;
    silent.combination = {{static_cast<int>(column - model.layout.columns().begin()), 1.0}};
    silent.std_dev = std::numeric_limits<double>::infinity();
    model.base_parameters.push_back(silent);
  }
  EXPECT_THAT(reservations(model, {ofSeconds(60.0)}),
              ElementsAre(HasSubstr("does not move in these logs"),
                          AllOf(HasSubstr("the logs say nothing about "),
                                HasSubstr(model.base_parameters[0].name),
                                Not(HasSubstr(model.base_parameters[1].name)))));
}

// The length of logs of saved statistics is not known.
TEST(Usability, AShortLogBesideStatisticsIsNotCalledShort) {
  Model model = goodModel();
  model.provenance.logs.resize(1);
  EXPECT_THAT(reservations(model, {ofSeconds(0.01)}), ElementsAre(HasSubstr("record at least")));
  model.provenance.logs.resize(2);
  EXPECT_THAT(reservations(model, {ofSeconds(0.01)}), IsEmpty());
}

TEST(Usability, DriveGainsThatTheLogsDoNotDetermineAreNamed) {
  Model model = goodModel();
  model.drive_gains = Eigen::Vector3d(10.0, -8.0, 12.0);
  model.drive_gain_std_dev = Eigen::Vector3d(1.0, 5.0, std::nan(""));
  EXPECT_THAT(reservations(model, {ofSeconds(60.0)}),
              ElementsAre(HasSubstr("hardly determine the drive gain of " +
                                    model.robot->drives[1].name + ", which is taken")));
}

TEST(Usability, BoundsThatContradictTheLogsAreNamed) {
  Model model = goodModel();
  model.consistency.objective_optimal = 70.0 * model.fit.objective_unconstrained;
  EXPECT_TRUE(judgedStatus(model, {}, {ofSeconds(60.0)}).usable);  // the errors are small
  model.fit.relative_error = 0.2;
  const ModelStatus status = judgedStatus(model, {}, {ofSeconds(60.0)});
  EXPECT_FALSE(status.usable);
  EXPECT_THAT(status.reasons,
              ElementsAre(HasSubstr("active bounds (upper.mass >= 2) the squared error is 70 times "
                                    "that of the best fit")));
}

// The cause that is known comes before the guess at another robot.
TEST(Usability, FaultsOfTheLogComeBeforeOtherCauses) {
  Model model = goodModel();
  for (ChannelFit& joint : model.fit.per_joint) joint.relative_error = 0.8;
  model.fit.relative_error = 0.8;
  const Finding jump{Finding::Severity::kWarning,
                     "position-jump",
                     0,
                     "j1: the position jumps once, by 0.5 rad at 20 s",
                     0.5,
                     "leave that part out"};
  const ModelStatus status = judgedStatus(model, {{jump}}, {ofSeconds(60.0)});
  EXPECT_FALSE(status.usable);
  ASSERT_GE(status.reasons.size(), 2U);
  EXPECT_THAT(status.reasons.front(), HasSubstr("the position jumps once, by 0.5 rad at 20 s"));
}

TEST(Usability, BoundsThatContradictAQuietLogAreNamed) {
  Model model = goodModel();
  model.consistency.objective_optimal = 30.0 * model.fit.objective_unconstrained;
  model.fit.relative_error = 0.08;
  model.fit.noise_floor = 0.04;  // half of the error
  EXPECT_TRUE(judgedStatus(model, {}, {}).usable);
  model.fit.noise_floor = 0.005;  // a crane with reversed gravity
  const ModelStatus status = judgedStatus(model, {}, {});
  EXPECT_FALSE(status.usable);
  EXPECT_THAT(status.reasons, ElementsAre(HasSubstr("the squared error is 30 times")));
  model.fit.relative_error = 0.019;
  EXPECT_TRUE(judgedStatus(model, {}, {}).usable);
}

TEST(Usability, BoundsThatContradictOneJointAreNamed) {
  Model model = goodModel();
  ChannelFit& joint = model.fit.per_joint[1];
  joint.price_of_physics = 2.2;
  joint.price_reason = "the bound \"upper mass lower\"";
  EXPECT_TRUE(judgedStatus(model, {}, {}).usable);  // the errors are small
  joint.relative_error = 0.15;
  const ModelStatus status = judgedStatus(model, {}, {});
  EXPECT_FALSE(status.usable);
  EXPECT_THAT(status.reasons,
              ElementsAre(HasSubstr("with upper mass lower at least triples the error of " +
                                    model.robot->drives[1].name)));
  joint.price_of_physics = 1.1;  // 1.02 for a joint of a da Vinci
  EXPECT_TRUE(judgedStatus(model, {}, {}).usable);
  joint.price_of_physics = 2.2;
  // Not of the description. Bounds of a payload whose stated values are right may be active.
  for (const char* reason : {"friction that must not push", "the bound on the overall size"}) {
    joint.price_reason = reason;
    EXPECT_TRUE(judgedStatus(model, {}, {}).usable) << reason;
  }
}

TEST(Usability, AnErrorBeyondTheNoiseFloorThatValidationWouldFailIsNotUsable) {
  Model model = goodModel();
  model.fit.cross_validated_error = 0.75;
  model.fit.relative_error = 0.2;  // of the moving rows
  model.fit.noise_floor = 0.7;     // noise that no model explains
  EXPECT_TRUE(judgedStatus(model, {}, {}).usable);
  model.fit.noise_floor = 0.69;  // 0.29 beyond it
  EXPECT_THAT(judgedStatus(model, {}, {}).reservations,
              Contains(HasSubstr("the fit leaves 29 % of the efforts unexplained, which is much")));
  model.fit.noise_floor = 0.65;  // 0.37 beyond it
  const ModelStatus status = judgedStatus(model, {}, {});
  EXPECT_FALSE(status.usable);
  EXPECT_THAT(status.reasons,
              ElementsAre(HasSubstr("the fit leaves 37 % of the efforts unexplained: the log")));
  model.fit.relative_error = 0.02;
  model.fit.samples = 2.0 * model.fit.per_joint[0].samples + 1.0;  // half of them at standstill
  EXPECT_THAT(
      judgedStatus(model, {}, {}).reasons,
      ElementsAre(HasSubstr("the fit leaves 37 % of the efforts unexplained: while the robot "
                            "moves the error is 2 %, so that it is efforts at standstill")));
}

// Two logs with the same warning, and two remedies.
TEST(Usability, TextsAndRemediesOfWarningsAreGivenOnce) {
  Finding clipped;
  clipped.code = "effort-clipped";
  clipped.severity = Finding::Severity::kWarning;
  clipped.message = "elbow: the effort is clipped";
  clipped.remedy = "lower the speed";
  Finding again = clipped;
  again.remedy = "raise the limit";
  EXPECT_THAT(judgedStatus(goodModel(), {{clipped, again}, {clipped}}, {}).reservations,
              Contains("elbow: the effort is clipped; lower the speed; raise the limit"));
}

// One joint among good ones, where the error of all joints together is small.
TEST(Usability, AJointWithALargeErrorIsNamed) {
  Model model = goodModel();
  const std::string& name = model.robot->drives[1].name;
  model.fit.per_joint[1].relative_error = 0.24;
  EXPECT_THAT(judgedStatus(model, {}, {}).reservations, Not(Contains(HasSubstr("single joints"))));
  model.fit.per_joint[1].relative_error = 0.3;
  const ModelStatus status = judgedStatus(model, {}, {});
  EXPECT_TRUE(status.usable);
  EXPECT_THAT(status.reservations,
              Contains(HasSubstr("of single joints unexplained: " + name + " (30 %)")));
}

TEST(Usability, StatedGainsThatContradictEachOtherAreNamed) {
  const Model model = goodModel();
  const std::string& name = model.robot->drives[1].name;
  EXPECT_THAT(judgedStatus(model, {}, {}, {{1, 11.0, 22.03, 0.019}}).reservations,
              Contains(HasSubstr("contradict each other in these logs: " + name +
                                 " (11 stated, 22.03 +- 0.019 from the others)")));
}

TEST(Usability, AForcedModelIsNotUsable) {
  Finding refusal;
  refusal.severity = Finding::Severity::kRefuse;
  refusal.message = "it seems that the effort of elbow has the opposite sign";
  const ModelStatus status = judgedStatus(goodModel(), {{refusal}}, {});
  EXPECT_FALSE(status.usable);
  EXPECT_THAT(
      status.reasons,
      ElementsAre("identified by force from a log that is refused: it seems that the effort "
                  "of elbow has the opposite sign"));
}

TEST(Usability, ClippedEffortsAreAReservation) {
  Finding clipped;
  clipped.severity = Finding::Severity::kWarning;
  clipped.code = "effort-clipped";
  clipped.message = "elbow: 8 % of the efforts sit at the largest value 40";
  clipped.remedy = "use a gentler motion";
  Finding other = clipped;
  other.code = "effort-coarse";
  Finding wrist = clipped;
  wrist.message = "wrist: 3 %";
  const ModelStatus status =
      judgedStatus(goodModel(), {{other, clipped}, {wrist}}, {ofSeconds(60.0)});
  EXPECT_TRUE(status.usable);
  EXPECT_THAT(status.reservations,
              ElementsAre("elbow: 8 % of the efforts sit at the largest value 40; wrist: 3 %; use "
                          "a gentler motion"));
}

TEST(Usability, AJointWhoseSpikesHideTheErrorMustNotBeUsed) {
  Model model = goodModel();
  model.fit.per_joint[1].cross_validated_error = 0.79;
  model.fit.per_joint[1].noise_floor = 0.78;
  Finding spikes{Finding::Severity::kWarning, "effort-spikes", 1, "elbow: spikes", 0.02, "repair"};
  EXPECT_TRUE(judgedStatus(model, {}, {}).joints[1].usable);  // noise
  const ModelStatus status = judgedStatus(model, {{}, {spikes}}, {});
  EXPECT_TRUE(status.usable);
  EXPECT_FALSE(status.joints[1].usable);
  EXPECT_THAT(
      status.joints[1].reasons,
      ElementsAre("elbow: spikes: with them the error is 79 % (at most 35 % where an effort "
                  "has spikes), so that these logs do not show whether the model is right; "
                  "repair"));
  spikes.joint = 0;
  EXPECT_TRUE(judgedStatus(model, {{spikes}}, {}).joints[1].usable);
  model.fit.per_joint[1].cross_validated_error = 0.3;
  spikes.joint = 1;
  EXPECT_TRUE(judgedStatus(model, {{spikes}}, {}).joints[1].usable);
}

TEST(Usability, PoorExcitationIsAReservationWithItsNumber) {
  Model model = goodModel();
  model.fit.condition_number = 5000.0;
  EXPECT_THAT(reservations(model, {ofSeconds(60.0)}),
              ElementsAre(HasSubstr("condition number 5e+03, good motions have below 100")));
  model = goodModel();
  EXPECT_THAT(
      reservations(model, {ofSeconds(0.04), ofSeconds(0.04)}),
      ElementsAre("the logs hold 0.08 s of motion with 14 turning points for 1 combinations of "
                  "parameters; record at least 10 s"));
}

TEST(Usability, EffortsLaterThanTheSearchReachesMakeAModelUnusable) {
  const Finding late{Finding::Severity::kWarning, "effort-delay-range", -1, "late", 0.1, "repair"};
  const ModelStatus status = judgedStatus(goodModel(), {{}, {late}}, {});
  EXPECT_FALSE(status.usable);
  EXPECT_THAT(status.reasons, ElementsAre("late; repair"));
}

// Encoders whose zeros are half a turn off: the diagnosis cannot see it in every robot.
TEST(Usability, PositionsOutsideTheLimitsAreDoubtful) {
  const Model model = goodModel();
  const auto outside = [](int joint, double share) {
    return Finding{Finding::Severity::kWarning, "position-limit", joint, "outside", share, "zero"};
  };
  EXPECT_EQ(judgedStatus(model, {{outside(0, 0.4)}}, {}).reason, "");
  const ModelStatus of_one = judgedStatus(model, {{outside(0, 0.9)}, {outside(1, 0.9)}}, {});
  EXPECT_TRUE(of_one.usable);  // one of three joints in each log
  EXPECT_THAT(of_one.reservations, ElementsAre("outside; zero"));
  const ModelStatus of_two = judgedStatus(model, {{}, {outside(0, 0.9), outside(2, 0.9)}}, {});
  EXPECT_FALSE(of_two.usable);
  EXPECT_THAT(of_two.reasons, ElementsAre("outside; zero"));
}

TEST(Usability, ADoubtfulUnitOfTheEffortsIsTheFirstReservationAndTheOnlyCause) {
  Model model = goodModel();
  auto robot = std::make_shared<Robot>(*model.robot);
  for (Body& body : robot->bodies) {
    const auto first = 10 * (&body - robot->bodies.data());
    body.prior = model.parameters.segment<10>(first);
  }
  *robot->bodies[0].prior *= 0.2;
  model.robot = robot;
  const Finding unit{
      Finding::Severity::kWarning, "raw-effort-unit", -1, "small efforts", 0.1, "motor side"};
  Diagnosis diagnosis = ofSeconds(60.0);
  diagnosis.findings = {unit};
  const ModelStatus status = judgedStatus(model, {{unit}}, {diagnosis});
  EXPECT_THAT(status.reservations,
              ElementsAre("small efforts; motor side", HasSubstr("check the unit of the efforts")));
}

TEST(Usability, WarningsThatTheErrorNeedNotShowAreReservations) {
  for (const char* code : {"position-jump",
                           "raw-effort-zero",
                           "raw-position-held",
                           "raw-effort-unit",
                           "diagnosis-effort-unit",
                           "diagnosis-gravity-direction",
                           "diagnosis-no-gravity",
                           "diagnosis-position-zero",
                           "diagnosis-effort-swap",
                           "diagnosis-effort-late",
                           "held-joint-moves",
                           "held-joint-elsewhere",
                           "base-moves",
                           "base-twist"}) {
    const Finding finding{Finding::Severity::kWarning, code, 1, "elbow: it jumps", 0.3, "repair"};
    EXPECT_THAT(judgedStatus(goodModel(), {{finding}}, {ofSeconds(60.0)}).reservations,
                ElementsAre("elbow: it jumps; repair"));
  }
}

TEST(Verdicts, AValueThatIsTrulyZeroIsWellExcited) {
  EXPECT_EQ(excitationOf(0.001, 0.01), Excitation::kBadly);
  EXPECT_EQ(excitationOf(0.001, 0.01, "N m", 10.0), Excitation::kWell);   // 0.1 % of the effort
  EXPECT_EQ(excitationOf(0.001, 0.01, "kg m", 1.0), Excitation::kBadly);  // 10 % under gravity
  EXPECT_EQ(excitationOf(0.001, 0.01, "N m", 0.0), Excitation::kBadly);   // effort not known
  EXPECT_EQ(excitationOf(1.0, std::numeric_limits<double>::infinity(), "N m", 10.0),
            Excitation::kNone);
}

}  // namespace
}  // namespace dynid
