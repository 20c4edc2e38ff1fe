#pragma once

#include "dynid/equations/rows.h"
#include "dynid/formulations/unprojected.h"
#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <filesystem>
#include <string>
#include <vector>

namespace dynid {

/// A link whose motion and wrench some log holds (`bodies/<link>`).
struct BodySensor {
  std::string link;
  int body = -1;   ///< that the link belongs to
  Transform X_BL;  ///< pose of the link in it
  /// The link is the body's own: the wrench is that of the whole body and of what it carries. Else
  /// the sensor sits between the body and a link fixed to it, and sees that link and its load only.
  bool whole_body = true;
  /// What the description knows of a fixed link's own inertia; its share of the wrench is taken
  /// off.
  InertialParameters own = InertialParameters::Zero();
};

/// The links of the robot that have sensors in this log.
/// @throws InputError for channels that are missing or do not fit, and for a link whose wrench is
/// not that of identifiable bodies
std::vector<BodySensor> bodySensorsOf(const Robot& robot,
                                      const std::filesystem::path& log,
                                      std::int64_t rows);

/// Columns of the layout that the sensor's wrench depends on, a subset of `columns`.
std::vector<int> sensedColumns(const Robot& robot,
                               const BodySensor& sensor,
                               const ParameterLayout& layout,
                               const std::vector<int>& columns);

/// The six rows of one sample over `columns` (inertial ones and loads; others are zero), link axes,
/// about the link's origin.
/// @param motion   of the link
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
