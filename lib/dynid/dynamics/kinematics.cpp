#include "dynid/dynamics/kinematics.h"

#include "dynid/core/assert.h"
#include "dynid/dynamics/closed_motion.h"

#include <Eigen/Geometry>

namespace dynid {

template <typename T>
void treeKinematics(const Robot& robot,
                    const VectorX<T>& q,
                    const VectorX<T>& dq,
                    const VectorX<T>& ddq,
                    std::vector<BodyMotion<T>>& motions,
                    Gravity gravity) {
  DYNID_EXPECT(q.size() == robot.numTreeJoints() && dq.size() == q.size() &&
               ddq.size() == q.size());
  motions.resize(robot.bodies.size());
  const Vector3<T> zero = Vector3<T>::Zero();
  const Vector3<T> world_a = gravity == Gravity::kOn ? Vector3<T>(-robot.gravity.cast<T>()) : zero;
  for (size_t k = 0; k < robot.bodies.size(); ++k) {
    const Body& body = robot.bodies[k];
    const T position = body.multiplier * q(body.joint) + body.offset;
    const T rate = body.multiplier * dq(body.joint);
    const T acceleration = body.multiplier * ddq(body.joint);
    const Vector3<T> z = body.axis.cast<T>();

    BodyMotion<T>& motion = motions[k];
    motion.R_PB = body.X_PJ.R.cast<T>();
    motion.p_PB = body.X_PJ.p.cast<T>();
    if (body.prismatic) {
      motion.p_PB += motion.R_PB * (z * position);
    } else {
      motion.R_PB = motion.R_PB * rotationAbout<T>(body.axis, position);
    }

    const bool at_root = body.parent < 0;
    const BodyMotion<T>* parent = at_root ? nullptr : &motions[body.parent];
    const Vector3<T>& w_P = at_root ? zero : parent->w;
    const Vector3<T>& wd_P = at_root ? zero : parent->wd;
    const Vector3<T>& v_P = at_root ? zero : parent->v;
    const Vector3<T>& a_P = at_root ? world_a : parent->a;
    const Matrix3<T> R_BP = motion.R_PB.transpose();
    const Vector3<T>& p = motion.p_PB;
    motion.w = R_BP * w_P;
    motion.wd = R_BP * wd_P;
    motion.v = R_BP * (v_P + w_P.cross(p));
    motion.a = R_BP * (a_P + wd_P.cross(p) + w_P.cross(Vector3<T>(w_P.cross(p))));
    const Vector3<T> z_rate = z * rate;
    if (body.prismatic) {
      motion.v += z_rate;
      motion.a += z * acceleration + T(2.0) * motion.w.cross(z_rate);
    } else {
      motion.w += z_rate;
      motion.wd += z * acceleration + motion.w.cross(z_rate);
    }
  }
}

template <typename T>
void forwardKinematics(const Robot& robot,
                       const VectorX<T>& q,
                       const VectorX<T>& dq,
                       const VectorX<T>& ddq,
                       std::vector<BodyMotion<T>>& motions) {
  if (robot.loops.empty()) {
    treeKinematics<T>(robot, q, dq, ddq, motions);
    return;
  }
  Eigen::VectorXd values(q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) values(i) = plainValue(q(i));
  VectorX<T> tree_q = q, tree_dq = dq, tree_ddq = ddq;
  closedMotion<T>(robot, requireClosed(robot, values), tree_q, tree_dq, tree_ddq);
  treeKinematics<T>(robot, tree_q, tree_dq, tree_ddq, motions);
}

template void forwardKinematics(const Robot&,
                                const VectorX<double>&,
                                const VectorX<double>&,
                                const VectorX<double>&,
                                std::vector<BodyMotion<double>>&);
template void forwardKinematics(const Robot&,
                                const VectorX<Dual1>&,
                                const VectorX<Dual1>&,
                                const VectorX<Dual1>&,
                                std::vector<BodyMotion<Dual1>>&);
template void forwardKinematics(const Robot&,
                                const VectorX<Dual2>&,
                                const VectorX<Dual2>&,
                                const VectorX<Dual2>&,
                                std::vector<BodyMotion<Dual2>>&);

template void treeKinematics(const Robot&,
                             const VectorX<double>&,
                             const VectorX<double>&,
                             const VectorX<double>&,
                             std::vector<BodyMotion<double>>&,
                             Gravity);
template void treeKinematics(const Robot&,
                             const VectorX<Dual1>&,
                             const VectorX<Dual1>&,
                             const VectorX<Dual1>&,
                             std::vector<BodyMotion<Dual1>>&,
                             Gravity);
template void treeKinematics(const Robot&,
                             const VectorX<Dual2>&,
                             const VectorX<Dual2>&,
                             const VectorX<Dual2>&,
                             std::vector<BodyMotion<Dual2>>&,
                             Gravity);

std::vector<Transform> bodyPoses(const Robot& robot, const Eigen::VectorXd& q) {
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(q.size());
  std::vector<BodyMotion<double>> motions;
  forwardKinematics<double>(robot, q, zero, zero, motions);
  std::vector<Transform> poses(motions.size());
  for (size_t k = 0; k < motions.size(); ++k) {
    const Transform X_PB{motions[k].R_PB, motions[k].p_PB};
    const int parent = robot.bodies[k].parent;
    poses[k] = parent < 0 ? X_PB : poses[parent] * X_PB;
  }
  return poses;
}

}  // namespace dynid
