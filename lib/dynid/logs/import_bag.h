#pragma once

#include "dynid/bags/bag_survey.h"
#include "dynid/core/progress.h"
#include "dynid/logs/import.h"

#include <filesystem>
#include <string>
#include <vector>

namespace dynid {

/// A sensor's topic and the link that it sits on.
struct BagSensor {
  std::string topic, link;
};

/// What `dynid import` is asked to take from a recording of ROS.
struct BagImportOptions {
  std::vector<std::string> topics;  ///< of joint states; empty: the only one there is
  std::vector<std::string> joints;  ///< these of the names, in this order, or the names themselves
                                    ///< where messages have none; empty: all
  std::vector<BagSensor> wrenches;  ///< geometry_msgs/WrenchStamped to `bodies/LINK/wrench`
  std::vector<BagSensor> imus;      ///< sensor_msgs/Imu to `angular_velocity` and
                                    ///< `linear_acceleration` of `bodies/LINK`
  bool accept_wrong_checksums = false;  ///< of files whose checksum does not say what is damaged
  int compression = 0;                  ///< of the log written, 0 to 9
  Progress progress;
};

/// What a recording holds, read in a trial process first where a library of others parses it.
/// @throws InputError if it is no recording, or nothing of it can be read
BagSurvey surveyBags(const std::vector<std::filesystem::path>& paths, const Progress& progress);

/// Converts a recording of ROS (MCAP, rosbag2 SQLite, ROS 1 bag; one file, a folder, or the files
/// of a split bag in their order) to an HDF5 log, in constant memory.
///
/// Rows are the messages of the leading publisher: of those with positions the one with efforts,
/// then the one with most messages. Joints of other publishers and sensors are brought to the times
/// of these rows: interpolated linearly, or, for a publisher of positions alone, the nearest
/// message. Times are the headers' stamps, unless all of them are 0, in ns from the first row where
/// a double would not hold them.
/// @throws InputError "file: ..." for the recording; UsageError for topics and joints that it does
/// not have, or if it has several topics of joint states and none is named; OutputError for the log
ImportResult importBag(const std::vector<std::filesystem::path>& paths,
                       const std::filesystem::path& log,
                       const BagImportOptions& options = {});

}  // namespace dynid
