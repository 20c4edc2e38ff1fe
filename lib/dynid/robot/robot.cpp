#include "dynid/robot/robot.h"

#include "dynid/core/text.h"

#include <cmath>
#include <stdexcept>

namespace dynid {

std::vector<std::string> Robot::jointNames() const {
  std::vector<std::string> names;
  for (const Joint& joint : joints) names.push_back(joint.name);
  return names;
}

std::vector<std::string> Robot::actuatorNames() const {
  std::vector<std::string> names;
  for (const Drive& drive : drives) names.push_back(drive.name);
  return names;
}

std::vector<std::string> Robot::logColumnNames() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < joints.size(); ++i)
    names.push_back(measured_at_actuator[i] ? drives[i].name : joints[i].name);
  return names;
}

std::pair<int, Transform> Robot::findLink(const std::string& link) const {
  std::vector<std::string> names;
  for (int k = 0; k < numBodies(); ++k) {
    for (const Body::FixedLink& fixed : bodies[k].links) {
      if (fixed.name == link) return {k, fixed.X_BL};
      names.push_back(fixed.name);
    }
  }
  throw std::invalid_argument("robot \"" + name + "\" has no moving link \"" + link + "\"" +
                              didYouMean(link, names) + " (links: " + join(names) + ")");
}

int Robot::jointIndex(const std::string& joint) const {
  const std::vector<std::string> names = jointNames();
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == joint) return static_cast<int>(i);
  throw std::invalid_argument("robot \"" + name + "\" has no moving joint \"" + joint + "\"" +
                              didYouMean(joint, names) + " (joints: " + join(names) + ")");
}

bool Robot::isCoupled(int actuator) const {
  if (actuator >= T.rows() || actuator >= T.cols()) return false;
  for (Eigen::Index i = 0; i < T.rows(); ++i) {
    const double expected = i == actuator ? 1.0 : 0.0;
    if (T(i, actuator) != expected || T(actuator, i) != expected) return true;
  }
  return false;
}

double Robot::priorMass() const {
  double sum = 0.0;
  for (const Body& body : bodies)
    if (!body.massless) sum += body.prior ? (*body.prior)(0) : std::nan("");
  return sum;
}

std::vector<bool> Robot::coordinatesMovedBy(int joint) const {
  std::vector<bool> moved(numTreeJoints(), false);
  moved[joint] = true;
  const auto first_passive = static_cast<int>(joints.size());
  for (bool grown = true; grown;) {
    grown = false;
    for (const Loop& loop : loops) {
      bool touched = false;
      for (int j : loop.joints) touched |= moved[j];
      for (int j : loop.joints) {
        if (!touched || j < first_passive || moved[j]) continue;
        moved[j] = grown = true;
      }
    }
  }
  return moved;
}

std::vector<bool> Robot::bodiesMovedBy(int joint) const {
  const std::vector<bool> coordinates = coordinatesMovedBy(joint);
  std::vector<bool> moved(bodies.size(), false);
  for (size_t k = 0; k < bodies.size(); ++k) {
    const Body& body = bodies[k];
    moved[k] = coordinates[body.joint] || (body.parent >= 0 && moved[body.parent]);
  }
  return moved;
}

}  // namespace dynid
