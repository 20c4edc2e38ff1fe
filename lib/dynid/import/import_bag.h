#pragma once

#include "dynid/bags/bag_survey.h"
#include "dynid/core/progress.h"
#include "dynid/import/import.h"

#include <filesystem>
#include <optional>
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
  /// Joints that are imported, in this order; empty: all. If the messages have no joint names:
  /// the names of all their joints, in the order of the numbers.
  std::vector<std::string> joints;
  /// TOML file (see import_mapping.h) without keys of texts and columns: unit, scale, sign and
  /// gear ratio of the channels, `[current]` if the efforts are currents, joints, payload.
  std::optional<std::filesystem::path> mapping;
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
/// of a split bag in any order) to an HDF5 log, in constant memory.
///
/// Every row is a message of the leading publisher. It is chosen among the publishers of positions:
/// one with efforts if there is one, of several the one with most messages. Joints of other
/// publishers and sensors are interpolated linearly at the times of these rows; of a publisher of
/// positions alone the nearest message is used.
///
/// Times are the header stamps, unless all of them are equal. They are counted from the first row
/// if nanoseconds would not fit a double. Messages with a stamp of 0 are left out if others have a
/// stamp. If the clock of the stamps was restarted, they are made continuous. Rows that repeat the
/// row before them are left out, unless many rows have the time of the row before and other values.
/// @throws InputError "file: ..." for the recording, and for files with messages of one source that
/// were recorded at the same time; UsageError for topics and joints that it does not have, or if it
/// has several topics of joint states and none is named; OutputError for the log
ImportResult importBag(const std::vector<std::filesystem::path>& paths,
                       const std::filesystem::path& log,
                       const BagImportOptions& options = {});

}  // namespace dynid
