#pragma once

#include "dynid/equations/rows.h"
#include "dynid/formulations/unprojected.h"
#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <filesystem>
#include <string>
#include <vector>

namespace dynid {

/// A link with a motion and wrench sensor in some log (`bodies/<link>`).
struct BodySensor {
  std::string link;
  int body = -1;   ///< body to which the link belongs
  Transform X_BL;  ///< pose of the link in the body's frame
  /// True: the sensor measures the wrench on the whole body and on the bodies that it carries.
  /// False: the sensor is between the body and a link fixed to it, and measures the wrench on that
  /// link and its payload only.
  bool whole_body = true;
  /// Inertia of a fixed link according to the robot description; its part of the wrench is
  /// subtracted.
  InertialParameters inertial = InertialParameters::Zero();
};

/// The links of the robot that have sensors in this log.
/// @param rows  number of samples of the log
/// @throws InputError for channels that are missing or do not fit, and for a link whose wrench does
///     not belong to identifiable bodies
std::vector<BodySensor> bodySensorsOf(const Robot& robot,
                                      const std::filesystem::path& log,
                                      std::int64_t rows);

/// Columns of the layout on which the sensor's wrench depends, a subset of `columns`.
std::vector<int> sensedColumns(const Robot& robot,
                               const BodySensor& sensor,
                               const ParameterLayout& layout,
                               const std::vector<int>& columns);

/// The six regressor rows (f, n) of one sample over `columns`, in link axes and about the link's
/// origin. Columns other than those of inertial and payload parameters are zero.
/// @param motion   of the link
/// @param q, dq, ddq  [joints] rad or m, per s, per s^2
/// @param payload  of the log; nullptr: none
Eigen::MatrixXd sensedRows(const Robot& robot,
                           const BodySensor& sensor,
                           const SensedMotion& motion,
                           const Eigen::VectorXd& q,
                           const Eigen::VectorXd& dq,
                           const Eigen::VectorXd& ddq,
                           const PayloadPlacement* payload,
                           const ParameterLayout& layout,
                           const std::vector<int>& columns);

}  // namespace dynid
