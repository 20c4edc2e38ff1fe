#include "dynid/identification/effort_reservations.h"

#include "dynid/identification/identify.h"
#include "dynid/robot/load_robot.h"
#include "dynid/robot/parameter_layout.h"
#include "dynid/simulation/simulate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/synthetic_model.h"
#include <cmath>
#include <filesystem>
#include <memory>
#include <unistd.h>

namespace dynid {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kNoFrictionText = "the efforts contain no friction";

TEST(EffortReservations, EffortsWithoutFrictionAreSaidIfNoMovingJointHasAny) {
  Model model = testing::syntheticModel();
  const double none = std::nan("");
  EXPECT_THAT(effortReservations(model, Eigen::Vector3d(0.002, 0.004, 0.0)),
              ElementsAre(AllOf(HasSubstr(kNoFrictionText), HasSubstr("at most 0.4 % of"))));
  EXPECT_THAT(effortReservations(model, Eigen::Vector3d(0.002, 0.05, 0.0)), IsEmpty());
  EXPECT_THAT(effortReservations(model, Eigen::Vector3d(0.002, none, 0.0)), IsEmpty());
  EXPECT_THAT(effortReservations(model, Eigen::Vector3d::Constant(none)), IsEmpty());
  EXPECT_THAT(effortReservations(model, {}), IsEmpty());
  model.fit.per_joint[1].samples = 0.0;  // what does not move tells nothing
  EXPECT_THAT(effortReservations(model, Eigen::Vector3d(0.002, 0.05, 0.0)),
              ElementsAre(HasSubstr("at most 0.2 % of")));
  model.fit.per_joint[2].samples = 0.0;
  EXPECT_THAT(effortReservations(model, Eigen::Vector3d(0.002, 0.05, 0.0)), IsEmpty());
}

TEST(EffortReservations, AnErrorAtStandstillThatFrictionCannotHoldIsSaid) {
  Model model = testing::syntheticModel();
  ChannelFit& fit = model.fit.per_joint[1];
  fit.samples = 0.5 * model.fit.samples;
  fit.cross_validated_error = 0.4;
  fit.noise_floor = fit.relative_error = 0.05;
  const auto with = [&](double friction) {
    return effortReservations(model, Eigen::Vector3d(0.3, friction, 0.3));
  };
  EXPECT_THAT(with(0.1), ElementsAre(HasSubstr("(39 % of its effort) is at standstill")));
  EXPECT_THAT(with(0.5), IsEmpty());
  fit.relative_error = 0.39;  // in motion
  EXPECT_THAT(with(0.1), IsEmpty());
  fit.relative_error = 0.05;
  fit.samples = model.fit.samples;  // it never rests
  EXPECT_THAT(with(0.1), IsEmpty());
}

TEST(EffortReservations, AConstantThatIsSeveralTimesTheFrictionIsSaid) {
  Model model = testing::syntheticModel();  // the effort of the first joint is 10 N m
  const Column offset = frictionColumn(*model.robot, 0, FrictionEffect::kOffset);
  if (model.layout.find(offset.name) < 0) model.layout.append(offset);
  BaseParameterEstimate parameter;
  parameter.name = offset.name;
  const auto with = [&](double value, double std_dev, double friction) {
    parameter.value = value;
    parameter.std_dev = std_dev;
    model.base_parameters = {parameter};
    return effortReservations(model, Eigen::Vector3d(friction, 0.3, 0.3));
  };
  EXPECT_THAT(with(-4.0, 0.1, 0.05), ElementsAre(HasSubstr("(40 % of it) holds a constant")));
  EXPECT_THAT(with(2.0, 0.1, 0.03), IsEmpty());   // small
  EXPECT_THAT(with(-4.0, 0.1, 0.15), IsEmpty());  // friction
  EXPECT_THAT(with(-4.0, 1.0, 0.05), IsEmpty());  // not determined
  model.fit.per_joint[0].samples = 0.0;
  EXPECT_THAT(with(-4.0, 0.1, 0.05), IsEmpty());  // at rest
}

class EffortsOfASimulation : public ::testing::Test {
 protected:
  EffortsOfASimulation() { fs::create_directories(folder_); }
  ~EffortsOfASimulation() override { fs::remove_all(folder_); }

  // A log of the quickstart arm whose friction is multiplied by `factor`.
  std::vector<std::string> reservationsWith(double factor, const std::shared_ptr<Robot>& robot) {
    SimulationTruth truth = randomTruth(*arm(), 3);
    for (int c = 0; c < truth.layout.size(); ++c)
      if (truth.layout[c].isFriction()) truth.parameters(c) *= factor;
    SimulationOptions options;
    options.motion.duration_s = 10.0;
    options.rate_hz = 200.0;
    options.effort_noise_relative = 0.02;
    simulate(*arm(), truth, options, folder_ / "log.h5");
    return identify(robot, {{folder_ / "log.h5", ""}}, {}).model.status.reservations;
  }

  static std::shared_ptr<Robot> arm() {
    return std::make_shared<Robot>(
        loadRobot(fs::path(DYNID_DATASETS_DIR) / "quickstart" / "arm.toml"));
  }

  const fs::path folder_ =
      fs::temp_directory_path() / ("dynid_effort_reservations_" + std::to_string(getpid()));
};

TEST_F(EffortsOfASimulation, WithoutFrictionAreNoMeasurement) {
  EXPECT_THAT(reservationsWith(0.0, arm()), Contains(HasSubstr(kNoFrictionText)));
}

TEST_F(EffortsOfASimulation, WithLittleFrictionMayBeMeasured) {
  EXPECT_THAT(reservationsWith(0.2, arm()), Not(Contains(HasSubstr(kNoFrictionText))));
}

// Nothing is known of friction that is not fitted.
TEST_F(EffortsOfASimulation, OfARobotWithoutFrictionTermsAreNotJudged) {
  const std::shared_ptr<Robot> frictionless = arm();
  for (Drive& drive : frictionless->drives) {
    drive.automatic_friction = false;
    drive.friction.clear();
  }
  EXPECT_THAT(reservationsWith(0.0, frictionless), Not(Contains(HasSubstr(kNoFrictionText))));
}

}  // namespace
}  // namespace dynid
