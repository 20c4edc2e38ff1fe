#include "dynid/formulations/unprojected.h"

#include "dynid/dynamics/body_regressor.h"
#include "dynid/dynamics/closed_motion.h"
#include "dynid/spatial/vectors.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <optional>
#include <vector>

namespace dynid {
namespace {

struct Carried {
  SensedMotion motion;
  Transform X_SB;  // pose in the body whose motion is given
  Transform X_PB;  // pose in its parent
};

// One step of the outward recursion (see forwardKinematics), from a parent with known motion.
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
  Carried child;
  child.X_SB = parent.X_SB * X_PB;
  child.X_PB = X_PB;
  child.motion.w = R_BP * m.w;
  child.motion.wd = R_BP * m.wd;
  child.motion.a = R_BP * (m.a + m.wd.cross(X_PB.p) + m.w.cross(m.w.cross(X_PB.p)));
  if (body.prismatic) {
    child.motion.a += z * ddq + 2.0 * child.motion.w.cross(z * dq);
  } else {
    child.motion.w += z * dq;
    child.motion.wd += z * ddq + child.motion.w.cross(z * dq);
  }
  return child;
}

// Motions of a body (-1: the root link) and of all bodies that it carries.
std::vector<std::optional<Carried>> carriedBy(const Robot& robot,
                                              int body,
                                              const SensedMotion& motion,
                                              Eigen::VectorXd q,
                                              Eigen::VectorXd dq,
                                              Eigen::VectorXd ddq) {
  if (!robot.loops.empty()) closedMotion<double>(robot, requireClosed(robot, q), q, dq, ddq);
  std::vector<std::optional<Carried>> carried(robot.bodies.size());
  const Carried root{motion, {}, {}};
  if (body >= 0) carried[body] = root;
  for (auto k = static_cast<size_t>(std::max(body, 0)); k < robot.bodies.size(); ++k) {
    const Body& link = robot.bodies[k];
    if (carried[k]) continue;
    const Carried* parent = nullptr;
    if (link.parent < 0) {
      parent = body < 0 ? &root : nullptr;
    } else if (const auto& known = carried[link.parent]) {
      parent = &*known;
    }
    if (parent == nullptr) continue;
    carried[k] = next(link,
                      *parent,
                      link.multiplier * q(link.joint) + link.offset,
                      link.multiplier * dq(link.joint),
                      link.multiplier * ddq(link.joint));
  }
  return carried;
}

// Transforms wrenches to another frame, one column each.
BodyRegressor<double> inFrame(const Transform& X, const BodyRegressor<double>& A) {
  BodyRegressor<double> result;
  result.topRows<3>() = X.R * A.topRows<3>();
  result.bottomRows<3>() = X.R * A.bottomRows<3>() + skew(X.p) * result.topRows<3>();
  return result;
}

}  // namespace

Eigen::MatrixXd carriedWrenchRows(const Robot& robot,
                                  int body,
                                  const SensedMotion& motion,
                                  const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& dq,
                                  const Eigen::VectorXd& ddq) {
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(6, Eigen::Index{10} * robot.numBodies());
  const auto carried = carriedBy(robot, body, motion, q, dq, ddq);
  for (size_t k = 0; k < carried.size(); ++k) {
    if (!carried[k]) continue;
    const SensedMotion& m = carried[k]->motion;
    rows.middleCols<10>(10 * k) = inFrame(carried[k]->X_SB, bodyRegressor<double>(m.w, m.wd, m.a));
  }
  return rows;
}

MovingBaseRows movingBaseRows(const Robot& robot,
                              const SensedMotion& base,
                              const Eigen::VectorXd& q,
                              const Eigen::VectorXd& dq,
                              const Eigen::VectorXd& ddq) {
  const Eigen::Index columns = Eigen::Index{10} * robot.numBodies();
  MovingBaseRows rows{Eigen::MatrixXd::Zero(6, columns),
                      Eigen::MatrixXd::Zero(robot.numTreeJoints(), columns)};
  const auto carried = carriedBy(robot, -1, base, q, dq, ddq);
  for (int k = 0; k < std::ssize(carried); ++k) {
    const SensedMotion& m = carried[k]->motion;
    BodyRegressor<double> A = bodyRegressor<double>(m.w, m.wd, m.a);
    for (int b = k; b >= 0; b = robot.bodies[b].parent) {
      const Body& body = robot.bodies[b];
      rows.joints.row(body.joint).segment<10>(10 * k) +=
          body.multiplier * body.axis.transpose() *
          (body.prismatic ? A.topRows<3>() : A.bottomRows<3>());
      A = inFrame(carried[b]->X_PB, A);
    }
    rows.base.middleCols<10>(10 * k) = A;
  }
  if (!robot.loops.empty())
    rows.joints = loopProjector(robot, requireClosed(robot, q)).transpose() * rows.joints;
  return rows;
}

std::string loopAcross(const Robot& robot, int body) {
  const auto carried = [&](int k) {
    while (k >= 0 && k != body) k = robot.bodies[k].parent;
    return k == body;
  };
  for (const Loop& loop : robot.loops)
    if (carried(loop.body_a) != carried(loop.body_b)) return loop.name;
  return "";
}

bool carriesBodies(const Robot& robot, int body) {
  return std::any_of(robot.bodies.begin(), robot.bodies.end(), [&](const Body& other) {
    return other.parent == body;
  });
}

}  // namespace dynid
