#include "dynid/formulations/acceleration_energy.h"

#include <Eigen/Geometry>

namespace dynid {

template <typename T>
Vector10<T> accelerationEnergyRow(const Vector3<T>& w, const Vector3<T>& wd, const Vector3<T>& a) {
  const Vector3<T> x = wd.cross(w);  // wd.(w x I w) = x.I w
  Vector10<T> row;
  row(0) = 0.5 * a.dot(a);
  row.template segment<3>(1) = a.cross(wd) + w * a.dot(w) - a * w.dot(w);
  row(4) = 0.5 * (wd.x() * wd.x()) + x.x() * w.x();
  row(5) = wd.x() * wd.y() + x.x() * w.y() + x.y() * w.x();
  row(6) = wd.x() * wd.z() + x.x() * w.z() + x.z() * w.x();
  row(7) = 0.5 * (wd.y() * wd.y()) + x.y() * w.y();
  row(8) = wd.y() * wd.z() + x.y() * w.z() + x.z() * w.y();
  row(9) = 0.5 * (wd.z() * wd.z()) + x.z() * w.z();
  return row;
}

template <typename T>
Eigen::Matrix<T, 1, Eigen::Dynamic> accelerationEnergyRows(const Robot& robot,
                                                           const VectorX<T>& q,
                                                           const VectorX<T>& dq,
                                                           const VectorX<T>& ddq) {
  std::vector<BodyMotion<T>> motions;
  forwardKinematics<T>(robot, q, dq, ddq, motions);
  Eigen::Matrix<T, 1, Eigen::Dynamic> rows(Eigen::Index{10} * robot.numBodies());
  for (size_t k = 0; k < motions.size(); ++k)
    rows.template segment<10>(10 * k) =
        accelerationEnergyRow(motions[k].w, motions[k].wd, motions[k].a).transpose();
  return rows;
}

template Eigen::Matrix<Dual1, 1, Eigen::Dynamic> accelerationEnergyRows(const Robot&,
                                                                        const VectorX<Dual1>&,
                                                                        const VectorX<Dual1>&,
                                                                        const VectorX<Dual1>&);
template Eigen::Matrix<Dual2, 1, Eigen::Dynamic> accelerationEnergyRows(const Robot&,
                                                                        const VectorX<Dual2>&,
                                                                        const VectorX<Dual2>&,
                                                                        const VectorX<Dual2>&);

}  // namespace dynid
