#include "dynid/report/model_tables.h"

#include "dynid/report/numbers.h"
#include "dynid/spatial/inertia.h"

#include <cmath>

namespace dynid {
namespace {

std::string toldText(Identifiability identifiability) {
  switch (identifiability) {
    case Identifiability::kAlone:
      return "alone";
    case Identifiability::kCombination:
      return "in a combination";
    case Identifiability::kNone:
      return "no (prior)";
  }
  return "";
}

/// The parameter as text; "" if the drive has no such column.
std::string effectText(const Model& model, int drive, FrictionEffect effect) {
  for (int c = 0; c < model.layout.size(); ++c)
    if (model.layout[c].isFriction(effect) && model.layout[c].owner == drive)
      return shown(model.parameters(c), 3);
  return "";
}

std::string furtherEffects(const Model& model, int drive) {
  std::string names;
  const auto add = [&](const std::string& name) {
    if (names.find(name) == std::string::npos) names += (names.empty() ? "" : ", ") + name;
  };
  bool has_coulomb = false;  // the first Coulomb term has its own column in the table
  for (int c = 0; c < model.layout.size(); ++c) {
    const Column& column = model.layout[c];
    if (column.owner != drive) continue;
    if (column.kind == ColumnKind::kPosition) add("spring");
    if (!column.isFriction()) continue;
    const bool coulomb = column.effect == FrictionEffect::kCoulomb && !column.at_joint;
    if (coulomb && has_coulomb) {
      add((column.hasPreslidingState() ? "hysteresis " : "saturation ") +
          shown(model.parameters(c), 3));
      continue;
    }
    has_coulomb = has_coulomb || coulomb;
    if (column.hasPreslidingState()) add("presliding");
    if (column.effect != FrictionEffect::kCoulomb && column.effect != FrictionEffect::kViscous &&
        column.effect != FrictionEffect::kOffset)
      add(toString(column.effect));
  }
  return names;
}

std::string driveInertiaText(const Model& model, int drive) {
  for (int c = 0; c < model.layout.size(); ++c)
    if (model.layout[c].kind == ColumnKind::kDriveInertia && model.layout[c].owner == drive)
      return shown(model.parameters(c), 3);
  return "";
}

}  // namespace

std::vector<std::vector<std::string>> massRows(const Model& model) {
  const bool judged = std::ssize(model.verdicts) == model.layout.size();
  std::vector<std::vector<std::string>> rows = {
      {"link", "mass [kg]", "centre of mass x, y, z [m]", "mass identified by the logs"}};
  for (int b = 0; b < model.robot->numBodies(); ++b) {
    if (model.robot->bodies[b].massless) continue;
    const CenterOfMassInertia body = centerOfMassInertia(model.body(b));
    rows.push_back(
        {model.robot->bodies[b].name,
         shown(body.mass, 3),
         shown(body.com(0), 2) + ", " + shown(body.com(1), 2) + ", " + shown(body.com(2), 2),
         judged ? toldText(model.verdicts[10 * b].identifiability) : ""});
  }
  return rows;
}

std::vector<std::vector<std::string>> frictionRows(const Model& model) {
  std::vector<std::vector<std::string>> rows = {
      {"joint", "Coulomb", "viscous", "offset", "drive inertia", "further effects"}};
  for (int a = 0; a < model.robot->numJoints(); ++a)
    rows.push_back({model.robot->drives[a].name,
                    effectText(model, a, FrictionEffect::kCoulomb),
                    effectText(model, a, FrictionEffect::kViscous),
                    effectText(model, a, FrictionEffect::kOffset),
                    driveInertiaText(model, a),
                    furtherEffects(model, a)});
  return rows;
}

std::string channelName(const Model& model, int drive) {
  const std::string& name = model.robot->drives[drive].name;
  return model.robot->isCoupled(drive) ? name + " (drive)" : name;
}

std::string channelUnit(const Model& model, int drive) {
  if (model.effort_unit != "N m") return model.effort_unit;
  const Robot& robot = *model.robot;
  if (!robot.isCoupled(drive)) return robot.joints[drive].prismatic ? "N" : "N m";
  for (int j = 0; j < robot.numJoints(); ++j)
    if (robot.T(j, drive) != 0.0 && robot.joints[j].prismatic) return "N m (a linear drive: N)";
  return "N m";
}

std::vector<std::vector<std::string>> jointRows(const Model& model) {
  const std::vector<ChannelFit>& joints = model.fit.per_joint;
  std::vector<std::vector<std::string>> rows = {{"joint",
                                                 "error",
                                                 "noise floor",
                                                 "filtered, moving",
                                                 "RMSE",
                                                 "unit",
                                                 "cross-validated R2",
                                                 "may be used"}};
  for (size_t j = 0; j < joints.size(); ++j)
    rows.push_back({channelName(model, static_cast<int>(j)),
                    shownPercent(joints[j].cross_validated_error),
                    shownPercent(joints[j].noise_floor),
                    shownPercent(joints[j].relative_error),
                    shown(joints[j].rmse, 3),
                    channelUnit(model, static_cast<int>(j)),
                    shown(joints[j].cross_validated_r2, 3),
                    j >= model.status.joints.size() ? "n/a"
                    : !model.status.usable          ? "no"
                    : model.status.joints[j].usable ? "yes"
                                                    : "NO"});
  return rows;
}

std::vector<std::vector<std::string>> sensorRows(const Model& model) {
  std::vector<std::vector<std::string>> rows = {
      {"wrench sensor", "error of the forces", "of the moments", "samples"}};
  for (const SensorFit& sensor : model.fit.per_sensor)
    rows.push_back({sensor.channel,
                    shownPercent(sensor.force_error),
                    shownPercent(sensor.moment_error),
                    shownCount(sensor.samples)});
  return rows;
}

std::vector<std::string> badlyExcited(const Model& model) {
  std::vector<std::string> names;
  for (const BaseParameterEstimate& p : model.base_parameters) {
    const int column = model.layout.find(p.name);
    const bool known = column >= 0 && column < std::ssize(model.verdicts);
    if (known ? model.verdicts[column].excitation != Excitation::kWell
              : !(p.relativeStdDev() < 1.0))
      names.push_back(p.name);
  }
  return names;
}

}  // namespace dynid
