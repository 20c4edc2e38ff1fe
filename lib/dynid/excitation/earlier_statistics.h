#pragma once

#include "dynid/excitation/information.h"

#include <Eigen/Core>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace dynid {

/// What the statistics of earlier logs know about the sought parameters.
struct EarlierStatistics {
  /// [actuators] sum over the rows of w w^T / (sigma_i^2 correlation), [parameters x parameters].
  std::vector<Eigen::MatrixXd> information;
  Eigen::VectorXd sigma;  ///< [actuators] of the filtered residual [N m or N]
  /// Rows of a filtered, decimated log are not independent. This many count as one: the mean ratio
  /// of the standard deviations that the jackknife finds to those for white noise, squared.
  double correlation = 1.0;
  double rate_hz = 0.0;            ///< rows a second that were used
  double duration_s = 0.0;         ///< of the logs
  Eigen::VectorXd parameters;      ///< [parameters] estimates; NaN where nothing is known
  std::vector<std::string> notes;  ///< what was assumed

  /// White noise of a log with `rate_hz` rows a second that would tell as much a second.
  Eigen::VectorXd whiteNoise(double rows_per_second) const;
};

/// Reads statistics files and fits them as identify does, over the sought columns.
/// @throws InputError, naming the file, for statistics of another robot or gravity, with a load, of
/// currents without a drive gain, or without rows
EarlierStatistics readEarlierStatistics(const std::shared_ptr<const Robot>& robot,
                                        const SoughtParameters& sought,
                                        const std::vector<std::filesystem::path>& files);

}  // namespace dynid
