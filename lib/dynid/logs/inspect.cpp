#include "dynid/logs/inspect.h"

#include "dynid/core/errors.h"
#include "dynid/logs/forked_worker.h"
#include "dynid/logs/h5_input.h"

namespace dynid {
namespace {

FileKind kindOf(const H5Input& input) {
  const std::vector<std::string> format = input.textAttribute("/", "format");
  const std::string name = format.empty() ? "" : format.front();
  if (name == "dynid-log") return FileKind::kLog;
  if (name == "dynid-trajectory") return FileKind::kTrajectory;
  if (name == "dynid-statistics") return FileKind::kStatistics;
  if (name == "dynid-prediction") return FileKind::kPrediction;
  if (!name.empty()) return FileKind::kUnknownHdf5;
  if (input.has("fourier")) return FileKind::kTrajectory;
  if (input.has("effort_predicted") || input.has("current_predicted")) return FileKind::kPrediction;
  for (const char* dataset : {"joint_names", "position", "effort", "current"})
    if (input.has(dataset)) return FileKind::kLog;  // perhaps not complete: reading it says so
  return FileKind::kUnknownHdf5;
}

}  // namespace

std::string toText(FileKind kind) {
  switch (kind) {
    case FileKind::kLog:
      return "HDF5 log";
    case FileKind::kTrajectory:
      return "HDF5 trajectory";
    case FileKind::kStatistics:
      return "HDF5 statistics";
    case FileKind::kPrediction:
      return "HDF5 prediction";
    case FileKind::kUnknownHdf5:
      return "HDF5 file of an unknown kind";
    case FileKind::kNotHdf5:
      break;
  }
  return "not an HDF5 file";
}

FileKind fileKind(const std::filesystem::path& path) {
  if (!looksLikeHdf5(path)) return FileKind::kNotHdf5;
  checkInForkedWorker(path, [&] { kindOf(H5Input(path)); });
  return kindOf(H5Input(path));
}

}  // namespace dynid
