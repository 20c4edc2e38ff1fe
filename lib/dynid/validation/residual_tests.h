#pragma once

#include "dynid/validation/running_moments.h"

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <vector>

namespace dynid {

/// Whiteness test of a series, computed stretch by stretch in constant memory.
///
/// Ljung, Box 1978: Q = n (n + 2) sum_{k=1..h} r_k^2 / (n - k) with the autocorrelation r_k at lag
/// k; it has a chi-square distribution with h degrees of freedom for white noise. Integral
/// autocorrelation time by blocking: Flyvbjerg, Petersen 1989; choice of the block length: Lee et
/// al., Phys. Rev. E 83, 066706, 2011.
class ResidualTest {
 public:
  static constexpr size_t kLags = 20;

  /// Adds the next samples, in their order.
  void add(const Eigen::Ref<const Eigen::VectorXd>& values);
  /// Marks a gap in the log: the next sample does not follow the last one, and no lag extends
  /// across.
  void breakHere();

  double count() const { return count_; }
  double mean() const;
  double variance() const;
  /// Q / h; about 1 for white noise; NaN for fewer than 4 h samples or a constant series.
  double whiteness() const;
  /// Statistical inefficiency g = 1 + 2 sum r_k, in samples: the mean of n samples is as uncertain
  /// as that of n / g independent ones. 1 for white noise; NaN if the series is too short.
  double inefficiency() const;

 private:
  using Lags = std::array<double, kLags>;
  struct Level {  // means of blocks of 2^level samples
    RunningMoments moments;
    double pending = 0.0;
    bool has_pending = false;
  };
  void addToLags(Eigen::Index added);
  void addToLevels(Eigen::VectorXd values);

  double count_ = 0.0, shift_ = 0.0;
  Lags products_{}, earlier_{}, later_{}, pairs_{};  // sums over the pairs of each lag
  Eigen::VectorXd recent_;  // the latest `recent_count_` values, followed by those being added
  Eigen::Index recent_count_ = 0;
  std::vector<Level> levels_;
};

}  // namespace dynid
