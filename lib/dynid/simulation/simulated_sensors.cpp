#include "dynid/simulation/simulated_sensors.h"

#include "dynid/dynamics/body_regressor.h"
#include "dynid/dynamics/kinematics.h"

#include <Eigen/Geometry>

namespace dynid {
namespace {

/// A body whose wrench is part of the sensor's.
struct SensedBody {
  int body = -1;
  InertialParameters pi;
};

bool carriedBy(const Robot& robot, int carrier, int body) {
  for (int k = body; k >= 0; k = robot.bodies[k].parent)
    if (k == carrier) return true;
  return false;
}

std::vector<SensedBody> feltBy(const Robot& robot,
                               const std::string& link,
                               const Eigen::VectorXd& pi,
                               const std::optional<PayloadNote>& payload) {
  const int body = robot.findLink(link).first;
  const std::vector<Body::FixedLink>& links = robot.bodies[body].links;
  std::vector<SensedBody> felt;
  if (links.front().name == link) {
    for (int k = body; k < robot.numBodies(); ++k)
      if (carriedBy(robot, body, k)) felt.push_back({k, pi.segment<10>(Eigen::Index{10} * k)});
  } else {
    for (const Body::FixedLink& fixed : links)
      if (fixed.name == link && fixed.inertial)
        felt.push_back({body, transformed(fixed.X_BL, *fixed.inertial)});
  }
  if (!payload) return felt;
  const std::string carrier =
      payload->link.empty() ? robot.payload_link.value_or("") : payload->link;
  const auto [k, X_BL] = robot.findLink(carrier);
  if (carriedBy(robot, body, k)) felt.push_back({k, transformed(X_BL, payloadBody(*payload))});
  return felt;
}

}  // namespace

BodySamples sensedBy(const Robot& robot,
                     const std::string& link,
                     const Eigen::VectorXd& pi,
                     const std::optional<PayloadNote>& payload,
                     const SimulatedBlock& block) {
  const auto [body, X_BL] = robot.findLink(link);
  if (body < 0)
    throw std::invalid_argument("the link \"" + link + "\" does not move; no sensor there");
  const std::vector<SensedBody> felt = feltBy(robot, link, pi, payload);
  const Eigen::Index rows = block.q.rows();
  BodySamples samples;
  for (Eigen::MatrixXd* channel :
       {&samples.angular_velocity, &samples.angular_acceleration, &samples.linear_acceleration})
    channel->resize(rows, 3);
  samples.wrench.resize(rows, 6);
  std::vector<BodyMotion<double>> motions;
  for (Eigen::Index i = 0; i < rows; ++i) {
    const Eigen::VectorXd q = block.q.row(i), dq = block.dq.row(i), ddq = block.ddq.row(i);
    forwardKinematics<double>(robot, q, dq, ddq, motions);
    const std::vector<Transform> poses = bodyPoses(robot, q);
    const BodyMotion<double>& motion = motions[body];
    samples.angular_velocity.row(i) = X_BL.R.transpose() * motion.w;
    samples.angular_acceleration.row(i) = X_BL.R.transpose() * motion.wd;
    samples.linear_acceleration.row(i) =
        X_BL.R.transpose() *
        (motion.a + motion.wd.cross(X_BL.p) + motion.w.cross(motion.w.cross(X_BL.p)));
    const Transform X_LW = (poses[body] * X_BL).inverse();
    Vector6<double> total = Vector6<double>::Zero();
    for (const SensedBody& part : felt) {
      const BodyMotion<double>& m = motions[part.body];
      const Vector6<double> wrench = bodyRegressor<double>(m.w, m.wd, m.a) * part.pi;
      const Transform X_LB = X_LW * poses[part.body];
      const Eigen::Vector3d force = X_LB.R * wrench.head<3>();
      total.head<3>() += force;
      total.tail<3>() += X_LB.R * wrench.tail<3>() + X_LB.p.cross(force);
    }
    samples.wrench.row(i) = total;
  }
  return samples;
}

}  // namespace dynid
