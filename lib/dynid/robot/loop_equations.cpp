#include "dynid/robot/loop_equations.h"

#include <Eigen/Geometry>

namespace dynid {
namespace {

struct Poses {
  std::vector<Transform> X_WB;
  Transform of(int body, const Transform& X_BF) const {
    return body < 0 ? X_BF : X_WB[body] * X_BF;
  }
};

Poses posesAt(const Robot& robot, const Eigen::VectorXd& q) {
  Poses poses;
  poses.X_WB.reserve(robot.bodies.size());
  for (const Body& body : robot.bodies) {
    const double x = body.multiplier * q(body.joint) + body.offset;
    const Transform motion =
        body.prismatic ? Transform{Eigen::Matrix3d::Identity(), x * body.axis}
                       : Transform{rotationAbout<double>(body.axis, x), Eigen::Vector3d::Zero()};
    poses.X_WB.push_back(poses.of(body.parent, body.X_PJ * motion));
  }
  return poses;
}

Eigen::Vector3d vee(const Eigen::Matrix3d& M) {
  return 0.5 * Eigen::Vector3d(M(2, 1) - M(1, 2), M(0, 2) - M(2, 0), M(1, 0) - M(0, 1));
}

// Calls column(tree coordinate, w, v of the frame's origin), in world axes, for the joint of every
// body from `body` to the root.
template <typename ColumnOf>
void alongChain(const Robot& robot,
                const Poses& poses,
                int body,
                const Eigen::Vector3d& point,
                const ColumnOf& column) {
  for (int k = body; k >= 0; k = robot.bodies[k].parent) {
    const Body& b = robot.bodies[k];
    const Transform& X = poses.X_WB[k];
    const Eigen::Vector3d axis = b.multiplier * (X.R * b.axis);
    if (b.prismatic)
      column(k, b.joint, Eigen::Vector3d::Zero(), axis);
    else
      column(k, b.joint, axis, axis.cross(point - X.p));
  }
}

std::vector<bool> chainOf(const Robot& robot, int body) {
  std::vector<bool> on(robot.bodies.size(), false);
  for (int k = body; k >= 0; k = robot.bodies[k].parent) on[k] = true;
  return on;
}

void equationsOf(const Robot& robot,
                 const Loop& loop,
                 const Poses& poses,
                 double size,
                 Eigen::Ref<Eigen::VectorXd> c,
                 Eigen::Ref<Eigen::MatrixXd> A) {
  const Transform X_WA = poses.of(loop.body_a, loop.X_A), X_WB = poses.of(loop.body_b, loop.X_B);
  const Eigen::Matrix3d E = loopBasis(loop), to_A = X_WA.R.transpose(), R = to_A * X_WB.R;
  const Eigen::Vector3d gap = X_WB.p - X_WA.p, z = R * loop.axis;
  // Rows as linear maps: dc = P dp + Z w, with dp and w the relative velocities in A.
  const bool slides = loop.type == Loop::Type::kPrismatic;
  const Eigen::Index translations = slides ? 2 : 3, rotations = c.size() - translations;
  const Eigen::MatrixXd P = E.transpose().topRows(translations) / size;
  c.head(translations) = P * (to_A * gap);
  Eigen::MatrixXd W(rotations, 3);
  if (loop.type == Loop::Type::kRevolute) {
    c.tail(2) = E.leftCols<2>().transpose() * z;
    W = -E.leftCols<2>().transpose() * skew<double>(z);
  } else if (rotations == 3) {
    c.tail(3) = E.transpose() * vee(R);
    W = 0.5 * E.transpose() * (R.trace() * Eigen::Matrix3d::Identity() - R);
  }
  const std::vector<bool> on_a = chainOf(robot, loop.body_a), on_b = chainOf(robot, loop.body_b);
  const auto add = [&](int joint, double sign, const Eigen::Vector3d& w, const Eigen::Vector3d& v) {
    A.col(joint).head(translations) += sign * (P * (to_A * v));
    if (rotations > 0) A.col(joint).tail(rotations) += sign * (W * (to_A * w));
  };
  // p = R_A^T (p_B - p_A): a rotation of frame A changes p, therefore its velocity is evaluated at
  // the origin of B.
  alongChain(
      robot, poses, loop.body_b, X_WB.p, [&](int k, int joint, const auto& w, const auto& v) {
        if (!on_a[k]) add(joint, 1.0, w, v);
      });
  alongChain(
      robot, poses, loop.body_a, X_WB.p, [&](int k, int joint, const auto& w, const auto& v) {
        if (!on_b[k]) add(joint, -1.0, w, v);
      });
}

}  // namespace

int rowsOf(Loop::Type type) {
  if (type == Loop::Type::kSpherical) return 3;
  return type == Loop::Type::kFixed ? 6 : 5;
}

Eigen::Matrix3d loopBasis(const Loop& loop) {
  Eigen::Matrix3d E;
  E.col(0) = loop.axis.unitOrthogonal();
  E.col(1) = loop.axis.cross(E.col(0));
  E.col(2) = loop.axis;
  return E;
}

double loopSize(const Robot& robot) {
  double sum = 0.0, count = 0.0;
  const auto add = [&](const Transform& X) {
    sum += X.p.norm();
    count += X.p.norm() > 0.0 ? 1.0 : 0.0;
  };
  for (const Body& body : robot.bodies) add(body.X_PJ);
  for (const Loop& loop : robot.loops) {
    add(loop.X_A);
    add(loop.X_B);
  }
  return count > 0.0 ? sum / count : 1.0;
}

LoopEquations loopEquations(const Robot& robot, const Eigen::VectorXd& q) {
  Eigen::Index rows = 0;
  for (const Loop& loop : robot.loops) rows += rowsOf(loop.type);
  LoopEquations equations{Eigen::VectorXd::Zero(rows), Eigen::MatrixXd::Zero(rows, q.size())};
  const Poses poses = posesAt(robot, q);
  const double size = loopSize(robot);
  Eigen::Index row = 0;
  for (const Loop& loop : robot.loops) {
    const int loop_rows = rowsOf(loop.type);
    equationsOf(robot,
                loop,
                poses,
                size,
                equations.c.segment(row, loop_rows),
                equations.A.middleRows(row, loop_rows));
    row += loop_rows;
  }
  return equations;
}

bool halfATurnApart(const Robot& robot, const Loop& loop, const Eigen::VectorXd& q) {
  if (loop.type == Loop::Type::kSpherical) return false;
  const Poses poses = posesAt(robot, q);
  const Eigen::Matrix3d R =
      poses.of(loop.body_a, loop.X_A).R.transpose() * poses.of(loop.body_b, loop.X_B).R;
  return loop.type == Loop::Type::kRevolute ? loop.axis.dot(R * loop.axis) < 0.0 : R.trace() < 0.0;
}

}  // namespace dynid
