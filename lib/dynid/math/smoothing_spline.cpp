#include "dynid/math/smoothing_spline.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

namespace dynid {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kRidge = 1e-13;

/// Adds the penalty to the lower band of the normal equations. The fourth derivative is linear
/// between the knots, where its values are the fourth differences of the coefficients divided by
/// step^4.
void addPenalty(double penalty, const UniformSpline& spline, MatrixXd& band) {
  constexpr std::array<double, 5> kDifference{1.0, -4.0, 6.0, -4.0, 1.0};
  const double scale = penalty * std::pow(spline.knotStep(), -7.0) / 6.0;
  const auto add = [&](Index knot, Index other, double weight) {
    for (Index a = 0; a < 5; ++a)
      for (Index b = 0; b < 5; ++b) {
        const Index row = knot + a, column = other + b;
        if (row >= column)
          band(row - column, column) += scale * weight * kDifference[a] * kDifference[b];
      }
  };
  const Index intervals = spline.numCoefficients() - UniformSpline::kDegree;
  for (Index k = 0; k < intervals; ++k) {
    add(k, k, 2.0);
    add(k + 1, k + 1, 2.0);
    add(k, k + 1, 1.0);
    add(k + 1, k, 1.0);
  }
}

}  // namespace

MatrixXd fitSmoothSpline(const UniformSpline& spline,
                         const Eigen::Ref<const VectorXd>& times,
                         const Eigen::Ref<const MatrixXd>& values,
                         double penalty) {
  if (times.size() != values.rows())
    throw std::invalid_argument(std::to_string(times.size()) + " times for " +
                                std::to_string(values.rows()) + " rows; expected as many");
  const Index size = spline.numCoefficients();
  // Lower band of the normal equations, one column per coefficient.
  MatrixXd band = MatrixXd::Zero(UniformSpline::kOrder, size);
  MatrixXd right = MatrixXd::Zero(size, values.cols());
  for (Index k = 0; k < times.size(); ++k) {
    const UniformSpline::Basis basis = spline.at(times(k));
    for (Index a = 0; a < UniformSpline::kOrder; ++a) {
      const double weight = basis.value[a];
      right.row(basis.first + a) += weight * values.row(k);
      for (Index b = a; b < UniformSpline::kOrder; ++b)
        band(b - a, basis.first + a) += weight * basis.value[b];
    }
  }
  band.row(0).array() += kRidge * std::max(band.row(0).maxCoeff(), 1e-300);
  if (penalty > 0.0) addPenalty(penalty, spline, band);
  std::vector<Eigen::Triplet<double>> entries;
  for (Index j = 0; j < size; ++j)
    for (Index b = 0; b < UniformSpline::kOrder && j + b < size; ++b)
      entries.emplace_back(j + b, j, band(b, j));
  Eigen::SparseMatrix<double> normal(size, size);
  normal.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>,
                              Eigen::Lower,
                              Eigen::NaturalOrdering<Eigen::SparseMatrix<double>::StorageIndex>>
      factor(normal);
  return factor.solve(right);
}

double penaltyOfCutoff(double cutoff_hz, double dt) {
  return std::pow(2.0 * std::numbers::pi * cutoff_hz, -8.0) / dt;
}

}  // namespace dynid
