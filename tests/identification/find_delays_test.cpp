#include "dynid/identification/find_delays.h"

#include "dynid/identification/identify.h"
#include "dynid/logs/log_reader.h"
#include "dynid/logs/log_writer.h"
#include "dynid/robot/load_robot.h"
#include "dynid/simulation/simulate.h"
#include "dynid/statistics/delay_moments.h"

#include <gtest/gtest.h>

#include "support/random_robot.h"
#include "support/simulated_log.h"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

namespace dynid {
namespace {

namespace fs = std::filesystem;

// Copies a log in which a channel of these joints (none: of all) is recorded `rows` rows later.
void delayChannel(Eigen::MatrixXd RawSignals::*channel,
                  const fs::path& from,
                  const fs::path& to,
                  Eigen::Index rows,
                  const std::vector<int>& joints) {
  const LogReader reader(from);
  RawBlock log;
  reader.read(0, reader.info().rows, log);
  LogHeader header;
  header.joint_names = reader.joints();
  header.prismatic = reader.prismatic();
  header.effort_kind = reader.info().effort_kind;
  header.robot = reader.info().robot;
  header.gravity = reader.info().gravity;
  header.has_velocity = channel != &RawSignals::position;
  const Eigen::MatrixXd values = log.*channel;
  for (Eigen::Index i = 0; i < values.rows(); ++i)
    for (Eigen::Index j = 0; j < values.cols(); ++j)
      if (joints.empty() || std::find(joints.begin(), joints.end(), j) != joints.end())
        (log.*channel)(i, j) = values(std::max<Eigen::Index>(i - rows, 0), j);
  LogWriter writer(to, header);
  writer.append(log);
  writer.finish();
}

class EffortDelays : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("dynid_find_delays_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    simulateRobot(fs::path("quickstart") / "arm.toml");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void simulateRobot(const fs::path& description) {
    robot_ = std::make_shared<const Robot>(loadRobot(fs::path(DYNID_DATASETS_DIR) / description));
    SimulationOptions options;
    options.motion.duration_s = 20.0;
    options.rate_hz = 250.0;
    options.encoder_step = 1e-5;
    options.effort_noise_relative = 0.02;
    simulate(*robot_, randomTruth(*robot_, 3), options, folder_ / "log.h5");
  }

  // The joints move one after another, each six times to a random place.
  void jogRobot() {
    constexpr int kMoves = 6;
    TrajectoryFile jog;
    jog.joint_names = robot_->jointNames();
    const Eigen::Index n = robot_->numJoints(), rows = 1 + kMoves * n;
    jog.time = Eigen::VectorXd::LinSpaced(rows, 0.0, static_cast<double>(rows - 1));
    for (Eigen::MatrixXd* channel : {&jog.position, &jog.velocity, &jog.acceleration})
      *channel = Eigen::MatrixXd::Zero(rows, n);
    std::mt19937_64 rng(2);
    for (Eigen::Index i = 1; i < rows; ++i)
      jog.position.bottomRows(rows - i).col(i % n).setConstant(support::vectorX(rng, 1, 0.5)(0));
    SimulationOptions options;
    options.trajectory = jog;
    options.rate_hz = 250.0;
    options.encoder_step = 1e-5;
    options.effort_noise_relative = 0.02;
    simulate(*robot_, randomTruth(*robot_, 3), options, folder_ / "log.h5");
  }

  Identification identifyLate(Eigen::Index rows,
                              const std::vector<int>& joints = {},
                              Eigen::MatrixXd RawSignals::*channel = &RawSignals::effort) const {
    delayChannel(channel, folder_ / "log.h5", folder_ / "late.h5", rows, joints);
    IdentificationSettings settings;
    settings.force = true;  // the diagnosis may refuse delays beyond its range
    return identify(robot_, {{folder_ / "late.h5", ""}}, settings);
  }

  // One delay of all efforts, which predictions use too.
  void expectOneDelay(const Identification& late, double delay, double tolerance) const {
    const LogRecord& record = late.model.provenance.logs.front();
    EXPECT_NEAR(record.effort_delay, delay, tolerance);
    EXPECT_EQ(record.own_effort_delay.size(), 0);
    EXPECT_EQ(late.model.signals.effort_delay,
              Eigen::VectorXd::Constant(robot_->numJoints(), record.effort_delay));
  }

  fs::path folder_;
  std::shared_ptr<const Robot> robot_;
};

const Finding* findingOf(const Identification& identification, const std::string& code) {
  for (const Finding& finding : identification.audits.front())
    if (finding.code == code) return &finding;
  return nullptr;
}

// A delay of 24 ms is recovered, said, and kept for predictions; the model is as good as without.
TEST_F(EffortDelays, ALongDelayIsRemovedAndSaid) {
  const Identification late = identifyLate(6);
  const LogRecord& record = late.model.provenance.logs.front();
  EXPECT_NEAR(record.effort_delay, 0.024, 3e-4);
  EXPECT_LT(record.effort_delay_std_dev, 1e-3);
  EXPECT_EQ(late.model.signals.effort_delay,
            Eigen::VectorXd::Constant(robot_->numJoints(), record.effort_delay));
  EXPECT_EQ(record.own_effort_delay.size(), 0);
  const Finding* finding = findingOf(late, "effort-delay");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, Finding::Severity::kWarning);
  EXPECT_NE(finding->message.find("ms later than the motion"), std::string::npos)
      << finding->message;
  EXPECT_EQ(findingOf(late, "diagnosis-effort-late"), nullptr);
  const Identification clean = identifyLate(0);
  EXPECT_LT(late.model.fit.relative_error, 1.05 * clean.model.fit.relative_error);
}

// One effort is 12 ms late. Only that one is shifted, in the fit and in predictions.
TEST_F(EffortDelays, ADelayOfOneEffortIsRemovedFromThatOne) {
  constexpr int kLate = 3;
  const Identification late = identifyLate(3, {kLate});
  const LogRecord& record = late.model.provenance.logs.front();
  EXPECT_LT(std::abs(record.effort_delay), 3e-4);
  ASSERT_EQ(record.own_effort_delay.size(), robot_->numJoints());
  for (int j = 0; j < robot_->numJoints(); ++j) {
    if (j == kLate)
      EXPECT_NEAR(record.own_effort_delay(j), 0.012, 3e-4);
    else
      EXPECT_TRUE(std::isnan(record.own_effort_delay(j))) << j;
    EXPECT_EQ(late.model.signals.effort_delay(j), j == kLate ? record.own_effort_delay(j) : 0.0);
  }
  const Finding* finding = findingOf(late, "effort-delay");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->joint, kLate);
  EXPECT_EQ(finding->message.find("unlike other efforts, that of " + robot_->drives[kLate].name),
            0u)
      << finding->message;
  const Identification clean = identifyLate(0);
  for (int j = 0; j < robot_->numJoints(); ++j)
    EXPECT_LT(late.model.fit.per_joint[j].cross_validated_error,
              1.05 * clean.model.fit.per_joint[j].cross_validated_error)
        << j;
}

// A shift of the effort does not undo a late position, which the equations of other joints contain.
TEST_F(EffortDelays, ALatePositionOfOneJointIsAReservation) {
  const Identification late = identifyLate(10, {0}, &RawSignals::position);
  const Finding* finding = findingOf(late, "position-delay");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->message.find("the positions seem to be recorded at different times: unlike "),
            0u)
      << finding->message;
  const std::vector<std::string>& reservations = late.model.status.reservations;
  EXPECT_TRUE(std::any_of(reservations.begin(), reservations.end(), [](const std::string& text) {
    return text.find("recorded at different times") != std::string::npos;
  }));
  EXPECT_EQ(findingOf(identifyLate(10, {0}), "position-delay"), nullptr) << "a late effort";
  EXPECT_EQ(findingOf(identifyLate(10, {}, &RawSignals::position), "position-delay"), nullptr)
      << "all positions alike";
}

// Friction is selected before the delay is known: smoothed signs and Stribeck curves imitate late
// Coulomb friction. A joint hardly moves in the parts that its fit has not seen.
TEST_F(EffortDelays, JointsThatMoveOneAfterAnotherHaveOneDelay) {
  jogRobot();
  const Identification late = identifyLate(3);
  expectOneDelay(late, 0.012, 3e-4);
  const Identification clean = identifyLate(0);
  EXPECT_EQ(clean.model.signals.effort_delay.size(), 0);
  EXPECT_LT(late.model.fit.relative_error, 1.05 * clean.model.fit.relative_error);
}

// Cables couple wrist and fingers, and the log has their efforts on the joint side: the motors have
// one delay together.
TEST_F(EffortDelays, CoupledDrivesHaveOneDelayTogether) {
  simulateRobot(fs::path("dvrk_psm") / "dvrk_psm.toml");
  const Identification late = identifyLate(3, {4, 5, 6});
  const Eigen::VectorXd& delay = late.model.signals.effort_delay;
  ASSERT_EQ(delay.size(), 7);
  EXPECT_TRUE(delay.head<4>().isZero(0.0));
  EXPECT_TRUE((delay.tail<3>().array() == delay(4)).all());
  EXPECT_NEAR(delay(4), 0.012, 3e-4);
  EXPECT_EQ(identifyLate(3, {4}).model.signals.effort_delay.size(), 0);
}

TEST_F(EffortDelays, NothingIsRemovedWithoutADelay) {
  const Identification clean = identifyLate(0);
  EXPECT_EQ(clean.model.signals.effort_delay.size(), 0);
  EXPECT_LT(std::abs(clean.model.provenance.logs.front().effort_delay), 3e-4);
  EXPECT_EQ(findingOf(clean, "effort-delay"), nullptr);
}

// One of many logs, or a short one beside a long one, has a single block. The jackknife divides it
// all the same.
TEST(EffortDelaysOfOneBlock, AreFoundFromPartsInTime) {
  const SimulatedArm arm("delay_of_one_block");
  SimulationOptions simulation;
  simulation.motion.duration_s = 20.0;
  simulation.rate_hz = 250.0;
  simulation.encoder_step = 1e-5;
  simulation.effort_noise_relative = 0.02;
  const fs::path log = arm.log("log.h5", simulation), late = log.parent_path() / "late.h5";
  delayChannel(&RawSignals::effort, log, late, 6, {});
  FrictionModel friction;
  friction.chosen = arm.effects();
  Recordings recordings = openRecordings(arm.robot, {{late, ""}}, {}, {});
  const LogDelay of_blocks = findEffortDelays(recordings, friction, arm.options()).at(0);
  recordings = openRecordings(arm.robot, {{late, ""}}, {}, {});
  recordings.logs[0].blocks = {0, 1, recordings.logs[0].source->duration()};
  const LogDelay found = findEffortDelays(recordings, friction, arm.options()).at(0);
  EXPECT_NEAR(found.delay, 0.024, 1e-3);
  EXPECT_EQ(found.delay, of_blocks.delay);
  EXPECT_EQ(found.std_dev, of_blocks.std_dev);
  ASSERT_EQ(found.removed.size(), arm.robot->numJoints());
  EXPECT_EQ(found.removed(0), found.delay);
}

// Three repetitions of ten seconds. In parts of equal duration every second one would repeat the
// same motion, and none would be unseen.
TEST(EffortDelaysOfRepeatedMotion, DivideThePeriodIntoParts) {
  const SimulatedArm arm("delay_of_repeated_motion");
  SimulationOptions simulation;
  simulation.motion.duration_s = 30.0;
  simulation.motion.harmonics = 5;
  simulation.rate_hz = 100.0;
  simulation.encoder_step = 1e-5;
  simulation.effort_noise_relative = 0.02;
  const Recordings recordings =
      openRecordings(arm.robot, {{arm.log("log.h5", simulation), ""}}, {}, {});
  ASSERT_NEAR(recordings.logs[0].source->motionPeriodS(), 10.0, 0.1);
  const GatherOptions options = arm.options();
  const Regression regression = layOut(recordings, arm.effects(), options);
  const std::vector<LogRows> logs = logRows(recordings, regression.payloads, options.drive_gains);
  const EquationRows rows(
      recordings.robot,
      RowBuilder(
          recordings.robot, regression.layout(), fixedColumns(regression), recordings.ramp_speed),
      {});
  const DelayMoments moments = gatherDelayMoments(logs, rows, options.pass, 0.1, 6).at(0);
  EXPECT_NEAR(moments.unrepeated, 1.0 / 3.0, 0.01);
  ASSERT_EQ(std::ssize(moments.parameters), arm.robot->numJoints());
  EXPECT_EQ(moments.parameters[0], rows.columns(0));
  const std::vector<ShiftMoments>& parts = moments.channels[1];
  for (size_t a = 0; a < parts.size(); ++a)
    for (size_t b = 0; b < a; ++b) {
      const Eigen::MatrixXd first = parts[a].gram / parts[a].rows;
      const Eigen::MatrixXd second = parts[b].gram / parts[b].rows;
      EXPECT_GT((first - second).norm(), 0.05 * first.norm()) << a << " " << b;
    }
}

// A channel has fewer different rows than its fit needs. All together still show a common delay.
TEST_F(EffortDelays, OfAShortMotionThatIsRepeatedAreCommon) {
  SimulationOptions options;
  options.motion.duration_s = 33.0;
  options.motion.harmonics = 5;
  options.rate_hz = 250.0;
  options.encoder_step = 1e-5;
  options.effort_noise_relative = 0.02;
  simulate(*robot_, randomTruth(*robot_, 3), options, folder_ / "log.h5");
  const Identification late = identifyLate(6);
  expectOneDelay(late, 0.024, 1e-3);
  EXPECT_EQ(identifyLate(0).model.signals.effort_delay.size(), 0);
}

// The motion is filtered for the search only: the fit of a log without delay stays exact.
TEST_F(EffortDelays, OfMotionWithoutNoiseAreFoundToo) {
  SimulationOptions options;
  options.motion.duration_s = 20.0;
  options.rate_hz = 250.0;
  simulate(*robot_, randomTruth(*robot_, 3), options, folder_ / "log.h5");
  const Identification exact = identifyLate(0);
  EXPECT_EQ(exact.model.signals.effort_delay.size(), 0);
  EXPECT_LT(exact.model.fit.relative_error, 1e-4);  // half a period costs 1e-2
  options.effort_noise_relative = 0.02;
  simulate(*robot_, randomTruth(*robot_, 3), options, folder_ / "log.h5");
  EXPECT_EQ(identifyLate(0).model.signals.effort_delay.size(), 0);
  EXPECT_NEAR(identifyLate(3).model.provenance.logs.front().effort_delay, 0.012, 3e-4);
}

TEST_F(EffortDelays, AShortLogIsSaidNotToBeSearched) {
  SimulationOptions options;
  options.motion.duration_s = 5.0;
  options.encoder_step = 1e-5;
  options.effort_noise_relative = 0.02;
  simulate(*robot_, randomTruth(*robot_, 3), options, folder_ / "log.h5");
  IdentificationSettings settings;
  settings.to_s = 2.0;
  settings.force = true;
  const Identification short_log = identify(robot_, {{folder_ / "log.h5", ""}}, settings);
  const Finding* finding = findingOf(short_log, "effort-delay-not-searched");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->message.find("a delay of the efforts was not searched: the log holds "), 0u);
}

TEST_F(EffortDelays, ADelayBeyondTheRangeIsSaid) {
  const Identification late = identifyLate(32);
  EXPECT_EQ(late.model.signals.effort_delay.size(), 0);
  const Finding* finding = findingOf(late, "effort-delay-range");
  ASSERT_NE(finding, nullptr);
  EXPECT_NE(finding->message.find("later than the motion by more than the 100 ms"),
            std::string::npos)
      << finding->message;
}

}  // namespace
}  // namespace dynid
