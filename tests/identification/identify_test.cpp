#include "dynid/identification/identify.h"

#include "dynid/core/errors.h"
#include "dynid/logs/log_writer.h"
#include "dynid/math/random_stream.h"
#include "dynid/robot/load_robot.h"
#include "dynid/robot/root_body.h"
#include "dynid/simulation/simulate.h"
#include "dynid/statistics/gathered_statistics.h"
#include "dynid/statistics/recordings.h"
#include "dynid/statistics/statistics_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/changed_rows.h"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <unistd.h>

namespace dynid {
namespace {

namespace fs = std::filesystem;

class Identify : public ::testing::Test {
 protected:
  Identify() { fs::create_directories(folder_); }
  ~Identify() override { fs::remove_all(folder_); }

  static SimulationOptions shortLog() {
    SimulationOptions simulation;
    simulation.motion.duration_s = 8.0;
    simulation.rate_hz = 200.0;
    simulation.effort_noise_relative = 0.02;
    return simulation;
  }

  Model identified(const std::vector<LogInput>& logs, bool keep_statistics = false) const {
    IdentificationSettings settings;
    settings.keep_statistics = keep_statistics;
    return identify(robot_, logs, settings).model;
  }

  const std::shared_ptr<const Robot> robot_ = std::make_shared<const Robot>(
      loadRobot(fs::path(DYNID_DATASETS_DIR) / "quickstart" / "arm.toml"));
  const fs::path folder_ =
      fs::temp_directory_path() / ("dynid_identify_" + std::to_string(getpid()));
  const fs::path log_ = folder_ / "log.h5";
};

double movingRows(const Model& model) {
  double rows = 0.0;
  for (const ChannelFit& channel : model.fit.per_joint) rows += channel.samples;
  return rows;
}

void expectSameModel(const Model& a, const Model& b) {
  ASSERT_EQ(a.base_parameters.size(), b.base_parameters.size());
  double size = 0.0;
  for (const BaseParameterEstimate& estimate : a.base_parameters)
    size = std::max(size, std::abs(estimate.value));
  for (size_t i = 0; i < a.base_parameters.size(); ++i) {
    EXPECT_EQ(a.base_parameters[i].expression, b.base_parameters[i].expression);
    EXPECT_NEAR(a.base_parameters[i].value, b.base_parameters[i].value, 1e-8 * size);
  }
  EXPECT_NEAR(a.fit.rows, b.fit.rows, 0.0);
}

// The quickstart arm with the described masses of a simulated one.
struct DescribedArm {
  explicit DescribedArm(const Robot& arm) : truth(randomTruth(arm, 3)) {
    auto described = std::make_shared<Robot>(arm);
    for (int k = 0; k < described->numBodies(); ++k) {
      described->bodies[k].prior = truth.parameters.segment<10>(10 * k);
      described->bodies[k].bounds = {};
    }
    robot = described;
  }
  double mass(int body) const { return truth.parameters(10 * body); }

  SimulationTruth truth;
  std::shared_ptr<const Robot> robot;
};

TEST(IdentifyFunction, NeedsARobot) {
  EXPECT_THROW(identify(nullptr, {{"log.h5", ""}}, {}), std::invalid_argument);
}

// An unknown payload says nothing about the masses of the links.
TEST_F(Identify, AHeavyPayloadOfUnknownMassLeavesTheDescribedMasses) {
  const DescribedArm arm(*robot_);
  simulate(*arm.robot, arm.truth, shortLog(), log_);
  SimulationOptions loaded = shortLog();
  loaded.seed = 2;
  loaded.payload = PayloadNote{};
  loaded.payload->mass = 12.0;
  loaded.payload->com = Eigen::Vector3d(0.15, 0.02, -0.03);
  loaded.block_rows = 1 << 20;
  LogHeader header = simulatedHeader(*arm.robot, loaded);
  header.payload = PayloadNote{};
  LogWriter writer(folder_ / "loaded.h5", header);
  simulate(*arm.robot, arm.truth, loaded, [&](const RawBlock& block) { writer.append(block); });
  writer.finish();
  const Model model = identify(arm.robot, {{log_, ""}, {folder_ / "loaded.h5", ""}}, {}).model;
  EXPECT_TRUE(model.status.usable) << model.status.reason;
  EXPECT_EQ(model.consistency.prior_scale, 1.0);
  ASSERT_EQ(model.payloads.size(), 1U);
  EXPECT_NEAR(model.payloads[0].parameters(0), 12.0, 0.6);
  for (int k = 0; k < arm.robot->numBodies(); ++k)
    EXPECT_NEAR(model.parameters(10 * k) / arm.mass(k), 1.0, 0.1) << arm.robot->bodies[k].name;
}

TEST_F(Identify, AStatedPayloadThatALogDoesNotCarryIsNamed) {
  const DescribedArm arm(*robot_);
  simulate(*arm.robot, arm.truth, shortLog(), log_);
  SimulationOptions other = shortLog();
  other.seed = 2;
  simulate(*arm.robot, arm.truth, other, folder_ / "other.h5");
  const std::vector<LogInput> logs = {{log_, ""}, {folder_ / "other.h5", "tool0:5"}};
  const Model model = identify(arm.robot, logs, {}).model;
  EXPECT_EQ(model.consistency.prior_scale, 1.0);
  const std::string bound = "payload other.h5.m";
  EXPECT_THAT(model.fit.per_joint[1].price_reason, "the bound \"" + bound + "\"");
  EXPECT_THAT(
      model.status.reservations,
      ::testing::Contains(::testing::HasSubstr("the stated values of payload other.h5 on tool0 "
                                               "raise the error of ")));
}

TEST_F(Identify, IntervalsContainThoseOfLeastSquares) {
  simulate(*robot_, randomTruth(*robot_, 3), shortLog(), log_);
  const Model model = identified({{log_}});
  int moved = 0;
  for (const BaseParameterEstimate& one : model.base_parameters) {
    if (!std::isfinite(one.std_dev)) continue;
    moved += static_cast<int>(std::abs(one.value - one.least_squares) > one.std_dev);
    const double half_width = 1.95 * one.std_dev;  // that of Student's t is larger
    EXPECT_GE(one.upper_95, one.least_squares + half_width) << one.name;
    // The interval of a friction coefficient ends at zero.
    if (one.lower_95 != 0.0 && one.lower_95 != one.value)
      EXPECT_LE(one.lower_95, one.least_squares - half_width) << one.name;
  }
  EXPECT_GT(moved, 0) << "physical consistency and the prior move values";
}

TEST_F(Identify, AWindowThatIsLongerThanTheLogIsRefused) {
  simulate(*robot_, randomTruth(*robot_, 3), shortLog(), log_);
  IdentificationSettings settings;
  settings.equations = "momentum";
  settings.window_s = 100.0;
  try {
    identify(robot_, {{log_, ""}}, settings);
    FAIL() << "the window was accepted";
  } catch (const UsageError& error) {
    EXPECT_THAT(
        error.what(),
        ::testing::AllOf(::testing::StartsWith("`window_s` 100 s: the window is longer than "),
                         ::testing::HasSubstr("log.h5 (8 s)")));
  }
}

// An output option must not change the result: sensors on links are used in both cases.
// Positions and efforts are exact, but friction is a steep tanh and no sign: some joints fit to
// rounding, others to 1e-4.
TEST_F(Identify, ASimulatedLogWithoutNoiseAndWithSmoothFrictionIsUsable) {
  SimulationOptions simulation = shortLog();
  simulation.effort_noise_relative = 0.0;
  simulation.motion.duration_s = 20.0;
  simulation.block_rows = 1 << 20;
  const LogHeader header = simulatedHeader(*robot_, simulation);
  RawBlock rows;
  simulate(
      *robot_, randomTruth(*robot_, 3), simulation, [&](const RawBlock& block) { rows = block; });
  for (Eigen::Index j = 0; j < rows.effort.cols(); ++j) {
    const double speed = 0.002 * static_cast<double>(1 + j);
    rows.effort.col(j).array() += 3.0 * (rows.velocity.col(j).array() / speed).tanh();
  }
  LogWriter writer(log_, header);
  writer.append(rows);
  writer.finish();
  const Model model = identified({{log_, ""}});
  EXPECT_TRUE(model.status.usable) << model.status.reason;
  EXPECT_FALSE(model.provenance.dynid_version.empty());
  EXPECT_LT(model.fit.cross_validated_error, 0.05);
  for (const ChannelFit& joint : model.fit.per_joint) EXPECT_GT(joint.cross_validated_r2, 0.99);
}

TEST_F(Identify, SavingStatisticsDoesNotChangeTheModelOfALogWithASensor) {
  SimulationOptions simulation = shortLog();
  simulation.bodies = {"flange"};
  simulate(*robot_, randomTruth(*robot_, 3), simulation, log_);
  const Model plain = identified({{log_, ""}});
  const Model kept = identified({{log_, ""}}, true);
  expectSameModel(plain, kept);
  EXPECT_THAT(kept.provenance.settings,
              ::testing::Contains(::testing::Pair("bodies", std::string("flange"))));
}

TEST_F(Identify, SavingStatisticsDoesNotChangeTheModelOfALogWithAForcePlate) {
  SimulationOptions simulation = shortLog();
  simulation.base_frame = "space";
  const Robot rooted = withRootBody(*robot_);
  simulate(rooted, randomTruth(rooted, 3), simulation, log_);
  IdentificationSettings settings;
  settings.keep_statistics = true;
  const Identification kept = identify(robot_, {{log_, ""}}, settings);
  expectSameModel(identified({{log_, ""}}), kept.model);
  EXPECT_TRUE(hasRootBody(*kept.model.robot));
  // The saved statistics belong to the robot as described.
  ASSERT_TRUE(kept.statistics);
  EXPECT_EQ(kept.statistics->layout[10 * robot_->numBodies()].kind, ColumnKind::kDriveInertia);
}

TEST_F(Identify, SavingStatisticsDoesNotChangeTheModelOfAPlainLog) {
  simulate(*robot_, randomTruth(*robot_, 3), shortLog(), log_);
  expectSameModel(identified({{log_, ""}}), identified({{log_, ""}}, true));
}

// Efforts that are mostly noise: the fit follows the noise of its own rows, but not that of unseen
// ones.
TEST_F(Identify, R2FromStatisticsIsThatOfBlocksThatTheFitHasNotSeen) {
  SimulationOptions simulation = shortLog();
  simulation.motion.duration_s = 5.0;
  simulation.rate_hz = 50.0;
  simulation.effort_noise_relative = 3.0;
  simulate(*robot_, randomTruth(*robot_, 3), simulation, log_);
  IdentificationSettings settings;
  settings.keep_statistics = true;
  const Identification kept = identify(robot_, {{log_, ""}}, settings);
  ASSERT_TRUE(kept.statistics);
  IdentificationSettings saved;
  saved.statistics = {folder_ / "statistics.h5"};
  writeStatistics(saved.statistics.front(), *kept.statistics);
  const Model model = identify(robot_, {}, saved).model;
  double least = 1.0;
  for (const ChannelFit& channel : model.fit.per_joint)
    least = std::min(least, channel.cross_validated_r2);
  EXPECT_LT(least, 0.0);
}

// What statistics were made with is part of them: it does not depend on the settings of the later
// fit, nor on the order of the files.
TEST_F(Identify, TheModelHasTheSettingsOfItsStatistics) {
  std::vector<std::filesystem::path> files;
  for (const int seed : {1, 2}) {
    SimulationOptions simulation = shortLog();
    simulation.seed = seed;
    simulation.encoder_step = 1e-5;
    simulate(*robot_, randomTruth(*robot_, 3), simulation, log_);
    IdentificationSettings settings;
    settings.keep_statistics = true;
    settings.still_speed = 0.3;
    settings.cutoff_hz = 4.0 * seed;
    files.push_back(folder_ / ("statistics" + std::to_string(seed) + ".h5"));
    writeStatistics(files.back(), *identify(robot_, {{log_, ""}}, settings).statistics);
  }
  IdentificationSettings saved;
  saved.statistics = files;
  const Model model = identify(robot_, {}, saved).model;
  EXPECT_EQ(model.signals.still_speed, 0.3);
  EXPECT_EQ(model.signals.cutoff_hz, 8.0);
  EXPECT_EQ(model.provenance.logs.at(1).end_row, model.provenance.logs.at(1).samples);
  std::swap(saved.statistics[0], saved.statistics[1]);
  const Model other = identify(robot_, {}, saved).model;
  EXPECT_EQ(other.signals.cutoff_hz, 8.0);
  EXPECT_EQ(other.signals.rigid_cutoff_hz, model.signals.rigid_cutoff_hz);
  EXPECT_EQ(other.signals.friction_cutoff_hz, model.signals.friction_cutoff_hz);
  saved.cutoff_hz = 5.0;
  saved.motion = "spline";
  EXPECT_THAT([&] { identify(robot_, {}, saved); },
              ::testing::ThrowsMessage<UsageError>(::testing::HasSubstr(
                  "`cutoff_hz`, `motion`: the saved statistics were made with")));
  saved.cutoff_hz = 8.0;
  saved.still_speed = 0.3;
  saved.motion = "filtered";
  EXPECT_EQ(identify(robot_, {}, saved).model.signals.cutoff_hz, 8.0);
}

// Statistics with a payload are not merged with the others, which are given before and after them.
TEST_F(Identify, LogsOfStatisticsKeepTheOrderOfTheFiles) {
  const std::vector<std::string> names = {"a.h5", "b_loaded.h5", "c.h5"};
  IdentificationSettings kept, saved;
  kept.keep_statistics = saved.keep_statistics = true;
  for (size_t i = 0; i < names.size(); ++i) {
    SimulationOptions simulation = shortLog();
    simulation.seed = static_cast<int>(i) + 1;
    if (names[i] == "b_loaded.h5")
      simulation.payload = PayloadNote{"tool0", "", 1.5, std::nullopt, std::nullopt};
    simulate(*robot_, randomTruth(*robot_, 3), simulation, folder_ / names[i]);
    saved.statistics.push_back(folder_ / ("statistics_" + names[i]));
    writeStatistics(saved.statistics.back(),
                    *identify(robot_, {{folder_ / names[i], ""}}, kept).statistics);
  }
  const Identification merged = identify(robot_, {}, saved);
  std::vector<std::string> compared, used, recorded;
  for (const LogComparison& log : merged.model.fit.log_agreement)
    compared.push_back(fs::path(log.log).filename());
  for (const LogRecord& log : merged.model.provenance.logs)
    used.push_back(fs::path(log.file).filename());
  for (const GatheredLog& log : merged.statistics->logs)
    recorded.push_back(fs::path(log.file).filename());
  EXPECT_EQ(compared, names);
  EXPECT_EQ(used, names);
  EXPECT_EQ(recorded, names);
  EXPECT_EQ(merged.statistics->logs[1].payload, 0);
}

// Findings are listed as the logs were given, and shown beside statistics of other logs.
TEST_F(Identify, TheOrderOfTheLogsDoesNotMatter) {
  const DescribedArm arm(*robot_);
  std::vector<LogInput> logs;
  for (const char* name : {"a.h5", "b.h5", "c_still.h5"}) {
    SimulationOptions simulation = shortLog();
    simulation.seed = static_cast<std::uint64_t>(std::ssize(logs)) + 1;
    simulation.effort_noise_relative = 0.05;
    logs.push_back({folder_ / name, ""});
    simulate(*arm.robot, arm.truth, simulation, logs.back().path);
  }
  changeRows(logs[2].path, "effort", [](auto& rows) { rows.col(1).setConstant(0.25); });
  IdentificationSettings settings;
  settings.force = true;
  const Identification sorted = identify(arm.robot, logs, settings);
  std::swap(logs[0], logs[2]);
  const Identification other = identify(arm.robot, logs, settings);
  expectSameModel(sorted.model, other.model);
  EXPECT_EQ(sorted.model.consistency.prior_weight, other.model.consistency.prior_weight);
  const auto constant = ::testing::Contains(::testing::Field(&Finding::code, "effort-constant"));
  EXPECT_THAT(sorted.audits,
              ::testing::ElementsAre(::testing::Not(constant), ::testing::Not(constant), constant));
  EXPECT_THAT(other.audits,
              ::testing::ElementsAre(constant, ::testing::Not(constant), ::testing::Not(constant)));
  EXPECT_THAT(other.logs, ::testing::ElementsAre(logs[0].path, logs[1].path, logs[2].path));
}

TEST_F(Identify, StatisticsOfSplinesAndOfFiltersAreNotMixed) {
  simulate(*robot_, randomTruth(*robot_, 3), shortLog(), log_);
  IdentificationSettings settings;
  settings.keep_statistics = true;
  settings.motion = "spline";
  IdentificationSettings saved;
  saved.statistics = {folder_ / "splines.h5"};
  saveStatistics(saved.statistics.front(), identify(robot_, {{log_, ""}}, settings));
  EXPECT_THAT([&] { saveStatistics(folder_ / "none.h5", identify(robot_, {}, saved)); },
              ::testing::ThrowsMessage<UsageError>(::testing::HasSubstr("`keep_statistics`")));
  EXPECT_EQ(identify(robot_, {}, saved).model.signals.motion, "spline");
  EXPECT_THAT(
      [&] {
        identify(robot_, {{log_, ""}}, saved);
      },
      ::testing::ThrowsMessage<InputError>(::testing::HasSubstr(
          "its motion is made by filters, that of " + saved.statistics.front().string())));
}

// The rule of the selection also applies to the final fit: rows at standstill are fitted with
// presliding friction and left out without it.
TEST_F(Identify, TheFinalFitHasRowsAtStandstillWhereFrictionHasPresliding) {
  SimulationOptions simulation = shortLog();
  simulation.motion.rest_s = 2.0;
  for (const bool presliding : {false, true}) {
    SCOPED_TRACE(presliding);
    Robot robot = *robot_;
    for (Drive& drive : robot.drives) {
      drive.automatic_friction = false;
      drive.friction = {FrictionEffect::kViscous,
                        presliding ? FrictionEffect::kPresliding : FrictionEffect::kCoulomb};
    }
    const auto described = std::make_shared<const Robot>(robot);
    simulate(robot, randomTruth(robot, 3), simulation, log_);
    const Model model = identify(described, {{log_, ""}}, {}).model;
    if (presliding)
      EXPECT_GT(model.fit.rows, 1.1 * movingRows(model));
    else
      EXPECT_EQ(model.fit.rows, movingRows(model));
  }
}

// A recording that is started and stopped while the robot moves fits as well as the same rows of a
// longer one, whose filters know the motion beyond them.
TEST_F(Identify, ALogThatBeginsAndEndsInMotionFitsLikeAPartOfALongerOne) {
  SimulationOptions simulation = shortLog();
  simulation.motion.duration_s = 30.0;
  simulation.encoder_step = 1e-5;
  simulation.block_rows = 1 << 20;
  const LogHeader header = simulatedHeader(*robot_, simulation);
  RawBlock whole;
  simulate(
      *robot_, randomTruth(*robot_, 3), simulation, [&](const RawBlock& block) { whole = block; });
  const auto write = [&](const fs::path& path, Eigen::Index first, Eigen::Index rows) {
    RawBlock part;
    part.time = whole.time.segment(first, rows);
    part.position = whole.position.middleRows(first, rows);
    part.velocity = whole.velocity.middleRows(first, rows);
    part.effort = whole.effort.middleRows(first, rows);
    LogWriter writer(path, header);
    writer.append(part);
    writer.finish();
  };
  const fs::path cut = folder_ / "cut.h5";
  write(log_, 0, whole.time.size());
  write(cut, 1200, 3600);
  IdentificationSettings settings;
  settings.cutoff_hz = 4.0;
  const Model of_cut = identify(robot_, {{cut, ""}}, settings).model;
  settings.from_s = 6.0;
  settings.to_s = 24.0;
  const Model of_part = identify(robot_, {{log_, ""}}, settings).model;
  for (size_t a = 0; a < of_cut.fit.per_joint.size(); ++a)
    EXPECT_LT(of_cut.fit.per_joint[a].relative_error, 1.2 * of_part.fit.per_joint[a].relative_error)
        << a;
}

// Noise of the positions below 60 Hz, as of sampling times that differ from joint to joint, stands
// out of the white noise above like motion. The cut-off chosen for it, 100 Hz, would bias the fit.
TEST_F(Identify, ALowerCutOffIsUsedWherePositionNoiseIsNotWhite) {
  SimulationOptions simulation = shortLog();
  simulation.motion.duration_s = 20.0;
  simulation.rate_hz = 500.0;
  simulation.encoder_step = 1e-6;
  simulate(*robot_, randomTruth(*robot_, 3), simulation, log_);
  const Model clean = identified({{log_, ""}});
  changeRows(log_, "position", [](Eigen::MatrixXd& rows) {
    RandomStream random(7, 0);
    Eigen::MatrixXd noise(rows.rows(), rows.cols());
    for (Eigen::Index j = 0; j < noise.cols(); ++j)
      for (Eigen::Index k = 0; k < noise.rows(); ++k) noise(k, j) = 1e-3 * random.normal();
    filterZeroPhase(designLowpass(2, 60.0, 500.0), noise);
    rows += noise;
  });
  const Identification found = identify(robot_, {{log_, ""}}, {});
  EXPECT_THAT(found.audits[0], testing::Contains(testing::Field(&Finding::code, "cutoff-lowered")));
  EXPECT_LT(found.model.signals.cutoff_hz, 15.0);
  EXPECT_LT(found.model.fit.cross_validated_error, 2.0 * clean.fit.cross_validated_error);
  EXPECT_TRUE(found.model.status.usable) << found.model.status.reason;
}

// Efforts of a drive that helps the motion at high speed, as with a speed-dependent offset of its
// current sensor.
TEST_F(Identify, FrictionThatWouldPushIsNamed) {
  auto robot = std::make_shared<Robot>(*robot_);
  robot->drives[0].automatic_friction = false;
  robot->drives[0].friction = {FrictionEffect::kViscous, FrictionEffect::kQuadraticViscous};
  SimulationTruth truth = randomTruth(*robot, 3);
  const Column& viscous = truth.layout[truth.layout.find("joint_1.viscous")];
  ASSERT_TRUE(viscous.isFriction(FrictionEffect::kViscous));
  truth.parameters(truth.layout.find("joint_1.viscous")) = 6.0;
  truth.parameters(truth.layout.find("joint_1.quadratic_viscous")) = -12.0;
  simulate(*robot, truth, shortLog(), log_);
  const Model model = identify(robot, {{log_, ""}}, {}).model;
  EXPECT_GT(model.fit.per_joint[0].price_of_physics, 0.1);
  EXPECT_THAT(
      model.fit.per_joint[0].price_reason,
      ::testing::StartsWith("friction that must not push (without this condition it would"));
}

// The blocks of the cross-validation are parts of the time in which rows were recorded.
TEST_F(Identify, APauseOfHoursDoesNotChangeTheFit) {
  SimulationOptions simulation = shortLog();
  simulation.motion.duration_s = 40.0;
  simulation.encoder_step = 1e-5;
  simulate(*robot_, randomTruth(*robot_, 3), simulation, log_);
  const Model without = identified({{log_, ""}});
  constexpr Eigen::Index kBefore = 500;
  changeRows(log_, "time", [](Eigen::MatrixXd& time) {
    time.bottomRows(time.rows() - kBefore).array() += 7200.0;
  });
  const Model with = identified({{log_, ""}});
  EXPECT_LT(with.fit.rows, without.fit.rows);  // the ends of the pause are left out
  EXPECT_GT(with.fit.rows, 0.85 * without.fit.rows);
  for (size_t a = 0; a < with.fit.per_joint.size(); ++a)
    EXPECT_LT(with.fit.per_joint[a].cross_validated_error,
              1.2 * without.fit.per_joint[a].cross_validated_error)
        << a;
}

// One ramp for all logs, stored in the model: predictions do not use that of the log.
TEST_F(Identify, TheModelKeepsTheRampOfItsFit) {
  const fs::path slow = folder_ / "slow.h5";
  SimulationOptions simulation = shortLog();
  simulation.encoder_step = 1e-5;
  simulate(*robot_, randomTruth(*robot_, 3), simulation, log_);
  simulation.motion.amplitude = 0.02;
  simulate(*robot_, randomTruth(*robot_, 3), simulation, slow);
  const Recordings recordings = openRecordings(robot_, {{log_, ""}, {slow, ""}}, {}, {});
  const Model model = identified({{log_, ""}, {slow, ""}});
  ASSERT_EQ(model.signals.ramp_speed.size(), robot_->numJoints());
  EXPECT_EQ(model.signals.ramp_speed, recordings.ramp_speed);
  for (const OpenedLog& log : recordings.logs)
    EXPECT_TRUE((model.signals.ramp_speed.array() <= log.source->plan().still_speed.array()).all());
  EXPECT_LT(model.signals.ramp_speed.minCoeff(), model.signals.still_speed);
}

}  // namespace
}  // namespace dynid
