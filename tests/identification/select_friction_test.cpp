#include "dynid/identification/select_friction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/simulated_log.h"

namespace dynid {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The effects of the arm, and load friction of one actuator beside them.
std::vector<ActuatorEffects> withLoadFriction(std::vector<ActuatorEffects> effects, int actuator) {
  Column load;
  load.kind = ColumnKind::kFriction;
  load.owner = actuator;
  load.effect = FrictionEffect::kLoad;
  effects[actuator].fixed.push_back(load);
  return effects;
}

// Friction was selected with a transmitted torque of 3.6 times that of the fitted model; its
// coefficient was 1.9, and the model predicted its own training log with 44 % error, 29 % without.
TEST(UnsettledActuators, AreThoseWhoseTransmittedTorqueIsNotThatOfTheModel) {
  const SimulatedArm arm{"unsettled_actuators"};
  const Recordings recordings =
      openRecordings(arm.robot, {{arm.log("log.h5", SimulatedArm::shortLog()), ""}}, {}, {});
  const std::vector<ActuatorEffects> effects = withLoadFriction(arm.effects(), 1);
  const LaidOutParameters truth{arm.truth.layout, arm.truth.parameters};
  GatherOptions options = arm.options();
  options.transmitting = &truth;
  const Regression regression = gather(recordings, effects, options);
  const Eigen::VectorXd parameters = translated(truth, regression.layout());
  EXPECT_THAT(unsettledActuators(regression, parameters, effects), IsEmpty());
  EXPECT_THAT(unsettledActuators(regression, 1.2 * parameters, effects), IsEmpty());
  EXPECT_THAT(unsettledActuators(regression, 0.5 * parameters, effects), ElementsAre(1));
  EXPECT_THAT(unsettledActuators(regression, 0.5 * parameters, arm.effects()), IsEmpty())
      << "no friction depends on it";
}

}  // namespace
}  // namespace dynid
