#include "dynid/identification/log_reservations.h"

#include "dynid/identification/usability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/synthetic_model.h"

namespace dynid {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Model modelOfGoodLogs() {
  Model model = dynid::testing::syntheticModel();
  model.status = {true, ""};
  model.base_parameters.resize(1);
  model.consistency.objective_optimal = 1.05 * model.fit.objective_unconstrained;
  model.base_covariance = model.base_covariance.topLeftCorner<1, 1>().eval();
  return model;
}

TEST(LogReservations, LogsThatContradictEachOtherAreNamed) {
  Model model = modelOfGoodLogs();
  LogComparison comparison{"loaded.h5", 3, 2.1, 0.1, true, {{"hand.mx", 0.1, 0.4, 0.1, 3.0, true}}};
  model.fit.log_agreement = {comparison};
  EXPECT_THAT(logReservations(model), IsEmpty());
  model.fit.log_agreement.front().ratio = 52.0;
  EXPECT_THAT(logReservations(model),
              ElementsAre("the two logs contradict each other (differences 52 times their standard "
                          "deviation, most in hand.mx): another payload, zero position or unit in "
                          "one of them; declare the payload, or identify the logs "
                          "apart"));
}

// Another unit changes the other parameters as well, unless friction hides those of a joint.
TEST(LogReservations, LogsThatDifferInFrictionOnlyAreNotBlamedForAPayload) {
  Model model = modelOfGoodLogs();
  const std::string first = model.robot->drives[0].name, second = model.robot->drives[1].name;
  model.layout.append(frictionColumn(*model.robot, 0, FrictionEffect::kViscous));
  model.layout.append(frictionColumn(*model.robot, 0, FrictionEffect::kOffset));
  model.layout.append(frictionColumn(*model.robot, 1, FrictionEffect::kCoulomb));
  const auto cause = [&](const std::vector<ParameterComparison>& largest) {
    model.fit.log_agreement = {{"cold.h5", 3, 18.0, 0.1, true, largest}};
    const std::vector<std::string> found = logReservations(model);
    return found.size() == 1 ? found.front().substr(found.front().find("): ") + 3) : "";
  };
  const ParameterComparison viscous{first + ".viscous", 2.0, 3.0, 0.01, 100.0, true};
  const ParameterComparison coulomb{second + ".coulomb", 2.0, 3.0, 0.02, 50.0, true};
  EXPECT_EQ(cause({viscous, coulomb, {"hand.mx", 0.1, 0.2, 0.01, 10.0, true}}),
            "friction has changed (temperature, wear); record the logs with the robot warm, or "
            "identify them apart");
  EXPECT_EQ(cause({viscous}),
            "friction has changed (temperature, wear), or the unit of the effort of " + first +
                "; record the logs with the robot warm, or identify them apart");
  const std::string payload =
      "another payload, zero position or unit in one of them; declare the payload, or identify the "
      "logs apart";
  EXPECT_EQ(cause({viscous, coulomb, {"hand.mx", 0.1, 0.4, 0.01, 30.0, true}}), payload);
  EXPECT_EQ(cause({viscous, coulomb, {first + ".offset", 0.1, 0.4, 0.01, 30.0, true}}), payload);
}

TEST(LogReservations, LogsThatNeedOtherEffortsAreNoBasisOfAModel) {
  Model model = modelOfGoodLogs();
  LogComparison comparison{"loaded.h5", 3, 31.0, 0.1, true, {}};
  comparison.apart = {0.1, 0.74, 0.3};
  comparison.residual = {0.02, 0.05, 0.2};
  model.fit.log_agreement = {comparison, comparison};
  ModelStatus status = judgedStatus(model, {}, {});
  EXPECT_FALSE(status.usable);
  ASSERT_EQ(status.reasons.size(), 2U);
  EXPECT_THAT(status.reasons.front(),
              AllOf(HasSubstr("loaded.h5 contradicts the other logs"),
                    HasSubstr("misses their own fits by 74 % of the effort of " +
                              model.robot->drives[1].name)));
  const auto usable = [&](double ratio, double apart, double residual) {
    LogComparison other = comparison;
    other.ratio = ratio;
    other.apart[1] = apart;
    other.residual[1] = residual;
    model.fit.log_agreement = {other};
    return judgedStatus(model, {}, {}).usable;
  };
  EXPECT_TRUE(usable(31.0, 0.3, 0.01));  // friction that drifts
  EXPECT_TRUE(usable(31.0, 0.5, 0.4));   // noise
  EXPECT_TRUE(usable(9.0, 0.74, 0.05));  // within what the standard deviations of real logs miss
  EXPECT_FALSE(usable(31.0, 0.4, 0.05));
}

// An undeclared payload in a log without many repetitions: the parameters are not known well.
TEST(LogReservations, LogsThatClearlyNeedOtherEffortsAreNamedWhateverTheirParameters) {
  Model model = modelOfGoodLogs();
  LogComparison comparison{"loaded.h5", 3, 6.3, 0.1, true, {{"hand.mx", 0.1, 0.4, 0.1, 3.0, true}}};
  const auto reservations_for = [&](double apart, double residual) {
    comparison.apart = {0.05, apart, 0.05};
    comparison.residual = {0.1, residual, 0.1};
    model.fit.log_agreement = {comparison};
    return logReservations(model);
  };
  EXPECT_THAT(reservations_for(0.31, 0.025),
              ElementsAre(AllOf(HasSubstr("the two logs contradict each other"),
                                HasSubstr("misses their own fits by 31 % of the effort of"))));
  EXPECT_THAT(reservations_for(0.31, 0.11), IsEmpty()) << "right logs of real robots";
  EXPECT_THAT(reservations_for(0.05, 0.005), IsEmpty());
  comparison.differs = false;  // few independent parts: wide intervals of the parameters
  EXPECT_THAT(reservations_for(0.1, 0.02),
              ElementsAre(AllOf(HasSubstr("(one fit of all logs misses their own fits by 10 % of "
                                          "the effort of"),
                                HasSubstr("5.0 times what these leave): another payload"))));
}

// A log of a robot with slightly longer links among right ones.
TEST(LogReservations, ALogWithOtherLinksIsNamedWhereItsEffortsDifferClearly) {
  Model model = modelOfGoodLogs();
  const std::string name = model.layout[1].name;
  const std::string friction = frictionColumn(*model.robot, 0, FrictionEffect::kViscous).name;
  model.layout.append(frictionColumn(*model.robot, 0, FrictionEffect::kViscous));
  const auto found = [&](const std::string& parameter, double deviations, double apart) {
    LogComparison comparison{"other.h5", 3, 6.5, 0.3, true, {}};
    comparison.largest = {{parameter, 5.0, 5.8, 0.02, deviations, true}};
    comparison.apart = {0.01, apart, 0.01};
    comparison.residual = {0.01, 0.005, 0.01};
    model.fit.log_agreement = {comparison, comparison};
    return logReservations(model).size();
  };
  EXPECT_EQ(found(name, 40.0, 0.025), 2U);
  EXPECT_EQ(found(name, 12.0, 0.025), 0U);
  EXPECT_EQ(found(name, 40.0, 0.008), 0U);
  EXPECT_EQ(found(friction, 40.0, 0.025), 0U);
}

TEST(LogReservations, ContradictionsComeFirstWhereAModelIsNotUsable) {
  Model model = modelOfGoodLogs();
  model.fit.log_agreement = {{"loaded.h5", 3, 52.0, 0.1, true, {}},
                             {"b.h5", 3, 1.0, 0.1, true, {}}};
  model.fit.relative_error = 0.6;
  const ModelStatus status = judgedStatus(model, {}, {});
  ASSERT_EQ(status.reasons.size(), 2U);
  EXPECT_THAT(status.reasons.front(), HasSubstr("loaded.h5 contradicts the other logs"));
}

TEST(LogReservations, ALogWhoseHalvesDifferIsNamed) {
  Model model = modelOfGoodLogs();
  model.fit.halves =
      LogComparison{"run.h5", 3, 2.1, 0.1, true, {{"elbow.coulomb", 2.0, 9.0, 1.0, 7.0, true}}};
  EXPECT_THAT(logReservations(model), IsEmpty());
  model.fit.halves->largest.front().deviations = 70.0;
  EXPECT_THAT(
      logReservations(model),
      ElementsAre(HasSubstr("the two halves of run.h5 differ by more than real logs do, "
                            "most in elbow.coulomb (2 against 9, 70 standard deviations)")));
  model.fit.halves->split = 0.75;
  EXPECT_THAT(logReservations(model),
              ElementsAre(HasSubstr("the first three quarters of run.h5 and the rest differ by")));
  model.fit.halves->apart = {0.02, 0.19, 0.03};  // other joints rest in each half
  model.fit.halves->residual = {0.005, 0.15, 0.03};
  EXPECT_THAT(logReservations(model), IsEmpty());
  model.fit.halves->apart[1] = 0.4;
  EXPECT_EQ(logReservations(model).size(), 1u);
  model.fit.halves->apart[1] = 0.09;
  model.fit.halves->residual[1] = 0.04;
  EXPECT_EQ(logReservations(model).size(), 1u);
}

TEST(LogReservations, SeveralAssumptionsThatLeaveAnErrorMayHideAnotherRobot) {
  Model model = modelOfGoodLogs();
  auto robot = std::make_shared<Robot>(*model.robot);
  for (int k = 0; k < robot->numBodies(); ++k) {
    robot->bodies[k].prior = model.body(k);
    robot->bodies[k].bounds = {};
  }
  model.robot = robot;
  model.scale_known = true;
  model.verdicts.clear();  // all masses are identified
  model.parameters.segment<10>(0) *= 0.2;
  model.fit.cross_validated_error = 0.08;
  model.fit.noise_floor = 0.03;
  model.provenance.logs.resize(2);
  model.provenance.logs[1].assumptions.texts = {"the clock of the log is wrong by a factor 2"};
  EXPECT_THAT(logReservations(model), IsEmpty());
  model.provenance.logs[1].assumptions.texts.emplace_back("the effort of elbow has another sign");
  EXPECT_THAT(logReservations(model),
              ElementsAre(AllOf(HasSubstr("under 2 assumptions about a log the error is still 2.7 "
                                          "times the noise floor"),
                                HasSubstr("the log may be of another robot"))));
  model.fit.cross_validated_error = 0.04;
  EXPECT_THAT(logReservations(model), IsEmpty());
  model.fit.cross_validated_error = 0.08;
  model.parameters.segment<10>(0) *= 5.0;
  EXPECT_THAT(logReservations(model), IsEmpty());
}

TEST(LogReservations, ALogThatIsGivenTwiceIsNamed) {
  Model model = modelOfGoodLogs();
  model.provenance.logs.resize(3);
  model.provenance.logs[0].file = "a.h5";
  model.provenance.logs[2].file = "copy.h5";
  model.provenance.logs[0].sha256 = model.provenance.logs[2].sha256 = "ab";
  EXPECT_THAT(
      logReservations(model),
      ElementsAre(HasSubstr("a.h5, copy.h5 hold rows of the same log, which count 2 times")));
}

TEST(LogReservations, PartsOfALogAreNamedWhereTheyOverlapOnly) {
  Model model = modelOfGoodLogs();
  model.provenance.logs.resize(3);
  for (LogRecord& log : model.provenance.logs) log.sha256 = "ab";
  model.provenance.logs[0] = {.file = "first.h5", .sha256 = "ab", .first_row = 0, .end_row = 100};
  model.provenance.logs[1] = {.file = "rest.h5", .sha256 = "ab", .first_row = 100, .end_row = 200};
  model.provenance.logs[2] = {.file = "other.h5", .sha256 = "cd", .first_row = 0, .end_row = 200};
  EXPECT_THAT(logReservations(model), IsEmpty());
  model.provenance.logs[1].first_row = 99;
  EXPECT_THAT(logReservations(model), ElementsAre(HasSubstr("first.h5, rest.h5 hold rows")));
  model.provenance.logs[1].first_row = model.provenance.logs[1].end_row = 0;  // not known
  EXPECT_THAT(logReservations(model), ElementsAre(HasSubstr("first.h5, rest.h5 hold rows")));
}

}  // namespace
}  // namespace dynid
