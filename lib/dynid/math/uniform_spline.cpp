#include "dynid/math/uniform_spline.h"

#include "dynid/math/smoothing_spline.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dynid {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The B-splines of degree `degree` at local time u in [0, 1] from those of one degree less
/// (recursion of de Boor and Cox); unused entries are zero.
std::array<double, UniformSpline::kOrder> raised(
    const std::array<double, UniformSpline::kOrder>& lower, int degree, double u) {
  std::array<double, UniformSpline::kOrder> higher{};
  for (int j = 0; j <= degree; ++j) {
    double sum = 0.0;
    if (j > 0) sum += (u + degree - j) * lower[j - 1];
    if (j < degree) sum += (j + 1 - u) * lower[j];
    higher[j] = sum / degree;
  }
  return higher;
}

/// (lower_{j-1} - lower_j) / step: the derivatives of the splines of one degree more.
std::array<double, UniformSpline::kOrder> differences(
    const std::array<double, UniformSpline::kOrder>& lower, double step) {
  std::array<double, UniformSpline::kOrder> derivative{};
  for (std::size_t j = 0; j < derivative.size(); ++j)
    derivative[j] = ((j > 0 ? lower[j - 1] : 0.0) - lower[j]) / step;
  return derivative;
}

}  // namespace

UniformSpline::UniformSpline(double begin, double knot_step, Index intervals)
    : begin_(begin), knot_step_(knot_step), intervals_(intervals) {
  if (!(knot_step > 0.0) || intervals < 1)
    throw std::invalid_argument("the spline has the knot step " + std::to_string(knot_step) +
                                " s, " + std::to_string(intervals) +
                                " intervals; expected a positive step and at least one interval");
}

UniformSpline::Basis UniformSpline::at(double time) const {
  const double place = (time - begin_) / knot_step_;
  Basis basis;
  basis.first = std::clamp<Index>(static_cast<Index>(std::floor(place)), 0, intervals_ - 1);
  const double u = place - static_cast<double>(basis.first);
  std::array<double, kOrder> splines{1.0};
  for (int degree = 1; degree <= kDegree; ++degree) {
    if (degree == kDegree - 1)
      basis.second_derivative = differences(differences(splines, knot_step_), knot_step_);
    if (degree == kDegree) basis.first_derivative = differences(splines, knot_step_);
    splines = raised(splines, degree, u);
  }
  basis.value = splines;
  return basis;
}

SplineMotion evaluate(const UniformSpline& spline,
                      const Eigen::Ref<const MatrixXd>& coefficients,
                      const Eigen::Ref<const VectorXd>& times) {
  if (coefficients.rows() != spline.numCoefficients())
    throw std::invalid_argument(std::to_string(coefficients.rows()) + " coefficients; expected " +
                                std::to_string(spline.numCoefficients()));
  // Transposed: the joints of one coefficient are contiguous
  const MatrixXd by_column = coefficients.transpose();
  MatrixXd motion[3];
  for (MatrixXd& part : motion) part.resize(coefficients.cols(), times.size());
  for (Index k = 0; k < times.size(); ++k) {
    const UniformSpline::Basis basis = spline.at(times(k));
    const auto basis_columns = by_column.middleCols<UniformSpline::kOrder>(basis.first);
    using Weights = Eigen::Map<const Eigen::Vector<double, UniformSpline::kOrder>>;
    motion[0].col(k).noalias() = basis_columns * Weights(basis.value.data());
    motion[1].col(k).noalias() = basis_columns * Weights(basis.first_derivative.data());
    motion[2].col(k).noalias() = basis_columns * Weights(basis.second_derivative.data());
  }
  return {motion[0].transpose(), motion[1].transpose(), motion[2].transpose()};
}

MatrixXd fitSpline(const UniformSpline& spline,
                   const Eigen::Ref<const VectorXd>& times,
                   const Eigen::Ref<const MatrixXd>& values) {
  return fitSmoothSpline(spline, times, values, 0.0);
}

}  // namespace dynid
