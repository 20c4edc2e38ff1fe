#include "dynid/identification/equations.h"

#include "dynid/core/errors.h"
#include "dynid/identification/identify.h"
#include "dynid/robot/load_robot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "identification/recovered.h"
#include <filesystem>
#include <unistd.h>

namespace dynid {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

std::shared_ptr<const Robot> quickstartArm() {
  return std::make_shared<const Robot>(
      loadRobot(fs::path(DYNID_DATASETS_DIR) / "quickstart" / "arm.toml"));
}

std::string complaint(const std::string& text, const Robot& robot) {
  try {
    equationsOf(text, robot, 0.1);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Equations, RouthChoosesTheActuatorsOfTheNamedJoints) {
  const auto robot = quickstartArm();
  const Equations equations = equationsOf("routh:joint_2, joint_5", *robot, 0.1);
  EXPECT_EQ(equations.kind, EquationKind::kMomentum);
  EXPECT_EQ(equations.momentum, (std::vector<bool>{false, true, false, false, true, false}));
  EXPECT_EQ(equationsOf("momentum", *robot, 0.1).momentum, std::vector<bool>(6, true));
}

TEST(Equations, AJointBehindATransmissionStandsForAllItsActuators) {
  Robot robot = *quickstartArm();
  robot.T(4, 5) = -1.0;
  EXPECT_EQ(equationsOf("routh:joint_5", robot, 0.1).momentum,
            (std::vector<bool>{false, false, false, false, true, true}));
}

TEST(Equations, UnknownNamesAreRefusedWithASuggestion) {
  const auto robot = quickstartArm();
  EXPECT_THAT(complaint("momentun", *robot), HasSubstr("did you mean \"momentum\"?"));
  EXPECT_THAT(complaint("routh:joint2", *robot), HasSubstr("did you mean \"joint_2\"?"));
  EXPECT_THAT(complaint("routh", *robot), HasSubstr("names no joints"));
  EXPECT_THAT(complaint("momentum:joint_2", *robot), HasSubstr("only \"routh\" takes names"));
}

TEST(Equations, FloatingBasesAndLoadDependentFrictionAreRefused) {
  Robot robot = *quickstartArm();
  robot.floating_base = true;
  EXPECT_THAT(complaint("momentum", robot), HasSubstr("base floats"));
  robot.floating_base = false;
  robot.drives[2].automatic_friction = false;
  robot.drives[2].friction = {FrictionEffect::kCoulomb, FrictionEffect::kLoad};
  EXPECT_THAT(complaint("momentum", robot), HasSubstr("\"joint_3\" needs accelerations"));
  EXPECT_EQ(complaint("inverse-dynamics", robot), "");
}

TEST(Equations, StatisticsAreOfInverseDynamicsOnly) {
  IdentificationSettings settings;
  settings.equations = "momentum";
  settings.check();
  settings.keep_statistics = true;
  EXPECT_THROW(settings.check(), UsageError);
  settings.keep_statistics = false;
  settings.statistics = {"some.h5"};
  EXPECT_THROW(settings.check(), UsageError);
}

// Simulated truth comes back whatever is fitted: to the order of the quadrature, 1e-8 for steps of
// 2 ms in motions of a hertz.
TEST(Equations, EveryKindRecoversTheTruthOfANoiseFreeLog) {
  const auto robot = quickstartArm();
  const SimulationTruth truth = randomTruth(*robot, 3);
  SimulationOptions simulation;
  simulation.motion.duration_s = 20.0;
  simulation.rate_hz = 500.0;
  const fs::path file =
      fs::temp_directory_path() / ("dynid_equations_" + std::to_string(getpid()) + ".h5");
  for (const char* kind : {"inverse-dynamics", "momentum", "routh:joint_1,joint_4"}) {
    IdentificationSettings settings;
    settings.equations = kind;
    const Recovery recovery = recover(robot, truth, simulation, file, settings);
    EXPECT_TRUE(recovery.usable) << kind << ": " << recovery.reason;
    EXPECT_LT(recovery.norm_error, 1e-8) << kind;
    EXPECT_EQ(recovery.unknown, 0) << kind;
    EXPECT_LT(recovery.fit_error, 1e-5) << kind << ": the score is that of inverse dynamics";
  }
  fs::remove(file);
}

// A real log, scored with inverse dynamics, held-out blocks, measurement as recorded.
TEST(Equations, OnARealLogEveryKindPredictsNearlyAsWellAsInverseDynamics) {
  const std::string data = DYNID_REAL_DATA_DIR;
  if (data.empty()) GTEST_SKIP() << "DYNID_REAL_DATA_DIR is empty: no logs of real robots";
  const auto robot = std::make_shared<const Robot>(
      loadRobot(fs::path(DYNID_DATASETS_DIR) / "ur10e" / "ur10e.toml"));
  const auto fit = [&](const std::string& kind) {
    IdentificationSettings settings;
    settings.equations = kind;
    const fs::path log = fs::path(data) / "ur10e" / "train_12harm30s.h5";
    return identify(robot, {{log, ""}}, settings).model;
  };
  const Model reference = fit("inverse-dynamics");
  for (const std::string kind : {"momentum"}) {
    const Model model = fit(kind);
    EXPECT_EQ(model.equations, kind);
    EXPECT_TRUE(model.status.usable) << model.status.reason;
    for (size_t a = 0; a < reference.fit.per_joint.size(); ++a)
      EXPECT_GT(model.fit.per_joint[a].cross_validated_r2,
                reference.fit.per_joint[a].cross_validated_r2 - 0.01)
          << kind << ", " << robot->joints[a].name;
  }
}

}  // namespace
}  // namespace dynid
