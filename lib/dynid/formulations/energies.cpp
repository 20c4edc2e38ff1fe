#include "dynid/formulations/energies.h"

#include <Eigen/Geometry>

namespace dynid {

template <typename T>
Vector10<T> kineticRow(const Vector3<T>& v, const Vector3<T>& w) {
  Vector10<T> row;
  row(0) = 0.5 * v.dot(v);
  row.template segment<3>(1) = v.cross(w);  // v.(w x h) = h.(v x w)
  row(4) = 0.5 * (w.x() * w.x());
  row(5) = w.x() * w.y();
  row(6) = w.x() * w.z();
  row(7) = 0.5 * (w.y() * w.y());
  row(8) = w.y() * w.z();
  row(9) = 0.5 * (w.z() * w.z());
  return row;
}

template <typename T>
Vector10<T> potentialRow(const Matrix3<T>& R_WB,
                         const Vector3<T>& p_WB,
                         const Eigen::Vector3d& gravity) {
  const Vector3<T>& g = gravity.cast<T>();
  Vector10<T> row = Vector10<T>::Zero();
  row(0) = -g.dot(p_WB);
  row.template segment<3>(1) = -(R_WB.transpose() * g);
  return row;
}

template <typename T>
std::vector<BodyPose<T>> worldPoses(const Robot& robot, const std::vector<BodyMotion<T>>& motions) {
  std::vector<BodyPose<T>> poses(motions.size());
  for (size_t k = 0; k < motions.size(); ++k) {
    poses[k] = {motions[k].R_PB, motions[k].p_PB};
    const int parent = robot.bodies[k].parent;
    if (parent < 0) continue;
    const BodyPose<T>& X_WP = poses[parent];
    poses[k].p = X_WP.p + X_WP.R * poses[k].p;
    poses[k].R = X_WP.R * poses[k].R;
  }
  return poses;
}

template <typename T>
EnergyRows<T> energyRows(const Robot& robot, const VectorX<T>& q, const VectorX<T>& dq) {
  std::vector<BodyMotion<T>> motions;
  forwardKinematics<T>(robot, q, dq, VectorX<T>::Zero(q.size()), motions);
  const std::vector<BodyPose<T>> poses = worldPoses(robot, motions);
  EnergyRows<T> rows{RowVectorX<T>(Eigen::Index{10} * robot.numBodies()),
                     RowVectorX<T>(10 * robot.numBodies())};
  for (size_t k = 0; k < motions.size(); ++k) {
    const Eigen::Index at = 10 * k;
    rows.kinetic.template segment<10>(at) = kineticRow(motions[k].v, motions[k].w).transpose();
    rows.potential.template segment<10>(at) =
        potentialRow(poses[k].R, poses[k].p, robot.gravity).transpose();
  }
  return rows;
}

template Vector10<double> kineticRow(const Vector3<double>&, const Vector3<double>&);
template Vector10<double> potentialRow(const Matrix3<double>&,
                                       const Vector3<double>&,
                                       const Eigen::Vector3d&);
template EnergyRows<double> energyRows(const Robot&,
                                       const VectorX<double>&,
                                       const VectorX<double>&);
template EnergyRows<Dual1> energyRows(const Robot&, const VectorX<Dual1>&, const VectorX<Dual1>&);
template EnergyRows<Dual2> energyRows(const Robot&, const VectorX<Dual2>&, const VectorX<Dual2>&);
template std::vector<BodyPose<double>> worldPoses(const Robot&,
                                                  const std::vector<BodyMotion<double>>&);
template std::vector<BodyPose<Dual1>> worldPoses(const Robot&,
                                                 const std::vector<BodyMotion<Dual1>>&);
template std::vector<BodyPose<Dual2>> worldPoses(const Robot&,
                                                 const std::vector<BodyMotion<Dual2>>&);

VectorX<Dual1> alongTime(const Eigen::VectorXd& x, const Eigen::VectorXd& rate) {
  VectorX<Dual1> result(x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) result(i) = Dual1(x(i), rate(i));
  return result;
}

VectorX<Dual1> alongEntry(const Eigen::VectorXd& x, Eigen::Index j) {
  return alongTime(x, Eigen::VectorXd::Unit(x.size(), j));
}

}  // namespace dynid
