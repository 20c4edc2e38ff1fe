#include "dynid/equations/equations.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"

#include <algorithm>
#include <vector>

namespace dynid {
namespace {

constexpr const char* kRouth = "routh";

const std::vector<std::string>& kinds() {
  static const std::vector<std::string> names = {
      "inverse-dynamics", "power", "energy", "momentum", "variational", kRouth};
  return names;
}

std::string kindOf(const std::string& text) { return text.substr(0, text.find(':')); }

std::vector<std::string> jointsOf(const std::string& text) {
  std::vector<std::string> joints;
  size_t at = text.find(':');
  while (at != std::string::npos) {
    const size_t end = text.find(',', at + 1);
    joints.emplace_back(trim(std::string_view(text).substr(at + 1, end - at - 1)));
    at = end;
  }
  return joints;
}

// A joint name selects the actuators that drive it; actuator names are accepted too.
void choose(const Robot& robot, const std::string& name, std::vector<bool>& chosen) {
  const std::vector<std::string> joints = robot.jointNames(), actuators = robot.actuatorNames();
  const auto joint = std::find(joints.begin(), joints.end(), name);
  const auto actuator = std::find(actuators.begin(), actuators.end(), name);
  if (joint == joints.end() && actuator == actuators.end())
    throw UsageError("`equations`: the robot \"" + robot.name + "\" has no joint \"" + name + "\"" +
                     didYouMean(name, joints));
  for (Eigen::Index a = 0; a < robot.T.cols(); ++a)
    if (joint != joints.end() ? robot.T(joint - joints.begin(), a) != 0.0
                              : actuator - actuators.begin() == a)
      chosen[a] = true;
}

void refuseLoadFriction(const Robot& robot, const std::string& kind) {
  for (const Drive& drive : robot.drives)
    if (!drive.automatic_friction &&
        std::find(drive.friction.begin(), drive.friction.end(), FrictionEffect::kLoad) !=
            drive.friction.end())
      throw UsageError("`equations` " + kind + ": the load-dependent friction of \"" + drive.name +
                       "\" needs accelerations; leave \"load\" out of its friction, or fit "
                       "inverse-dynamics");
}

}  // namespace

void checkEquations(const std::string& text) {
  const std::string kind = kindOf(text);
  if (std::find(kinds().begin(), kinds().end(), kind) == kinds().end())
    throw UsageError("`equations`: \"" + text + "\" is not known" + didYouMean(kind, kinds()) +
                     "; there are " + join(kinds()) + ":JOINT,JOINT");
  const bool joints = text.find(':') != std::string::npos;
  if (kind == kRouth && !joints)
    throw UsageError(
        "`equations` routh: names no joints; give those of the momentum form, as in "
        "\"routh:shoulder,elbow\"");
  if (kind != kRouth && joints)
    throw UsageError("`equations`: \"" + text + "\": only \"routh\" takes names of joints");
}

Equations equationsOf(const std::string& text, const Robot& robot, double window_s) {
  checkEquations(text);
  Equations equations;
  equations.window_s = window_s;
  const std::string kind = kindOf(text);
  if (kind == kinds().front()) return equations;
  if (robot.floating_base)
    throw UsageError("`equations` " + kind +
                     ": the robot's base floats; only inverse-dynamics fits it");
  refuseLoadFriction(robot, kind);
  if (kind == "power") equations.kind = EquationKind::kPower;
  if (kind == "energy") equations.kind = EquationKind::kEnergy;
  if (kind == "variational") equations.kind = EquationKind::kVariational;
  if (kind != "momentum" && kind != kRouth) return equations;
  equations.kind = EquationKind::kMomentum;
  equations.momentum.assign(robot.drives.size(), kind != kRouth);
  for (const std::string& name : jointsOf(text)) choose(robot, name, equations.momentum);
  return equations;
}

}  // namespace dynid
