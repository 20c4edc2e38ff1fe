#pragma once

#include "dynid/excitation/information.h"

#include <Eigen/Core>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace dynid {

/// Information of the statistics of earlier logs about the sought parameters.
struct EarlierStatistics {
  /// [actuators] sum over the rows of w w^T / (sigma_i^2 correlation), each [parameters x
  /// parameters].
  std::vector<Eigen::MatrixXd> information;
  Eigen::VectorXd sigma;  ///< [actuators] of the filtered residual [N m or N]
  /// Rows of a filtered, decimated log are not independent; this many rows count as one. It is the
  /// squared mean ratio of the cluster-robust standard deviations to those for white noise.
  double correlation = 1.0;
  double rate_hz = 0.0;            ///< used rows per second
  double duration_s = 0.0;         ///< [s] total duration of the logs
  Eigen::VectorXd parameters;      ///< [parameters] estimates; NaN if unknown
  std::vector<std::string> notes;  ///< assumptions that were made

  /// [actuators] standard deviation of white noise for which a log with this many rows per second
  /// contains the same information per second.
  Eigen::VectorXd whiteNoise(double rows_per_second) const;
};

/// Reads statistics files and fits them as `identify` does, over the sought columns.
/// @throws InputError with the name of the file for statistics of another robot or gravity, with a
///     payload, of currents without a drive gain, or without rows
EarlierStatistics readEarlierStatistics(const std::shared_ptr<const Robot>& robot,
                                        const SoughtParameters& sought,
                                        const std::vector<std::filesystem::path>& files);

}  // namespace dynid
