#pragma once

#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <memory>
#include <vector>

namespace dynid {

class ClosedAdjoint;

/// Exact gradient, by the motion, of any function f of the inertial regressor. With the weights G =
/// df/dY,
///
///     s = sum_j sum_c G_j(c) Y_j(c; q, dq, ddq),     result: ds/dq, ds/ddq ... per sample
///
/// This is the adjoint (reverse-mode differentiation) of the recursion of the projection method.
/// With Y_j = sum_k J_kj^T A_k(w_k, wd_k, a_k) and B_k = sum_j J_kj G_jk^T, the adjoint of J_kj is
/// A_k G_jk. The adjoints of w_k, wd_k and a_k follow from <A_k, B_k>, which is linear in wd and a
/// and quadratic in w. They are propagated from body to parent by the transposed recursion. The
/// cost is one outward and one inward pass, independent of the number of joints. With loops: see
/// ClosedAdjoint.
class RegressorAdjoint {
 public:
  explicit RegressorAdjoint(std::shared_ptr<const Robot> robot);

  /// @param q, dq, ddq  [samples x joints], joint side
  /// @param G           per joint [samples x 10 |bodies(j)|], columns as in ProjectionRegressor's Y
  /// @param gq, gdq, gddq  results [samples x joints]; overwritten
  /// Not thread-safe (the object has working memory).
  void evaluate(const Eigen::MatrixXd& q,
                const Eigen::MatrixXd& dq,
                const Eigen::MatrixXd& ddq,
                const std::vector<Eigen::MatrixXd>& G,
                Eigen::MatrixXd& gq,
                Eigen::MatrixXd& gdq,
                Eigen::MatrixXd& gddq);

 private:
  struct BodyScratch;
  struct Scratch;
  void outward(Eigen::Index sample, const std::vector<Eigen::MatrixXd>& G);
  void inward(Eigen::Index sample,
              Eigen::MatrixXd& gq,
              Eigen::MatrixXd& gdq,
              Eigen::MatrixXd& gddq);

  std::shared_ptr<const Robot> robot_;
  std::shared_ptr<ClosedAdjoint> closed_;  // for a robot with loops; replaces all members below
  std::vector<std::vector<int>> joints_;   // per body: the joints that move it, ascending
  std::vector<std::vector<int>> offsets_;  // per body and entry of joints_: column in G[j]
  // per body and entry of the parent's joints_: entry of its own
  std::vector<std::vector<int>> from_parent_;
  std::vector<int> joint_entry_;  // per body: entry of its own joint
  std::shared_ptr<Scratch> scratch_;
};

}  // namespace dynid
