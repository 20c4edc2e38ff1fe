#include "dynid/bags/sqlite_bag.h"

#include "dynid/bags/byte_cursor.h"
#include "dynid/bags/decompress.h"
#include "dynid/core/atomic_file.h"
#include "dynid/core/errors.h"
#include "dynid/core/files.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <memory>
#include <new>
#include <sqlite3.h>
#include <unordered_map>
#include <utility>

namespace dynid {
namespace {

constexpr size_t kMaxMessage = BufferedBytes::kMaxView;
constexpr int kMaxValue = 64 << 20;             // largest value in bytes that SQLite may load
constexpr std::uintmax_t kMostExpansion = 200;  // largest ratio of decompressed to compressed size
constexpr std::uintmax_t kSmallDatabase = std::uintmax_t{64} << 20;
constexpr std::uintmax_t kSpareDisk = std::uintmax_t{256} << 20;
constexpr std::int64_t kRowsPerReport = 4096;
constexpr std::int64_t kTrialRows = 100;

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

/// The path as a URI: SQLite accepts the parameter `immutable` only in a URI.
std::string uriOf(const std::filesystem::path& path, bool immutable) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string()) {
    if (c == '%' || c == '?' || c == '#')
      uri += fmt::format("%{:02x}", static_cast<unsigned>(c));
    else
      uri += c;
  }
  return uri + (immutable ? "?mode=ro&immutable=1" : "?mode=ro");
}

bool isThere(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored) && std::filesystem::file_size(path, ignored) > 0;
}

constexpr size_t kHeaderBytes = 100;  // bytes of the header of an SQLite file
constexpr size_t kPageSizeAt = 16;    // offsets in the header
constexpr size_t kPageCountAt = 28;

/// Page size in bytes from its two bytes in the header, which hold 1 for 65536.
std::int64_t pageSize(Bytes header) {
  const std::int64_t size = header[0] << 8 | header[1];
  return size <= 1 ? 65536 : size;
}

/// Whether the file is shorter than its first page declares.
bool isCut(const std::filesystem::path& path) {
  FileBytes file(path);
  BufferedBytes bytes(file);
  const Bytes header = bytes.view(kHeaderBytes);
  if (header.size() < kHeaderBytes) return true;
  const std::int64_t pages = ByteCursor(header.subspan(kPageCountAt), true).number<std::uint32_t>();
  return std::cmp_less(std::filesystem::file_size(path),
                       pages * pageSize(header.subspan(kPageSizeAt)));
}

/// The file of a cut database as SQLite sees it: its size is rounded down to whole pages. SQLite
/// would fill an incomplete last page with zeros, and read the messages on it with wrong values.
struct WholePages : sqlite3_io_methods {
  const sqlite3_io_methods* original;

  static int sizeOf(sqlite3_file* file, sqlite3_int64* size) {
    const auto& methods = static_cast<const WholePages&>(*file->pMethods);
    std::array<std::uint8_t, 2> page = {};
    if (const int failed = methods.original->xFileSize(file, size)) return failed;
    if (*size < sqlite3_int64{kHeaderBytes}) return SQLITE_OK;
    if (const int failed = methods.xRead(file, page.data(), page.size(), kPageSizeAt))
      return failed;
    *size -= *size % pageSize(page);
    return SQLITE_OK;
  }
};

/// Opens a file through the system of SQLite and replaces its methods. They lie behind the data of
/// that system, for which SQLite allocates sqlite3_vfs::szOsFile bytes.
int openWholePages(
    sqlite3_vfs* /*system*/, const char* name, sqlite3_file* file, int flags, int* flags_used) {
  sqlite3_vfs* system = sqlite3_vfs_find(nullptr);
  const int result = system->xOpen(system, name, file, flags, flags_used);
  if (file->pMethods == nullptr) return result;
  void* behind = reinterpret_cast<std::byte*>(file) + system->szOsFile;
  auto* methods = new (behind) WholePages{*file->pMethods, file->pMethods};
  methods->xFileSize = &WholePages::sizeOf;
  file->pMethods = methods;
  return result;
}

/// Name of the file system of SQLite that hides incomplete pages.
const char* wholePages() {
  static sqlite3_vfs whole = [] {
    sqlite3_vfs copy = *sqlite3_vfs_find(nullptr);
    copy.zName = "dynid-whole-pages";
    copy.szOsFile += static_cast<int>(sizeof(WholePages));
    copy.xOpen = &openWholePages;
    return copy;
  }();
  static const int registered = sqlite3_vfs_register(&whole, 0);
  return registered == SQLITE_OK ? whole.zName : nullptr;
}

/// Decompresses a whole database to a temporary file.
std::unique_ptr<AtomicFile> decompressedCopy(const std::filesystem::path& path,
                                             const std::function<void(std::uint64_t)>& on_read) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  auto copy = std::make_unique<AtomicFile>(folder / ("dynid-" + path.stem().string()));
  const std::uintmax_t limit = kSmallDatabase + kMostExpansion * std::filesystem::file_size(path);
  const std::uintmax_t room = std::filesystem::space(folder).available;
  FileBytes file(path, on_read);
  const std::unique_ptr<ByteStream> plain = decompressed("zstd", file);
  std::ofstream out(copy->temporary(), std::ios::binary | std::ios::trunc);
  std::vector<std::uint8_t> buffer(size_t{1} << 20);
  std::uintmax_t size = 0;
  while (const size_t got = plain->read(buffer.data(), buffer.size())) {
    size += got;
    if (size > limit)
      throw InputError(fmt::format(
          "{}: grows by a factor of more than {} when decompressed; this is not a recording",
          path.string(),
          kMostExpansion));
    if (size + kSpareDisk > room)
      throw InputError(fmt::format(
          "{}: its decompressed copy does not fit into {}; set TMPDIR to a folder with more room",
          path.string(),
          folder.string()));
    out.write(reinterpret_cast<const char*>(buffer.data()), static_cast<std::streamsize>(got));
  }
  out.close();
  if (!out)
    throw InputError(
        fmt::format("{}: cannot be decompressed into {}", path.string(), folder.string()));
  return copy;
}

class SqliteReader {
 public:
  /// @param path  for messages  @param file  to open
  SqliteReader(std::filesystem::path path, const std::filesystem::path& file, BagScan& scan)
      : path_(std::move(path)), scan_(scan), is_cut_(isCut(file)) {
    if (isThere(file.string() + "-journal"))
      throw InputError(fmt::format(
          "{}: the recorder was stopped while it wrote; complete the file by running `sqlite3 {} "
          "\"PRAGMA quick_check\"` once, then import again",
          path_.string(),
          path_.string()));
    const bool immutable = !isThere(file.string() + "-wal");
    sqlite3* opened = nullptr;
    const int result = sqlite3_open_v2(uriOf(file, immutable).c_str(),
                                       &opened,
                                       SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
                                       is_cut_ ? wholePages() : nullptr);
    database_.reset(opened);
    if (result != SQLITE_OK) refuse("cannot be opened");
    harden();
  }

  void read(const std::function<void(std::uint64_t)>& on_read) {
    checkTables();
    readTopics();
    readMessages(!is_cut_ && isSound(), std::numeric_limits<std::int64_t>::max(), on_read);
  }

  void readBeginning() {
    checkTables();
    readTopics();
    readMessages(!is_cut_, kTrialRows, {});
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(fmt::format("{}: {}: SQLite reports: {}; record or copy it again",
                                 path_.string(),
                                 what,
                                 database_ ? sqlite3_errmsg(database_.get()) : "out of memory"));
  }

  void harden() {
    sqlite3_limit(database_.get(), SQLITE_LIMIT_LENGTH, kMaxValue);
    for (const int off : {SQLITE_DBCONFIG_ENABLE_VIEW,
                          SQLITE_DBCONFIG_ENABLE_TRIGGER,
                          SQLITE_DBCONFIG_TRUSTED_SCHEMA,
                          SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION})
      sqlite3_db_config(database_.get(), off, 0, nullptr);
    // SQLite opens a truncated file only with this setting; the file is opened read-only.
    const int switch_on = is_cut_ ? SQLITE_DBCONFIG_WRITABLE_SCHEMA : SQLITE_DBCONFIG_DEFENSIVE;
    sqlite3_db_config(database_.get(), switch_on, 1, nullptr);
    for (const char* pragma :
         {"PRAGMA cell_size_check = ON", "PRAGMA mmap_size = 0", "PRAGMA query_only = ON"})
      sqlite3_exec(database_.get(), pragma, nullptr, nullptr, nullptr);
  }

  Statement prepare(const std::string& sql) const {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
      refuse("cannot be read");
    return Statement(statement);
  }

  /// @returns true while there are rows
  /// @throws InputError if the database is damaged at this place
  bool step(const Statement& statement) const {
    const int result = sqlite3_step(statement.get());
    if (result == SQLITE_ROW) return true;
    if (result == SQLITE_DONE) return false;
    refuse("is damaged");
  }

  static std::string textAt(const Statement& statement, int column) {
    const auto* text = sqlite3_column_text(statement.get(), column);
    return text == nullptr
               ? std::string()
               : std::string(reinterpret_cast<const char*>(text),
                             static_cast<size_t>(sqlite3_column_bytes(statement.get(), column)));
  }

  void checkTables() {
    checkTable("topics", {"id", "name", "type"});
    checkTable("messages", {"topic_id", "timestamp", "data"});
  }

  /// Refuses views and computed columns, whose evaluation could run forever.
  void checkTable(const std::string& name, const std::vector<std::string>& columns) {
    const Statement kind = prepare(fmt::format(
        "SELECT type, rootpage FROM sqlite_master WHERE name = '{}' COLLATE NOCASE", name));
    if (!step(kind))
      throw InputError(fmt::format(
          "{}: has no table '{}'; it is an SQLite database, but not a rosbag2 recording",
          path_.string(),
          name));
    if (textAt(kind, 0) != "table" || sqlite3_column_int64(kind.get(), 1) <= 0)
      throw InputError(
          fmt::format("{}: '{}' is not a plain table but a {}; a recording has tables: not read",
                      path_.string(),
                      name,
                      textAt(kind, 0) == "table" ? "virtual table" : textAt(kind, 0)));
    std::vector<std::string> found;
    const Statement info = prepare(fmt::format("PRAGMA table_xinfo({})", name));
    while (step(info)) {
      const std::string column = textAt(info, 1);
      found.push_back(column);
      const bool computed = sqlite3_column_int(info.get(), 6) != 0;
      if (computed && std::find(columns.begin(), columns.end(), column) != columns.end())
        throw InputError(fmt::format(
            "{}: the column '{}' of '{}' is computed; a recording has stored ones: not read",
            path_.string(),
            column,
            name));
    }
    for (const std::string& column : columns)
      if (std::find(found.begin(), found.end(), column) == found.end())
        throw InputError(
            fmt::format("{}: the table '{}' has no column '{}'; it is not a rosbag2 recording",
                        path_.string(),
                        name,
                        column));
    if (name == "topics")
      has_format_ = std::find(found.begin(), found.end(), "serialization_format") != found.end();
  }

  void readTopics() {
    const Statement rows = prepare(fmt::format("SELECT id, name, type, {} FROM topics",
                                               has_format_ ? "serialization_format" : "'cdr'"));
    while (step(rows))
      topics_[sqlite3_column_int64(rows.get(), 0)] =
          scan_.topic({textAt(rows, 1), textAt(rows, 2), textAt(rows, 3)});
  }

  bool isSound() const {
    sqlite3_stmt* raw = nullptr;
    if (sqlite3_prepare_v2(database_.get(), "PRAGMA quick_check(1)", -1, &raw, nullptr) !=
        SQLITE_OK)
      return false;
    const Statement check(raw);
    return sqlite3_step(check.get()) == SQLITE_ROW && textAt(check, 0) == "ok";
  }

  void readMessages(bool sound,
                    std::int64_t most,
                    const std::function<void(std::uint64_t)>& on_read) {
    std::string wanted;
    for (const auto& [id, number] : topics_)
      if (scan_.wants(number)) wanted += (wanted.empty() ? "" : ",") + std::to_string(id);
    // An index may be in the damaged part. The rows are then read in the order of the table.
    const Statement rows = prepare(fmt::format(
        "SELECT topic_id, timestamp, CASE WHEN topic_id IN ({}) AND typeof(data) = 'blob' AND "
        "length(data) <= {} THEN data END FROM messages {}",
        wanted,
        kMaxMessage,
        sound ? "ORDER BY timestamp" : "NOT INDEXED"));
    const auto size = static_cast<double>(std::filesystem::file_size(path_));
    const double expected = static_cast<double>(newestRow(sound));
    std::int64_t read = 0;
    while (read < most) {
      const int result = sqlite3_step(rows.get());
      if (result == SQLITE_DONE) break;
      if (result != SQLITE_ROW) {
        scan_.cutAt(
            0,
            fmt::format("the database is damaged ({}): {} messages were read before the damage",
                        sqlite3_errmsg(database_.get()),
                        read));
        return;
      }
      deliver(rows);
      if (++read % kRowsPerReport == 0 && on_read)
        on_read(static_cast<std::uint64_t>(
            size * std::min(1.0, static_cast<double>(read) / std::max(1.0, expected))));
    }
    if (!sound && read < most)
      scan_.cutAt(0,
                  "the database is damaged (its pages contradict each other); only a part of it "
                  "could be read");
  }

  /// Number of the newest row, an estimate of the number of rows.
  std::int64_t newestRow(bool sound) const {
    if (!sound) return 0;
    const Statement row = prepare("SELECT max(rowid) FROM messages");
    return step(row) ? sqlite3_column_int64(row.get(), 0) : 0;
  }

  void deliver(const Statement& row) {
    const auto topic = topics_.find(sqlite3_column_int64(row.get(), 0));
    const std::int64_t log_time = sqlite3_column_int64(row.get(), 1);
    if (topic == topics_.end()) {
      scan_.loseMessage(0, "a message belongs to no topic of the file");
      return;
    }
    if (!scan_.wants(topic->second)) {
      scan_.message(topic->second, log_time, {});
      return;
    }
    const auto* data = static_cast<const std::uint8_t*>(sqlite3_column_blob(row.get(), 2));
    const Bytes stored(
        data, data == nullptr ? 0 : static_cast<size_t>(sqlite3_column_bytes(row.get(), 2)));
    if (data == nullptr) {
      scan_.loseMessage(0, "a message is empty or too long");
      return;
    }
    if (!startsAsZstd(stored)) {
      scan_.message(topic->second, log_time, stored);
      return;
    }
    scan_.compression("messages zstd");
    try {
      decompressZstd(stored, kMaxMessage, content_);
    } catch (const DamagedBytes& damage) {
      scan_.loseMessage(0, fmt::format("the message of time {} ns: {}", log_time, damage.what()));
      return;
    }
    scan_.message(topic->second, log_time, content_);
  }

  std::filesystem::path path_;
  BagScan& scan_;
  Database database_;
  bool is_cut_;  // the file is shorter than its header declares
  bool has_format_ = true;
  std::unordered_map<std::int64_t, size_t> topics_;
  std::vector<std::uint8_t> content_;
};

}  // namespace

void readSqliteBag(const std::filesystem::path& path,
                   bool zstd,
                   BagScan& scan,
                   const std::function<void(std::uint64_t)>& on_read) {
  std::unique_ptr<AtomicFile> copy;
  if (zstd) copy = decompressedCopy(path, on_read);
  SqliteReader(path, copy ? copy->temporary() : path, scan).read(on_read);
}

void trySqliteBag(const std::filesystem::path& path) {
  class Nothing final : public BagSink {
    bool topic(size_t /*number*/, const BagTopic& /*topic*/) override { return true; }
    void message(size_t /*topic*/, std::int64_t /*log_time*/, Bytes /*data*/) override {}
  } sink;
  BagScan scan(sink);
  scan.beginFile(0, path.string(), "");
  SqliteReader(path, path, scan).readBeginning();
}

}  // namespace dynid
