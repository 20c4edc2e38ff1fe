#include "dynid/model/file_names.h"

#include <fmt/format.h>
#include <map>
#include <memory>
#include <set>

namespace dynid {
namespace {

using Names = std::map<std::string, std::string>;  // by the name in the robot

// Calls `link` and `joint` with every name of the robot, the root link first.
template <typename RobotType, typename OnLink, typename OnJoint>
void forNames(RobotType& robot, OnLink link, OnJoint joint) {
  link(robot.root_link);
  for (auto& fixed : robot.root_links) link(fixed.name);
  for (auto& body : robot.bodies) {
    link(body.name);
    for (auto& fixed : body.links) link(fixed.name);
  }
  for (auto& body : robot.bodies) joint(body.joint_name);
  for (auto& independent : robot.joints) joint(independent.name);
  for (auto& passive : robot.passive_joints) joint(passive.name);
}

std::string withoutDoubleColons(std::string name) {
  for (size_t at = name.find("::"); at != std::string::npos; at = name.find("::"))
    name.replace(at, 2, "_");
  return name;
}

bool isReserved(const std::string& name, FileFormat format) {
  return name == "world" ||
         (format == FileFormat::kSdf && name.starts_with("__") && name.ends_with("__"));
}

}  // namespace

Model withFileNames(const Model& model, FileFormat format, std::vector<std::string>& changed) {
  const bool sdf = format == FileFormat::kSdf;
  Names links, joints;
  std::string root_joint;
  std::set<std::string> taken;
  // Names that stay are taken first.
  forNames(
      *model.robot,
      [&](const std::string& name) { taken.insert(name); },
      [](const std::string&) {});
  const auto give = [&](const std::string& name, Names& names) {
    const bool is_joint = &names == &joints;
    const std::string kind = is_joint ? "joint" : "link";
    if (name.empty() || names.contains(name)) return;
    std::string given = sdf ? withoutDoubleColons(name) : name;
    const bool shared = given == root_joint || (is_joint && taken.contains(given));
    if (isReserved(given, format) || shared) given += "_" + kind;
    while (given != name && taken.contains(given)) given += "_";
    taken.insert(given);
    names[name] = given;
    if (given != name)
      changed.push_back(
          fmt::format("the {} \"{}\" is called \"{}\": {} reserves its name or has it "
                      "already",
                      kind,
                      name,
                      given,
                      sdf ? "SDF" : "MJCF"));
  };
  forNames(
      *model.robot,
      [&](const std::string& name) {
        give(name, links);
        if (links.size() == 1 && sdf)
          taken.insert(root_joint = links.begin()->second + "_to_world");
      },
      [&](const std::string& name) {
        if (sdf) give(name, joints);
      });
  Robot robot = *model.robot;
  const auto rename = [](const Names& names, std::string& name) {
    if (const auto found = names.find(name); found != names.end()) name = found->second;
  };
  forNames(
      robot,
      [&](std::string& name) { rename(links, name); },
      [&](std::string& name) { rename(joints, name); });
  Model named = model;
  named.robot = std::make_shared<const Robot>(std::move(robot));
  return named;
}

}  // namespace dynid
