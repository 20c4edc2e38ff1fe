#include "dynid/recordings/sensor_audit.h"

#include "dynid/core/errors.h"
#include "dynid/logs/body_channels.h"
#include "dynid/signals/audit.h"
#include "dynid/signals/condition.h"
#include "dynid/signals/row_order.h"

#include <fmt/format.h>
#include <functional>
#include <string>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Severity = Finding::Severity;

/// What one sensor loses in the audited rows.
struct SensorLoss {
  Index rows = 0, not_finite = 0;  ///< of the log
  Index samples = 0, left = 0;     ///< used for a fit, without and with the sensor's gaps

  double share() const { return samples > 0 ? 1.0 - static_cast<double>(left) / samples : 0.0; }
};

/// @param read  channels of the sensor in rows [first, first + count) of the log
SensorLoss lossOf(const std::function<MatrixXd(std::int64_t first, std::int64_t count)>& read,
                  const AuditedRows& audited,
                  const SignalPlan& plan) {
  SensorLoss loss;
  std::vector<MatrixXd> channels;
  for (size_t i = 0; i < audited.starts.size(); ++i) {
    channels.push_back(read(audited.starts[i], audited.excerpts[i].rows()));
    loss.rows += channels[i].rows();
    loss.not_finite += std::ssize(unusableRows(channels[i]));
  }
  if (loss.not_finite == 0) return loss;
  const auto used = [&](const RawSignals& excerpt) {
    return std::ssize(coreSamples(onClock(excerpt, plan), plan));
  };
  for (size_t i = 0; i < channels.size(); ++i) {
    RawSignals excerpt = audited.excerpts[i];
    loss.samples += used(excerpt);
    excerpt.required = sideBySide({&audited.excerpts[i].required, &channels[i]});
    loss.left += used(excerpt);
  }
  return loss;
}

Finding lossFinding(const std::string& sensor, const SensorLoss& loss, double longest_gap) {
  const std::string found =
      fmt::format("{}: {} of {} rows ({:.3g} %) hold NaN, Inf or a corrupt value",
                  sensor,
                  loss.not_finite,
                  loss.rows,
                  100.0 * static_cast<double>(loss.not_finite) / static_cast<double>(loss.rows));
  if (loss.left == 0)
    return {
        Severity::kRefuse,
        "sensor-empty",
        -1,
        found + "; no sample is left for its equations",
        1.0,
        fmt::format("record this sensor again, or delete {} from the log to identify without it",
                    sensor)};
  if (loss.left == loss.samples)
    return {
        Severity::kRepaired, "sensor-not-finite", -1, found + "; they were interpolated", 0.0, ""};
  return {
      loss.share() > AuditContext().max_bad_fraction ? Severity::kWarning : Severity::kRepaired,
      "sensor-not-finite",
      -1,
      fmt::format("{}; its equations leave out {:.3g} % of the samples, where this lasts longer "
                  "than {:.3g} s",
                  found,
                  100.0 * loss.share(),
                  longest_gap),
      loss.share(),
      "check the connection and the rate of this sensor; what is left has to contain enough "
      "motion"};
}

}  // namespace

MatrixXd sensorChannels(const BodySamples& samples) {
  return sideBySide({&samples.angular_velocity,
                     &samples.linear_acceleration,
                     &samples.wrench,
                     &samples.angular_acceleration});
}

MatrixXd sensorChannels(const BaseReader& base, const BaseSamples& samples) {
  if (base.wrenchFrame() == "body") return samples.wrench;
  return sideBySide({&samples.wrench, &samples.pose});
}

std::vector<Finding> auditSensorRows(const Robot& robot,
                                     const std::filesystem::path& log,
                                     std::int64_t rows,
                                     const BaseReader* base,
                                     const AuditedRows& audited,
                                     const SignalPlan& plan) {
  std::vector<std::string> links;
  for (const Body& body : robot.bodies)
    for (const Body::FixedLink& link : body.links) links.push_back(link.name);
  std::vector<Finding> findings;
  const auto audit = [&](const std::string& sensor, const auto& read) {
    const SensorLoss loss = lossOf(read, audited, plan);
    if (loss.not_finite > 0) findings.push_back(lossFinding(sensor, loss, plan.clock.max_gap));
  };
  try {
    const BodyReader reader(log, links, rows);
    for (size_t k = 0; k < reader.links().size(); ++k)
      audit("bodies/" + reader.links()[k], [&](std::int64_t first, std::int64_t count) {
        return sensorChannels(reader.read(k, first, count));
      });
    if (base != nullptr && base->hasWrench())
      audit("base/wrench", [&](std::int64_t first, std::int64_t count) {
        return sensorChannels(*base, base->read(first, count));
      });
  } catch (const InputError&) {
    // Errors of the channels are ignored here: they are reported where the sensor is used.
  }
  return findings;
}

std::vector<Finding> auditLoneSensors(const Robot& robot, const std::filesystem::path& log) {
  std::vector<std::string> links;
  for (const Body::FixedLink& link : robot.root_links) links.push_back(link.name);
  for (const Body& body : robot.bodies)
    for (const Body::FixedLink& link : body.links) links.push_back(link.name);
  std::vector<Finding> findings;
  for (const LoneSensor& sensor : loneSensors(log, links))
    findings.push_back(
        {Finding::Severity::kWarning,
         "lone-sensor",
         -1,
         fmt::format("the {} sensor at {} is not used: a body is identified from a wrench and an "
                     "inertial sensor together, and the log has no {} sensor there",
                     sensor.wrench ? "wrench" : "inertial",
                     sensor.link,
                     sensor.wrench ? "inertial" : "wrench"),
         0.0,
         fmt::format("record the other sensor too ({} TOPIC={} of dynid import)",
                     sensor.wrench ? "`imu`" : "`wrench`",
                     sensor.link)});
  return findings;
}

}  // namespace dynid
