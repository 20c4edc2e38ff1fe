#pragma once

#include "dynid/signals/raw_signals.h"

#include <Eigen/Core>

namespace dynid {

using MovingMask = Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic>;

/// Speed below which a joint counts as standing still: min(0.02, 0.05 v95) with v95 the 95 %
/// quantile of its speed, so that slow axes and prismatic ones keep their motion. Friction inside
/// the stiction band is anything. \param dq [N,n] rad/s or m/s; \returns [n]; a joint that never
/// moves gets 0.02.
Eigen::VectorXd stillThresholds(const Eigen::Ref<const Eigen::MatrixXd>& dq, double default_speed);

/// |dq| > threshold, per sample and joint.
MovingMask movingMask(const Eigen::Ref<const Eigen::MatrixXd>& dq,
                      const Eigen::Ref<const Eigen::VectorXd>& thresholds);

/// The part of a log between the first and the last sample in which some joint moves (empty if none
/// does).
Segment movingPart(const MovingMask& moving);

}  // namespace dynid
