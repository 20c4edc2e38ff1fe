#include "dynid/recordings/sensor_audit.h"

#include "dynid/logs/body_channels.h"

#include <fmt/format.h>
#include <string>

namespace dynid {

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
