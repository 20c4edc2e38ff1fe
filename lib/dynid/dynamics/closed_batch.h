#pragma once

#include "dynid/dynamics/closed_motion.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Motion of all tree coordinates of a mechanism with loops, for a motion of its driven joints,
/// sample by sample (see closedMotion, loopProjector).
struct ClosedBatch {
  Eigen::MatrixXd q, dq, ddq;          ///< [samples x tree coordinates] rad or m, per s, per s^2
  std::vector<Eigen::MatrixXd> N;      ///< per sample: projector N [tree coordinates x joints]
  std::vector<ClosedPosition> closed;  ///< per sample: the closed position
};

/// Closes the loops for a batch of samples. The passive positions of each sample start from those
/// of the sample before, so that consecutive samples cost few iterations.
/// @param q, dq, ddq  [samples x joints] of the driven joints, rad or m, per s, per s^2
/// @throws InputError if a loop does not close
ClosedBatch closeBatch(const Robot& robot,
                       const Eigen::Ref<const Eigen::MatrixXd>& q,
                       const Eigen::Ref<const Eigen::MatrixXd>& dq,
                       const Eigen::Ref<const Eigen::MatrixXd>& ddq);

}  // namespace dynid
