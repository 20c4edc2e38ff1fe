#include "dynid/model/root_name.h"

#include <algorithm>

namespace dynid {
namespace {

bool hasLink(const Robot& robot, const std::string& name) {
  const auto named = [&](const Body::FixedLink& link) { return link.name == name; };
  const auto has = [&](const Body& body) {
    return body.name == name || std::any_of(body.links.begin(), body.links.end(), named);
  };
  return std::any_of(robot.root_links.begin(), robot.root_links.end(), named) ||
         std::any_of(robot.bodies.begin(), robot.bodies.end(), has);
}

}  // namespace

std::string rootNameInFile(const Robot& robot) {
  if (robot.root_link != "world") return robot.root_link;
  std::string name = "world_link";
  while (hasLink(robot, name)) name += "_";
  return name;
}

}  // namespace dynid
