#pragma once

#include <Eigen/Core>

namespace dynid {

/// [N,n] true where a joint moves.
using MovingMask = Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic>;

/// Speed below which a joint counts as at standstill, where friction can take any value in the
/// stiction band: min(default, 0.05 v95) with the 95 % quantile v95 of the joint's speed, so that
/// slow and prismatic axes keep their motion. For a joint that never moves it is the default.
/// @param dq [N,n] rad/s or m/s
/// @param default_speed [rad/s or m/s]
/// @returns [n]
Eigen::VectorXd stillThresholds(const Eigen::Ref<const Eigen::MatrixXd>& dq, double default_speed);

/// |dq| > threshold, per sample and joint.
MovingMask movingMask(const Eigen::Ref<const Eigen::MatrixXd>& dq,
                      const Eigen::Ref<const Eigen::VectorXd>& thresholds);

}  // namespace dynid
