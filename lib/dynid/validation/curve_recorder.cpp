#include "dynid/validation/curve_recorder.h"

namespace dynid {

void CurveRecorder::add(const Eigen::Ref<const Eigen::VectorXd>& time,
                        const Eigen::Ref<const Eigen::MatrixXd>& measured,
                        const Eigen::Ref<const Eigen::MatrixXd>& predicted) {
  for (Eigen::Index i = 0; i < time.size(); ++i, ++row_) {
    if (row_ % stride_ != 0) continue;
    if (points_.size() == max_points_) {
      for (size_t k = 0; 2 * k < points_.size(); ++k) points_[k] = points_[2 * k];
      points_.resize((points_.size() + 1) / 2);
      stride_ *= 2;
      if (row_ % stride_ != 0) continue;
    }
    points_.push_back({time(i), measured.row(i), predicted.row(i)});
  }
}

Curves CurveRecorder::curves() const {
  Curves curves;
  const auto n = std::ssize(points_);
  const Eigen::Index joints = n > 0 ? points_[0].measured.size() : 0;
  curves.time.resize(n);
  curves.measured.resize(n, joints);
  curves.predicted.resize(n, joints);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Point& point = points_[i];
    curves.time(i) = point.time;
    curves.measured.row(i) = point.measured;
    curves.predicted.row(i) = point.predicted;
  }
  return curves;
}

}  // namespace dynid
