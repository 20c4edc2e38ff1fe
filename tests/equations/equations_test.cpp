#include "dynid/equations/equations.h"

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

// The true parameters are recovered with every kind of equations: with pointwise forms up to
// rounding of the differentiation, with integral forms up to the error of their quadrature (1e-8
// for steps of 2.5 ms in motions of about 1 Hz), with the variational form exactly if the log was
// made by its own integrator, otherwise up to its second-order error (1e-4 here).
TEST(Equations, EveryKindRecoversTheTruthOfANoiseFreeLog) {
  struct Case {
    const char* kind;
    bool own_integrator;
    double tolerance;
  };
  const auto robot = quickstartArm();
  const SimulationTruth truth = randomTruth(*robot, 3);
  SimulationOptions simulation;
  simulation.motion.duration_s = 10.0;
  simulation.rate_hz = 400.0;
  const fs::path file =
      fs::temp_directory_path() / ("dynid_equations_" + std::to_string(getpid()) + ".h5");
  for (const Case& c : {Case{"inverse-dynamics", false, 1e-8},
                        Case{"power", false, 1e-7},
                        Case{"energy", false, 1e-7},
                        Case{"momentum", false, 1e-8},
                        Case{"routh:joint_1,joint_4", false, 1e-8},
                        Case{"variational", true, 1e-9},
                        Case{"variational", false, 1e-3}}) {
    SCOPED_TRACE(c.kind);
    IdentificationSettings settings;
    settings.equations = c.kind;
    simulation.variational = c.own_integrator;
    const Recovery recovery = recover(robot, truth, simulation, file, settings);
    EXPECT_TRUE(recovery.usable) << recovery.reason;
    EXPECT_LT(recovery.norm_error, c.tolerance);
    EXPECT_EQ(recovery.unknown, 0);
    EXPECT_LT(recovery.fit_error, 1e-4) << "the score is that of inverse dynamics";
  }
  fs::remove(file);
}

// Every kind of equations identifies a payload and separates it from the link that carries it.
TEST(Equations, EveryKindFindsALoad) {
  const auto robot = quickstartArm();
  const SimulationTruth truth = randomTruth(*robot, 3);
  SimulationOptions simulation;
  simulation.motion.duration_s = 10.0;
  simulation.rate_hz = 250.0;
  const fs::path folder =
      fs::temp_directory_path() / ("dynid_equations_load_" + std::to_string(getpid()));
  fs::create_directory(folder);
  simulate(*robot, truth, simulation, folder / "bare.h5");
  PayloadNote load;
  load.link = "tool0";
  load.mass = 1.7;
  load.com = Eigen::Vector3d(0.02, -0.03, 0.08);
  load.name = "box";
  simulation.payload = load;
  simulation.seed = 2;
  simulate(*robot, truth, simulation, folder / "loaded.h5");
  for (const char* kind : {"energy", "momentum", "variational"}) {
    SCOPED_TRACE(kind);
    IdentificationSettings settings;
    settings.equations = kind;
    const Model model =
        identify(robot, {{folder / "bare.h5", ""}, {folder / "loaded.h5", ""}}, settings).model;
    EXPECT_TRUE(model.status.usable) << model.status.reason;
    ASSERT_EQ(model.payloads.size(), 1u);
    EXPECT_NEAR(model.payloads[0].parameters(0), 1.7, 0.01);
    EXPECT_NEAR(model.payloads[0].parameters(3), 1.7 * 0.08, 0.005);
    EXPECT_LT(model.fit.relative_error, 1e-3);
  }
  fs::remove_all(folder);
}

// A recorded log, scored with inverse dynamics on held-out blocks and unfiltered measurements.
TEST(Equations, OnARealLogEveryKindWithAChannelAJointPredictsAsWellAsInverseDynamics) {
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
  for (const std::string kind : {"momentum", "variational"}) {
    const Model model = fit(kind);
    EXPECT_EQ(model.equations, kind);
    EXPECT_TRUE(model.status.usable) << model.status.reason;
    for (size_t a = 0; a < reference.fit.per_joint.size(); ++a)
      EXPECT_GT(model.fit.per_joint[a].cross_validated_r2,
                reference.fit.per_joint[a].cross_validated_r2 - 0.01)
          << kind << ", " << robot->joints[a].name;
  }
  // One channel for the whole robot: joints with much power are identified as well, the wrist
  // hardly.
  for (const std::string kind : {"energy"}) {
    const Model model = fit(kind);
    for (size_t a = 0; a < 2; ++a)
      EXPECT_GT(model.fit.per_joint[a].cross_validated_r2,
                reference.fit.per_joint[a].cross_validated_r2 - 0.02)
          << kind << ", " << robot->joints[a].name;
  }
}

}  // namespace
}  // namespace dynid
