#pragma once

#include "dynid/bags/bag_scan.h"

#include <filesystem>

namespace dynid {

/// Reads a rosbag2 database (.db3): the tables `topics` and `messages`, in the order of time. Works
/// with and without the tables and columns that newer versions of rosbag2 add, and with messages
/// that are compressed one by one (zstd). The file is opened read-only; views, triggers, virtual
/// tables and computed columns are refused.
/// @param zstd     the whole file is compressed: it is decompressed into a temporary file first
/// @param on_read  called now and then with the bytes read so far (an estimate); may throw to stop
/// @throws InputError if the file is no such database; what is damaged later is reported to `scan`
void readSqliteBag(const std::filesystem::path& path,
                   bool zstd,
                   BagScan& scan,
                   const std::function<void(std::uint64_t)>& on_read);

/// Opens the database and reads its first messages, for a trial process: SQLite parses the file.
/// @throws InputError as readSqliteBag
void trySqliteBag(const std::filesystem::path& path);

}  // namespace dynid
