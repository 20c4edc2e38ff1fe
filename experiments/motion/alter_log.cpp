/// Writes a copy of a log with one thing changed, for the studies of this folder.
///
///   motion_alter_log IN.h5 OUT.h5 rate HZ              keep every so-many-th row
///   motion_alter_log IN.h5 OUT.h5 dip AT_S LENGTH_S D  all joints: the speed dips by the share D
///                                                      from AT_S to AT_S + LENGTH_S
///   motion_alter_log IN.h5 OUT.h5 late S               efforts S seconds later
///   motion_alter_log IN.h5 OUT.h5 encoder BITS         positions rounded to 2 pi / 2^BITS

#include "dynid/logs/log_reader.h"
#include "dynid/logs/log_writer.h"
#include "dynid/signals/resample.h"

#include "support/speed_dip.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace dynid;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using std::numbers::pi;

/// Rows per second.
double rateOf(const RawBlock& log) {
  return static_cast<double>(log.rows() - 1) / (log.time(log.rows() - 1) - log.time(0));
}

/// A channel at fractional rows.
MatrixXd atRows(const MatrixXd& channel, const VectorXd& rows) {
  const VectorXd knots =
      VectorXd::LinSpaced(channel.rows(), 0.0, static_cast<double>(channel.rows() - 1));
  return splineAt(knots, channel, rows.cwiseMax(0.0).cwiseMin(knots(knots.size() - 1)));
}

void slowDown(RawBlock& log, double rate_hz) {
  const Index stride = std::max<Index>(1, std::lround(rateOf(log) / rate_hz));
  std::vector<Index> rows;
  for (Index k = 0; k < log.rows(); k += stride) rows.push_back(k);
  for (MatrixXd RawSignals::*channel : {&RawSignals::position,
                                        &RawSignals::velocity,
                                        &RawSignals::acceleration,
                                        &RawSignals::effort})
    if ((log.*channel).size() > 0) log.*channel = MatrixXd((log.*channel)(rows, Eigen::all));
  log.time = VectorXd(log.time(rows));
}

void dip(RawBlock& log, double at, double length, double share) {
  const double rate = rateOf(log);
  const VectorXd rows = VectorXd::NullaryExpr(log.rows(), [&](Index k) {
    const auto row = static_cast<double>(k);
    return row - rate * latenessByDip(row / rate, at, length, share);
  });
  log.position = atRows(log.position, rows);
}

void delayEfforts(RawBlock& log, double seconds) {
  const double shift = seconds * rateOf(log);
  log.effort = atRows(log.effort, VectorXd::NullaryExpr(log.rows(), [&](Index k) {
                        return static_cast<double>(k) - shift;
                      }));
}

void alter(RawBlock& log, const std::vector<std::string>& what) {
  const auto number = [&](size_t i) { return std::stod(what.at(i)); };
  if (what.at(0) == "rate") {
    slowDown(log, number(1));
  } else if (what.at(0) == "dip") {
    dip(log, number(1), number(2), number(3));
  } else if (what.at(0) == "late") {
    delayEfforts(log, number(1));
  } else if (what.at(0) == "encoder") {
    const double step = 2.0 * pi / std::pow(2.0, number(1));
    log.position = step * (log.position.array() / step).round();
  } else {
    throw std::invalid_argument("unknown change \"" + what.at(0) + "\"");
  }
}

LogHeader headerOf(const LogReader& reader) {
  LogHeader header;
  header.joint_names = reader.joints();
  header.prismatic = reader.prismatic();
  const LogInfo& info = reader.info();
  header.has_velocity = info.hasVelocity();
  header.has_acceleration = info.hasAcceleration();
  header.effort_kind = info.effort_kind;
  header.robot = info.robot;
  header.gravity = info.gravity;
  header.payload = info.payload;
  return header;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 4) throw std::invalid_argument("usage: motion_alter_log IN.h5 OUT.h5 CHANGE ...");
    const LogReader reader(argv[1]);
    RawBlock log;
    reader.read(0, reader.info().rows, log);
    alter(log, {argv + 3, argv + argc});
    LogWriter writer(argv[2], headerOf(reader));
    writer.append(log);
    writer.finish();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "motion_alter_log: %s\n", error.what());
    return 2;
  }
}
