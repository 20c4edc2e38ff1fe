#include "robot_check.h"

#include "dynid/formulations/base_joints.h"
#include "dynid/regression/tree_base_parameters.h"

#include <algorithm>

namespace dynid::tool {
namespace {

std::vector<BaseParameterName> named(const BaseParameters& base, const ParameterLayout& layout) {
  std::vector<BaseParameterName> names;
  for (int i = 0; i < base.rank; ++i)
    names.push_back({layout[base.independent[i]].name, base.expression(i, layout)});
  return names;
}

/// A parameter is identifiable alone if it forms a base parameter by itself, and in a combination
/// if it is one of several terms.
std::vector<Identifiability> verdicts(const BaseParameters& base) {
  constexpr double kPresent = 1e-9;
  std::vector<Identifiability> all(base.columns, Identifiability::kNone);
  for (size_t i = 0; i < base.independent.size(); ++i) {
    const bool alone = base.K.cols() == 0 ||
                       base.K.row(static_cast<Eigen::Index>(i)).cwiseAbs().maxCoeff() < kPresent;
    all[base.independent[i]] = alone ? Identifiability::kAlone : Identifiability::kCombination;
  }
  for (const int column : base.dependent) all[column] = Identifiability::kCombination;
  return all;
}

/// The base parameters: from the structure if it is a tree, otherwise from the rank of random rows.
BaseParameters baseParametersOf(const Robot& robot, const ParameterLayout& layout, bool at_rest) {
  if (hasTreeStructure(robot, layout)) return treeBaseParameters(robot, layout, at_rest);
  RandomStates states;
  states.at_rest = at_rest;
  return baseParameters(randomStateRows(robot, layout, states));
}

}  // namespace

RobotCheck checkRobot(const std::shared_ptr<const Robot>& given, const Progress& progress) {
  RobotCheck check;
  const std::shared_ptr<const Robot> robot =
      given->floating_base ? std::make_shared<const Robot>(withBaseJoints(*given)) : given;
  for (const Body& body : robot->bodies)
    if (!body.massless) check.bodies.push_back(body.name);
  const ParameterLayout inertial = inertialLayout(*robot);
  for (const Column& column : inertial.columns())
    if (!robot->bodies[column.owner].massless) check.layout.append(column);
  if (progress) progress("base parameters", 0.0);
  const BaseParameters base = baseParametersOf(*robot, check.layout, false);
  check.base = named(base, check.layout);
  check.identifiability = verdicts(base);

  if (progress) progress("base parameters with drives", 0.3);
  ParameterLayout with_drives = check.layout;
  for (int i = 0; i < std::ssize(robot->drives); ++i)
    if (robot->drives[i].drive_inertia) with_drives.append(driveInertiaColumn(*robot, i));
  check.base_with_drives = named(baseParametersOf(*robot, with_drives, false), with_drives);

  if (progress) progress("base parameters at rest", 0.6);
  check.static_count = baseParametersOf(*robot, check.layout, true).rank;
  check.plausibility = plausibilityOf(*given);
  return check;
}

bool RobotCheck::allPhysical() const {
  return std::all_of(plausibility.begin(), plausibility.end(), [](const Plausibility& link) {
    return link.physical;
  });
}

}  // namespace dynid::tool
