#include "expected_file.h"

#include "dynid/core/errors.h"
#include "dynid/logs/inspect.h"

#include "next_step.h"
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>

namespace dynid::tool {
namespace {

constexpr std::streamsize kHead = 4096;  // bytes that are read to recognise the kind

enum class Kind { kLog, kTrajectory, kStatistics, kPrediction, kModel, kRobot, kTable, kRecording };

std::string headOf(const std::string& file) {
  std::string head(kHead, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(head.data(), kHead);
  head.resize(stream.gcount());
  return head;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Lines of the same number of separated fields, of which the second holds a number.
bool isTable(const std::string& head) {
  const size_t first = head.find('\n');
  if (first == std::string::npos || contains(head, std::string(1, '\0'))) return false;
  const std::string line = head.substr(0, first);
  const std::string next = head.substr(first + 1, head.find('\n', first + 1) - first - 1);
  for (const char separator : {',', ';', '\t'}) {
    const auto fields = std::count(line.begin(), line.end(), separator);
    if (fields == 0 || std::count(next.begin(), next.end(), separator) != fields) continue;
    const size_t digit = next.find_first_not_of(" \t-+.");
    if (digit != std::string::npos && std::isdigit(static_cast<unsigned char>(next[digit])) != 0)
      return true;
  }
  return false;
}

std::optional<Kind> hdf5Kind(const std::string& file) {
  switch (fileKind(file)) {
    case FileKind::kLog:
      return Kind::kLog;
    case FileKind::kTrajectory:
      return Kind::kTrajectory;
    case FileKind::kStatistics:
      return Kind::kStatistics;
    case FileKind::kPrediction:
      return Kind::kPrediction;
    case FileKind::kUnknownHdf5:
    case FileKind::kNotHdf5:
      break;
  }
  return std::nullopt;
}

std::optional<Kind> kindOf(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return std::nullopt;  // a pipe would block
  const std::string head = headOf(file);
  if (head.starts_with("\x89HDF")) return hdf5Kind(file);
  if (head.starts_with("#ROSBAG") || head.starts_with("\x89MCAP") ||
      head.starts_with("SQLite format 3"))
    return Kind::kRecording;
  const size_t begin = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (begin == std::string::npos) return std::nullopt;
  if (head[begin] == '{' && contains(head, "\"dynid-model\"")) return Kind::kModel;
  if (head[begin] == '<' &&
      (contains(head, "<robot") || contains(head, "<mujoco") || contains(head, "<sdf")))
    return Kind::kRobot;
  if (std::filesystem::path(file).extension() == ".toml") return Kind::kRobot;
  if (isTable(head)) return Kind::kTable;
  return std::nullopt;
}

std::string nameOf(Kind kind) {
  switch (kind) {
    case Kind::kLog:
      return "an HDF5 log";
    case Kind::kTrajectory:
      return "a trajectory";
    case Kind::kStatistics:
      return "a file of statistics";
    case Kind::kPrediction:
      return "a prediction";
    case Kind::kModel:
      return "an identified model";
    case Kind::kRobot:
      return "a robot description";
    case Kind::kTable:
      return "a table of text (CSV)";
    case Kind::kRecording:
      return "a ROS recording";
  }
  return "";
}

std::string nameOf(Expected expected) {
  switch (expected) {
    case Expected::kRobot:
      return "a robot description (.toml, URDF or MJCF)";
    case Expected::kModel:
      return "an identified model (.json)";
    case Expected::kLog:
      return "an HDF5 log";
    case Expected::kInspected:
      return "a log, a model, a trajectory, statistics or a prediction of dynid";
    case Expected::kImported:
      return "a recording: a text table (CSV) or a ROS bag";
    case Expected::kStatistics:
      return "a file of statistics (identify --save-statistics)";
    case Expected::kTrajectory:
      return "a trajectory (excite --output) or a log";
  }
  return "";
}

/// Which command or option takes the file.
std::string remedyFor(Kind kind, Expected expected, const std::string& file) {
  switch (kind) {
    case Kind::kTable:
    case Kind::kRecording:
      return fmt::format("`dynid import {} --output log.h5` makes a log of it", file);
    case Kind::kLog:
      return expected == Expected::kImported
                 ? fmt::format("it needs no import; `dynid inspect {}` describes it", file)
                 : "give it as a log: --log, or a bare argument of identify, validate and inspect";
    case Kind::kTrajectory:
      return expected == Expected::kLog
                 ? "it contains no measured efforts; execute it on the robot and record them"
                 : "`dynid simulate --trajectory` simulates it";
    case Kind::kStatistics:
      return "give it with --statistics (identify, excite)";
    case Kind::kPrediction:
      return fmt::format("`dynid inspect {}` says what it holds", file);
    case Kind::kModel:
      return expected == Expected::kRobot
                 ? fmt::format(
                       "give it with --model (validate, simulate, export), or make a "
                       "description of it: `dynid export {} --urdf robot.urdf`",
                       file)
                 : "give it with --model (validate, simulate, export)";
    case Kind::kRobot:
      return fmt::format("give it with --robot; `dynid check {}` reads it", file);
  }
  return "";
}

bool isExpected(Kind kind, Expected expected) {
  if (expected == Expected::kInspected)
    return kind != Kind::kRobot && kind != Kind::kTable && kind != Kind::kRecording;
  if (expected == Expected::kImported) return kind == Kind::kTable || kind == Kind::kRecording;
  if (expected == Expected::kTrajectory) return kind == Kind::kTrajectory || kind == Kind::kLog;
  return (kind == Kind::kStatistics && expected == Expected::kStatistics) ||
         (kind == Kind::kRobot && expected == Expected::kRobot) ||
         (kind == Kind::kModel && expected == Expected::kModel) ||
         (kind == Kind::kLog && expected == Expected::kLog);
}

}  // namespace

void expectKind(const std::string& file, Expected expected) {
  std::error_code error;
  if (std::filesystem::is_regular_file(file, error) &&
      std::filesystem::file_size(file, error) == 0 && !error)
    throw InputError(fmt::format("{}: is empty; expected {}", file, nameOf(expected)));
  const std::optional<Kind> kind = kindOf(file);
  if (!kind || isExpected(*kind, expected)) return;
  throw InputError(fmt::format("{}: is {}, expected {}; {}",
                               file,
                               nameOf(*kind),
                               nameOf(expected),
                               remedyFor(*kind, expected, shellWord(file))));
}

void expectKind(const std::vector<std::string>& files, Expected expected) {
  for (const std::string& file : files) expectKind(file, expected);
}

}  // namespace dynid::tool
