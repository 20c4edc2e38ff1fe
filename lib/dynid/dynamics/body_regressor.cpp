#include "dynid/dynamics/body_regressor.h"

namespace dynid {
namespace {

// The operator L(w) with L(w) vec6(I) = I w.
template <typename T>
Eigen::Matrix<T, 3, 6> inertiaOperator(const Vector3<T>& w) {
  const T o(0.0);
  return Eigen::Matrix<T, 3, 6>{{w.x(), w.y(), w.z(), o, o, o},
                                {o, w.x(), o, w.y(), w.z(), o},
                                {o, o, w.x(), o, w.y(), w.z()}};
}

}  // namespace

template <typename T>
BodyRegressor<T> bodyRegressor(const Vector3<T>& w, const Vector3<T>& wd, const Vector3<T>& a) {
  const Matrix3<T> W = skew(w);
  BodyRegressor<T> A = BodyRegressor<T>::Zero();
  A.template block<3, 1>(0, 0) = a;
  A.template block<3, 3>(0, 1) = skew(wd) + W * W;
  A.template block<3, 3>(3, 1) = -skew(a);
  A.template block<3, 6>(3, 4) = inertiaOperator(wd) + W * inertiaOperator(w);
  return A;
}

template BodyRegressor<double> bodyRegressor(const Vector3<double>&,
                                             const Vector3<double>&,
                                             const Vector3<double>&);

}  // namespace dynid
