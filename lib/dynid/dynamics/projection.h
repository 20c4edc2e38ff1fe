#pragma once

#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <memory>
#include <vector>

namespace dynid {

struct TreePlan;

/// [rad] The sine and cosine of the kernels are accurate up to this angle.
inline constexpr double kLargestJointAngle = 1e6;

/// The regressor of the projection method, evaluated on batches of samples (structure of arrays):
///
///     Y = sum_k J_k^T A_k(w_k, wd_k, a_k),     tau = Y pi
///
/// J_k [6 x joints] maps joint rates to the motion (v, w) of body k at its origin, expressed in its
/// own frame. A_k is the bodyRegressor. Row j of Y is zero for every body that joint j does not
/// move; therefore only the ten columns of each body in `bodies(j)` are stored for row j. A mimic
/// joint adds multiplier * J to the column of the joint that it mimics (tau = N^T tau_tree).
///
/// With loops, the batch is evaluated at the tree coordinates that close them and projected sample
/// by sample, Y = N(q)^T Y_tree. These are Maggi's equations, in which the constraint forces of the
/// loops do not occur. The passive positions of each sample start from those of the sample before,
/// so that consecutive samples cost few iterations.
///
/// Source: projection of the Newton-Euler equations of each body onto the joint rates (Kane's
/// method); Kane, Levinson, "Dynamics: theory and applications", 1985.
class ProjectionRegressor {
 public:
  /// @param robot  with or without loops
  /// @throws std::invalid_argument if there is no robot
  explicit ProjectionRegressor(std::shared_ptr<const Robot> robot);
  /// The same regressor. Where the robot has no loops, `evaluate` computes the rows of some joints
  /// only and does not write the others.
  /// @param wanted  [joints] the rows that are computed
  ProjectionRegressor(const ProjectionRegressor& other, const std::vector<bool>& wanted);

  const Robot& robot() const { return *robot_; }
  /// The bodies that joint j moves, ascending. Their columns, ten each, are next to each other in
  /// `Y[j]`.
  /// @throws std::invalid_argument if there is no such joint
  const std::vector<int>& bodies(int joint) const;
  /// Index (10 body + component) of each column of `Y[j]` in the dense regressor.
  /// @throws std::invalid_argument if there is no such joint
  std::vector<int> columns(int joint) const;

  /// Evaluates the regressor at every sample.
  ///
  /// The samples are computed in SIMD lanes, with the widest instruction set of the processor
  /// (chosenInstructionSet). Every lane performs the same operations, so the result of a sample
  /// does not depend on its neighbours.
  ///
  /// @param q, dq, ddq  [samples x joints], joint side, rad or m, per s, per s^2; base at rest
  /// @param Y           result, one matrix per joint, [samples x 10 |bodies(j)|]; resized if its
  ///     shape differs
  /// @throws std::invalid_argument for wrong shapes; InputError for angles beyond 1e6 rad and if a
  ///     loop does not close
  void evaluate(const Eigen::Ref<const Eigen::MatrixXd>& q,
                const Eigen::Ref<const Eigen::MatrixXd>& dq,
                const Eigen::Ref<const Eigen::MatrixXd>& ddq,
                std::vector<Eigen::MatrixXd>& Y) const;

  /// Where the columns of Y are written: [joint][column of Y[joint]], each with room for one number
  /// per sample; nullptr: the column is not needed.
  using Targets = std::vector<std::vector<double*>>;
  /// The same, writing the columns to the given addresses.
  /// @throws as above; std::invalid_argument if there are not as many addresses as columns
  void evaluate(const Eigen::Ref<const Eigen::MatrixXd>& q,
                const Eigen::Ref<const Eigen::MatrixXd>& dq,
                const Eigen::Ref<const Eigen::MatrixXd>& ddq,
                const Targets& targets) const;

  /// Recommended number of samples per batch: all their columns fit the cache. It is not a power of
  /// two because the columns would then share cache sets.
  static constexpr Eigen::Index kBatch = 264;

  /// Efforts of the rigid bodies without friction, Y pi = sum_k J_k^T (A_k pi_k), computed without
  /// forming Y.
  /// @param inertial    [10 bodies] pi, the ten parameters of each body in its own frame
  /// @param q, dq, ddq  as in evaluate
  /// @returns [samples x joints] N m or N, joint side
  /// @throws as evaluate does; std::invalid_argument for a wrong number of parameters
  Eigen::MatrixXd efforts(const Eigen::VectorXd& inertial,
                          const Eigen::Ref<const Eigen::MatrixXd>& q,
                          const Eigen::Ref<const Eigen::MatrixXd>& dq,
                          const Eigen::Ref<const Eigen::MatrixXd>& ddq) const;

  /// The dense regressor of one sample, [joints x 10 bodies]; slow, for tests and examples.
  /// @throws as evaluate does
  Eigen::MatrixXd dense(const Eigen::VectorXd& q,
                        const Eigen::VectorXd& dq,
                        const Eigen::VectorXd& ddq) const;

 private:
  struct Kernel;
  void checkShapes(const Eigen::Ref<const Eigen::MatrixXd>& q,
                   const Eigen::Ref<const Eigen::MatrixXd>& dq,
                   const Eigen::Ref<const Eigen::MatrixXd>& ddq) const;
  /// Runs the kernel (see BatchRequest).
  void run(const TreePlan& tree,
           const Eigen::Ref<const Eigen::MatrixXd>& q,
           const Eigen::Ref<const Eigen::MatrixXd>& dq,
           const Eigen::Ref<const Eigen::MatrixXd>& ddq,
           const std::vector<double*>& columns,
           const double* inertial) const;
  /// Efforts of the tree coordinates.
  Eigen::MatrixXd treeEfforts(const Eigen::VectorXd& inertial,
                              const Eigen::Ref<const Eigen::MatrixXd>& q,
                              const Eigen::Ref<const Eigen::MatrixXd>& dq,
                              const Eigen::Ref<const Eigen::MatrixXd>& ddq) const;
  /// Regressor rows of the tree coordinates.
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
  std::shared_ptr<const TreePlan> rows_;  // plan of the rows that are computed
  std::vector<std::vector<int>> bodies_;  // per joint
};

}  // namespace dynid
