#pragma once

#include "dynid/dynamics/projection.h"
#include "dynid/excitation/regressor_adjoint.h"

#include <Eigen/Core>

#include <memory>
#include <vector>

namespace dynid {

/// RegressorAdjoint of a mechanism with loops: the tree's adjoint, carried over to the driven
/// joints u. With Y = N^T Y_tree, q = q(u), dq = N du, ddq = N ddu + gamma and H = ds/dN,
///
///     ds/du_k   = g_q.N_k + g_dq.(dN/du_k du) + g_ddq.(d ddq/du_k) + <H, dN/du_k>
///     ds/ddu_k  = g_dq.N_k + g_ddq.(dgamma/ddu_k),     ds/dddu_k = g_ddq.N_k
///
/// where the passive rows of dN/du_k e_j are -A_p^+ c''(N e_k, N e_j), those of dgamma/ddu_k
/// -2 A_p^+ c''(N du, N e_k), with c''(x, y) by polarisation of c''(x, x) = (dA/dt) x at rates x;
/// d ddq/du_k comes from dual numbers.
class ClosedAdjoint {
 public:
  explicit ClosedAdjoint(const Robot& robot);

  /// As RegressorAdjoint::evaluate; q, dq, ddq, the results and G are of the driven joints.
  /// @throws InputError where a loop does not close
  void evaluate(const Eigen::MatrixXd& q,
                const Eigen::MatrixXd& dq,
                const Eigen::MatrixXd& ddq,
                const std::vector<Eigen::MatrixXd>& G,
                Eigen::MatrixXd& gq,
                Eigen::MatrixXd& gdq,
                Eigen::MatrixXd& gddq);

 private:
  struct Batch;
  void carryToTree(const std::vector<Eigen::MatrixXd>& G, Batch& batch) const;

  Robot robot_;
  std::shared_ptr<const Robot> tree_;
  ProjectionRegressor regressor_;         // of the tree
  RegressorAdjoint adjoint_;              // of the tree
  std::vector<std::vector<int>> bodies_;  // per driven joint, ascending: the blocks of G
};

}  // namespace dynid
