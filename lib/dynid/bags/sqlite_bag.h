#pragma once

#include "dynid/bags/bag_scan.h"

#include <filesystem>

namespace dynid {

/// Reads a rosbag2 database (.db3): the tables `topics` and `messages`, in the order of time. Works
/// with and without the tables and columns that newer versions of rosbag2 add, and with
/// individually compressed messages (zstd). The file is opened read-only; views, triggers, virtual
/// tables and computed columns are refused.
/// @param zstd     the whole file is compressed; it is decompressed to a temporary file first
/// @param on_read  called repeatedly with the estimated number of bytes read so far; may throw to
/// stop
/// @throws InputError if the file is not such a database; later damage is reported to `scan`
void readSqliteBag(const std::filesystem::path& path,
                   bool zstd,
                   BagScan& scan,
                   const std::function<void(std::uint64_t)>& on_read);

/// Opens the database and reads its first messages. The import first calls it in a child process,
/// because SQLite parses the untrusted file itself.
/// @throws InputError as readSqliteBag
void trySqliteBag(const std::filesystem::path& path);

}  // namespace dynid
