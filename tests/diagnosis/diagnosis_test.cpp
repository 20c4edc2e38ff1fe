#include "dynid/diagnosis/diagnosis.h"

#include "dynid/diagnosis/log_excerpt.h"
#include "dynid/diagnosis/mistake_text.h"
#include "dynid/diagnosis/raw_checks.h"
#include "dynid/diagnosis/read_diagnosed_log.h"

#include <Eigen/Geometry>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_arm.h"
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <numbers>

namespace dynid {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using Kind = Mistake::Kind;
using Severity = Finding::Severity;

class DiagnosisTest : public ::testing::Test {
 protected:
  const std::shared_ptr<const Robot> robot_ = support::simulatedArm();
  DiagnosedLog log_ = support::simulatedLog(*robot_);
  RawSignals& rows() { return log_.windows.front(); }

  /// The finding that refuses the log; the test fails if there is none.
  Finding refusal() {
    const Diagnosis diagnosis = diagnose(robot_, log_);
    for (const Finding& finding : diagnosis.findings)
      if (finding.severity == Severity::kRefuse) return finding;
    ADD_FAILURE() << "nothing refused";
    return {};
  }
};

TEST_F(DiagnosisTest, NothingIsFoundInALogAsTheModelSays) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Diagnosis diagnosis = diagnose(robot_, support::simulatedLog(*robot_, seed));
    ASSERT_TRUE(diagnosis.results);
    for (const Finding& finding : diagnosis.findings) ADD_FAILURE() << finding.message;
    EXPECT_LT(diagnosis.results->as_logged.unexplained.maxCoeff(), 0.01);
  }
}

// The effort of a joint on its brake says nothing about the links behind it.
TEST_F(DiagnosisTest, NothingIsFoundInALogWithAJointOnItsBrake) {
  for (const Eigen::Index braked : {0, 1, 2}) {
    const Diagnosis diagnosis = diagnose(robot_, support::simulatedLog(*robot_, 1, 1.0, braked));
    for (const Finding& finding : diagnosis.findings) ADD_FAILURE() << finding.message;
    ASSERT_TRUE(diagnosis.results);
    EXPECT_EQ(diagnosis.results->as_logged.unexplained(braked), 0.0);
    EXPECT_LT(diagnosis.results->as_logged.unexplained.maxCoeff(), 0.02);
  }
}

// Weight and dry friction of nearly the same size: the effort of a vertical axis falls to near zero
// at every reversal. The model explains it, as it explains no magnitude.
TEST_F(DiagnosisTest, AnEffortNearZeroAtEveryReversalIsNoMagnitude) {
  rows().effort.col(3) += Eigen::VectorXd::Constant(rows().rows(), 20.0);
  rows().effort.col(3) += 19.6 * (rows().velocity.col(3).array() / 0.05).tanh().matrix();
  rows().effort.col(3) = rows().effort.col(3).cwiseMax(0.05).eval();
  const auto is_magnitude = [](const Finding& f) { return f.code == "raw-effort-unsigned"; };
  const std::vector<Finding> raw = checkRawLog(*robot_, log_.windows, log_.duration_s, true);
  ASSERT_TRUE(std::any_of(raw.begin(), raw.end(), is_magnitude));
  const Diagnosis diagnosis = diagnose(robot_, log_);
  EXPECT_TRUE(std::none_of(diagnosis.findings.begin(), diagnosis.findings.end(), is_magnitude));
  rows().effort.col(1) = rows().effort.col(1).cwiseAbs().eval();
  EXPECT_EQ(refusal().code, "raw-effort-unsigned");
}

// A joint whose encoder sticks for a part of the log is better explained by another clock, which
// the logged velocities exclude.
TEST_F(DiagnosisTest, AStuckEncoderIsNotCalledAWrongClock) {
  const Eigen::Index first = 1000, count = 750;
  rows().position.col(2).segment(first, count).setConstant(rows().position(first, 2));
  rows().velocity.col(2).segment(first, count).setZero();
  const Diagnosis diagnosis = diagnose(robot_, log_);
  ASSERT_TRUE(diagnosis.results);
  for (const TriedHypothesis& tried : diagnosis.results->tried)
    EXPECT_NE(tried.mistake.kind, Kind::kTimeScale);
}

TEST_F(DiagnosisTest, TheNumberOfThreadsDoesNotMatter) {
  rows().effort.col(0).swap(rows().effort.col(2));
  const Diagnosis one = diagnose(robot_, log_, 1), three = diagnose(robot_, log_, 3);
  ASSERT_EQ(one.results->tried.size(), three.results->tried.size());
  EXPECT_EQ(one.results->passes, three.results->passes);
  for (size_t i = 0; i < one.results->tried.size(); ++i) {
    EXPECT_EQ(one.results->tried[i].mistake.kind, three.results->tried[i].mistake.kind);
    EXPECT_EQ(one.results->tried[i].mistake.joints, three.results->tried[i].mistake.joints);
    EXPECT_EQ(one.results->tried[i].gain, three.results->tried[i].gain);
  }
}

TEST_F(DiagnosisTest, NumbersWithoutMeaningAreNotWrittenOut) {
  rows().effort.col(1) *= -1.0;
  EXPECT_THAT(refusal().message, HasSubstr("(all joints together: more than 1000 times less;"));
}

TEST_F(DiagnosisTest, HypothesesAreTriedOnlyWhereSomethingIsLeftToExplain) {
  const Diagnosis explained = diagnose(robot_, log_);
  ASSERT_TRUE(explained.results);
  EXPECT_TRUE(explained.results->tried.empty());
  ASSERT_EQ(explained.left_out.size(), 1u);
  EXPECT_THAT(explained.left_out.front(), HasSubstr("no mistake was looked for: the plain model"));

  const Eigen::RowVectorXd largest = rows().effort.colwise().maxCoeff();
  for (Eigen::Index i = 0; i < rows().effort.rows(); ++i)  // 3 rad/s: passes the filter
    rows().effort.row(i) += 0.2 * std::sin(3.0 * rows().time(i)) * largest;
  const Diagnosis unexplained = diagnose(robot_, log_);
  EXPECT_FALSE(unexplained.results->tried.empty());
  EXPECT_TRUE(unexplained.left_out.empty());
}

TEST_F(DiagnosisTest, AReversedEffortIsNamedWithItsRemedy) {
  rows().effort.col(2) *= -1.0;
  const Finding finding = refusal();
  EXPECT_EQ(finding.code, "diagnosis-effort-sign");
  EXPECT_EQ(finding.joint, 2);
  EXPECT_THAT(finding.message,
              HasSubstr("it seems that the effort of elbow has the opposite sign"));
  EXPECT_THAT(finding.message, HasSubstr("unexplained instead of"));
  EXPECT_THAT(finding.remedy, HasSubstr("set sign = { elbow = -1 } under [effort]"));
}

void roundTo(double step, RawSignals& rows, Eigen::Index joint) {
  rows.position.col(joint) = (rows.position.col(joint) / step).array().round() * step;
}

// The rounding of the slide was taken for another direction of gravity and another clock.
TEST(DiagnosisOfCoarsePositions, NothingElseIsNamed) {
  const std::shared_ptr<const Robot> robot = support::scara();
  int coarse = 0;
  for (const std::uint64_t seed : {1, 2, 3})
    for (const double step : {0.02, 0.05, 0.1, 0.2, 0.4}) {
      DiagnosedLog log = support::simulatedLog(*robot, seed);
      RawSignals& rows = log.windows.front();
      rows.velocity = {};
      roundTo(step, rows, robot->jointIndex("slide"));
      for (const Finding& finding : diagnose(robot, log).findings) {
        EXPECT_EQ(finding.code, "diagnosis-position-coarse") << step << ": " << finding.message;
        EXPECT_EQ(finding.severity, Severity::kWarning);
        EXPECT_THAT(finding.message, HasSubstr(fmt::format("(slide {:.3g} m)", step)));
        ++coarse;
      }
    }
  EXPECT_GE(coarse, 6);
}

TEST(DiagnosisExcerpt, DoesNotDependOnTheThreads) {
  constexpr Eigen::Index kChannels = 18;  // more than the filter takes at a time
  RawSignals rows = support::simulatedLog(*support::scara()).windows.front();
  const Eigen::MatrixXd q = rows.position, effort = rows.effort;
  rows.position.resize(q.rows(), kChannels);
  rows.effort.resize(q.rows(), kChannels);
  for (Eigen::Index c = 0; c < kChannels; ++c) {
    rows.position.col(c) = (1.0 + 0.1 * static_cast<double>(c)) * q.col(c % q.cols());
    rows.effort.col(c) = effort.col((c + 1) % q.cols());
  }
  const LogExcerpt one = excerptOf({&rows, 1}, {}, kExcerptRows);
  ASSERT_GT(one.rows(), 500);
  const LogExcerpt three = excerptOf({&rows, 1}, {}, kExcerptRows, 3);
  EXPECT_EQ(one.cutoff_hz, three.cutoff_hz);
  EXPECT_EQ(one.q, three.q);
  EXPECT_EQ(one.dq, three.dq);
  EXPECT_EQ(one.ddq, three.ddq);
  EXPECT_EQ(one.effort, three.effort);
  EXPECT_EQ(one.rounding_share, three.rounding_share);
}

// With 0.1 m it was 20 Hz, which let through the rounding.
TEST(DiagnosisOfCoarsePositions, TheCutoffDoesNotFollowTheRounding) {
  const std::shared_ptr<const Robot> robot = support::scara();
  DiagnosedLog log = support::simulatedLog(*robot);
  const std::vector<bool> prismatic = {false, false, true, false};
  const double fine = excerptOf(log.windows, prismatic).cutoff_hz;
  for (const double step : {0.02, 0.1, 0.2}) {
    for (int j = 0; j < 4; ++j) roundTo(step, log.windows.front(), j);
    EXPECT_LE(excerptOf(log.windows, prismatic).cutoff_hz, 1.5 * fine) << step;
  }
}

TEST(DiagnosisOfCoarsePositions, AReversedEffortIsStillNamed) {
  const std::shared_ptr<const Robot> robot = support::scara();
  DiagnosedLog log = support::simulatedLog(*robot);
  RawSignals& rows = log.windows.front();
  rows.velocity = {};
  roundTo(0.2, rows, robot->jointIndex("slide"));
  rows.effort.col(1) *= -1.0;
  const Diagnosis diagnosis = diagnose(robot, log);
  ASSERT_FALSE(diagnosis.findings.empty());
  EXPECT_EQ(diagnosis.findings.front().code, "diagnosis-effort-sign");
  EXPECT_EQ(diagnosis.findings.front().joint, 1);
}

// Of thirteen joints or more, pairs of two that are explained already are left out.
TEST(DiagnosisOfManyJoints, PairsAreTriedWhereOneOfTheTwoIsNotExplained) {
  const std::shared_ptr<const Robot> robot = support::simulatedArms(3);
  ASSERT_EQ(robot->numJoints(), 13);
  const int elbow = robot->jointIndex("elbow"), shoulder = robot->jointIndex("shoulder3");
  DiagnosedLog log = support::simulatedLog(*robot);
  log.windows.front().effort.col(elbow).swap(log.windows.front().effort.col(shoulder));
  const Diagnosis diagnosis = diagnose(robot, log);
  ASSERT_TRUE(diagnosis.results);
  ASSERT_FALSE(diagnosis.results->tried.empty());
  const Mistake& named = diagnosis.results->tried.front().mistake;
  EXPECT_EQ(named.kind, Kind::kEffortSwap);
  EXPECT_THAT(named.joints, ::testing::UnorderedElementsAre(elbow, shoulder));
  int pairs = 0;
  for (const TriedHypothesis& tried : diagnosis.results->tried) {
    if (tried.mistake.joints.size() != 2) continue;
    ++pairs;
    const Eigen::VectorXd& unexplained = diagnosis.results->as_logged.unexplained;
    EXPECT_GT(std::max(unexplained(tried.mistake.joints[0]), unexplained(tried.mistake.joints[1])),
              0.03);
  }
  EXPECT_GT(pairs, 0);
}

TEST_F(DiagnosisTest, EffortsThatAreVeryLateAreNoOtherMistake) {
  for (const double seconds : {0.16, 0.3}) {
    log_ = support::simulatedLog(*robot_);
    const Eigen::Index rows_late = std::lround(seconds / 0.01), n = rows().effort.rows();
    rows().effort.bottomRows(n - rows_late) = rows().effort.topRows(n - rows_late).eval();
    const Finding finding = refusal();
    EXPECT_EQ(finding.code, "diagnosis-effort-late");
    EXPECT_THAT(finding.message,
                HasSubstr(fmt::format("the efforts of all joints are {:.0f} ms later than the "
                                      "positions",
                                      1e3 * seconds)));
  }
}

TEST_F(DiagnosisTest, AllEffortsReversedAreNamed) {
  rows().effort *= -1.0;
  EXPECT_THAT(refusal().message, HasSubstr("the effort of all joints has the opposite sign"));
}

TEST_F(DiagnosisTest, ExchangedEffortsAreNamed) {
  rows().effort.col(1).swap(rows().effort.col(2));
  EXPECT_THAT(refusal().message, HasSubstr("the efforts of shoulder and elbow are exchanged"));
}

TEST_F(DiagnosisTest, EffortsInAnotherOrderAreNamed) {
  rows().effort = rows().effort(Eigen::all, std::vector<int>{1, 2, 3, 0}).eval();
  EXPECT_THAT(refusal().message, HasSubstr("the efforts are in another order than the joints"));
}

TEST_F(DiagnosisTest, TheGearFactorOfAMotorSideEffortIsFound) {
  rows().effort.col(1) /= 120.0;
  const Finding finding = refusal();
  EXPECT_EQ(finding.code, "diagnosis-effort-scale");
  const Diagnosis diagnosis = diagnose(robot_, log_);
  EXPECT_NEAR(diagnosis.results->tried.front().mistake.value / 120.0, 1.0, 0.2);
  EXPECT_THAT(finding.remedy, HasSubstr("gear_ratio for shoulder under [effort]"));
}

TEST_F(DiagnosisTest, AnEffortThatIsTwiceTheTorqueIsNamedWithItsFactor) {
  for (const double factor : {2.0, 0.4}) {
    log_ = support::simulatedLog(*robot_);
    rows().effort.col(2) *= factor;
    const Diagnosis diagnosis = diagnose(robot_, log_);
    ASSERT_EQ(diagnosis.findings.size(), 1u) << factor;
    EXPECT_EQ(diagnosis.findings.front().code, "diagnosis-effort-scale");
    ASSERT_EQ(diagnosis.correctable.size(), 1u);
    EXPECT_EQ(diagnosis.correctable.front().joints, std::vector<int>{2});
    EXPECT_NEAR(factor * diagnosis.correctable.front().value, 1.0, 0.15) << factor;
  }
}

TEST_F(DiagnosisTest, OneEffortThatIsVeryLateIsNamed) {
  const Eigen::Index shift = 30, kept = rows().rows() - shift;  // 0.3 s
  rows().effort.col(1).tail(kept) = rows().effort.col(1).head(kept).eval();
  const Diagnosis diagnosis = diagnose(robot_, log_);
  ASSERT_EQ(diagnosis.findings.size(), 1u);
  EXPECT_EQ(diagnosis.findings.front().code, "diagnosis-effort-late");
  EXPECT_EQ(diagnosis.findings.front().joint, 1);
  EXPECT_NEAR(diagnosis.results->tried.front().mistake.value, 0.3, 0.03);
}

TEST_F(DiagnosisTest, EffortsWithoutTheirGravityTorqueAreNamed) {
  Eigen::VectorXd inertial = 2.0 * uniformRods(*robot_);
  inertial.tail<10>() = inertialFromCenterOfMass(
      1.5, {0.03, 0.02, 0.06}, Eigen::Vector3d(0.01, 0.012, 0.004).asDiagonal());
  const Eigen::MatrixXd rest = Eigen::MatrixXd::Zero(rows().rows(), rows().joints());
  rows().effort -= ProjectionRegressor(robot_).efforts(inertial, rows().position, rest, rest);
  const Diagnosis diagnosis = diagnose(robot_, log_);
  ASSERT_EQ(diagnosis.findings.size(), 1u);
  EXPECT_EQ(diagnosis.findings.front().code, "diagnosis-no-gravity");
  EXPECT_THAT(diagnosis.findings.front().remedy,
              HasSubstr("before a controller subtracts its gravity model"));
}

TEST_F(DiagnosisTest, AReversedPositionIsNamed) {
  rows().position.col(2) *= -1.0;
  rows().velocity.col(2) *= -1.0;
  EXPECT_EQ(refusal().code, "diagnosis-position-sign");
}

TEST_F(DiagnosisTest, AZeroPositionOffByAQuarterTurnIsNamedWithItsAngle) {
  rows().position.col(1).array() += 0.5 * std::numbers::pi;
  const Finding finding = refusal();
  EXPECT_EQ(finding.code, "diagnosis-position-zero");
  EXPECT_EQ(finding.joint, 1);
  EXPECT_THAT(finding.message, HasSubstr("the zero position of shoulder is off by 9"));
}

/// The log without the rows of the second from 14 s on.
DiagnosedLog withGap(DiagnosedLog log) {
  RawSignals& rows = log.windows.front();
  std::vector<Eigen::Index> kept;
  for (Eigen::Index r = 0; r < rows.rows(); ++r)
    if (rows.time(r) < 14.0 || rows.time(r) > 15.0) kept.push_back(r);
  rows.time = rows.time(kept).eval();
  for (Eigen::MatrixXd* channel : {&rows.position, &rows.velocity, &rows.effort})
    *channel = (*channel)(kept, Eigen::all).eval();
  return log;
}

TEST_F(DiagnosisTest, AZeroThatChangesInAGapIsNamedWithItsPlace) {
  for (const double change : {0.3, -0.3, 1.6, -2.0, 3.1}) {
    log_ = withGap(support::simulatedLog(*robot_));
    log_.start_s = -100.0;  // times are counted from here
    for (Eigen::Index r = 0; r < rows().rows(); ++r)
      if (rows().time(r) > 14.5) rows().position(r, 2) += change;
    const Finding finding = refusal();
    EXPECT_EQ(finding.code, "diagnosis-position-zero-changes") << finding.message;
    EXPECT_EQ(finding.joint, 2);
    EXPECT_THAT(finding.message,
                HasSubstr("the zero position of elbow is not the same in the whole log: from 115"));
    EXPECT_THAT(finding.message, HasSubstr("after a gap of 1.0"));
    EXPECT_THAT(finding.remedy, HasSubstr("`from_s` 115"));
    const Diagnosis diagnosis = diagnose(robot_, log_);
    EXPECT_NEAR(diagnosis.results->tried.front().mistake.value,
                change,
                std::abs(change) < 1.0 ? 0.02 : 0.05);
    EXPECT_TRUE(diagnosis.correctable.empty());
  }
}

TEST_F(DiagnosisTest, NothingIsFoundInALogWithAGap) {
  for (const std::uint64_t seed : {1, 2, 3})
    for (const Finding& finding :
         diagnose(robot_, withGap(support::simulatedLog(*robot_, seed))).findings)
      ADD_FAILURE() << finding.message;
}

/// The arm with inertials as its log has them, times `mass`.
std::shared_ptr<const Robot> described(const Robot& robot, double mass) {
  auto described = std::make_shared<Robot>(robot);
  const Eigen::VectorXd rods = uniformRods(robot);
  for (int b = 0; b < described->numBodies(); ++b)
    described->bodies[b].prior = mass * rods.segment<10>(10 * b);
  return described;
}

TEST_F(DiagnosisTest, AFactorBetweenAllEffortsAndTheDescribedMassesIsSaid) {
  // The links of the log are rods twice as heavy as uniformRods.
  EXPECT_TRUE(diagnose(described(*robot_, 2.0), log_).findings.empty());
  EXPECT_TRUE(diagnose(described(*robot_, 1.2), log_).findings.empty());
  const Diagnosis lighter = diagnose(described(*robot_, 20.0), log_);
  ASSERT_EQ(lighter.findings.size(), 1u);
  EXPECT_EQ(lighter.findings.front().code, "diagnosis-effort-unit");
  EXPECT_EQ(lighter.findings.front().severity, Severity::kWarning);
  EXPECT_NEAR(lighter.findings.front().value, 0.1, 0.02);
  EXPECT_THAT(lighter.findings.front().message,
              HasSubstr("times the joint torques, or the masses of the robot description"));
}

// N cm for N m: one effort is beyond its limit, too.
TEST_F(DiagnosisTest, AFactorIsSaidBesideEffortsBeyondTheirLimits) {
  auto robot = std::make_shared<Robot>(*described(*robot_, 2.0));
  for (int j = 0; j < robot->numJoints(); ++j)
    robot->joints[j].limits.effort =
        (j == 1 ? 1.0 : 20.0) * log_.windows.front().effort.col(j).cwiseAbs().maxCoeff();
  log_.windows.front().effort *= 12.0;
  std::vector<std::string> codes;
  for (const Finding& finding : diagnose(robot, log_).findings) codes.push_back(finding.code);
  EXPECT_THAT(codes, Contains("raw-effort-limit"));
  EXPECT_THAT(codes, Contains("diagnosis-effort-unit"));
}

// Masses that are wrong link by link are no factor.
TEST_F(DiagnosisTest, DescribedMassesWithoutACommonFactorAreNotJudged) {
  auto robot = std::make_shared<Robot>(*described(*robot_, 2.0));
  *robot->bodies[1].prior *= 40.0;
  for (const Finding& finding : diagnose(robot, log_).findings) ADD_FAILURE() << finding.message;
}

TEST_F(DiagnosisTest, GravityOfAWallMountedRobotIsFound) {
  auto tilted = std::make_shared<Robot>(*robot_);
  tilted->gravity = {-9.80665, 0.0, 0.0};
  const Diagnosis diagnosis = diagnose(tilted, log_);
  ASSERT_FALSE(diagnosis.findings.empty());
  EXPECT_EQ(diagnosis.findings.front().code, "diagnosis-gravity-direction");
  EXPECT_THAT(diagnosis.findings.front().remedy, HasSubstr("set gravity = ["));
}

TEST_F(DiagnosisTest, TheDirectionOfGravityIsFoundToHalfADegree) {
  const Eigen::Vector3d truth = robot_->gravity;
  for (const double tilt : {17.0, 33.0, 53.0}) {
    auto tilted = std::make_shared<Robot>(*robot_);
    tilted->gravity =
        Eigen::AngleAxisd(tilt * kDegree, Eigen::Vector3d(1.0, 2.0, 0.0).normalized()) * truth;
    const Diagnosis diagnosis = diagnose(tilted, log_);
    ASSERT_FALSE(diagnosis.findings.empty()) << tilt;
    ASSERT_EQ(diagnosis.findings.front().code, "diagnosis-gravity-direction") << tilt;
    const Eigen::Vector3d found = diagnosis.results->tried.front().mistake.direction;
    EXPECT_GT(found.normalized().dot(truth.normalized()), std::cos(0.5 * kDegree)) << tilt;
  }
}

TEST_F(DiagnosisTest, ADescriptionWithoutGravityIsNamed) {
  auto weightless = std::make_shared<Robot>(*robot_);
  weightless->gravity.setZero();
  const Diagnosis diagnosis = diagnose(weightless, log_);
  ASSERT_FALSE(diagnosis.findings.empty());
  EXPECT_EQ(diagnosis.findings.front().code, "diagnosis-gravity-direction");
  EXPECT_EQ(diagnosis.findings.front().severity, Finding::Severity::kRefuse);
  EXPECT_THAT(diagnosis.findings.front().message, HasSubstr("-9.8"));
}

TEST_F(DiagnosisTest, EffortsInAnotherUnitAreRefused) {
  rows().effort *= 1e3;
  const Finding finding = refusal();
  EXPECT_EQ(finding.code, "diagnosis-effort-unit");
  EXPECT_THAT(finding.remedy, HasSubstr("N mm or mA"));
}

// The links of the log are rods twice as heavy as uniformRods.
TEST_F(DiagnosisTest, TheUnitOfEffortsIsTheOneNearTheDescribedMasses) {
  const auto factor_of = [&](const Robot& robot, double unit) {
    DiagnosedLog log = log_;
    log.windows.front().effort *= unit;
    const Diagnosis diagnosis = diagnose(std::make_shared<const Robot>(robot), log);
    return diagnosis.correctable.empty() ? 0.0 : diagnosis.correctable.front().value;
  };
  EXPECT_EQ(factor_of(*described(*robot_, 2.0), 100.0), 1e-2);
  EXPECT_EQ(factor_of(*described(*robot_, 2.0), 1000.0), 1e-3);
  EXPECT_EQ(factor_of(*described(*robot_, 0.7), 1000.0), 1e-3);
  EXPECT_EQ(factor_of(*robot_, 1000.0), 1e-3) << "without described masses";
}

TEST_F(DiagnosisTest, LateEffortsAreAWarningWithTheirDelay) {
  const Eigen::Index shift = 6;
  rows().effort.bottomRows(rows().rows() - shift) =
      rows().effort.topRows(rows().rows() - shift).eval();
  const Diagnosis diagnosis = diagnose(robot_, log_);
  ASSERT_FALSE(diagnosis.findings.empty());
  EXPECT_EQ(diagnosis.findings.front().code, "diagnosis-effort-late");
  EXPECT_EQ(diagnosis.findings.front().severity, Severity::kWarning);
  EXPECT_NEAR(diagnosis.results->common_delay, 0.06, 0.005);
}

TEST_F(DiagnosisTest, RowsThatAreRefusedAreNotFitted) {
  rows().time *= 1e3;
  rows().velocity = {};
  const Diagnosis diagnosis = diagnose(robot_, log_);
  EXPECT_FALSE(diagnosis.results);
  EXPECT_THAT(
      diagnosis.findings.front().message,
      HasSubstr("the time stamps are not in seconds, or the log is too slow to show a motion"));
  EXPECT_THAT(diagnosis.left_out,
              ::testing::ElementsAre(HasSubstr("the rows themselves are refused")));
}

/// Valid logs of real robots: none is refused.
TEST(DiagnosisOfRealLogs, NoTrainingLogIsRefused) {
  const std::filesystem::path folder = DYNID_REAL_DATA_DIR;
  if (folder.empty()) GTEST_SKIP() << "configure with -DDYNID_REAL_DATA_DIR=... to run this";
  for (const auto& [name, file] : {std::pair{"ur10e", "train_12harm30s.h5"},
                                   std::pair{"panda", "train_a_0_8p5s.h5"},
                                   std::pair{"tx40", "train_a_0_3s.h5"},
                                   std::pair{"kr300", "train_A.h5"},
                                   std::pair{"xmate7p", "train_traj1.h5"},
                                   std::pair{"lwa3", "train_traj1.h5"},
                                   std::pair{"tiago", "train_0_44s.h5"},
                                   std::pair{"dvrk_mtm", "train_one.h5"},
                                   std::pair{"dvrk_psm", "train_one.h5"}}) {
    const std::string description =
        std::string(DYNID_DATASETS_DIR) + "/" + name + "/" + name + ".toml";
    const auto robot = std::make_shared<const Robot>(loadRobot(description));
    const Diagnosis diagnosis = diagnose(robot, readDiagnosedLog(*robot, folder / name / file));
    EXPECT_TRUE(diagnosis.results) << name;
    for (const Finding& finding : diagnosis.findings)
      EXPECT_NE(finding.severity, Severity::kRefuse) << name << ": " << finding.message;
  }
}

/// Logs in which one joint moves and the others rest, held by stiction, with drive gains that are
/// not known. The efforts of resting joints were taken for another direction of gravity.
TEST(DiagnosisOfRealLogs, RestingJointsSayNothingAboutGravity) {
  const std::filesystem::path folder = DYNID_REAL_DATA_DIR;
  if (folder.empty()) GTEST_SKIP() << "configure with -DDYNID_REAL_DATA_DIR=... to run this";
  const auto robot = std::make_shared<const Robot>(loadRobot(folder / "ur10e/ur10e.urdf"));
  for (int j = 1; j <= 6; ++j) {
    const std::string file = "ur10e/extra_jointwise_" + std::to_string(j) + ".h5";
    const Diagnosis diagnosis = diagnose(robot, readDiagnosedLog(*robot, folder / file));
    for (const Finding& finding : diagnosis.findings)
      EXPECT_EQ(finding.code.find("gravity"), std::string::npos) << file << ": " << finding.message;
  }
}

/// Undoing this mistake gains 0.71 in the fit; the rest of its certainty comes from the comparison
/// of gravity torques with those of uniform rods.
TEST(DiagnosisOfRealLogs, AZeroPositionThatGainsLittleInTheFitIsNamed) {
  const std::filesystem::path folder = DYNID_REAL_DATA_DIR;
  if (folder.empty()) GTEST_SKIP() << "configure with -DDYNID_REAL_DATA_DIR=... to run this";
  const auto robot =
      std::make_shared<const Robot>(loadRobot(DYNID_DATASETS_DIR "/ur10e/ur10e.toml"));
  DiagnosedLog log = readDiagnosedLog(*robot, folder / "ur10e/train_10harm20s.h5");
  constexpr int kElbow = 2;
  for (RawSignals& window : log.windows)
    window.position.col(kElbow).array() += 0.5 * std::numbers::pi;
  const Diagnosis diagnosis = diagnose(robot, log);
  ASSERT_TRUE(diagnosis.results);
  const TriedHypothesis& best = diagnosis.results->tried.front();
  EXPECT_EQ(best.mistake.kind, Kind::kPositionZero);
  EXPECT_THAT(best.mistake.joints, ::testing::ElementsAre(kElbow));
  EXPECT_GE(best.certainty(), kRefuseCertainty);
}

}  // namespace
}  // namespace dynid
