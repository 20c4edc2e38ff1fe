#pragma once

#include "dynid/excitation/fourier_basis.h"
#include "dynid/excitation/space.h"

#include <Eigen/Core>

#include <memory>

namespace dynid {

/// The gaps of a Space along a Fourier series as smooth constraints g >= 0, one per time:
///
///     g_i = [ -1/rho log sum_k exp(-rho gap_k(q(t_i))) - clearance - margin ] / 0.1 m
///
/// The smooth minimum never exceeds the smallest gap and is at most log(gaps)/rho below it, rho =
/// 200/m.
class SpaceRows {
 public:
  SpaceRows(std::shared_ptr<const Space> space,
            int harmonics,
            double period_s,
            int points,
            double margin);

  int count() const { return static_cast<int>(basis_.q.rows()); }

  /// @param X         coefficients as in FourierBasis
  /// @param jacobian  if not null: result [count x X.size()], columns in the storage order of X
  void evaluate(const Eigen::MatrixXd& X, Eigen::VectorXd& g, Eigen::MatrixXd* jacobian) const;

 private:
  std::shared_ptr<const Space> space_;
  FourierBasis basis_;
  double margin_;
};

}  // namespace dynid
