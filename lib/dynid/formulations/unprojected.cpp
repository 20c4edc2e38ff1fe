#include "dynid/formulations/unprojected.h"

#include "dynid/dynamics/body_regressor.h"
#include "dynid/spatial/vectors.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <optional>
#include <vector>

namespace dynid {
namespace {

struct Carried {
  SensedMotion motion;
  Transform X_SB;  // pose in the sensed body
};

// One step of the outward recursion (forwardKinematics), from a parent whose motion is known.
Carried next(const Body& body, const Carried& parent, double q, double dq, double ddq) {
  const Eigen::Vector3d& z = body.axis;
  Transform X_PB = body.X_PJ;
  if (body.prismatic) {
    X_PB.p += X_PB.R * (q * z);
  } else {
    X_PB.R = X_PB.R * Eigen::AngleAxisd(q, z).toRotationMatrix();
  }
  const SensedMotion& m = parent.motion;
  const Eigen::Matrix3d R_BP = X_PB.R.transpose();
  Carried own;
  own.X_SB = parent.X_SB * X_PB;
  own.motion.w = R_BP * m.w;
  own.motion.wd = R_BP * m.wd;
  own.motion.a = R_BP * (m.a + m.wd.cross(X_PB.p) + m.w.cross(m.w.cross(X_PB.p)));
  if (body.prismatic) {
    own.motion.a += z * ddq + 2.0 * own.motion.w.cross(z * dq);
  } else {
    own.motion.w += z * dq;
    own.motion.wd += z * ddq + own.motion.w.cross(z * dq);
  }
  return own;
}

}  // namespace

Eigen::MatrixXd carriedWrenchRows(const Robot& robot,
                                  int body,
                                  const SensedMotion& motion,
                                  const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& dq,
                                  const Eigen::VectorXd& ddq) {
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(6, Eigen::Index{10} * robot.numBodies());
  std::vector<std::optional<Carried>> carried(robot.bodies.size());
  carried[static_cast<size_t>(body)] = Carried{motion, {}};
  for (auto k = static_cast<size_t>(body); k < robot.bodies.size(); ++k) {
    const Body& own = robot.bodies[k];
    if (!carried[k] && own.parent >= 0 && carried[static_cast<size_t>(own.parent)])
      carried[k] = next(own,
                        *carried[static_cast<size_t>(own.parent)],
                        own.multiplier * q(own.joint) + own.offset,
                        own.multiplier * dq(own.joint),
                        own.multiplier * ddq(own.joint));
    if (!carried[k]) continue;
    const auto& [m, X] = *carried[k];
    const BodyRegressor<double> A = bodyRegressor<double>(m.w, m.wd, m.a);
    auto target = rows.middleCols<10>(static_cast<Eigen::Index>(10 * k));
    target.topRows<3>() = X.R * A.topRows<3>();
    target.bottomRows<3>() = X.R * A.bottomRows<3>() + skew(X.p) * target.topRows<3>();
  }
  return rows;
}

bool carriesBodies(const Robot& robot, int body) {
  return std::any_of(robot.bodies.begin(), robot.bodies.end(), [&](const Body& other) {
    return other.parent == body;
  });
}

}  // namespace dynid
