#pragma once

#include "dynid/formulations/floating_base.h"
#include "dynid/logs/base_channels.h"
#include "dynid/math/random_stream.h"
#include "dynid/robot/robot.h"
#include "dynid/simulation/simulate.h"
#include "dynid/simulation/simulated_effort.h"

#include <optional>
#include <vector>

namespace dynid {

/// Simulated sensor under the base: records its pose, twist and wrench, the wrench with the
/// relative noise of the efforts.
class BaseSensor {
 public:
  /// @param spread  instants distributed over the motion, from which the size of the noise is
  ///     computed
  BaseSensor(const Robot& robot,
             const SimulationTruth& truth,
             const SimulationOptions& options,
             const SimulatedBlock& spread);

  /// The recording of a block, which must follow the block before.
  BaseSamples measure(const SimulatedBlock& block);

 private:
  BaseSamples exact(const SimulatedBlock& block) const;

  const Robot& robot_;
  const SimulationOptions& options_;
  Eigen::VectorXd pi_;
  Eigen::VectorXd sigma_ = Eigen::VectorXd::Zero(6);
  std::vector<RandomStream> noise_;
};

/// The noise-free recording of the base during a motion: pose and twist if it moves, and the wrench
/// of the ground,
///
///     (f, n) = sum over bodies k of X_k A_k(w_k, wd_k, a_k) pi_k
///
/// @param robot    with its root body (withRootBody)
/// @param pi       [10 bodies] of the robot without the payload
/// @param payload  nullopt: none
/// @param frame    of twist and wrench
BaseSamples sensedAtBase(const Robot& robot,
                         const Eigen::VectorXd& pi,
                         const std::optional<PayloadNote>& payload,
                         const SimulatedBlock& block,
                         BaseFrame frame);

}  // namespace dynid
