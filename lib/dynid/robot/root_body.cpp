#include "dynid/robot/root_body.h"

#include <stdexcept>

namespace dynid {

bool hasRootBody(const Robot& robot) {
  return !robot.bodies.empty() && robot.bodies.back().name == robot.root_link;
}

Robot withRootBody(const Robot& robot) {
  if (robot.joints.empty())
    throw std::invalid_argument("robot \"" + robot.name +
                                "\" has no joints; expected one at least");
  if (hasRootBody(robot))
    throw std::invalid_argument("robot \"" + robot.name + "\" has a root body already");
  Robot result = robot;
  Body root;
  root.name = robot.root_link;
  root.joint = 0;
  root.multiplier = 0.0;
  root.prior = robot.root_prior;
  root.links = robot.root_links;
  result.bodies.push_back(root);
  return result;
}

}  // namespace dynid
