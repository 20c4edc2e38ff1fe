#include "dynid/diagnosis/prior_bodies.h"

#include "dynid/consistency/prior.h"
#include "dynid/math/quantile.h"
#include "dynid/robot/link_end.h"
#include "dynid/robot/plausibility.h"

#include <algorithm>

namespace dynid {
namespace {

// Mass of a body over that of its capsule, relative to the median of the robot's bodies, below
// which it is a placeholder. Fingers have 0.4 % and more.
constexpr double kPlaceholderMass = 2e-3;
// The prior of such a body: this share of its capsule, within two orders of magnitude of a finger
// and of a wrist.
constexpr double kPlaceholderShare = 1e-2;
// Smallest radius of gyration of a prior over that of its capsule, and over the distance of its
// centre of mass from the origin.
constexpr double kSmallestExtent = 0.1, kSmallestOfDistance = 0.05;

// The shortest capsule of a robot over its longest chain. The last links of large robots are larger
// than those of small ones.
constexpr double kShortestOfChain = 0.1;

InertialParameters capsuleOf(const Robot& robot, int body) {
  // An ellipsoid of the description says how large the link is, and the prior must fit into it.
  const double least = robot.bodies[body].bounds.ellipsoid
                           ? kShortestCapsule
                           : std::max(kShortestCapsule, kShortestOfChain * longestChain(robot));
  return capsulePrior(Eigen::Vector3d::Zero(), linkEnd(robot, body), least);
}

// Mean squared distance of the mass from the centre of mass [m^2].
double squaredExtent(const CenterOfMassInertia& body) {
  return 0.5 * body.inertia_about_com.trace() / body.mass;
}

// Whether the moments of inertia about the centre of mass are those of a point.
bool isPoint(const CenterOfMassInertia& body, const CenterOfMassInertia& capsule) {
  const double extent = squaredExtent(body);
  return extent < kSmallestExtent * kSmallestExtent * squaredExtent(capsule) ||
         extent < kSmallestOfDistance * kSmallestOfDistance * body.com.squaredNorm();
}

// A point with the moments of a capsule, which is as large as the distance of the point at least.
InertialParameters spreadOut(const CenterOfMassInertia& point, const CenterOfMassInertia& capsule) {
  const double size = std::max(1.0, point.com.squaredNorm() / squaredExtent(capsule));
  return inertialFromCenterOfMass(
      point.mass, point.com, point.mass / capsule.mass * size * capsule.inertia_about_com);
}

}  // namespace

std::vector<InertialParameters> priorBodies(const Robot& robot, std::vector<std::string>& sources) {
  std::vector<InertialParameters> prior;
  std::vector<double> shares;  // mass over that of the capsule
  sources.clear();
  for (int k = 0; k < robot.numBodies(); ++k) {
    const Body& body = robot.bodies[k];
    if (body.massless) {
      prior.emplace_back(InertialParameters::Zero());
      sources.emplace_back(kMasslessSource);
      continue;
    }
    const InertialParameters capsule = capsuleOf(robot, k);
    const bool described = body.prior && usableAsPrior(*body.prior);
    prior.push_back(described ? *body.prior : capsule);
    sources.emplace_back(described ? robot.bodySource() : kCapsuleSource);
    shares.push_back(prior.back()(0) / capsule(0));
  }
  const double typical = median(shares);
  for (int k = 0; k < robot.numBodies(); ++k) {
    if (sources[k] == kMasslessSource || sources[k] == kCapsuleSource) continue;
    const InertialParameters capsule = capsuleOf(robot, k);
    const CenterOfMassInertia body = centerOfMassInertia(prior[k]),
                              full = centerOfMassInertia(capsule);
    const bool placeholder = body.mass < kPlaceholderMass * typical * full.mass;
    if (!placeholder && !isPoint(body, full)) continue;
    prior[k] = placeholder ? InertialParameters(kPlaceholderShare * typical * capsule)
                           : spreadOut(body, full);
    sources[k] = kCapsuleSource;
  }
  return prior;
}

Eigen::VectorXd describedInertials(const Robot& robot) {
  Eigen::VectorXd inertial = Eigen::VectorXd::Zero(10 * robot.numBodies());
  for (int b = 0; b < robot.numBodies(); ++b) {
    if (robot.bodies[b].massless) continue;
    if (!robot.bodies[b].prior) return {};
    inertial.segment<10>(10 * b) = *robot.bodies[b].prior;
  }
  return inertial;
}

}  // namespace dynid
