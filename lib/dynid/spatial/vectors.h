#pragma once

#include "dynid/math/eigen_memory.h"

#include <Eigen/Core>

namespace dynid {

template <typename T>
using Vector3 = Eigen::Matrix<T, 3, 1>;
template <typename T>
using Matrix3 = Eigen::Matrix<T, 3, 3>;
template <typename T>
using Vector6 = Eigen::Matrix<T, 6, 1>;
template <typename T>
using Vector10 = Eigen::Matrix<T, 10, 1>;

/// The matrix [v]x with [v]x u = v x u.
template <typename T>
inline Matrix3<T> skew(const Vector3<T>& v) {
  const T o(0.0);
  return Matrix3<T>{{o, -v.z(), v.y()}, {v.z(), o, -v.x()}, {-v.y(), v.x(), o}};
}

/// Rotation matrix for a turn by `angle` [rad] about the unit vector `axis` (Rodrigues' formula).
template <typename T>
inline Matrix3<T> rotationAbout(const Eigen::Vector3d& axis, const T& angle) {
  using std::cos;
  using std::sin;
  const T c = cos(angle), s = sin(angle), d = T(1.0) - c;
  const double x = axis.x(), y = axis.y(), z = axis.z();
  return Matrix3<T>{{c + d * (x * x), d * (x * y) - s * z, d * (x * z) + s * y},
                    {d * (x * y) + s * z, c + d * (y * y), d * (y * z) - s * x},
                    {d * (x * z) - s * y, d * (y * z) + s * x, c + d * (z * z)}};
}

}  // namespace dynid
