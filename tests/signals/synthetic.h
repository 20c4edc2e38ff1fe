#pragma once

#include "dynid/signals/raw_signals.h"

#include <cmath>
#include <numbers>
#include <random>

namespace dynid {

/// A smooth synthetic motion: joint j follows 0.6 (sin w_j t + 0.5 sin (2.3 w_j t + j)) with w_j =
/// 2 pi (0.23 + 0.05 j); with its derivatives.
struct SyntheticMotion {
  static double rate(Eigen::Index j) {
    return 2.0 * std::numbers::pi * (0.23 + 0.05 * static_cast<double>(j));
  }
  static double q(double t, Eigen::Index j) {
    const double w = rate(j), p = static_cast<double>(j);
    return 0.6 * (std::sin(w * t) + 0.5 * std::sin(2.3 * w * t + p));
  }
  static double dq(double t, Eigen::Index j) {
    const double w = rate(j), p = static_cast<double>(j);
    return 0.6 * (w * std::cos(w * t) + 0.5 * 2.3 * w * std::cos(2.3 * w * t + p));
  }
  static double ddq(double t, Eigen::Index j) {
    const double w = rate(j), p = static_cast<double>(j);
    return -0.6 *
           (w * w * std::sin(w * t) + 0.5 * std::pow(2.3 * w, 2) * std::sin(2.3 * w * t + p));
  }
};

/// A log of that motion without defects: uniform stamps, exact channels, efforts 10 ddq + 3 dq + 5
/// cos q, encoder noise of 1e-5 rad and effort noise of 0.05 N m (fixed seed).
inline RawSignals syntheticLog(Eigen::Index rows = 6000,
                               double dt = 0.005,
                               Eigen::Index joints = 3,
                               unsigned seed = 7) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> noise;
  RawSignals log;
  log.time.resize(rows);
  log.position.resize(rows, joints);
  log.velocity.resize(rows, joints);
  log.effort.resize(rows, joints);
  for (Eigen::Index k = 0; k < rows; ++k) {
    const double t = dt * static_cast<double>(k);
    log.time(k) = t;
    for (Eigen::Index j = 0; j < joints; ++j) {
      const double q = SyntheticMotion::q(t, j);
      log.position(k, j) = q + 1e-5 * noise(generator);
      log.velocity(k, j) = SyntheticMotion::dq(t, j) + 1e-3 * noise(generator);
      log.effort(k, j) = 10.0 * SyntheticMotion::ddq(t, j) + 3.0 * SyntheticMotion::dq(t, j) +
                         5.0 * std::cos(q) + 0.05 * noise(generator);
    }
  }
  return log;
}

/// The listed rows of a log.
inline RawSignals pickRows(const RawSignals& log, const std::vector<Eigen::Index>& rows) {
  RawSignals picked;
  const auto n = static_cast<Eigen::Index>(rows.size());
  picked.time.resize(n);
  const auto copy = [&](const Eigen::MatrixXd& from, Eigen::MatrixXd& to) {
    if (from.size() == 0) return;
    to.resize(n, from.cols());
    for (Eigen::Index k = 0; k < n; ++k) to.row(k) = from.row(rows[k]);
  };
  for (Eigen::Index k = 0; k < n; ++k) picked.time(k) = log.time(rows[k]);
  copy(log.position, picked.position);
  copy(log.velocity, picked.velocity);
  copy(log.acceleration, picked.acceleration);
  copy(log.effort, picked.effort);
  return picked;
}

}  // namespace dynid
