#include "dynid/signals/lost_rows.h"

#include "dynid/signals/audit.h"
#include "dynid/signals/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "synthetic.h"
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace dynid {
namespace {

using Eigen::Index;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kRowStep = 0.01;

/// 40 s of the synthetic motion at 100 Hz with an encoder of 3e-5 rad.
RawSignals fullLog(double resolution = 3e-5) {
  RawSignals log = syntheticLog(4000, kRowStep);
  log.position = (log.position.array() / resolution).round() * resolution;
  return log;
}

/// The log without `count` rows after every `period` rows; the time is made up from the row number
/// unless `right_stamps`.
RawSignals withoutRows(const RawSignals& log,
                       Index period,
                       Index count,
                       bool right_stamps = false) {
  std::vector<Index> rows;
  for (Index k = 0; k < log.rows(); ++k)
    if (k % (period + count) < period) rows.push_back(k);
  RawSignals lost = pickRows(log, rows);
  for (Index k = 0; k < lost.rows() && !right_stamps; ++k)
    lost.time(k) = kRowStep * static_cast<double>(k);
  return lost;
}

std::optional<LostRows> lostIn(const RawSignals& log) {
  const std::vector<RawSignals> excerpts{log};
  return findLostRows(excerpts, planSignals(excerpts, {}).clock);
}

TEST(LostRows, AreCounted) {
  for (const Index count : {2, 5, 10}) {
    const auto lost = lostIn(withoutRows(fullLog(), 190, count));
    ASSERT_TRUE(lost.has_value()) << count;
    // Some places are where the joints turn round
    EXPECT_GE(lost->places, 10) << count;
    EXPECT_NEAR(lost->rows / static_cast<double>(lost->places), static_cast<double>(count), 0.4)
        << count;
    EXPECT_NEAR(
        lost->share, lost->rows / (4000.0 - 20.0 * static_cast<double>(count)), 0.2 * lost->share)
        << count;
  }
}

TEST(LostRows, AreNotThoseOfRightLogs) {
  for (const double resolution : {1e-6, 3e-5, 2e-3, 2e-2})
    EXPECT_FALSE(lostIn(fullLog(resolution)).has_value()) << resolution;
  EXPECT_FALSE(lostIn(withoutRows(fullLog(), 190, 10, true)).has_value()) << "the stamps say it";
  EXPECT_FALSE(lostIn(withoutRows(fullLog(), 1900, 10)).has_value()) << "two places only";
}

TEST(LostRows, AreNeitherHeldRowsNorOutliers) {
  const RawSignals log = fullLog();
  std::vector<Index> held, stalled;
  for (Index k = 0; k < log.rows(); ++k) {
    held.push_back(k - k % 3);                          // a logger that is faster than its source
    stalled.push_back(k % 200 < 10 ? k - k % 200 : k);  // the connection stalls and catches up
  }
  for (const std::vector<Index>& rows : {held, stalled}) {
    RawSignals changed = pickRows(log, rows);
    changed.time = log.time;
    EXPECT_FALSE(lostIn(changed).has_value());
  }
  RawSignals outliers = log;
  for (Index k = 50; k < log.rows(); k += 100) outliers.position.row(k).array() += 0.05;
  EXPECT_FALSE(lostIn(outliers).has_value());
}

/// Every row but those of a share at random.
std::vector<Index> randomRows(Index count, double lost_share) {
  std::mt19937 random(5);
  std::bernoulli_distribution lost(lost_share);
  std::vector<Index> rows;
  for (Index k = 0; k < count; ++k)
    if (!lost(random)) rows.push_back(k);
  return rows;
}

TEST(LostRows, OfOneRowEach) {
  for (const double share : {0.05, 0.1}) {
    const RawSignals log = fullLog();
    RawSignals changed = pickRows(log, randomRows(log.rows(), share));
    const Eigen::VectorXd stamps = changed.time;
    changed.time = log.time.head(changed.rows());
    const auto lost = lostIn(changed);
    ASSERT_TRUE(lost.has_value()) << share;
    EXPECT_GT(lost->share, 0.4 * share) << "places next to each other are left out";
    EXPECT_LT(lost->share, 1.2 * share);
    changed.time = stamps;
    EXPECT_FALSE(lostIn(changed).has_value()) << "the stamps say it";
  }
  RawSignals few = pickRows(fullLog(), randomRows(4000, 0.01));
  few.time = fullLog().time.head(few.rows());
  EXPECT_FALSE(lostIn(few).has_value()) << "few";
}

TEST(LostRows, AreNotTheTimingOfRightLogs) {
  // The latest sample of a source that is 4 % faster than the log.
  const RawSignals source = syntheticLog(4200, kRowStep / 1.04);
  std::vector<Index> latest;
  for (Index k = 0; k < 4000; ++k)
    latest.push_back(static_cast<Index>(1.04 * static_cast<double>(k)));
  RawSignals log = pickRows(source, latest);
  for (Index k = 0; k < log.rows(); ++k) log.time(k) = kRowStep * static_cast<double>(k);
  EXPECT_FALSE(lostIn(log).has_value()) << "a faster source";
  // Positions that are read late now and then, at most by a row.
  std::mt19937 random(7);
  std::uniform_real_distribution<double> late(0.0, kRowStep);
  std::bernoulli_distribution happens(0.05);
  RawSignals jitter = syntheticLog(4000, kRowStep);
  for (Index k = 0; k + 1 < jitter.rows(); ++k)
    if (happens(random)) {
      const double share = late(random) / kRowStep;
      jitter.position.row(k) +=
          share * (jitter.position.row(k + 1) - jitter.position.row(k)).eval();
    }
  EXPECT_FALSE(lostIn(jitter).has_value()) << "late rows";
}

TEST(LostRows, RefuseALogIfTheyAreMany) {
  AuditContext context;
  context.joint_names = {"a", "b", "c"};
  const auto found = [&](const RawSignals& log) {
    for (const Finding& finding : auditLog(std::vector<RawSignals>{log}, {}, context))
      if (finding.code == "lost-rows") return finding;
    return Finding{};
  };
  const Finding many = found(withoutRows(fullLog(), 190, 10));
  EXPECT_EQ(many.severity, Finding::Severity::kRefuse);
  EXPECT_THAT(many.message, HasSubstr("advance between two rows as they otherwise do in 11 rows"));
  EXPECT_EQ(found(withoutRows(fullLog(), 390, 2)).severity, Finding::Severity::kWarning);
  EXPECT_EQ(found(fullLog()).code, "");
}

}  // namespace
}  // namespace dynid
