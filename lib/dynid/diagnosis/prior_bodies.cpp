#include "dynid/diagnosis/prior_bodies.h"

#include "dynid/consistency/prior.h"
#include "dynid/robot/plausibility.h"

namespace dynid {

std::vector<InertialParameters> priorBodies(const Robot& robot, std::vector<std::string>& sources) {
  std::vector<InertialParameters> prior;
  sources.clear();
  for (int k = 0; k < robot.numBodies(); ++k) {
    const Body& body = robot.bodies[k];
    if (body.massless) {
      prior.emplace_back(InertialParameters::Zero());
      sources.emplace_back(kMasslessSource);
      continue;
    }
    if (body.prior && usableAsPrior(*body.prior)) {
      prior.push_back(*body.prior);
      sources.emplace_back(robot.bodySource());
      continue;
    }
    Eigen::Vector3d children = Eigen::Vector3d::Zero();
    int count = 0;
    for (const Body& other : robot.bodies) {
      if (other.parent != k) continue;
      children += other.X_PJ.p;
      ++count;
    }
    if (count > 0) children /= count;
    prior.push_back(capsulePrior(Eigen::Vector3d::Zero(), children));
    sources.emplace_back(kCapsuleSource);
  }
  return prior;
}

}  // namespace dynid
