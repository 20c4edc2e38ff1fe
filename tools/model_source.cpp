#include "model_source.h"

#include "dynid/core/files.h"
#include "dynid/model/json.h"
#include "dynid/prediction/model_from_description.h"
#include "dynid/robot/load_robot.h"

#include "expected_file.h"
#include <filesystem>
#include <memory>

namespace dynid::tool {

Model modelOfRobot(const std::string& robot_file, const std::vector<std::string>& excluded_joints) {
  expectKind(robot_file, Expected::kRobot);
  return modelFromDescription(
      std::make_shared<const Robot>(loadRobot(robot_file, {excluded_joints})));
}

Model modelOfFile(const std::string& file, const Model& like) {
  const std::filesystem::path extension = std::filesystem::path(file).extension();
  if (extension == ".toml" || extension == ".xml") return modelOfRobot(file, {});
  if (extension != ".urdf") return loadModel(file);
  return modelFromDescription(
      std::make_shared<const Robot>(parseRobot(like.robot->description_text,
                                               readTextFile(file),
                                               holding(like.robot->ignored_joints),
                                               like.robot->name,
                                               file)));
}

}  // namespace dynid::tool
