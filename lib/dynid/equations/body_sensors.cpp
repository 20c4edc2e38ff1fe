#include "dynid/equations/body_sensors.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/dynamics/body_regressor.h"
#include "dynid/equations/rigid_columns.h"
#include "dynid/logs/body_channels.h"
#include "dynid/logs/h5_input.h"

namespace dynid {
namespace {

bool carried(const Robot& robot, int by, int body) {
  for (int k = body; k >= 0; k = robot.bodies[k].parent)
    if (k == by) return true;
  return false;
}

// A sensor on a link that the robot does not have is an error; otherwise it would be ignored
// silently.
void requireKnownLinks(const Robot& robot,
                       const std::filesystem::path& log,
                       const BodyReader& reader,
                       const std::vector<std::string>& links) {
  auto unknown = reader.groups() - static_cast<std::int64_t>(reader.links().size());
  const H5Input input(log);
  for (const Body::FixedLink& link : robot.root_links)
    unknown -= input.hasGroup("bodies/" + link.name) ? 1 : 0;
  if (unknown <= 0) return;
  throw InputError(log.string() + ":/bodies: " + std::to_string(unknown) +
                   (unknown == 1 ? " group is" : " groups are") + " not named after a link of \"" +
                   robot.name + "\"; the links that sensors can sit on are " + join(links));
}

// A loop that invalidates the sensor's equations: it connects bodies that the sensor carries to
// others, so that its force is part of the wrench, or it contains passive joints among the carried
// links, whose rates do not follow from the sensor.
const Loop* loopAround(const Robot& robot, const BodySensor& sensor) {
  for (const Loop& loop : robot.loops)
    for (int side : {loop.body_a, loop.body_b})
      if (sensor.whole_body && side >= 0 && carried(robot, sensor.body, side)) return &loop;
  return nullptr;
}

}  // namespace

std::vector<BodySensor> bodySensorsOf(const Robot& robot,
                                      const std::filesystem::path& log,
                                      std::int64_t rows) {
  std::vector<std::string> links;
  std::vector<BodySensor> known;
  for (int k = 0; k < robot.numBodies(); ++k) {
    const Body& body = robot.bodies[k];
    for (size_t l = 0; l < body.links.size(); ++l) {
      const Body::FixedLink& link = body.links[l];
      BodySensor sensor{link.name, k, link.X_BL, l == 0, InertialParameters::Zero()};
      if (l > 0 && link.inertial) sensor.inertial = *link.inertial;
      links.push_back(link.name);
      known.push_back(sensor);
    }
  }
  const BodyReader reader(log, links, rows);
  requireKnownLinks(robot, log, reader, links);
  std::vector<BodySensor> sensors;
  for (const BodySensor& sensor : known)
    for (const std::string& link : reader.links())
      if (link == sensor.link) sensors.push_back(sensor);
  for (const BodySensor& sensor : sensors)
    if (const std::string loop = loopAcross(robot, sensor.body); sensor.whole_body && !loop.empty())
      throw InputError(log.string() + ":/bodies/" + sensor.link + ": the loop \"" + loop +
                       "\" holds what the link carries from outside, with a force that no sensor "
                       "measures: leave this group out");
  for (const BodySensor& sensor : sensors)
    if (!sensor.whole_body && carriesBodies(robot, sensor.body))
      throw InputError(log.string() + ":/bodies/" + sensor.link + ": the link is fixed to \"" +
                       robot.bodies[sensor.body].name +
                       "\", which carries moving links; what of them the sensor feels is not "
                       "known: put it at that link or at the last one");
  for (const BodySensor& sensor : sensors)
    if (const Loop* loop = loopAround(robot, sensor))
      throw InputError(
          log.string() + ":/bodies/" + sensor.link + ": the link carries a side of loop " +
          loop->name +
          ", whose force its wrench sensor feels as well; take the channel out, or put "
          "the sensor at a link behind the loops");
  return sensors;
}

std::vector<int> sensedColumns(const Robot& robot,
                               const BodySensor& sensor,
                               const ParameterLayout& layout,
                               const std::vector<int>& columns) {
  std::vector<int> sensed;
  for (int c : columns) {
    const Column& column = layout[c];
    const bool inertial = column.kind == ColumnKind::kInertial && sensor.whole_body &&
                          carried(robot, sensor.body, column.owner);
    const bool load =
        column.kind == ColumnKind::kPayload && carried(robot, sensor.body, column.carrier);
    if (inertial || load) sensed.push_back(c);
  }
  return sensed;
}

Eigen::MatrixXd sensedRows(const Robot& robot,
                           const BodySensor& sensor,
                           const SensedMotion& motion,
                           const Eigen::VectorXd& q,
                           const Eigen::VectorXd& dq,
                           const Eigen::VectorXd& ddq,
                           const PayloadPlacement* payload,
                           const ParameterLayout& layout,
                           const std::vector<int>& columns) {
  Eigen::MatrixXd bodies;
  if (sensor.whole_body) {
    bodies = carriedWrenchRows(robot, sensor.body, motion, q, dq, ddq);
  } else {  // the body's columns, with its parameters transformed to the link
    bodies.setZero(6, Eigen::Index{10} * robot.numBodies());
    bodies.middleCols<10>(Eigen::Index{10} * sensor.body) =
        bodyRegressor<double>(motion.w, motion.wd, motion.a) *
        inertialTransform(sensor.X_BL.inverse());
  }
  return RigidColumns(layout, columns, payload).placed(bodies);
}

}  // namespace dynid
