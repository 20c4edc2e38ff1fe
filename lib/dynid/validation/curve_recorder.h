#pragma once

#include "dynid/validation/validation.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Keeps every 2^k-th row of a log of unknown length. k increases as needed, so that 1000 to 2000
/// rows remain that cover the whole log.
class CurveRecorder {
 public:
  explicit CurveRecorder(size_t max_points = 2000) : max_points_(max_points) {}

  /// Adds consecutive rows, `time` [rows] s, the others [rows x joints].
  void add(const Eigen::Ref<const Eigen::VectorXd>& time,
           const Eigen::Ref<const Eigen::MatrixXd>& measured,
           const Eigen::Ref<const Eigen::MatrixXd>& predicted);
  /// The rows kept so far.
  Curves curves() const;

 private:
  struct Point {
    double time;
    Eigen::RowVectorXd measured, predicted;
  };
  size_t max_points_, stride_ = 1, row_ = 0;
  std::vector<Point> points_;
};

}  // namespace dynid
