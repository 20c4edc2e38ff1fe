#pragma once

#include "dynid/dynamics/projection.h"
#include "dynid/excitation/excitation_design.h"
#include "dynid/excitation/fourier_basis.h"
#include "dynid/excitation/regressor_adjoint.h"

#include <Eigen/Core>

#include <memory>
#include <vector>

namespace dynid {

/// The effort limits along a Fourier series as smooth constraints g >= 0, one per time:
///
///     g_i = 1 - margin - 1/rho log sum_j 2 cosh(rho s_ij),
///     s_ij = e_j(t_i) / (limit_j - friction_j)
///
/// over the joints with a limit; the efforts e are those of describedEfforts. g_i never exceeds the
/// remaining share of the most loaded joint and is at most log(2 joints)/rho below it, rho = 100.
class EffortRows {
 public:
  /// @param limits  efforts above the joints' friction; at least one is finite
  EffortRows(std::shared_ptr<const Robot> robot,
             const MotionLimits& limits,
             int harmonics,
             double period_s,
             int points,
             double margin);

  int count() const { return static_cast<int>(basis_.q.rows()); }

  /// @param X         coefficients as in FourierBasis
  /// @param jacobian  if not null: result [count x X.size()], columns in the storage order of X
  /// Not thread-safe (the object has working memory).
  void evaluate(const Eigen::MatrixXd& X, Eigen::VectorXd& g, Eigen::MatrixXd* jacobian);

 private:
  std::shared_ptr<const Robot> robot_;
  Eigen::VectorXd room_;  // [joints] limit minus friction; infinite without a limit
  FourierBasis basis_;
  double margin_;
  std::vector<Eigen::RowVectorXd> parameters_;  // per joint: parameters of its regressor columns
  RegressorAdjoint adjoint_;
};

}  // namespace dynid
