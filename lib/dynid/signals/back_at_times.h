#pragma once

#include "dynid/signals/raw_signals.h"

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace dynid {

/// Interpolates values on the uniform clock (predictions, motion) at arbitrary times, for example
/// those of the recorded rows: by a spline within a segment, by the nearest end value outside all
/// segments. If all times coincide with samples of the clock up to rounding, the values are copied.
class BackAtTimes {
 public:
  /// @param clock     [M] s
  /// @param segments  of the clock's samples, without gaps
  /// @param times     [N] s, in any order; NaN: no time
  BackAtTimes(const Eigen::Ref<const Eigen::VectorXd>& clock,
              const std::vector<Segment>& segments,
              const Eigen::Ref<const Eigen::VectorXd>& times);

  /// @param values  [M x columns] on the clock
  /// @returns [N x columns]; NaN where the time is NaN
  /// @throws std::invalid_argument unless there is one row per sample
  Eigen::MatrixXd of(const Eigen::Ref<const Eigen::MatrixXd>& values) const;

 private:
  /// The times that lie in one segment, or nearest to it.
  struct Part {
    Segment segment;
    Eigen::VectorXd knots, at;
    std::vector<Eigen::Index> rows;  ///< rows of the result
    /// Indices of samples in the segment, if `at` coincides with samples
    std::optional<std::vector<Eigen::Index>> exact;
    Eigen::MatrixXd of(const Eigen::Ref<const Eigen::MatrixXd>& values) const;
  };
  Eigen::Index samples_, times_;
  std::vector<Part> parts_;
};

/// The same for values whose columns appear late: column c at the times minus delays(c).
class BackAtLateTimes {
 public:
  /// @param delays  [columns] s; empty: none of any number of columns
  BackAtLateTimes(const Eigen::Ref<const Eigen::VectorXd>& clock,
                  const std::vector<Segment>& segments,
                  const Eigen::Ref<const Eigen::VectorXd>& times,
                  const Eigen::VectorXd& delays);

  Eigen::MatrixXd of(const Eigen::Ref<const Eigen::MatrixXd>& values) const;

 private:
  struct Group {
    BackAtTimes back;
    std::vector<Eigen::Index> columns;
  };
  std::vector<Group> groups_;  ///< columns of the same delay; one for all without delays
};

}  // namespace dynid
