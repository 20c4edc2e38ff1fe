#pragma once

#include "dynid/signals/raw_signals.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// A change of the columns of a log while it is read; the file stays as it is. With the rows of the
/// file on the right-hand sides:
///
///     time           = time_factor * time
///     position_c     = position_factor_c * position_s(c) + position_shift_c
///     velocity_c     = velocity_factor_c * velocity_s(c)
///     acceleration_c = position_factor_c / time_factor^2 * acceleration_s(c)
///     effort_c       = effort_factor_c * effort_e(c)
///
/// s = position_source, e = effort_source. A vector that is empty changes nothing, but velocities
/// without a velocity_factor change as their positions do: position_factor_c / time_factor.
struct LogCorrection {
  double time_factor = 1.0;
  std::vector<int> position_source = {}, effort_source = {};  ///< columns, [channels] or empty
  Eigen::VectorXd position_factor = {};                       ///< [channels] or empty
  Eigen::VectorXd position_shift = {};                        ///< [channels] rad or m, or empty
  Eigen::VectorXd velocity_factor = {};                       ///< [channels] or empty
  Eigen::VectorXd effort_factor = {};                         ///< [channels] or empty

  /// @throws std::invalid_argument if it is for another number of columns than `columns`, or takes
  /// a channel from a column that does not exist
  void check(Eigen::Index columns) const;
  bool changesNothing() const;
  bool operator==(const LogCorrection& other) const;
};

/// Changes the rows; channels that they do not have are left out.
/// @throws std::invalid_argument if the correction does not fit the columns (LogCorrection::check)
void apply(const LogCorrection& correction, RawSignals& rows);

/// Changes the motion only: q and its first and second derivative, [rows x channels] or empty.
/// @throws as above
void apply(const LogCorrection& correction,
           Eigen::MatrixXd& position,
           Eigen::MatrixXd& velocity,
           Eigen::MatrixXd& acceleration);

/// The correction that does the same as `first` followed by `second`.
/// @throws std::invalid_argument if one of them does not fit `channels` columns
LogCorrection combined(const LogCorrection& first,
                       const LogCorrection& second,
                       Eigen::Index channels);

/// Assumptions under which a log is read, and the resulting change of its columns.
struct LogAssumptions {
  /// Clauses in the order in which they were found: "the effort of elbow has the opposite sign".
  std::vector<std::string> texts = {};
  LogCorrection correction = {};  ///< the change due to all assumptions
};

}  // namespace dynid
