#pragma once

#include "dynid/bags/bag_scan.h"
#include "dynid/core/progress.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

enum class BagKind { kMcap, kSqlite, kRos1 };

/// A file of a recording.
struct BagFile {
  std::filesystem::path path;
  BagKind kind = BagKind::kMcap;
  bool zstd = false;  ///< the whole file is compressed
};

/// A recording of one or more files (split bags).
struct BagRecording {
  std::vector<BagFile> files;
  std::vector<std::string> notes;         ///< missing and unlisted files, one sentence each
  std::optional<std::int64_t> announced;  ///< number of messages according to metadata.yaml
};

/// Recognises the format of a file by its first bytes; empty for a file that is not a bag.
/// @throws InputError if the file cannot be read, and for ROS 1 bags of a version before 2.0
std::optional<BagFile> recogniseBag(const std::filesystem::path& path);

/// The files of a recording. Each path is a bag, or a folder with bags, which are ordered by
/// metadata.yaml or else by the numbers in their names. surveyRecording corrects the order.
/// @throws InputError for a folder without bags, for files that are not bags or given twice, and
/// for a metadata.yaml that refers to files outside its folder
BagRecording findRecording(const std::vector<std::filesystem::path>& paths);

/// One pass over all files of a recording.
/// @throws InputError naming the file if it cannot be read at all; Interrupted from `progress`
void scanRecording(const BagRecording& recording,
                   BagScan& scan,
                   const Progress& progress,
                   const std::string& stage);

std::string toText(BagKind kind);

}  // namespace dynid
