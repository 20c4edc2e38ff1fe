#include "dynid/identification/find_gains.h"

#include "dynid/core/errors.h"
#include "dynid/identification/identify.h"
#include "dynid/robot/load_robot.h"
#include "dynid/simulation/simulate.h"

#include <gtest/gtest.h>

#include "support/simulated_log.h"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <unistd.h>

namespace dynid {
namespace {

namespace fs = std::filesystem;

// Two logs of currents, one with a payload of known mass: the unknown gains are found within their
// standard deviations.
TEST(DriveGains, StandardDeviationsCoverTheTruth) {
  const auto robot = std::make_shared<const Robot>(
      loadRobot(fs::path(DYNID_DATASETS_DIR) / "quickstart" / "arm.toml"));
  const Eigen::Index n = robot->numJoints();
  double squares = 0.0;
  const int runs = 2;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    SimulationTruth truth = randomTruth(*robot, seed);
    truth.drive_gains = Eigen::VectorXd::LinSpaced(n, 12.0, 7.0);
    const fs::path folder =
        fs::temp_directory_path() / ("dynid_drive_gains_" + std::to_string(getpid()));
    fs::create_directories(folder);
    SimulationOptions options;
    options.motion.duration_s = 20.0;
    options.rate_hz = 200.0;
    options.current = true;
    options.effort_noise_relative = 0.02;
    options.effort_noise_correlation_s = 0.01;
    options.seed = seed;
    simulate(*robot, truth, options, folder / "free.h5");
    options.seed = seed + 100;
    options.payload = PayloadNote{};
    options.payload->mass = 2.0;
    simulate(*robot, truth, options, folder / "loaded.h5");
    const Model model =
        identify(robot, {{folder / "free.h5", ""}, {folder / "loaded.h5", ""}}, {}).model;
    fs::remove_all(folder);
    ASSERT_TRUE(model.scale_known);
    ASSERT_EQ(model.drive_gain_std_dev.size(), n);
    for (Eigen::Index a = 0; a < n; ++a) {
      const double error = model.drive_gains(a) - truth.drive_gains(a);
      const double std_dev = model.drive_gain_std_dev(a);
      EXPECT_GT(std_dev, 0.0);
      if (a + 1 < n) {  // the last wrist moves little except its own friction
        EXPECT_LT(std_dev, 0.05 * truth.drive_gains(a)) << robot->joints[a].name;
      }
      EXPECT_LT(std::abs(error), 5.0 * std_dev) << robot->joints[a].name << " seed " << seed;
      squares += error * error / (std_dev * std_dev);
    }
  }
  // Root mean square of error / standard deviation: 1 if the standard deviations are right. For
  // Student's t with 7 degrees of freedom it is 1.2. The gains of a run have a common scale, so
  // there are about two independent values per run.
  const double rms = std::sqrt(squares / (runs * static_cast<double>(n)));
  EXPECT_LT(rms, 2.0);
  EXPECT_GT(rms, 0.3);
}

double trueValue(const BaseParameterEstimate& base, const Model& model, const SimulatedArm& arm) {
  std::map<std::string, double> truth;
  for (int c = 0; c < arm.truth.layout.size(); ++c)
    truth[arm.truth.layout[c].name] = arm.truth.parameters(c);
  double value = 0.0;
  for (const CombinationTerm& term : base.combination)
    value += term.coefficient * truth.at(model.layout[term.column].name);
  return value;
}

// One gain is described. The intervals of the base parameters include the uncertainty of the
// others: without it they held 80 to 85 %.
TEST(DriveGains, IntervalsOfBaseParametersIncludeTheirUncertainty) {
  SimulatedArm arm("interval_of_gains");
  const Eigen::Index n = arm.robot->numJoints();
  arm.truth.drive_gains = Eigen::VectorXd::LinSpaced(n, 12.0, 7.0);
  Robot described = *arm.robot;
  described.drives[0].drive_gain = 12.0;
  arm.robot = std::make_shared<const Robot>(described);
  SimulationOptions simulation;
  simulation.motion.duration_s = 20.0;
  simulation.rate_hz = 100.0;
  simulation.current = true;
  simulation.effort_noise_relative = 0.02;
  int inside = 0, all = 0;
  for (simulation.seed = 1; simulation.seed <= 5; ++simulation.seed) {
    const Model model = identify(arm.robot, {{arm.log("log.h5", simulation), ""}}, {}).model;
    ASSERT_TRUE(model.scale_known);
    for (const BaseParameterEstimate& base : model.base_parameters) {
      const double value = trueValue(base, model, arm);
      inside += static_cast<int>(base.lower_95 <= value && value <= base.upper_95);
      ++all;
    }
  }
  EXPECT_GT(inside, 0.92 * all) << inside << " of " << all;
}

// Plain friction would take a part of the torque for friction and the other way round: gains were
// off by up to 29 %.
TEST(DriveGains, AreFoundBesideTheFrictionThatIsSelected) {
  SimulatedArm arm("gains_and_load");
  Robot with_load = *arm.robot, described = *arm.robot;
  for (size_t a = 0; a < described.drives.size(); ++a) {
    with_load.drives[a].friction.push_back(FrictionEffect::kLoad);
    described.drives[a].friction.clear();
    described.drives[a].automatic_friction = true;
  }
  described.drives[1].drive_gain = 11.0;
  arm.robot = std::make_shared<const Robot>(with_load);
  arm.truth = randomTruth(with_load, 3);
  const Eigen::Index n = with_load.numJoints();
  arm.truth.drive_gains = Eigen::VectorXd::LinSpaced(n, 12.0, 7.0);
  SimulationOptions simulation;
  simulation.motion.duration_s = 30.0;
  simulation.rate_hz = 200.0;
  simulation.current = true;
  simulation.effort_noise_relative = 0.01;
  const Model model =
      identify(std::make_shared<const Robot>(described), {{arm.log("log.h5", simulation), ""}}, {})
          .model;
  ASSERT_TRUE(model.scale_known);
  for (Eigen::Index a = 0; a < n; ++a) {
    if (a == 1) continue;
    const double error = model.drive_gains(a) - arm.truth.drive_gains(a);
    EXPECT_LT(std::abs(error), 5.0 * model.drive_gain_std_dev(a))
        << a << ": " << model.drive_gains(a) << " +- " << model.drive_gain_std_dev(a);
    EXPECT_LT(std::abs(error), 0.03 * arm.truth.drive_gains(a)) << a;
  }
}

TEST(WidenGains, RaisesStandardDeviationsAndKeepsCorrelations) {
  FoundGains gains, other;
  gains.of_currents = Eigen::Vector2d(10.0, 5.0);
  gains.std_dev = Eigen::Vector2d(0.1, 0.5);
  gains.uncertainty = EffortFactors{Eigen::Matrix2d{{1e-4, 5e-4}, {5e-4, 1e-2}}, 7.0};
  other.uncertainty = EffortFactors{Eigen::Matrix2d{{4e-4, 0.0}, {0.0, 1e-3}}, 7.0};
  widen(other, gains);
  EXPECT_TRUE(gains.std_dev.isApprox(Eigen::Vector2d(0.2, 0.5)));
  EXPECT_TRUE(
      gains.uncertainty->log_covariance.isApprox(Eigen::Matrix2d{{4e-4, 1e-3}, {1e-3, 1e-2}}));
  widen({}, gains);  // not known
  EXPECT_TRUE(gains.std_dev.isApprox(Eigen::Vector2d(0.2, 0.5)));
}

FoundGains gainsOf(const SimulatedArm& arm, const std::vector<LogInput>& logs) {
  const Recordings recordings = openRecordings(arm.robot, logs, {}, {});
  return findDriveGains(recordings, arm.effects(), arm.options());
}

TEST(FindDriveGains, DescribedGainsAreTakenAsTheyAre) {
  SimulatedArm arm("described_gains");
  Robot robot = *arm.robot;
  for (size_t a = 0; a < robot.drives.size(); ++a)
    robot.drives[a].drive_gain = 2.0 + static_cast<double>(a);
  arm.robot = std::make_shared<const Robot>(robot);
  arm.truth.drive_gains = Eigen::VectorXd::Constant(robot.numJoints(), 9.0);
  SimulationOptions simulation = SimulatedArm::shortLog();
  simulation.current = true;
  const FoundGains found = gainsOf(arm, {{arm.log("log.h5", simulation), ""}});
  EXPECT_EQ(found.of_currents, Eigen::VectorXd::LinSpaced(robot.numJoints(), 2.0, 7.0));
  EXPECT_TRUE(found.scale_known);
  EXPECT_EQ(found.std_dev.size(), 0);
}

TEST(FindDriveGains, EffortsNeedNone) {
  const SimulatedArm arm("no_gains");
  const FoundGains found = gainsOf(arm, {{arm.log("log.h5", SimulatedArm::shortLog()), ""}});
  EXPECT_EQ(found.of_currents, Eigen::VectorXd::Ones(arm.robot->numJoints()));
  EXPECT_TRUE(found.scale_known && found.converged);
}

// The gains of three joints are stated.
FoundGains withStatedGains(SimulatedArm& arm, const std::vector<double>& stated) {
  Robot robot = *arm.robot;
  for (size_t a = 0; a < stated.size(); ++a) robot.drives[a].drive_gain = stated[a];
  arm.robot = std::make_shared<const Robot>(robot);
  SimulationOptions simulation;
  simulation.motion.duration_s = 20.0;
  simulation.rate_hz = 100.0;
  simulation.current = true;
  simulation.effort_noise_relative = 0.02;
  return gainsOf(arm, {{arm.log("log.h5", simulation), ""}});
}

TEST(FindDriveGains, StatedGainsThatContradictTheLogsAreDoubtful) {
  SimulatedArm arm("doubtful_gains");
  arm.truth.drive_gains = Eigen::VectorXd::LinSpaced(arm.robot->numJoints(), 12.0, 7.0);
  EXPECT_TRUE(withStatedGains(arm, {12.0, 11.0, 10.0}).doubtful.empty());
  const FoundGains found = withStatedGains(arm, {12.0, 15.0, 10.0});
  const auto wrong = std::find_if(found.doubtful.begin(),
                                  found.doubtful.end(),
                                  [](const DoubtfulGain& gain) { return gain.actuator == 1; });
  ASSERT_NE(wrong, found.doubtful.end());
  EXPECT_EQ(wrong->stated, 15.0);
  EXPECT_NEAR(wrong->found, 11.0, 0.5);
  EXPECT_GT(wrong->std_dev, 0.0);
  EXPECT_LT(wrong->std_dev, 0.5);
}

TEST(FindDriveGains, AWrongGainAmongStatedOnesIsDoubtful) {
  SimulatedArm arm("wrong_gain");
  arm.truth.drive_gains = Eigen::VectorXd::LinSpaced(arm.robot->numJoints(), 12.0, 7.0);
  EXPECT_TRUE(withStatedGains(arm, {12.0, 11.0, 10.0, 9.0, 8.0, 7.0}).doubtful.empty());
  const FoundGains found = withStatedGains(arm, {12.0, 11.0, 13.0, 9.0, 8.0, 7.0});
  ASSERT_FALSE(found.doubtful.empty());
  EXPECT_EQ(found.doubtful[0].actuator, 2);
  EXPECT_NEAR(found.doubtful[0].found, 10.0, 0.5);
}

// Without a payload and without a described gain, the ratios are found but not the scale.
TEST(FindDriveGains, RatiosAreFoundWithoutAScale) {
  SimulatedArm arm("gain_ratios");
  const Eigen::Index n = arm.robot->numJoints();
  arm.truth.drive_gains = Eigen::VectorXd::LinSpaced(n, 12.0, 7.0);
  SimulationOptions simulation = SimulatedArm::shortLog();
  simulation.current = true;
  const FoundGains found = gainsOf(arm, {{arm.log("log.h5", simulation), ""}});
  EXPECT_FALSE(found.scale_known);
  const Eigen::VectorXd ratio = found.of_currents.cwiseQuotient(arm.truth.drive_gains);
  for (Eigen::Index a = 0; a + 1 < n; ++a)  // the last wrist moves little except its own friction
    EXPECT_NEAR(ratio(a) / ratio(0), 1.0, 1e-2) << "actuator " << a;
}

// Friction tells the direction in which a drive counts.
TEST(FindDriveGains, DrivesThatCountInTheOppositeDirectionHaveNegativeGains) {
  SimulatedArm arm("negative_gains");
  const Eigen::Index n = arm.robot->numJoints();
  arm.truth.drive_gains = Eigen::VectorXd::LinSpaced(n, 12.0, 7.0);
  arm.truth.drive_gains(1) *= -1.0;
  arm.truth.drive_gains(n - 1) *= -1.0;
  SimulationOptions simulation = SimulatedArm::shortLog();
  simulation.current = true;
  const FoundGains found = gainsOf(arm, {{arm.log("log.h5", simulation), ""}});
  for (Eigen::Index a = 0; a < n; ++a)
    EXPECT_GT(found.of_currents(a) * arm.truth.drive_gains(a), 0.0) << "actuator " << a;
}

// A short noisy log says little about some gains. They stay near those of the other drives, and
// their standard deviations say so; without that, some were negative or a hundred times too large.
TEST(FindDriveGains, GainsThatTheLogDoesNotDetermineStayNearTheOthers) {
  SimulatedArm arm("uncertain_gains");
  const Eigen::Index n = arm.robot->numJoints();
  arm.truth.drive_gains = Eigen::VectorXd::LinSpaced(n, 12.0, 7.0);
  double largest_std_dev = 0.0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SimulationOptions simulation = SimulatedArm::shortLog();
    simulation.current = true;
    simulation.effort_noise_relative = 0.2;
    simulation.effort_noise_correlation_s = 0.3;
    simulation.seed = seed;
    const FoundGains found = gainsOf(arm, {{arm.log("log.h5", simulation), ""}});
    EXPECT_TRUE(found.converged);
    const double mean = std::exp(arm.truth.drive_gains.array().log().mean());
    for (Eigen::Index a = 0; a < n; ++a) {
      const double ratio = found.of_currents(a) * mean / arm.truth.drive_gains(a);
      EXPECT_GT(ratio, 0.25) << "actuator " << a << ", seed " << seed;
      EXPECT_LT(ratio, 4.0) << "actuator " << a << ", seed " << seed;
      largest_std_dev = std::max(largest_std_dev, found.std_dev(a) / found.of_currents(a));
    }
  }
  EXPECT_GT(largest_std_dev, 0.4);
}

// A drive with a gain of 10 N m/A that turns a link of 0.5 m, and two logs, one with a payload of
// 2 kg, 0.2 m beyond the tip.
class GainOfOneJoint : public ::testing::Test {
 protected:
  FoundGains gainsWith(const PayloadNote& stated) const {
    SimulationTruth truth = randomTruth(*robot_, 1);
    truth.drive_gains = Eigen::VectorXd::Constant(1, 10.0);
    SimulationOptions simulation;
    simulation.motion.duration_s = 20.0;
    simulation.current = true;
    simulation.effort_noise_relative = 0.01;
    simulate(*robot_, truth, simulation, folder_ / "free.h5");
    simulation.seed = 2;
    simulation.payload = stated;
    simulate(*robot_, truth, simulation, folder_ / "loaded.h5");
    const Recordings recordings =
        openRecordings(robot_, {{folder_ / "free.h5", ""}, {folder_ / "loaded.h5", ""}}, {}, {});
    GatherOptions options;
    options.drive_gains = Eigen::VectorXd::Ones(1);
    return findDriveGains(recordings, {actuatorEffects(*robot_, 0, 1.0, false)}, options);
  }
  void SetUp() override {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "one.urdf") << R"(<robot name="one">
  <link name="base"/>
  <link name="arm"><inertial><origin xyz="0.25 0 0"/><mass value="3"/>
    <inertia ixx="0.01" iyy="0.06" izz="0.06" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="tip"/>
  <joint name="j1" type="revolute"><parent link="base"/><child link="arm"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" velocity="3" effort="200"/></joint>
  <joint name="jt" type="fixed"><parent link="arm"/><child link="tip"/><origin xyz="0.5 0 0"/></joint>
</robot>)";
    std::ofstream(folder_ / "one.toml") << "urdf = \"one.urdf\"\n[joint.j1]\n"
                                           "friction = [\"viscous\", \"coulomb\", \"offset\"]\n";
    robot_ = std::make_shared<const Robot>(loadRobot(folder_ / "one.toml"));
  }
  void TearDown() override { fs::remove_all(folder_); }
  const fs::path folder_ =
      fs::temp_directory_path() / ("dynid_gain_of_one_joint_" + std::to_string(getpid()));
  std::shared_ptr<const Robot> robot_;
};

// Base parameters are m - 4 Iyy and mx + 2 Iyy, and m + 2 mx without the unknown inertia.
TEST_F(GainOfOneJoint, TheScaleComesFromKnownCombinations) {
  const PayloadNote with_com{"tip", "", 2.0, Eigen::Vector3d(0.2, 0.0, 0.0), std::nullopt};
  PayloadNote with_inertia = with_com;
  with_inertia.inertia = Eigen::Matrix<double, 6, 1>::Zero();
  for (const PayloadNote& stated : {with_com, with_inertia}) {
    const FoundGains found = gainsWith(stated);
    EXPECT_TRUE(found.scale_known);
    EXPECT_NEAR(found.of_currents(0), 10.0, 0.1);
  }
}

TEST_F(GainOfOneJoint, AMassInACombinationWithUnknownParametersIsNoScale) {
  const FoundGains found = gainsWith({"tip", "", 2.0, std::nullopt, std::nullopt});
  EXPECT_FALSE(found.scale_known);
}

TEST(FindDriveGains, EffortsAndCurrentsWithoutGainDoNotMix) {
  SimulatedArm arm("mixed_gains");
  arm.truth.drive_gains = Eigen::VectorXd::Constant(arm.robot->numJoints(), 9.0);
  SimulationOptions currents = SimulatedArm::shortLog();
  currents.current = true;
  const std::vector<LogInput> logs = {{arm.log("efforts.h5", SimulatedArm::shortLog()), ""},
                                      {arm.log("currents.h5", currents), ""}};
  try {
    gainsOf(arm, logs);
    FAIL() << "mixed logs were accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "some logs hold efforts and some currents, and not every drive has a gain; give "
                 "drive_gain for every joint or identify from logs of one kind");
  }
}

}  // namespace
}  // namespace dynid
