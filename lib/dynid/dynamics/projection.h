#pragma once

#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <memory>
#include <vector>

namespace dynid {

/// The regressor of the projection method, evaluated on batches of samples (structure of arrays):
///
///     Y = sum_k J_k^T A_k(w_k, wd_k, a_k),     tau = Y pi
///
/// J_k [6 x joints] maps joint rates to the motion (v, w) of body k at its origin in its own frame;
/// A_k is bodyRegressor. Row j of Y is zero for every body that joint j does not move, so channel j
/// stores only the ten columns of each body in `bodies(j)`; bodies compose by projection alone, a
/// change of topology changes only J. Mimicking bodies add multiplier * J to the column of their
/// master (tau = N^T tau_tree).
///
/// With loops the batch is evaluated at the tree coordinates that close them, and projected sample
/// by sample, Y = N(q)^T Y_tree: Maggi's equations, free of the forces in the loops. Passive
/// positions are followed from sample to sample, so that consecutive samples are cheap.
///
/// Source: projection method, "Other methods for derivation of systems dynamics".
class ProjectionRegressor {
 public:
  explicit ProjectionRegressor(std::shared_ptr<const Robot> robot);

  const Robot& robot() const { return *robot_; }
  /// The bodies that joint j moves, ascending; their ten columns stand side by side in `Y[j]`.
  const std::vector<int>& bodies(int joint) const { return bodies_[static_cast<size_t>(joint)]; }
  /// Standard columns (10 body + component) of `Y[j]`.
  std::vector<int> columns(int joint) const;

  /// @param q, dq, ddq  [samples x joints], joint side, rad or m, per s, per s^2
  /// @param Y           result, one matrix a joint, [samples x 10 |bodies(j)|]; resized where the
  /// shape differs
  ///
  /// Samples go through the widest lanes that the processor has (chosenInstructionSet); each lane
  /// does the same operations, so a sample's numbers do not depend on its neighbours.
  /// @throws std::invalid_argument on shapes, and for angles beyond 1e6 rad; InputError where a
  /// loop does not close
  void evaluate(const Eigen::Ref<const Eigen::MatrixXd>& q,
                const Eigen::Ref<const Eigen::MatrixXd>& dq,
                const Eigen::Ref<const Eigen::MatrixXd>& ddq,
                std::vector<Eigen::MatrixXd>& Y) const;

  /// Where the columns of Y go, [joint][column of Y[joint]]: as many numbers as there are samples;
  /// nullptr: not wanted.
  using Targets = std::vector<std::vector<double*>>;
  /// The same into columns anywhere.
  void evaluate(const Eigen::Ref<const Eigen::MatrixXd>& q,
                const Eigen::Ref<const Eigen::MatrixXd>& dq,
                const Eigen::Ref<const Eigen::MatrixXd>& ddq,
                const Targets& targets) const;

  /// So many samples at a time stay in the cache with all their columns. Not a power of two: the
  /// columns would share cache sets.
  static constexpr Eigen::Index kBatch = 264;

  /// Efforts of the rigid bodies alone, Y pi = sum_k J_k^T (A_k pi_k), without the columns of Y.
  /// @param inertial    [10 bodies] pi, each body's ten in its own frame
  /// @param q, dq, ddq  as in evaluate
  /// @returns [samples x joints] N m or N, joint side
  /// @throws as evaluate does
  Eigen::MatrixXd efforts(const Eigen::VectorXd& inertial,
                          const Eigen::Ref<const Eigen::MatrixXd>& q,
                          const Eigen::Ref<const Eigen::MatrixXd>& dq,
                          const Eigen::Ref<const Eigen::MatrixXd>& ddq) const;

  /// The dense regressor of one sample, [joints x 10 bodies] (clarity, tests).
  Eigen::MatrixXd dense(const Eigen::VectorXd& q,
                        const Eigen::VectorXd& dq,
                        const Eigen::VectorXd& ddq) const;

 private:
  struct Kernel;
  void checkShapes(const Eigen::Ref<const Eigen::MatrixXd>& q,
                   const Eigen::Ref<const Eigen::MatrixXd>& dq,
                   const Eigen::Ref<const Eigen::MatrixXd>& ddq) const;
  /// The kernel (see BatchRequest).
  void run(const Eigen::Ref<const Eigen::MatrixXd>& q,
           const Eigen::Ref<const Eigen::MatrixXd>& dq,
           const Eigen::Ref<const Eigen::MatrixXd>& ddq,
           const std::vector<double*>& columns,
           const double* inertial) const;
  /// Of the tree's coordinates.
  Eigen::MatrixXd treeEfforts(const Eigen::VectorXd& inertial,
                              const Eigen::Ref<const Eigen::MatrixXd>& q,
                              const Eigen::Ref<const Eigen::MatrixXd>& dq,
                              const Eigen::Ref<const Eigen::MatrixXd>& ddq) const;
  /// The rows of the tree's coordinates.
  void evaluateTree(const Eigen::Ref<const Eigen::MatrixXd>& q,
                    const Eigen::Ref<const Eigen::MatrixXd>& dq,
                    const Eigen::Ref<const Eigen::MatrixXd>& ddq,
                    const Targets& targets) const;
  void evaluateClosed(const Eigen::MatrixXd& q,
                      const Eigen::MatrixXd& dq,
                      const Eigen::MatrixXd& ddq,
                      const Targets& targets) const;

  std::shared_ptr<const Robot> robot_;
  std::shared_ptr<const Kernel> kernel_;
  std::vector<std::vector<int>> bodies_;  // per joint
};

}  // namespace dynid
