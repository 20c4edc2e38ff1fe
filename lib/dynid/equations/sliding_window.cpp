#include "dynid/equations/sliding_window.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace dynid {

SlidingWindow::SlidingWindow(const std::vector<Segment>& segments, Eigen::Index half, double dt)
    : segments_(segments), dt_(dt) {
  if (half < 1 || !(dt > 0.0))
    throw std::invalid_argument("half = " + std::to_string(half) + ", dt = " + std::to_string(dt) +
                                "; expected positive ones");
  for (const Segment& segment : segments) {
    if (segment.size() < 3) continue;
    for (Eigen::Index i = segment.begin; i < segment.end; ++i) {
      Eigen::Index first = std::max(segment.begin, i - half);
      Eigen::Index last = std::min(segment.end - 1, i + half);
      if ((last - first) % 2 != 0) {  // shortened at one side: drop a sample of the longer side
        if (i - first > last - i) {
          ++first;
        } else {
          --last;
        }
      }
      if (last == first) {  // at the end of a segment, with half = 1
        first = std::clamp(i - 1, segment.begin, segment.end - 3);
        last = first + 2;
      }
      spans_.push_back({i, first, last});
    }
  }
}

Eigen::MatrixXd SlidingWindow::mean(const Eigen::Ref<const Eigen::MatrixXd>& values) const {
  Eigen::MatrixXd means = Eigen::MatrixXd::Zero(values.rows(), values.cols());
  // Cumulative sums over every second sample; the sum over a window is a difference of two.
  Eigen::VectorXd sum(values.rows() + 2);
  for (Eigen::Index c = 0; c < values.cols(); ++c) {
    sum.setZero();
    for (const Segment& segment : segments_)
      for (Eigen::Index i = segment.begin; i < segment.end; ++i)
        sum(i + 2) = values(i, c) + (i - segment.begin < 2 ? 0.0 : sum(i));
    const auto before = [&](Eigen::Index i, Eigen::Index begin) {
      return i - begin < 2 ? 0.0 : sum(i);
    };
    size_t s = 0;
    for (const Span& span : spans_) {
      while (span.sample >= segments_[s].end) ++s;
      const Eigen::Index begin = segments_[s].begin;
      const double even = sum(span.last + 2) - before(span.first, begin);
      const double odd = sum(span.last + 1) - before(span.first + 1, begin);
      const double ends = values(span.first, c) + values(span.last, c);
      means(span.sample, c) =
          (2.0 * even + 4.0 * odd - ends) / (3.0 * static_cast<double>(span.last - span.first));
    }
  }
  return means;
}

Eigen::MatrixXd SlidingWindow::slope(const Eigen::Ref<const Eigen::MatrixXd>& values) const {
  Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(values.rows(), values.cols());
  for (const Span& span : spans_)
    slopes.row(span.sample) = (values.row(span.last) - values.row(span.first)) /
                              (dt_ * static_cast<double>(span.last - span.first));
  return slopes;
}

}  // namespace dynid
