#include "dynid/signals/audit.h"

#include "dynid/core/text.h"
#include "dynid/math/nan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "synthetic.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <stdexcept>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using Severity = Finding::Severity;

constexpr double kDegree = 180.0 / std::numbers::pi;

std::vector<Finding> audit(const RawSignals& log, const AuditContext& context = {}) {
  return auditLog({&log, 1}, {}, context);
}

const Finding* find(const std::vector<Finding>& findings, const std::string& code, int joint = -1) {
  for (const Finding& finding : findings)
    if (finding.code == code && (joint < 0 || finding.joint == joint)) return &finding;
  return nullptr;
}

std::string codesOf(const std::vector<Finding>& findings) {
  std::string codes;
  for (const Finding& finding : findings)
    codes += finding.code + "(" + std::to_string(finding.joint) + ") ";
  return codes;
}

/// Limits by joint, wide enough for the synthetic motion.
AuditContext limitsOf(const RawSignals& log) {
  AuditContext context;
  context.joint_names = {"hip", "knee", "ankle"};
  context.position_lower = VectorXd::Constant(log.joints(), -2.0);
  context.position_upper = VectorXd::Constant(log.joints(), 2.0);
  return context;
}

TEST(Audit, ACleanLogHasNoFindings) {
  const RawSignals log = syntheticLog();
  EXPECT_EQ(codesOf(audit(log, limitsOf(log))), "");
  RawSignals accelerated = log;
  accelerated.acceleration.resize(log.rows(), log.joints());
  for (Index k = 0; k < log.rows(); ++k)
    for (Index j = 0; j < log.joints(); ++j)
      accelerated.acceleration(k, j) = SyntheticMotion::ddq(log.time(k), j);
  EXPECT_EQ(codesOf(audit(accelerated)), "");
  RawSignals bare = log;
  bare.velocity.resize(0, 0);
  EXPECT_EQ(codesOf(audit(bare)), "");
}

void unevenSteps(RawSignals& log) {
  double t = 0.0;
  for (Index k = 0; k < log.rows(); ++k, t += (k * k) % 7 < 3 ? 0.005 : 0.0065) {
    log.time(k) = t;
    for (Index j = 0; j < log.joints(); ++j) {
      log.position(k, j) = SyntheticMotion::q(t, j);
      log.velocity(k, j) = SyntheticMotion::dq(t, j);
    }
  }
}

TEST(Audit, PositionsThatAreCutOffAreNamed) {
  RawSignals log = syntheticLog();
  for (double& q : log.position.col(1)) q = std::min(q, 0.4);
  auto findings = audit(log, limitsOf(log));
  const Finding* clipped = find(findings, "position-clipped", 1);
  ASSERT_NE(clipped, nullptr) << codesOf(findings);
  EXPECT_EQ(clipped->severity, Severity::kRefuse);
  EXPECT_THAT(clipped->message, testing::HasSubstr("knee: the position stops "));
  EXPECT_THAT(clipped->message,
              testing::HasSubstr(" times at 0.4 rad in full motion and leaves it as fast"));
  EXPECT_THAT(clipped->message, testing::HasSubstr("while the logged velocity goes on"));
  EXPECT_THAT(clipped->remedy, testing::HasSubstr("look for a clamp in the driver"));

  log.velocity.resize(0, 0);
  findings = audit(log, limitsOf(log));
  clipped = find(findings, "position-clipped", 1);
  ASSERT_NE(clipped, nullptr) << codesOf(findings);
  EXPECT_EQ(clipped->severity, Severity::kWarning);
  EXPECT_THAT(clipped->message, testing::HasSubstr("while the robot goes on"));
}

TEST(Audit, StampsThatAreUsedAsTheyAreAreNoFinding) {
  RawSignals log = syntheticLog();
  unevenSteps(log);
  const SignalPlan plan = planSignals({&log, 1}, {});
  EXPECT_EQ(plan.clock.kind, ClockKind::kIrregular);
  EXPECT_TRUE(plan.repaired.empty());
  EXPECT_EQ(codesOf(audit(log)), "");
}

/// A defect, the code that must report it, its severity, and the joint (-1: the log).
struct Defect {
  std::string code;
  Severity severity;
  int joint;
  std::function<void(RawSignals&)> make;
};

class AuditDefect : public testing::TestWithParam<Defect> {};

TEST_P(AuditDefect, IsNamed) {
  RawSignals log = syntheticLog();
  GetParam().make(log);
  const std::vector<Finding> findings = audit(log, limitsOf(log));
  const Finding* finding = find(findings, GetParam().code, GetParam().joint);
  ASSERT_NE(finding, nullptr) << "found instead: " << codesOf(findings);
  EXPECT_EQ(finding->severity, GetParam().severity) << finding->message;
  EXPECT_FALSE(finding->message.empty());
  EXPECT_EQ(anyRefused(findings), GetParam().severity == Severity::kRefuse) << codesOf(findings);
}

void lateVelocity(RawSignals& log) {
  for (Index k = 0; k < log.rows(); ++k)
    log.velocity(k, 0) = SyntheticMotion::dq(log.time(k) - 0.03, 0);
}

void heldPositions(RawSignals& log) {
  for (Index k = 1; k < log.rows(); ++k)
    if (k % 6 == 2) log.position.row(k) = log.position.row(k - 1);
}

void jitter(RawSignals& log) {
  std::mt19937 generator(1);
  std::normal_distribution<double> normal(0.0, 2e-4);
  for (double& t : log.time) t += normal(generator);
}

void lostPackets(RawSignals& log) {
  // Regular stamps as if no row were missing: only the motion shows the loss.
  const VectorXd time = log.time;
  std::vector<Index> rows;
  for (Index k = 0; k < log.rows(); ++k)
    if ((k * k + 3 * k) % 17 != 1) rows.push_back(k);
  log = pickRows(log, rows);
  log.time = time.head(log.rows());
}

void clipEffort(RawSignals& log) {
  log.effort.col(1) = log.effort.col(1).cwiseMin(0.7 * log.effort.col(1).maxCoeff());
}

INSTANTIATE_TEST_SUITE_P(
    Rows,
    AuditDefect,
    testing::Values(
        Defect{"not-finite",
               Severity::kRepaired,
               -1,
               [](RawSignals& log) { log.effort.col(2).segment(100, 300).setConstant(kNaN); }},
        Defect{"not-finite",
               Severity::kRefuse,
               -1,
               [](RawSignals& log) { log.effort.col(2).head(2000).setConstant(kNaN); }},
        Defect{"backward-time",
               Severity::kRepaired,
               -1,
               [](RawSignals& log) { log.time(500) -= 1.0; }},
        Defect{"backward-time",
               Severity::kRefuse,
               -1,
               [](RawSignals& log) { log.time.tail(2500).array() -= 20.0; }},
        Defect{"duplicate-time",
               Severity::kRepaired,
               -1,
               [](RawSignals& log) { log.time(500) = log.time(499); }},
        Defect{"repeated-rows", Severity::kRepaired, -1, heldPositions},
        Defect{"gaps",
               Severity::kRepaired,
               -1,
               [](RawSignals& log) { log.time.tail(3000).array() += 2.0; }},
        Defect{"too-short",
               Severity::kWarning,
               -1,
               [](RawSignals& log) {
                 std::vector<Index> rows(600);
                 for (Index k = 0; k < 600; ++k) rows[k] = k;
                 log = pickRows(log, rows);
               }},
        Defect{
            "no-clock", Severity::kRefuse, -1, [](RawSignals& log) { log.time.setConstant(1.0); }},
        Defect{
            "no-clock", Severity::kRefuse, -1, [](RawSignals& log) { log = pickRows(log, {0}); }},
        Defect{"coarse-stamps",
               Severity::kRefuse,
               -1,
               [](RawSignals& log) {
                 std::mt19937 generator(1);
                 std::normal_distribution<double> normal(0.0, 0.05);
                 log.time = log.time.array().floor();
                 for (double& q : log.position.reshaped()) q += normal(generator);
               }},
        Defect{"clock-jittered", Severity::kRepaired, -1, jitter},
        Defect{"clock-quantised", Severity::kRepaired, -1, lostPackets}));

INSTANTIATE_TEST_SUITE_P(
    Motion,
    AuditDefect,
    testing::Values(Defect{"no-motion",
                           Severity::kRefuse,
                           -1,
                           [](RawSignals& log) { log.position.setConstant(0.3); }},
                    Defect{"too-short",
                           Severity::kRefuse,
                           -1,
                           [](RawSignals& log) {
                             log = syntheticLog(100);
                             log.position.setConstant(0.3);
                           }},
                    // 5 ms in milliseconds: too slow to move, and no interval of 1 s or more
                    Defect{"time-unit",
                           Severity::kRefuse,
                           -1,
                           [](RawSignals& log) {
                             log.time *= 100.0;
                             log.position *= 1e-3;
                             log.velocity *= 1e-5;
                           }},
                    Defect{"joint-still",
                           Severity::kWarning,
                           1,
                           [](RawSignals& log) { log.position.col(1).setConstant(0.3); }},
                    Defect{"small-motion",
                           Severity::kWarning,
                           1,
                           [](RawSignals& log) {
                             log.position.col(1) *= 0.02;
                             log.velocity.col(1) *= 0.02;
                           }},
                    Defect{"position-degrees",
                           Severity::kRefuse,
                           -1,
                           [](RawSignals& log) {
                             log.position *= kDegree;
                             log.velocity *= kDegree;
                           }},
                    Defect{"position-degrees",
                           Severity::kRefuse,
                           2,
                           [](RawSignals& log) { log.position.col(2) *= kDegree; }},
                    Defect{"position-limit",
                           Severity::kWarning,
                           0,
                           [](RawSignals& log) { log.position.col(0).array() += 1.5; }},
                    Defect{"position-jump",
                           Severity::kWarning,
                           0,
                           [](RawSignals& log) {
                             log.position.col(0).tail(3000).array() -= 2.0 * std::numbers::pi;
                             log.position.col(0).array() += std::numbers::pi;
                           }},
                    Defect{"position-jump",
                           Severity::kWarning,
                           2,
                           [](RawSignals& log) { log.position.col(2).tail(3000).array() += 0.3; }},
                    Defect{"position-jump",
                           Severity::kWarning,
                           2,
                           [](RawSignals& log) { log.position.col(2).tail(3000).array() += 0.15; }},
                    Defect{"joined-recordings",
                           Severity::kRefuse,
                           -1,
                           [](RawSignals& log) { log.position.bottomRows(3000).array() += 0.3; }},
                    Defect{"two-sources", Severity::kRefuse, -1, [](RawSignals& log) {
                             // Another robot's positions in every eighth row.
                             for (Index k = 0; k < log.rows(); k += 8)
                               log.position.row(k).array() += 1.5;
                           }}));

INSTANTIATE_TEST_SUITE_P(
    Velocity,
    AuditDefect,
    testing::Values(Defect{"velocity-lag", Severity::kRepaired, 0, lateVelocity},
                    Defect{"velocity-sign",
                           Severity::kWarning,
                           1,
                           [](RawSignals& log) { log.velocity.col(1) *= -1.0; }},
                    Defect{"velocity-degrees",
                           Severity::kWarning,
                           1,
                           [](RawSignals& log) { log.velocity.col(1) *= kDegree; }},
                    Defect{"velocity-scale",
                           Severity::kWarning,
                           1,
                           [](RawSignals& log) { log.velocity.col(1) *= 100.0; }},
                    Defect{"velocity-mismatch",
                           Severity::kWarning,
                           0,
                           [](RawSignals& log) {
                             std::mt19937 generator(3);
                             std::normal_distribution<double> normal;
                             for (double& v : log.velocity.col(0)) v = normal(generator);
                           }},
                    Defect{"swapped-joints",
                           Severity::kWarning,
                           0,
                           [](RawSignals& log) { log.velocity.col(0).swap(log.velocity.col(2)); }},
                    Defect{"acceleration-mismatch", Severity::kWarning, 1, [](RawSignals& log) {
                             log.acceleration.resize(log.rows(), log.joints());
                             for (Index k = 0; k < log.rows(); ++k)
                               for (Index j = 0; j < log.joints(); ++j)
                                 log.acceleration(k, j) =
                                     (j == 1 ? -1.0 : 1.0) * SyntheticMotion::ddq(log.time(k), j);
                           }}));

INSTANTIATE_TEST_SUITE_P(
    Effort,
    AuditDefect,
    testing::Values(
        Defect{
            "no-effort", Severity::kRefuse, -1, [](RawSignals& log) { log.effort.resize(0, 0); }},
        Defect{"effort-zero", Severity::kRefuse, -1, [](RawSignals& log) { log.effort.setZero(); }},
        Defect{"effort-constant",
               Severity::kWarning,
               1,
               [](RawSignals& log) { log.effort.col(1).setConstant(2.0); }},
        Defect{"effort-clipped", Severity::kWarning, 1, clipEffort},
        Defect{"effort-coarse",
               Severity::kWarning,
               1,
               [](RawSignals& log) {
                 log.effort.col(1) = (log.effort.col(1) / 5.0).array().round() * 5.0;
               }},
        Defect{"effort-spikes",
               Severity::kWarning,
               1,
               [](RawSignals& log) {
                 const double largest = log.effort.col(1).cwiseAbs().maxCoeff();
                 for (Index k = 50; k < log.rows(); k += 100) log.effort(k, 1) += 3.0 * largest;
               }},
        Defect{"effort-unit", Severity::kWarning, 1, [](RawSignals& log) {
                 log.effort.col(1) *= 1000.0;
               }}));

TEST(Audit, MessagesCarryNameNumberAndRemedy) {
  RawSignals log = syntheticLog();
  lateVelocity(log);
  clipEffort(log);
  const std::vector<Finding> findings = audit(log, limitsOf(log));
  const Finding* lag = find(findings, "velocity-lag");
  ASSERT_NE(lag, nullptr);
  EXPECT_NEAR(lag->value, 0.03, 1e-3);
  EXPECT_THAT(lag->message, testing::StartsWith("hip: the logged velocity is 30"));
  const Finding* clipped = find(findings, "effort-clipped");
  ASSERT_NE(clipped, nullptr);
  EXPECT_THAT(clipped->message, testing::HasSubstr("knee"));
  EXPECT_FALSE(clipped->remedy.empty());
  EXPECT_EQ(findings.front().code, "effort-clipped");  // warnings before repairs
  EXPECT_EQ(toText(findings.front().severity), "warning");
}

TEST(Audit, AJointThatMovesSeldomIsNotCalledStill) {
  RawSignals log = syntheticLog(20000);
  const Index rows = 300, first = log.rows() / 2;
  log.position.col(1).setConstant(0.3);
  log.velocity.col(1).setZero();
  for (Index k = 0; k < rows; ++k) {
    const double turn = 2.0 * std::numbers::pi / static_cast<double>(rows);
    const double phase = turn * static_cast<double>(k);
    log.position(first + k, 1) += 0.25 * (1.0 - std::cos(phase));
    log.velocity(first + k, 1) = 0.25 * std::sin(phase) * turn / (log.time(1) - log.time(0));
  }
  const std::vector<Finding> findings = audit(log, limitsOf(log));
  const auto still = std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.code == "joint-still";
  });
  ASSERT_NE(still, findings.end()) << codesOf(findings);
  EXPECT_THAT(
      still->message,
      testing::HasSubstr("knee: moves in less than 5 % of the time (through 0.5 rad; otherwise"));
}

TEST(Audit, TheWorstChannelIsNamed) {
  RawSignals log = syntheticLog();
  log.effort.col(2).setConstant(kNaN);
  const std::vector<Finding> findings = audit(log, limitsOf(log));
  const Finding* finding = find(findings, "not-finite");
  ASSERT_NE(finding, nullptr);
  EXPECT_THAT(finding->message, testing::HasSubstr("effort of ankle in 6000 rows"));
  EXPECT_THAT(finding->remedy, testing::EndsWith("`exclude_joints` ankle"));
  EXPECT_TRUE(anyRefused(findings));
  EXPECT_EQ(find(findings, "no-clock"), nullptr) << "no row is left: the clock is not the cause";
}

TEST(Audit, AReversedLogHasAClock) {
  RawSignals log = syntheticLog();
  log.time = log.time.reverse().eval();
  EXPECT_EQ(codesOf(audit(log)), "backward-time(-1) ");
}

TEST(Audit, AVelocityWithoutValuesIsANote) {
  RawSignals log = syntheticLog();
  log.velocity.col(1).setConstant(kNaN);
  const std::vector<Finding> findings = audit(log, limitsOf(log));
  EXPECT_EQ(codesOf(findings), "velocity-absent(1) ");
  EXPECT_EQ(findings.front().severity, Severity::kNote);
  EXPECT_EQ(findings.front().message,
            "knee: the logged velocity holds no values; it is derived from the position");
}

TEST(Audit, AnEffortOfMinusZeroIsZero) {
  RawSignals log = syntheticLog();
  log.effort.col(1).setConstant(-0.0);
  EXPECT_THAT(audit(log).front().message, testing::HasSubstr("the effort is 0 in every row"));
}

TEST(Audit, AVelocityIsJudgedWhereItHasValues) {
  RawSignals log = syntheticLog();
  log.velocity.topRows(log.rows() / 2).setConstant(kNaN);
  for (Index k = 0; k < log.rows(); k += 2) log.velocity(k, 0) = kNaN;
  EXPECT_EQ(codesOf(audit(log)), "");
  log.velocity.col(1) *= kDegree;
  EXPECT_EQ(codesOf(audit(log)), "velocity-degrees(1) ");
  EXPECT_EQ(audit(log).front().remedy, "set the unit attribute of velocity to deg/s");
}

TEST(Audit, DegreesShowAgainstTheLimitsInASmallMotion) {
  RawSignals log = syntheticLog();
  log.position *= 0.1 * kDegree;  // 0.18 rad: within four half turns even in degrees
  log.velocity *= 0.1 * kDegree;
  EXPECT_EQ(find(audit(log), "position-degrees"), nullptr);
  EXPECT_NE(find(audit(log, limitsOf(log)), "position-degrees"), nullptr);
}

TEST(Audit, ContinuousJointsAndMotorsMayTurnFurther) {
  RawSignals log = syntheticLog();
  log.position *= kDegree;
  log.velocity *= kDegree;
  AuditContext context;
  using testing::Contains, testing::Field, testing::HasSubstr;
  EXPECT_THAT(audit(log, context), Contains(Field(&Finding::remedy, HasSubstr("type continuous"))));
  context.largest_turn = Eigen::VectorXd::Constant(log.joints(), 1e3);
  EXPECT_EQ(find(audit(log, context), "position-degrees"), nullptr);
}

TEST(Audit, PrismaticJointsAreJudgedInMetres) {
  RawSignals log = syntheticLog();
  log.position.col(0) *= 0.05;
  log.velocity.col(0) *= 0.05;
  AuditContext context = limitsOf(log);
  EXPECT_NE(find(audit(log, context), "small-motion", 0), nullptr);
  context.prismatic = {true, false, false};
  EXPECT_EQ(codesOf(audit(log, context)), "");
}

TEST(Audit, ACutOffTooHighForTheEncoderIsNamed) {
  RawSignals log = syntheticLog();
  log.position.col(2) = (log.position.col(2) / 0.005).array().round() * 0.005;
  SignalOptions options;
  EXPECT_EQ(find(auditLog({&log, 1}, options, {}), "noisy-position"), nullptr);
  options.cutoff_hz = 20.0;
  const std::vector<Finding> findings = auditLog({&log, 1}, options, {});
  const Finding* finding = find(findings, "noisy-position", 2);
  ASSERT_NE(finding, nullptr) << codesOf(findings);
  EXPECT_EQ(finding->severity, Severity::kWarning);
  EXPECT_EQ(find(findings, "noisy-position", 0), nullptr);
}

TEST(Audit, ASplineThatDoesNotResolveTheMotionIsNamed) {
  const RawSignals log = syntheticLog();
  SignalOptions options;
  options.motion = MotionModel::kSpline;
  options.cutoff_hz = 8.0;
  EXPECT_EQ(find(auditLog({&log, 1}, options, {}), "spline-coarse"), nullptr);
  options.cutoff_hz = 0.3;
  std::vector<Finding> findings = auditLog({&log, 1}, options, {});
  const Finding* coarse = find(findings, "spline-coarse");
  ASSERT_NE(coarse, nullptr) << codesOf(findings);
  EXPECT_EQ(coarse->severity, Severity::kWarning);
  EXPECT_NE(coarse->message.find("times their noise: it does not resolve the motion"),
            std::string::npos)
      << coarse->message;
  EXPECT_EQ(coarse->remedy, "use `motion` filtered, or raise `cutoff_hz`");
  options.motion = MotionModel::kFiltered;
  findings = auditLog({&log, 1}, options, {});
  EXPECT_EQ(find(findings, "spline-coarse"), nullptr) << codesOf(findings);
}

TEST(Audit, AContextThatDoesNotFitIsRefused) {
  const RawSignals log = syntheticLog(1000);
  AuditContext context;
  context.joint_names = {"one"};
  EXPECT_THAT(
      [&] { audit(log, context); },
      testing::ThrowsMessage<std::invalid_argument>("`joint_names` has 1 entries; expected 3"));
}

}  // namespace
}  // namespace dynid
