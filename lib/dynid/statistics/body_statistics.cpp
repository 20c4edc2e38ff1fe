#include "dynid/statistics/body_statistics.h"

#include "dynid/dynamics/body_regressor.h"
#include "dynid/logs/body_channels.h"
#include "dynid/recordings/sensor_audit.h"
#include "dynid/signals/differentiate.h"
#include "dynid/statistics/sensor_channels.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>

namespace dynid {
namespace {

// Channels of a window on its uniform clock, with the motion low-passed like that of the joints.
// @param channels  in the order of sensorChannels
BodySamples onClock(const Eigen::MatrixXd& channels,
                    const RawSignals& raw,
                    const ConditionedSignals& joint,
                    const SignalPlan& plan) {
  FilterWorkspace workspace;
  const Lowpass lowpass = plan.motionLowpass();
  const auto sampled = [&](Eigen::Index first, Eigen::Index columns, bool filtered) {
    Eigen::MatrixXd samples = channelOnGrid(raw, channels.middleCols(first, columns), joint, plan);
    if (filtered) filterSegments(joint, lowpass, samples, workspace);
    return samples;
  };
  BodySamples samples;
  samples.angular_velocity = sampled(0, 3, true);
  samples.linear_acceleration = sampled(3, 3, true);
  samples.wrench = sampled(6, 6, false);
  if (channels.cols() > 12) {
    samples.angular_acceleration = sampled(12, 3, true);
    return samples;
  }
  samples.angular_acceleration = samples.angular_velocity;
  for (const Segment& segment : joint.segments)
    samples.angular_acceleration.middleRows(segment.begin, segment.size()) = firstDerivative(
        samples.angular_velocity.middleRows(segment.begin, segment.size()), plan.dt);
  return samples;
}

// The six rows of every sample, [6 channels][samples x columns + 1], with the measured wrench in
// the last column.
std::vector<Eigen::MatrixXd> rowsOf(const Robot& robot,
                                    const BodySensor& sensor,
                                    const BodySamples& samples,
                                    const ActuatorSignals& signals,
                                    const PayloadPlacement* payload,
                                    const ParameterLayout& layout,
                                    const std::vector<int>& columns) {
  const auto p = static_cast<Eigen::Index>(columns.size());
  std::vector<Eigen::MatrixXd> rows(6, Eigen::MatrixXd(samples.wrench.rows(), p + 1));
  for (Eigen::Index i = 0; i < samples.wrench.rows(); ++i) {
    const SensedMotion motion{samples.angular_velocity.row(i),
                              samples.angular_acceleration.row(i),
                              samples.linear_acceleration.row(i)};
    const Eigen::MatrixXd six = sensedRows(robot,
                                           sensor,
                                           motion,
                                           signals.joint.q.row(i),
                                           signals.joint.dq.row(i),
                                           signals.joint.ddq.row(i),
                                           payload,
                                           layout,
                                           columns);
    const Vector6<double> known =
        bodyRegressor<double>(motion.w, motion.wd, motion.a) * sensor.inertial;
    for (Eigen::Index k = 0; k < 6; ++k) {
      Eigen::MatrixXd& of_channel = rows[k];
      if (p > 0) of_channel.row(i).head(p) = six.row(k);
      of_channel(i, p) = samples.wrench(i, k) - known(k);
    }
  }
  return rows;
}

std::string unusedText(const BodySensor& sensor) {
  return fmt::format(
      "bodies/{0}: the sensors are not used: they measure what is behind {0}, and the log states "
      "no "
      "payload there; if it carries one, add the group /payload with link = \"{0}\" to the log "
      "(what else is known may be left out)",
      sensor.link);
}

}  // namespace

void addBodyChannels(const Robot& robot,
                     const std::vector<LogRows>& logs,
                     const std::vector<BodySensor>& sensors,
                     const ParameterLayout& layout,
                     const std::vector<int>& columns,
                     const WindowPass& pass,
                     Statistics& statistics,
                     std::vector<LogUse>& use) {
  for (const BodySensor& body : sensors) {
    SensorRows sensor;
    sensor.name = "bodies/" + body.link;
    sensor.columns = sensedColumns(robot, body, layout, columns);
    const auto open = [&](const LogRows& log) {
      return BodyReader(log.source->input().path, {body.link}, log.source->info().rows);
    };
    for (const LogRows& log : logs) sensor.has_log.push_back(!open(log).links().empty());
    // Of the latest log only: with many logs the number of open files would grow
    std::optional<BodyReader> reader;
    const LogRows* latest = nullptr;
    sensor.read = [&](const LogRows& log, const RawWindow& window) {
      if (latest != &log) reader = open(log);
      latest = &log;
      return sensorChannels(reader->read(0, window.place.raw_first_row, window.numRows()));
    };
    sensor.make = [&](const LogRows& log,
                      const ActuatorSignals& window,
                      const Eigen::MatrixXd& channels) {
      const BodySamples samples = onClock(channels, window.raw, window.joint, log.source->plan());
      return rowsOf(robot,
                    body,
                    samples,
                    window,
                    log.payload ? &*log.payload : nullptr,
                    layout,
                    sensor.columns);
    };
    addSensorChannels(logs, sensor, pass, statistics, use);
    for (size_t i = 0; sensor.columns.empty() && i < logs.size(); ++i)
      if (sensor.has_log[i]) use[i].sensor_notes.push_back(unusedText(body));
  }
}

}  // namespace dynid
