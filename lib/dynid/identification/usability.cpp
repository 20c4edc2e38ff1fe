#include "dynid/identification/usability.h"

#include "dynid/core/text.h"
#include "dynid/diagnosis/uniform_rods.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

constexpr double kLargestError = 0.5;
constexpr double kNotIdentified = 0.3;  // cross-validated R2
// Fitted over rods' gravity torques of thirteen real arms: 0.11 to 4.5 (experiments/mistakes).
constexpr double kMassOverRods = 25.0;
constexpr double kMassOverPrior = 5.0;
constexpr double kRelevantMass = 0.05;  // of the total
constexpr double kCentreOverReach = 2.0;
constexpr double kDriveOverRods = 20.0;

double massOf(const Eigen::VectorXd& inertial, int bodies) {
  double sum = 0.0;
  for (int b = 0; b < bodies; ++b) sum += inertial(10 * b);
  return sum;
}

void judgeFit(const Model& model, std::vector<std::string>& reasons) {
  if (model.fit.relative_error > kLargestError)
    reasons.push_back(fmt::format(
        "the fit leaves {:.0f} % of the efforts unexplained: the log belongs to another robot, or "
        "units, signs or columns are wrong (`dynid inspect LOG --robot ROBOT`)",
        100.0 * model.fit.relative_error));
  std::vector<std::string> weak;
  for (Eigen::Index j = 0; j < std::ssize(model.fit.per_joint); ++j)
    if (model.fit.per_joint[j].cross_validated_r2 < kNotIdentified)
      weak.push_back(model.robot->drives[j].name);
  if (2 * weak.size() > model.fit.per_joint.size())
    reasons.push_back(
        fmt::format("{} of {} joints are not identified (cross-validated R2 below {}): {}; record "
                    "a motion that "
                    "moves them (dynid excite)",
                    weak.size(),
                    model.fit.per_joint.size(),
                    kNotIdentified,
                    join(weak)));
}

void judgeMass(const Model& model, std::vector<std::string>& reasons) {
  const Robot& robot = *model.robot;
  const int bodies = robot.numBodies();
  const double mass = massOf(model.parameters, bodies);
  const double rods = massOf(uniformRods(robot), bodies);
  double prior = 0.0;
  for (const Body& body : robot.bodies) prior += body.prior ? (*body.prior)(0) : std::nan("");
  // Rods say nothing of loops, nor of a small tree whose last link has no length in the
  // description; and masses of the description that agree speak for the model.
  const bool rods_tell = robot.loops.empty() && bodies >= 4;
  const bool as_described = mass < kMassOverPrior * prior && mass * kMassOverPrior > prior;
  if (rods_tell && !as_described && mass > kMassOverRods * rods)
    reasons.push_back(
        fmt::format("the moving links weigh {:.3g} kg together, {:.0f} times what rods of the size "
                    "of this robot "
                    "would; check the unit of the efforts (N mm, mA) and gear ratios",
                    mass,
                    mass / rods));
  if (!rods_tell) return;
  const double reach = reachOf(robot);
  for (int b = 0; b < bodies; ++b) {
    const CenterOfMassInertia body = centerOfMassInertia(model.body(b));
    if (body.mass < kRelevantMass * mass || body.com.norm() < kCentreOverReach * reach) continue;
    reasons.push_back(fmt::format(
        "the centre of mass of {} ({:.3g} kg) lies {:.3g} m from its joint, the robot is {:.3g} m "
        "long; give bounds for the link ([link.{}] com_box) or a richer motion",
        robot.bodies[b].name,
        body.mass,
        body.com.norm(),
        reach,
        robot.bodies[b].name));
  }
}

void judgeDrives(const Model& model, std::vector<std::string>& reasons) {
  const Robot& robot = *model.robot;
  if (!robot.loops.empty() || robot.numBodies() < 4) return;
  const double reach = reachOf(robot);
  const double limit =
      kDriveOverRods * massOf(uniformRods(robot), robot.numBodies()) * reach * reach;
  for (int c = 0; c < model.layout.size(); ++c) {
    const Column& column = model.layout[c];
    if (column.kind != ColumnKind::kDriveInertia || robot.joints[column.owner].prismatic) continue;
    if (model.parameters(c) > limit)
      reasons.push_back(
          fmt::format("the drive inertia of {} is {:.3g} kg m^2, a whole robot of this size has "
                      "about {:.3g}; check "
                      "the time stamps, the unit of the positions and of the efforts",
                      robot.drives[column.owner].name,
                      model.parameters(c),
                      limit / kDriveOverRods));
  }
}

}  // namespace

std::vector<std::string> implausibilities(const Model& model) {
  std::vector<std::string> reasons;
  judgeFit(model, reasons);
  if (!model.scale_known || model.parameters.size() == 0)
    return reasons;  // a common factor is open
  judgeMass(model, reasons);
  judgeDrives(model, reasons);
  return reasons;
}

ModelStatus judgedStatus(const Model& model, const std::vector<std::vector<Finding>>& audits) {
  std::vector<std::string> reasons;
  if (!model.status.usable) reasons.push_back(model.status.reason);
  for (const std::vector<Finding>& findings : audits)
    for (const Finding& finding : findings)
      if (finding.severity == Finding::Severity::kRefuse)
        reasons.push_back("identified by force from a log that is refused: " + finding.message);
  const std::vector<std::string> numbers = implausibilities(model);
  reasons.insert(reasons.end(), numbers.begin(), numbers.end());
  if (reasons.empty()) return model.status;
  return {false, join(reasons, "; ")};
}

}  // namespace dynid
