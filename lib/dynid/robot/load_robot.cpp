#include "dynid/robot/load_robot.h"

#include "dynid/core/files.h"
#include "dynid/core/text.h"
#include "dynid/robot/build_robot.h"
#include "dynid/robot/mjcf.h"
#include "dynid/robot/mjcf_element.h"
#include "dynid/robot/mjcf_includes.h"
#include "dynid/robot/source_place.h"
#include "dynid/robot/urdf.h"

#include <algorithm>

namespace dynid {
namespace {

namespace fs = std::filesystem;

/// The file that an `<include>` names: in the folder of the main file, else in the folder of the
/// including file. Files outside of these folders are refused.
fs::path includedFile(const MjcfElement& include, const fs::path& main, const std::string& name) {
  constexpr std::ptrdiff_t kStepsUp = 2;
  const fs::path path(name);
  if (path.is_absolute())
    include.fail("<include> file=\"" + name + "\" is absolute; give it relative to " +
                 main.filename().string());
  if (std::count(path.begin(), path.end(), fs::path("..")) > kStepsUp)
    include.fail("<include> file=\"" + name + "\" leads more than two folders up");
  std::error_code ignored;
  for (const fs::path& from : {main, fs::path(*include.file)}) {
    fs::path candidate = (from.parent_path() / path).lexically_normal();
    if (fs::is_regular_file(candidate, ignored)) return candidate;
  }
  include.fail("<include> file=\"" + name + "\": there is no such file beside " +
               main.filename().string());
}

/// The text of the bodies and joints as stored in the robot, and its elements if it is an MJCF.
struct BodiesFile {
  std::string text;
  std::optional<MjcfElement> mjcf;
};

BodiesFile readMjcfFile(const std::string& text, const fs::path& path) {
  MjcfIncludes includes;
  const MjcfLoader load = [&](const MjcfElement& include, const std::string& name) {
    const fs::path file = includedFile(include, path, name);
    return includes[{*include.file, name}] = MjcfIncluded{file.string(), readTextFile(file)};
  };
  BodiesFile bodies{text, parseMjcfElements(text, path.string(), load)};
  if (!includes.empty()) bodies.text = mergedMjcf(text, path.string(), includes);
  return bodies;
}

[[noreturn]] MjcfIncluded refuseInclude(const MjcfElement& include, const std::string& name) {
  include.fail("<include> file=\"" + name +
               "\" cannot be read here; the text has to hold the whole model");
}

BodiesFile readBodiesText(const std::string& text, const std::string& name) {
  if (rootElementName(text) != "mujoco") return {text, std::nullopt};
  return {text, parseMjcfElements(text, name, refuseInclude)};
}

Robot makeRobot(RobotDescription description,
                const std::string& description_text,
                const BodiesFile& bodies,
                const std::string& bodies_name,
                const RobotOptions& options) {
  Robot robot;
  if (bodies.mjcf) {
    const MjcfDocument document = readMjcf(*bodies.mjcf);
    if (!description.gravity) description.gravity = document.gravity;
    description.loops.insert(
        description.loops.begin(), document.loops.begin(), document.loops.end());
    description.actuated = document.actuated;
    robot = buildRobot(document.tree, description, options);
    robot.mjcf_text = bodies.text;
  } else {
    robot = buildRobot(parseUrdf(bodies.text, bodies_name), description, options);
    robot.urdf_text = bodies.text;
  }
  robot.description_text = description_text;
  robot.sha256 = sha256(description_text + "\n" + bodies.text);
  return robot;
}

BodiesFile readBodiesFile(const std::string& text, const fs::path& path) {
  if (rootElementName(text) == "mujoco") return readMjcfFile(text, path);
  return {text, std::nullopt};
}

void refuseOtherKinds(const fs::path& path, const std::string& text) {
  const std::string_view start = trim(std::string_view(text).substr(0, 4096));
  const std::string expected =
      "; a robot description is expected here: a URDF, an MJCF or a .toml that names one";
  if (start.starts_with("\x89HDF"))
    throw InputError(path.string() + ": is an HDF5 file, such as a log or a trajectory" + expected);
  if (start.starts_with("{"))
    throw InputError(path.string() + ": is a JSON file, such as an identified model (`model`)" +
                     expected);
  if (path.extension() == ".csv")
    throw InputError(path.string() + ": is a CSV file, which dynid import turns into a log" +
                     expected);
}

}  // namespace

Robot parseRobot(const std::string& description,
                 const std::string& bodies,
                 const RobotOptions& options,
                 const std::string& description_name,
                 const std::string& bodies_name) {
  return makeRobot(parseDescription(description, description_name),
                   description,
                   readBodiesText(bodies, bodies_name),
                   bodies_name,
                   options);
}

Robot loadRobot(const fs::path& path, const RobotOptions& options) {
  if (path.extension() == ".xacro")
    throw InputError(path.string() + ": is a xacro source; expand it first: xacro " +
                     path.filename().string() + " > robot.urdf");
  if (path.extension() != ".toml") {
    const std::string text = readTextFile(path);
    refuseOtherKinds(path, text);
    return makeRobot(
        parseDescription("", "robot.toml"), "", readBodiesFile(text, path), path.string(), options);
  }
  const std::string text = readTextFile(path);
  const RobotDescription description = parseDescription(text, path.string());
  const std::string& named = description.urdf.empty() ? description.mjcf : description.urdf;
  if (named.empty())
    failAt(path.string(),
           1,
           "names no URDF or MJCF; add a first line such as urdf = \"robot.urdf\" or mjcf = "
           "\"robot.xml\" (relative to this file)");
  const fs::path file = path.parent_path() / named;
  std::string bodies;
  try {
    bodies = readTextFile(file);
  } catch (const InputError& error) {
    failAt(path.string(),
           description.bodies_line,
           (description.urdf.empty() ? "mjcf: " : "urdf: ") + std::string(error.what()) +
               "; the path is relative to this description");
  }
  return makeRobot(description, text, readBodiesFile(bodies, file), file.string(), options);
}

}  // namespace dynid
