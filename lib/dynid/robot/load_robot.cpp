#include "dynid/robot/load_robot.h"

#include "dynid/core/files.h"
#include "dynid/robot/build_robot.h"
#include "dynid/robot/source_place.h"
#include "dynid/robot/urdf.h"

namespace dynid {

Robot parseRobot(const std::string& description,
                 const std::string& urdf,
                 const RobotOptions& options,
                 const std::string& description_name,
                 const std::string& urdf_name) {
  Robot robot = buildRobot(
      parseUrdf(urdf, urdf_name), parseDescription(description, description_name), options);
  robot.description_text = description;
  robot.urdf_text = urdf;
  robot.sha256 = sha256(description + "\n" + urdf);
  return robot;
}

Robot loadRobot(const std::filesystem::path& path, const RobotOptions& options) {
  if (path.extension() == ".xacro")
    throw InputError(path.string() + ": is a xacro source; expand it first: xacro " +
                     path.filename().string() + " > robot.urdf");
  const std::string text = readTextFile(path);
  if (path.extension() != ".toml")
    return parseRobot("", text, options, "robot.toml", path.string());
  const RobotDescription description = parseDescription(text, path.string());
  if (description.urdf.empty())
    failAt(path.string(),
           1,
           "names no URDF; add a first line such as urdf = \"robot.urdf\" (relative to this file)");
  const std::filesystem::path urdf_path = path.parent_path() / description.urdf;
  std::string urdf;
  try {
    urdf = readTextFile(urdf_path);
  } catch (const InputError& error) {
    failAt(path.string(),
           description.urdf_line,
           "urdf: " + std::string(error.what()) + "; the path is relative to this description");
  }
  return parseRobot(text, urdf, options, path.string(), urdf_path.string());
}

}  // namespace dynid
