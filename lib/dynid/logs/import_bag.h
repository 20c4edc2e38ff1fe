#pragma once

#include "dynid/bags/bag_survey.h"
#include "dynid/core/progress.h"
#include "dynid/logs/import.h"

#include <filesystem>
#include <string>
#include <vector>

namespace dynid {

/// Topic of a sensor, and the link to which the sensor is fixed.
struct BagSensor {
  std::string topic, link;
};

/// Settings of the import of a ROS recording.
struct BagImportOptions {
  std::vector<std::string> topics;  ///< of joint states; empty: the only one there is
  /// Joints that are imported, in this order; empty: all. Where messages have no joint names: the
  /// names of all their joints, in the order of the numbers.
  std::vector<std::string> joints;
  std::vector<BagSensor> wrenches;      ///< geometry_msgs/WrenchStamped to `bodies/LINK/wrench`
  std::vector<BagSensor> imus;          ///< sensor_msgs/Imu to `angular_velocity` and
                                        ///< `linear_acceleration` of `bodies/LINK`
  bool log_time = false;                ///< times of recording in place of the headers' stamps
  bool accept_wrong_checksums = false;  ///< of files whose checksum does not say what is damaged
  int compression = 0;                  ///< of the log written, 0 to 9
  Progress progress;
};

/// Reads the content of a recording. Formats that a third-party library parses are first read in a
/// trial process.
/// @throws InputError if it is no recording, or nothing of it can be read
BagSurvey surveyBags(const std::vector<std::filesystem::path>& paths, const Progress& progress);

/// Converts a recording of ROS (MCAP, rosbag2 SQLite, ROS 1 bag; one file, a folder, or the files
/// of a split bag in their order) to an HDF5 log, in constant memory.
///
/// Rows are the messages of the leading publisher: of those with positions the one with efforts,
/// then the one with most messages. Joints of other publishers and sensors are brought to the times
/// of these rows: interpolated linearly, or, for a publisher of positions alone, the nearest
/// message. Times are the headers' stamps, unless all of them are equal, in ns from the first row
/// where a double would not hold them. Messages without a stamp among others with one are left out.
/// Where the clock of the stamps is started anew, they go on behind those before.
/// @throws InputError "file: ..." for the recording; UsageError for topics and joints that it does
/// not have, or if it has several topics of joint states and none is named; OutputError for the log
ImportResult importBag(const std::vector<std::filesystem::path>& paths,
                       const std::filesystem::path& log,
                       const BagImportOptions& options = {});

}  // namespace dynid
