#include "dynid/bags/bag_files.h"

#include "dynid/bags/decompress.h"
#include "dynid/bags/mcap.h"
#include "dynid/bags/ros1_bag.h"
#include "dynid/bags/sqlite_bag.h"
#include "dynid/core/errors.h"
#include "dynid/core/few_words.h"
#include "dynid/core/files.h"
#include "dynid/core/text.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <set>
#include <system_error>

namespace dynid {
namespace {

constexpr size_t kFirstBytes = 16;
constexpr size_t kMaxMetadata = size_t{16} << 20;
constexpr size_t kMaxFiles = 100000;
constexpr std::string_view kEndings[] = {".mcap", ".db3", ".bag", ".zstd", ".zst"};

std::vector<std::uint8_t> firstBytes(ByteStream& stream) {
  BufferedBytes bytes(stream);
  const Bytes start = bytes.view(kFirstBytes);
  return {start.begin(), start.end()};
}

std::optional<BagKind> kindOf(const std::filesystem::path& path, Bytes start) {
  const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
  if (startsAsMcap(start)) return BagKind::kMcap;
  if (text.starts_with("SQLite format 3")) return BagKind::kSqlite;
  if (text.starts_with("#ROSBAG V2.0")) return BagKind::kRos1;
  if (text.starts_with("#ROSBAG V"))
    throw InputError(
        fmt::format("{}: is a ROS 1 bag of an old version ({}); convert it with "
                    "`rosbag fix`, which writes version 2.0",
                    path.string(),
                    text.substr(0, text.find('\n'))));
  return std::nullopt;
}

bool hasBagEnding(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return std::any_of(std::begin(kEndings), std::end(kEndings), [&](std::string_view ending) {
    return name.ends_with(ending);
  });
}

/// Natural order: digits are compared as numbers, so that part_9 precedes part_10.
bool naturallyBefore(const std::filesystem::path& a, const std::filesystem::path& b) {
  const std::string x = a.filename().string(), y = b.filename().string();
  size_t i = 0, j = 0;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  while (i < x.size() && j < y.size()) {
    if (!digit(x[i]) || !digit(y[j])) {
      if (x[i] != y[j]) return x[i] < y[j];
      ++i, ++j;
      continue;
    }
    while (i < x.size() && x[i] == '0') ++i;
    while (j < y.size() && y[j] == '0') ++j;
    size_t end_i = i, end_j = j;
    while (end_i < x.size() && digit(x[end_i])) ++end_i;
    while (end_j < y.size() && digit(y[end_j])) ++end_j;
    if (end_i - i != end_j - j) return end_i - i < end_j - j;
    const int order = x.compare(i, end_i - i, y, j, end_j - j);
    if (order != 0) return order < 0;
    i = end_i, j = end_j;
  }
  return x.size() - i < y.size() - j;
}

/// The entries of rosbag2's metadata.yaml that are used.
struct Metadata {
  std::vector<std::string> paths;
  std::optional<std::int64_t> messages;
};

std::string unquoted(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
      text.back() == text.front())
    text = text.substr(1, text.size() - 2);
  return std::string(text);
}

Metadata readMetadata(const std::filesystem::path& path) {
  const std::string text = readTextFile(path, kMaxMetadata);
  Metadata metadata;
  bool in_paths = false;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view raw = std::string_view(text).substr(begin, end - begin);
    const std::string_view line = trim(raw);
    begin = end + 1;
    if (line.empty() || line.front() == '#') continue;
    if (in_paths && line.starts_with("- ")) {
      metadata.paths.push_back(unquoted(line.substr(2)));
      if (metadata.paths.size() > kMaxFiles)
        throw InputError(fmt::format("{}: lists more than {} files", path.string(), kMaxFiles));
      continue;
    }
    in_paths = line == "relative_file_paths:";
    // Only the count of the whole recording; the counts of files have a larger indentation.
    const size_t indent = raw.find_first_not_of(' ');
    if (line.starts_with("message_count:") && indent <= 2) {
      const std::string_view number = trim(line.substr(line.find(':') + 1));
      std::int64_t count = 0;
      const auto [stop, error] =
          std::from_chars(number.data(), number.data() + number.size(), count);
      if (error == std::errc() && stop == number.data() + number.size() && count >= 0)
        metadata.messages = count;
    }
  }
  return metadata;
}

/// The file to which an entry of metadata.yaml refers. It may have been compressed, or moved to the
/// folder of metadata.yaml.
std::filesystem::path resolved(const std::filesystem::path& folder,
                               const std::string& listed,
                               const std::filesystem::path& metadata) {
  const std::filesystem::path relative(listed);
  const bool leaves =
      relative.is_absolute() ||
      std::any_of(relative.begin(), relative.end(), [](const auto& part) { return part == ".."; });
  if (listed.empty() || leaves)
    throw InputError(fmt::format(
        "{}: lists the file \"{}\", which is not in this folder; give the files themselves",
        metadata.string(),
        listed));
  // Bags recorded before ROS 2 Foxy list paths that begin with the name of the folder.
  std::vector<std::filesystem::path> candidates = {folder / relative, folder / relative.filename()};
  for (size_t i = 0; i < 2; ++i)
    for (const char* ending : {".zstd", ".zst"})
      candidates.emplace_back(candidates[i].string() + ending);
  std::error_code ignored;
  for (const std::filesystem::path& candidate : candidates)
    if (std::filesystem::exists(candidate, ignored)) return candidate;
  return {};
}

void addListed(const std::filesystem::path& folder,
               const std::filesystem::path& metadata_path,
               const Metadata& metadata,
               BagRecording& recording) {
  for (const std::string& listed : metadata.paths) {
    const std::filesystem::path path = resolved(folder, listed, metadata_path);
    if (path.empty()) {
      recording.notes.push_back(
          fmt::format("{}: lists {}, which is missing", metadata_path.string(), listed));
      continue;
    }
    const std::optional<BagFile> file = recogniseBag(path);
    if (file)
      recording.files.push_back(*file);
    else
      recording.notes.push_back(
          fmt::format("{}: is neither MCAP nor SQLite: left out", path.string()));
  }
}

/// The files of a folder whose names end like those of bags, in natural order.
std::vector<std::filesystem::path> bagsIn(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (hasBagEnding(entry.path()) && entry.is_regular_file(ignored)) found.push_back(entry.path());
  std::sort(found.begin(), found.end(), naturallyBefore);
  return found;
}

/// The name of a file without the ending of its compression.
std::string plainName(const std::filesystem::path& path) {
  const bool compressed = path.extension() == ".zstd" || path.extension() == ".zst";
  return (compressed ? path.stem() : path.filename()).string();
}

/// Adds a note that names the bags of a folder that metadata.yaml does not list. Compressed copies
/// of listed files are none. @param first  number of the folder's first file in the recording
void noteUnlisted(const std::filesystem::path& folder,
                  const std::filesystem::path& metadata_path,
                  size_t first,
                  BagRecording& recording) {
  std::set<std::string> listed;
  for (size_t i = first; i < recording.files.size(); ++i)
    listed.insert(plainName(recording.files[i].path));
  std::vector<std::string> unlisted;
  for (const std::filesystem::path& path : bagsIn(folder))
    if (!listed.contains(plainName(path))) unlisted.push_back(path.filename().string());
  if (!unlisted.empty())
    recording.notes.push_back(fmt::format(
        "{}: does not list {} of its folder, which {} left out; to read {} too, give the files "
        "themselves, or let `ros2 bag reindex` write metadata.yaml anew",
        metadata_path.string(),
        joinFew(unlisted),
        unlisted.size() == 1 ? "is" : "are",
        unlisted.size() == 1 ? "it" : "them"));
}

void addFolder(const std::filesystem::path& folder, BagRecording& recording) {
  const std::filesystem::path metadata_path = folder / "metadata.yaml";
  std::error_code ignored;
  const size_t before = recording.files.size();
  if (std::filesystem::exists(metadata_path, ignored)) {
    const Metadata metadata = readMetadata(metadata_path);
    recording.announced = metadata.messages;
    addListed(folder, metadata_path, metadata, recording);
    if (recording.files.size() > before) {
      noteUnlisted(folder, metadata_path, before, recording);
      return;
    }
  }
  for (const std::filesystem::path& path : bagsIn(folder))
    if (const std::optional<BagFile> file = recogniseBag(path)) recording.files.push_back(*file);
  if (recording.files.size() == before)
    throw InputError(
        fmt::format("{}: holds no recording; expected .mcap, .db3 or .bag files, or their .zstd",
                    folder.string()));
  if (recording.files.size() > before + 1)
    recording.notes.push_back(
        fmt::format("{}: without metadata.yaml its {} files are taken as parts of one recording",
                    folder.string(),
                    recording.files.size() - before));
}

/// The same messages again would become further rows.
void refuseRepeatedFiles(const BagRecording& recording) {
  std::set<std::filesystem::path> known;
  for (const BagFile& file : recording.files) {
    std::error_code ignored;
    if (!known.insert(std::filesystem::canonical(file.path, ignored)).second)
      throw InputError(fmt::format("{}: is given twice; give it once", file.path.string()));
  }
}

void scanFile(const BagFile& file,
              BagScan& scan,
              const std::function<void(std::uint64_t)>& on_read) {
  if (file.kind == BagKind::kSqlite) {
    readSqliteBag(file.path, file.zstd, scan, on_read);
    return;
  }
  FileBytes bytes(file.path, on_read);
  const std::unique_ptr<ByteStream> plain = decompressed(file.zstd ? "zstd" : "", bytes);
  if (file.kind == BagKind::kMcap) readMcap(*plain, scan);
  if (file.kind == BagKind::kRos1) readRos1Bag(*plain, scan);
}

}  // namespace

std::string toText(BagKind kind) {
  switch (kind) {
    case BagKind::kMcap:
      return "MCAP";
    case BagKind::kSqlite:
      return "rosbag2 SQLite";
    case BagKind::kRos1:
      return "ROS 1 bag";
  }
  return {};
}

std::optional<BagFile> recogniseBag(const std::filesystem::path& path) {
  bool zstd = false;
  try {
    FileBytes file(path);
    const std::vector<std::uint8_t> start = firstBytes(file);
    if (const std::optional<BagKind> kind = kindOf(path, start)) return BagFile{path, *kind, false};
    zstd = startsAsZstd(start);
    if (zstd) {
      FileBytes again(path);
      const std::unique_ptr<ByteStream> plain = decompressed("zstd", again);
      if (const std::optional<BagKind> kind = kindOf(path, firstBytes(*plain)))
        return BagFile{path, *kind, true};
    }
  } catch (const DamagedBytes& damage) {
    throw InputError(fmt::format("{}: {}; copy or record it again", path.string(), damage.what()));
  }
  if (zstd || hasBagEnding(path))
    throw InputError(
        fmt::format("{}: {} neither as MCAP, SQLite (rosbag2) nor ROS 1 bag; it is empty, damaged "
                    "or of another format",
                    path.string(),
                    zstd ? "decompressed, it starts" : "starts"));
  return std::nullopt;
}

BagRecording findRecording(const std::vector<std::filesystem::path>& paths) {
  BagRecording recording;
  for (const std::filesystem::path& path : paths) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
      addFolder(path, recording);
      continue;
    }
    const std::optional<BagFile> file = recogniseBag(path);
    if (!file)
      throw InputError(path.string() + ": is neither MCAP, SQLite (rosbag2) nor a ROS 1 bag");
    recording.files.push_back(*file);
  }
  refuseRepeatedFiles(recording);
  return recording;
}

void scanRecording(const BagRecording& recording,
                   BagScan& scan,
                   const Progress& progress,
                   const std::string& stage) {
  double total = 0.0, before = 0.0;
  std::error_code ignored;
  for (const BagFile& file : recording.files)
    total += static_cast<double>(std::filesystem::file_size(file.path, ignored));
  for (size_t i = 0; i < recording.files.size(); ++i) {
    const BagFile& file = recording.files[i];
    const auto on_read = [&](std::uint64_t position) {
      if (progress)
        progress(stage,
                 std::min(1.0, (before + static_cast<double>(position)) / std::max(total, 1.0)));
    };
    scan.beginFile(i, file.path.string(), file.zstd ? "zstd" : "");
    try {
      scanFile(file, scan, on_read);
    } catch (const DamagedBytes& damage) {
      throw InputError(fmt::format("{}: {}", file.path.string(), damage.what()));
    }
    before += static_cast<double>(std::filesystem::file_size(file.path, ignored));
  }
}

}  // namespace dynid
