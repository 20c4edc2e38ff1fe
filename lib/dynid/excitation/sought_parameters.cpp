#include "dynid/excitation/sought_parameters.h"

#include "dynid/equations/rows.h"
#include "dynid/equations/structure.h"

#include <algorithm>

namespace dynid {
namespace {

bool wanted(const Drive& drive, FrictionEffect effect) {
  return drive.automatic_friction ||
         std::find(drive.friction.begin(), drive.friction.end(), effect) != drive.friction.end();
}

}  // namespace

std::vector<std::string> SoughtParameters::names() const {
  std::vector<std::string> names;
  for (int column : base.independent) names.push_back(layout[column].name);
  return names;
}

SoughtParameters soughtParameters(const std::shared_ptr<const Robot>& robot, bool drive_inertia) {
  SoughtParameters sought;
  sought.layout = inertialLayout(*robot);
  for (int i = 0; i < std::ssize(robot->drives); ++i) {
    const Drive& drive = robot->drives[i];
    if (drive_inertia && drive.drive_inertia) sought.layout.append(driveInertiaColumn(*robot, i));
    for (FrictionEffect effect :
         {FrictionEffect::kViscous, FrictionEffect::kCoulomb, FrictionEffect::kOffset})
      if (wanted(drive, effect)) sought.layout.append(frictionColumn(*robot, i, effect));
  }
  sought.base = structuralBase(robot, sought.layout, {std::nullopt});
  for (int column : sought.base.independent) sought.columns.push_back(sought.layout[column]);
  return sought;
}

SoughtParameters payloadParameters(const std::shared_ptr<const Robot>& robot,
                                   const std::string& link) {
  const auto [body, X_BL] = robot->findLink(link);
  SoughtParameters sought;
  const ParameterLayout all = inertialLayout(*robot);
  for (int c = 0; c < 10; ++c) {
    Column column = all[10 * body + c];
    sought.columns.push_back(column);
    column.kind = ColumnKind::kPayload;
    column.owner = 0;
    column.carrier = body;
    column.name = "payload." + std::string(kInertialNames[c]);
    sought.layout.append(column);
  }
  const Eigen::MatrixXd to_link = inertialTransform(X_BL);
  const Eigen::MatrixXd rows = randomStateRows(*robot, ParameterLayout(sought.columns)) * to_link;
  sought.base = baseParameters(rows);
  sought.mix = to_link(Eigen::all, sought.base.independent);
  return sought;
}

std::shared_ptr<const Robot> withPointMass(const Robot& robot,
                                           const std::string& link,
                                           double mass) {
  const auto [body, X_BL] = robot.findLink(link);
  auto loaded = std::make_shared<Robot>(robot);
  std::optional<InertialParameters>& prior = loaded->bodies[body].prior;
  if (prior) *prior += inertialFromCenterOfMass(mass, X_BL.p, Eigen::Matrix3d::Zero());
  return loaded;
}

}  // namespace dynid
