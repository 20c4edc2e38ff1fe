#include "dynid/signals/interpolated_rows.h"

#include "dynid/signals/audit.h"
#include "dynid/signals/plan.h"

#include <gtest/gtest.h>

#include "synthetic.h"
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// 40 s of the synthetic motion at 100 Hz with an encoder of 3e-5 rad.
RawSignals recorded(double step = 3e-5) {
  RawSignals log = syntheticLog(4000, 0.01);
  log.position = (log.position.array() / step).round() * step;
  return log;
}

/// The log at `factor` times its rate, by linear interpolation.
RawSignals resampled(const RawSignals& log, double factor) {
  const auto rows = static_cast<Index>(std::floor(factor * static_cast<double>(log.rows() - 1)));
  RawSignals fine;
  fine.time.resize(rows);
  const auto along = [&](double s, const MatrixXd& from) {
    const auto k = std::min(static_cast<Index>(s), from.rows() - 2);
    const double share = s - static_cast<double>(k);
    return Eigen::RowVectorXd(from.row(k) + share * (from.row(k + 1) - from.row(k)));
  };
  for (MatrixXd RawSignals::*channel :
       {&RawSignals::position, &RawSignals::velocity, &RawSignals::effort}) {
    (fine.*channel).resize(rows, log.joints());
    for (Index k = 0; k < rows; ++k)
      (fine.*channel).row(k) = along(static_cast<double>(k) / factor, log.*channel);
  }
  for (Index k = 0; k < rows; ++k) fine.time(k) = 0.01 / factor * static_cast<double>(k);
  return fine;
}

double sourceOf(const RawSignals& log, double rate) {
  return interpolatedFrom(std::vector<RawSignals>{log}, rate);
}

TEST(InterpolatedRows, TheRateOfTheSamplesIsFound) {
  for (const double factor : {2.0, 2.37, 3.0, 4.0, 10.0, 25.0}) {
    RawSignals log = resampled(recorded(), factor);
    EXPECT_NEAR(sourceOf(log, 100.0 * factor), 100.0, 0.2) << factor;
    log.position = log.position.cast<float>().cast<double>();
    EXPECT_NEAR(sourceOf(log, 100.0 * factor), 100.0, 0.2) << factor << ", single precision";
  }
}

TEST(InterpolatedRows, RecordedLogsAreNotInterpolated) {
  EXPECT_TRUE(std::isnan(sourceOf(syntheticLog(), 200.0)));
  for (const double step : {3e-5, 1e-3, 1e-2})
    EXPECT_TRUE(std::isnan(sourceOf(recorded(step), 100.0))) << step;
}

// In slow motion an encoder repeats its value for some rows, or its increment at a constant speed.
TEST(InterpolatedRows, CoarseEncodersAndConstantSpeedAreNotInterpolation) {
  for (const double speed : {0.08, 0.25, 0.3, 0.7, 1.1, 5.1}) {  // steps per row
    RawSignals log = syntheticLog(8000, 0.005, 2);
    for (Index k = 0; k < log.rows(); ++k) {
      const double turned = std::abs(std::remainder(static_cast<double>(k), 1600.0));
      log.position.row(k).setConstant(1e-3 * std::round(speed * turned));
    }
    EXPECT_TRUE(std::isnan(sourceOf(log, 200.0))) << speed << " steps per row";
    log.position *= 0.1;
    for (Index k = 0; k < log.rows(); ++k) log.position.row(k).setConstant(speed * log.time(k));
    EXPECT_TRUE(std::isnan(sourceOf(log, 200.0))) << speed << " rad/s";
  }
  RawSignals still = syntheticLog();
  still.position.setConstant(0.3);
  EXPECT_TRUE(std::isnan(sourceOf(still, 200.0)));
}

// A sine has no curvature where it crosses zero, twice in every period.
TEST(InterpolatedRows, OscillationsAreNotInterpolation) {
  for (const double hz : {1.0, 2.0, 2.5, 5.0}) {
    RawSignals log = syntheticLog(4000, 0.02, 2);
    for (Index k = 0; k < log.rows(); ++k)
      log.position.row(k).setConstant(0.3 * std::sin(2.0 * std::numbers::pi * hz * log.time(k)));
    log.position.topRows(2000).setConstant(0.0);
    EXPECT_TRUE(std::isnan(sourceOf(log, 50.0))) << hz;
    log.position = (log.position.array() / 1e-3).round() * 1e-3;
    EXPECT_TRUE(std::isnan(sourceOf(log, 50.0))) << hz << ", encoder";
  }
}

TEST(InterpolatedRows, HeldRowsAndUnusableRowsAreNoSamples) {
  RawSignals log = recorded();
  std::vector<Index> rows;
  for (Index k = 0; k < 4 * log.rows(); ++k) rows.push_back(k / 4);
  EXPECT_TRUE(std::isnan(sourceOf(pickRows(log, rows), 400.0)));
  RawSignals damaged = resampled(log, 4.0);
  for (Index k = 100; k < damaged.rows(); k += 501) damaged.position(k, 1) = std::nan("");
  EXPECT_NEAR(sourceOf(damaged, 400.0), 100.0, 0.2);
  EXPECT_TRUE(std::isnan(sourceOf(pickRows(log, {0, 1}), 100.0)));
}

// The motion ends at 0.8 Hz. The kinks repeat its spectrum at every multiple of the source's rate.
TEST(InterpolatedRows, TheCutoffIsThatOfTheSource) {
  const double of_source = planSignals(std::vector<RawSignals>{recorded()}, {}).cutoff_hz;
  for (const double factor : {2.0, 2.37, 4.0}) {
    const std::vector<RawSignals> logs{resampled(recorded(), factor)};
    const SignalPlan plan = planSignals(logs, {});
    EXPECT_NEAR(plan.interpolated_from_hz, 100.0, 0.2);
    EXPECT_NEAR(plan.cutoff_hz, of_source, 0.25 * of_source) << factor << plan.cutoff_reason;
  }
}

TEST(InterpolatedRows, AreSaidInTheAudit) {
  AuditContext context;
  context.joint_names = {"a", "b", "c"};
  const auto codes = [&](const RawSignals& log) {
    std::string all;
    for (const Finding& finding : auditLog(std::vector<RawSignals>{log}, {}, context))
      all += finding.code + " ";
    return all;
  };
  EXPECT_NE(codes(resampled(recorded(), 2.37)).find("interpolated-rows"), std::string::npos);
  EXPECT_EQ(codes(recorded()).find("interpolated-rows"), std::string::npos);
}

}  // namespace
}  // namespace dynid
