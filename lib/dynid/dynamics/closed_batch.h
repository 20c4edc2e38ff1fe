#pragma once

#include "dynid/dynamics/closed_motion.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// What the driven joints' motion makes the tree of a mechanism with loops do, sample by sample
/// (closedMotion, loopProjector).
struct ClosedBatch {
  Eigen::MatrixXd q, dq, ddq;          ///< [samples x tree coordinates] rad or m, per s, per s^2
  std::vector<Eigen::MatrixXd> N;      ///< per sample [tree coordinates x joints]
  std::vector<ClosedPosition> closed;  ///< per sample
};

/// Passive positions are followed from sample to sample, so that consecutive ones are cheap.
/// @param q, dq, ddq  [samples x joints] of the driven joints, rad or m, per s, per s^2
/// @throws InputError where a loop does not close
ClosedBatch closeBatch(const Robot& robot,
                       const Eigen::Ref<const Eigen::MatrixXd>& q,
                       const Eigen::Ref<const Eigen::MatrixXd>& dq,
                       const Eigen::Ref<const Eigen::MatrixXd>& ddq);

}  // namespace dynid
