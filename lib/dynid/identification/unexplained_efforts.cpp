#include "dynid/identification/unexplained_efforts.h"

#include "dynid/core/text.h"
#include "dynid/diagnosis/hypotheses.h"
#include "dynid/identification/usability.h"

#include <algorithm>
#include <fmt/format.h>

namespace dynid {
namespace {

constexpr double kLeastAngle = 0.1, kLeastWay = 0.02;  // [rad], [m]
constexpr double kLargelyUnexplained = 0.5;            // of the variance

bool isUnexplainedIn(const Diagnosis& diagnosis, Eigen::Index joint, bool prismatic) {
  return diagnosis.results && joint < diagnosis.covered.size() &&
         diagnosis.covered(joint) > (prismatic ? kLeastWay : kLeastAngle) &&
         diagnosis.results->as_logged.unexplained(joint) > kLargelyUnexplained;
}

}  // namespace

std::vector<std::string> unexplainedEfforts(const Model& model,
                                            const std::vector<Diagnosis>& diagnoses) {
  std::vector<std::string> joints;
  for (Eigen::Index j = 0; j < std::ssize(model.fit.per_joint); ++j) {
    const ChannelFit& channel = model.fit.per_joint[j];
    const auto unexplained = [&](const Diagnosis& diagnosis) {
      return isUnexplainedIn(diagnosis, j, model.robot->joints[j].prismatic);
    };
    if (isIdentified(channel) || !isClear(channel) ||
        !std::any_of(diagnoses.begin(), diagnoses.end(), unexplained))
      continue;
    joints.push_back(fmt::format("{} (cross-validated R2 {:.2g}, {:.0f} % of the effort is noise)",
                                 model.robot->drives[j].name,
                                 channel.cross_validated_r2,
                                 100.0 * channel.noise_floor));
  }
  if (joints.empty()) return {};
  return {fmt::format(
      "these joints move, and their efforts are well above the noise, but do not follow from the "
      "logged motion: {}; the position or the effort there belongs to another joint, another time "
      "or the motor side, is held or in another unit (percent of a limit), or a spring, a "
      "counterweight or a load that the description lacks acts on the joint (position_effects in "
      "[joint.NAME]), and the links next to it are wrong as well; check these columns and the "
      "description, or leave that log out",
      join(joints))};
}

std::string causeOfError(const Model& model, const char* otherwise) {
  constexpr double kExplainedMotion = 0.1, kAlwaysMoving = 0.9;
  const FitSummary& fit = model.fit;
  double moving = 0.0;  // samples, mean of the joints
  for (const ChannelFit& channel : fit.per_joint)
    moving += channel.samples / static_cast<double>(fit.per_joint.size());
  if (!(fit.relative_error < kExplainedMotion) || moving > kAlwaysMoving * fit.samples)
    return otherwise;
  return fmt::format(
      "while the robot moves the error is {:.2g} %, so that it is efforts at standstill that do "
      "not follow from gravity: closed brakes, drives that are off, or a support; leave these "
      "parts out (`from_s`, `to_s`), or set their efforts to NaN",
      100.0 * fit.relative_error);
}

}  // namespace dynid
