#include "dynid/identification/sensor_reservations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dynid {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Model withSensor(const SensorFit& sensor) {
  Model model;
  model.fit.per_sensor = {sensor};
  return model;
}

TEST(SensorReservations, ASensorThatIsExplainedIsNotNamed) {
  const Model model = withSensor({"base/wrench", 0.1, 0.2});
  EXPECT_THAT(wrongSensors(model), IsEmpty());
  EXPECT_THAT(doubtfulSensors(model), IsEmpty());
}

TEST(SensorReservations, AnErrorIsNamedWithItsCausesAndTheRemedy) {
  const Model model = withSensor({"base/wrench", 0.12, 0.6});
  EXPECT_THAT(
      wrongSensors(model),
      ElementsAre(
          "base/wrench contradicts the other channels: the fit leaves 12 % of its forces and 60 % "
          "of its moments unexplained (at most 35 %); check its sign (exerted by the ground on the "
          "base), unit (N, N m), order (f, n), axes (attribute `frame`), the point of its moment, "
          "that it was not tared under load, and its time, or delete it from the log to identify "
          "without it"));
  EXPECT_THAT(doubtfulSensors(model), IsEmpty());
}

TEST(SensorReservations, ASmallerErrorIsAReservation) {
  const Model model = withSensor({"bodies/tool0/wrench", 0.3, 0.1});
  EXPECT_THAT(wrongSensors(model), IsEmpty());
  EXPECT_THAT(doubtfulSensors(model),
              ElementsAre(AllOf(HasSubstr("(at most 25 %)"),
                                HasSubstr("sign (exerted on the link and what it carries)"))));
}

TEST(SensorReservations, FactorsAreNamedAsWhatTheyMean) {
  EXPECT_THAT(wrongSensors(withSensor({"base/wrench", 1.4, 0.5, -0.98, -1.0})),
              ElementsAre(HasSubstr("seems to be the wrench that the robot exerts")));
  EXPECT_THAT(wrongSensors(withSensor({"base/wrench", 1.4, 0.1, -0.98, 1.0})),
              ElementsAre(HasSubstr("if the sign of its forces is reversed")));
  EXPECT_THAT(wrongSensors(withSensor({"base/wrench", 0.01, 0.02, 9.7, 9.8})),
              ElementsAre(HasSubstr("base/wrench contradicts the other channels: it agrees with "
                                    "the efforts if its forces are multiplied by 9.7 and its "
                                    "moments by 9.8 (kgf in place of N)")));
  EXPECT_THAT(wrongSensors(withSensor({"base/wrench", 0.0, 0.99, 1.01, 0.001})),
              ElementsAre(HasSubstr("if its moments are multiplied by 0.001 (N mm in place of N "
                                    "m)")));
}

}  // namespace
}  // namespace dynid
