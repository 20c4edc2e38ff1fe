#include "dynid/signals/stillness.h"

#include "dynid/math/quantile.h"

#include <algorithm>
#include <vector>

namespace dynid {

using Eigen::Index;

Eigen::VectorXd stillThresholds(const Eigen::Ref<const Eigen::MatrixXd>& dq, double default_speed) {
  Eigen::VectorXd thresholds = Eigen::VectorXd::Constant(dq.cols(), default_speed);
  if (dq.rows() == 0) return thresholds;
  std::vector<double> speeds(dq.rows());
  for (Index j = 0; j < dq.cols(); ++j) {
    for (Index k = 0; k < dq.rows(); ++k) speeds[k] = std::abs(dq(k, j));
    const double v95 = quantile(speeds, 0.95);
    if (v95 > 0.05 * default_speed) thresholds(j) = std::min(default_speed, 0.05 * v95);
  }
  return thresholds;
}

MovingMask movingMask(const Eigen::Ref<const Eigen::MatrixXd>& dq,
                      const Eigen::Ref<const Eigen::VectorXd>& thresholds) {
  MovingMask moving(dq.rows(), dq.cols());
  for (Index j = 0; j < dq.cols(); ++j) moving.col(j) = dq.col(j).array().abs() > thresholds(j);
  return moving;
}

}  // namespace dynid
