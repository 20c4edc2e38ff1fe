#include "dynid/excitation/trajectory_text.h"

#include "dynid/core/text.h"

#include <cmath>

namespace dynid {
namespace {

std::string list(const Eigen::MatrixXd& values, Eigen::Index row) {
  std::string text = "[";
  for (Eigen::Index j = 0; j < values.cols(); ++j)
    text += (j > 0 ? ", " : "") + toText(values(row, j), 17);
  return text + "]";
}

std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

// A field of a CSV file (RFC 4180): in quotes where a comma, a quote or a line break needs them.
std::string csvField(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

}  // namespace

std::string trajectoryCsv(const TrajectoryFile& trajectory) {
  std::string text = "time";
  for (const char* quantity : {"position", "velocity", "acceleration"})
    for (const std::string& name : trajectory.joint_names)
      text += "," + csvField(name + "." + quantity);
  text += "\n";
  for (Eigen::Index i = 0; i < trajectory.time.size(); ++i) {
    text += toText(trajectory.time(i), 17);
    for (const auto* m : {&trajectory.position, &trajectory.velocity, &trajectory.acceleration})
      for (Eigen::Index j = 0; j < m->cols(); ++j) text += "," + toText((*m)(i, j), 17);
    text += "\n";
  }
  return text;
}

std::string trajectoryRos(const TrajectoryFile& trajectory) {
  std::string text = "joint_names:\n";
  for (const std::string& name : trajectory.joint_names) text += "- " + quoted(name) + "\n";
  text += "points:\n";
  for (Eigen::Index i = 0; i < trajectory.time.size(); ++i) {
    const auto nanoseconds = static_cast<long long>(std::llround(trajectory.time(i) * 1e9));
    text += "- positions: " + list(trajectory.position, i) +
            "\n  velocities: " + list(trajectory.velocity, i) +
            "\n  accelerations: " + list(trajectory.acceleration, i) +
            "\n  time_from_start: {sec: " + std::to_string(nanoseconds / 1000000000) +
            ", nanosec: " + std::to_string(nanoseconds % 1000000000) + "}\n";
  }
  return text;
}

std::string poorMotionText(const ExcitationDesign& e) {
  if (e.singular())
    return "some parameters have no influence of their own on its efforts (condition number " +
           toText(e.wholeConditionNumber(), 2) + "). Give more `harmonics` or more `starts`";
  if (e.poor())
    return "condition number " + toText(e.condition_number, 4) +
           "; the best of twenty random motions within the limits, without obstacles, is better. "
           "Give more `seconds`, another `seed`, more space, or fewer `harmonics`";
  return "";
}

}  // namespace dynid
