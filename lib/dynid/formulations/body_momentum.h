#pragma once

#include "dynid/spatial/vectors.h"

namespace dynid {

/// Momentum of a body, linear in its ten parameters: bodyMomentum(V) pi = (m v + w x h, h x v + I
/// w), linear and angular momentum about the frame's origin, for V = (v, w). All vectors are in
/// body axes.
template <typename T>
inline Eigen::Matrix<T, 6, 10> bodyMomentum(const Vector6<T>& V) {
  const Vector3<T> v = V.template head<3>(), w = V.template tail<3>();
  const T o(0.0);
  Eigen::Matrix<T, 6, 10> P = Eigen::Matrix<T, 6, 10>::Zero();
  P.template block<3, 1>(0, 0) = v;
  P.template block<3, 3>(0, 1) = skew(w);
  P.template block<3, 3>(3, 1) = -skew(v);
  P.template block<3, 6>(3, 4) = Eigen::Matrix<T, 3, 6>{{w.x(), w.y(), w.z(), o, o, o},
                                                        {o, w.x(), o, w.y(), w.z(), o},
                                                        {o, o, w.x(), o, w.y(), w.z()}};
  return P;
}

}  // namespace dynid
