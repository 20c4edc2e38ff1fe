#pragma once

#include <Eigen/Core>

#include <array>

namespace dynid {

/// Quintic B-splines on equidistant knots,
///     x(t) = sum_j B_j(t) c_j,   B_j nonzero in (knot_{j-5}, knot_{j+1}),
/// with four continuous derivatives. Source: de Boor, "A practical guide to splines", chapter X.
class UniformSpline {
 public:
  static constexpr int kDegree = 5;
  static constexpr int kOrder = kDegree + 1;

  /// @param begin      [s] first knot of the range
  /// @param knot_step  [s] > 0
  /// @param intervals  >= 1; the range is [begin, begin + intervals knot_step]
  /// @throws std::invalid_argument for a knot step or a number of intervals outside these ranges
  UniformSpline(double begin, double knot_step, Eigen::Index intervals);

  double knotStep() const { return knot_step_; }
  /// Number of coefficients per function: intervals + 5.
  Eigen::Index numCoefficients() const { return intervals_ + kDegree; }

  /// The six splines that are not zero at a given time, and their derivatives.
  struct Basis {
    Eigen::Index first = 0;  ///< index of the first coefficient; the others follow it
    /// In 1, 1/s and 1/s^2.
    std::array<double, kOrder> value{}, first_derivative{}, second_derivative{};
  };
  /// @param time  [s]; outside the range the polynomials of the outermost intervals are continued
  Basis at(double time) const;

 private:
  double begin_, knot_step_;
  Eigen::Index intervals_;
};

/// Values and two derivatives [N,c] of the splines with the given coefficients [numCoefficients,c]
/// at N times [s].
struct SplineMotion {
  Eigen::MatrixXd value, first, second;
};
SplineMotion evaluate(const UniformSpline& spline,
                      const Eigen::Ref<const Eigen::MatrixXd>& coefficients,
                      const Eigen::Ref<const Eigen::VectorXd>& times);

/// Coefficients [numCoefficients,c] of the least-squares fit
///     min over c  sum_k (y_k - x(t_k))^2 + ridge |c|^2
/// for each column. The ridge (1e-13 of the largest diagonal entry of the normal equations) matters
/// only for splines without any sample in their support.
/// @param times   [N] s
/// @param values  [N,c]
Eigen::MatrixXd fitSpline(const UniformSpline& spline,
                          const Eigen::Ref<const Eigen::VectorXd>& times,
                          const Eigen::Ref<const Eigen::MatrixXd>& values);

}  // namespace dynid
