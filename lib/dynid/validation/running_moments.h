#pragma once

#include <Eigen/Core>

namespace dynid {

/// Mean of the added values and sum of their squared deviations from it, updated set by set (Chan,
/// Golub, LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances",
/// 1979).
struct RunningMoments {
  double count = 0.0, mean = 0.0, squares = 0.0;

  /// @param values  at least one
  void add(const Eigen::Ref<const Eigen::VectorXd>& values) {
    const auto n = static_cast<double>(values.size());
    const double new_mean = values.mean(), delta = new_mean - mean;
    squares += (values.array() - new_mean).square().sum() + delta * delta * count * n / (count + n);
    count += n;
    mean += delta * n / count;
  }
};

}  // namespace dynid
