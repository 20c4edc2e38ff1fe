#pragma once

#include "dynid/signals/raw_signals.h"

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace dynid {

/// Values on the uniform clock (predictions, motion) back at arbitrary times, for instance the
/// rows' own: spline within the segment, the end value outside of all; a copy where every time is
/// one of the clock's but for rounding.
class BackAtTimes {
 public:
  /// @param clock     [M] s
  /// @param segments  of the clock's samples, without gaps
  /// @param times     [N] s, in any order; NaN: no time
  BackAtTimes(const Eigen::Ref<const Eigen::VectorXd>& clock,
              const std::vector<Segment>& segments,
              const Eigen::Ref<const Eigen::VectorXd>& times);

  /// @param values  [M x columns] on the clock
  /// @returns [N x columns]; NaN where there is no time
  /// @throws std::invalid_argument unless there is a row a sample
  Eigen::MatrixXd of(const Eigen::Ref<const Eigen::MatrixXd>& values) const;

 private:
  /// The times that lie in one segment, or nearest to it.
  struct Part {
    Segment segment;
    Eigen::VectorXd knots, at;
    std::vector<Eigen::Index> rows;                  ///< of the result
    std::optional<std::vector<Eigen::Index>> exact;  ///< the knots that `at` is, in the segment
    Eigen::MatrixXd of(const Eigen::Ref<const Eigen::MatrixXd>& values) const;
  };
  Eigen::Index samples_, times_;
  std::vector<Part> parts_;
};

}  // namespace dynid
