#pragma once

#include "dynid/math/eigen_memory.h"

#include <Eigen/Core>

#include <initializer_list>
#include <vector>

namespace dynid {

/// Contiguous rows of a log as recorded: one row per sample, one column per joint, SI units, joint
/// order of the robot. Any entry may be NaN or Inf, and stamps may repeat or run backward.
/// `velocity` and `acceleration` may be empty (0 x 0). For a log without stamps the caller sets
/// `time` to row / sample_rate.
struct RawSignals {
  Eigen::VectorXd time;          ///< [N] s, as logged
  Eigen::MatrixXd position;      ///< [N,n] rad or m
  Eigen::MatrixXd velocity;      ///< [N,n] rad/s or m/s, or 0 x 0
  Eigen::MatrixXd acceleration;  ///< [N,n] rad/s^2 or m/s^2, or 0 x 0
  Eigen::MatrixXd effort;        ///< [N,n] N m or N (or A); 0 x 0 if only the motion is needed
  /// [N,c] Further channels that the equations of these rows need (motion of the base, a sensor),
  /// in any units; 0 x 0: none. A row in which one of them is unusable is dropped.
  Eigen::MatrixXd required = {};

  Eigen::Index rows() const { return time.size(); }
  Eigen::Index joints() const { return position.cols(); }

  /// @throws std::invalid_argument with the name of the channel whose shape does not fit
  void check() const;
};

/// Channels of the same rows next to each other. Those that were not recorded (0 x 0) are left out.
Eigen::MatrixXd sideBySide(std::initializer_list<const Eigen::MatrixXd*> channels);

/// Half-open range [begin, end) of rows or samples.
struct Segment {
  Eigen::Index begin = 0;
  Eigen::Index end = 0;
  Eigen::Index size() const { return end - begin; }
};

/// Number of rows used and dropped. read = kept + the five reasons for dropping a row.
struct RowCounts {
  Eigen::Index read = 0;            ///< all rows of the window
  Eigen::Index kept = 0;            ///< rows from which the uniform signals were computed
  Eigen::Index not_finite = 0;      ///< NaN or Inf in time, position, effort or a required channel
  Eigen::Index backward = 0;        ///< stamp out of order
  Eigen::Index duplicate_time = 0;  ///< same instant as the row before
  /// Position repeated while the robot moves (logger faster than its source)
  Eigen::Index repeated = 0;
  Eigen::Index short_segment = 0;  ///< between two gaps, too short to filter

  RowCounts& operator+=(const RowCounts& other);
};

}  // namespace dynid
