#pragma once

#include "dynid/logs/base_channels.h"
#include "dynid/robot/robot.h"
#include "dynid/signals/finding.h"
#include "dynid/signals/plan.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace dynid {

/// Reports links that have only a wrench sensor or only an inertial sensor; such a sensor is not
/// used, since a body is identified from both together. Code: lone-sensor (a warning).
std::vector<Finding> auditLoneSensors(const Robot& robot, const std::filesystem::path& log);

/// The channels [rows x c] that the equations of a sensor need: those of a body (angular velocity,
/// linear acceleration, wrench and, if recorded, angular acceleration), or the wrench on the base
/// and, unless that is in base axes, the pose.
/// Rows in which one of them is not finite are dropped from these equations (RawSignals::required).
Eigen::MatrixXd sensorChannels(const BodySamples& samples);
Eigen::MatrixXd sensorChannels(const BaseReader& base, const BaseSamples& samples);

/// The excerpts of a log that are audited.
struct AuditedRows {
  const std::vector<RawSignals>& excerpts;
  const std::vector<std::int64_t>& starts;  ///< row of the log at which each excerpt starts
};

/// Reports sensors with rows that are not finite, and which share of the samples their equations
/// lose by that. Codes: sensor-not-finite (repaired; a warning above the share from which missing
/// rows of a joint are refused), sensor-empty (no sample is left: refused).
/// @param rows  number of rows of the log
/// @param base  channels of the base; nullptr: none
/// @param plan  made from the excerpts
/// @returns no findings for channels that cannot be read: this is an error where they are used
std::vector<Finding> auditSensorRows(const Robot& robot,
                                     const std::filesystem::path& log,
                                     std::int64_t rows,
                                     const BaseReader* base,
                                     const AuditedRows& audited,
                                     const SignalPlan& plan);

}  // namespace dynid
