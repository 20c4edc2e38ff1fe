#pragma once

#include "dynid/dynamics/projection.h"
#include "dynid/excitation/regressor_adjoint.h"

#include <Eigen/Core>

#include <memory>
#include <vector>

namespace dynid {

/// RegressorAdjoint of a mechanism with loops: the adjoint of the tree, transferred to the driven
/// joints u. With Y = N^T Y_tree, q = q(u), dq = N du, ddq = N ddu + gamma and H = ds/dN,
///
///     ds/du_k   = g_q.N_k + g_dq.(dN/du_k du) + g_ddq.(d ddq/du_k) + <H, dN/du_k>
///     ds/ddu_k  = g_dq.N_k + g_ddq.(dgamma/ddu_k),     ds/dddu_k = g_ddq.N_k
///
/// The passive rows of dN/du_k e_j are -A_p^+ c''(N e_k, N e_j), those of dgamma/ddu_k are -2 A_p^+
/// c''(N du, N e_k). c''(x, y) follows by polarisation from c''(x, x) = (dA/dt) x at rates x. d
/// ddq/du_k is computed with dual numbers.
class ClosedAdjoint {
 public:
  explicit ClosedAdjoint(const Robot& robot);

  /// As RegressorAdjoint::evaluate; q, dq, ddq, the results and G belong to the driven joints.
  /// @throws InputError if a loop does not close
  void evaluate(const Eigen::MatrixXd& q,
                const Eigen::MatrixXd& dq,
                const Eigen::MatrixXd& ddq,
                const std::vector<Eigen::MatrixXd>& G,
                Eigen::MatrixXd& gq,
                Eigen::MatrixXd& gdq,
                Eigen::MatrixXd& gddq);

 private:
  struct Batch;
  void mapToTree(const std::vector<Eigen::MatrixXd>& G, Batch& batch) const;

  Robot robot_;
  std::shared_ptr<const Robot> tree_;
  ProjectionRegressor regressor_;  // of the tree
  RegressorAdjoint adjoint_;       // of the tree
  // per driven joint, ascending: the bodies of the blocks of G
  std::vector<std::vector<int>> bodies_;
};

}  // namespace dynid
