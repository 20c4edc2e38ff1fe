#include "dynid/signals/back_at_times.h"

#include "dynid/signals/delay.h"
#include "dynid/signals/resample.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace dynid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

BackAtTimes::BackAtTimes(const Eigen::Ref<const VectorXd>& clock,
                         const std::vector<Segment>& segments,
                         const Eigen::Ref<const VectorXd>& times)
    : samples_(clock.size()), times_(times.size()) {
  for (const Segment& segment : segments) {
    parts_.emplace_back();
    parts_.back().segment = segment;
    parts_.back().knots = clock.segment(segment.begin, segment.size());
  }
  if (parts_.empty()) return;
  const auto distance = [&](const Part& part, double t) {
    return std::max({0.0, part.knots(0) - t, t - part.knots(part.knots.size() - 1)});
  };
  for (Index k = 0; k < times.size(); ++k) {
    if (!std::isfinite(times(k))) continue;
    std::min_element(parts_.begin(), parts_.end(), [&](const Part& a, const Part& b) {
      return distance(a, times(k)) < distance(b, times(k));
    })->rows.push_back(k);
  }
  for (Part& part : parts_) {
    part.at = times(part.rows);
    part.at = part.at.cwiseMax(part.knots(0)).cwiseMin(part.knots(part.knots.size() - 1));
    part.exact = knotsAt(part.knots, part.at);
  }
}

MatrixXd BackAtTimes::Part::of(const Eigen::Ref<const MatrixXd>& values) const {
  const auto segment_values = values.middleRows(segment.begin, segment.size());
  if (!exact) return splineAt(knots, segment_values, at);
  const bool neighbours =
      !exact->empty() && std::adjacent_find(exact->begin(), exact->end(), [](Index a, Index b) {
                           return b != a + 1;
                         }) == exact->end();
  if (neighbours) return segment_values.middleRows(exact->front(), std::ssize(*exact));
  return segment_values(*exact, Eigen::all);
}

MatrixXd BackAtTimes::of(const Eigen::Ref<const MatrixXd>& values) const {
  if (values.rows() != samples_)
    throw std::invalid_argument(std::to_string(values.rows()) + " rows for " +
                                std::to_string(samples_) + " samples; expected as many");
  for (const Part& part : parts_)
    if (std::ssize(part.rows) == times_) return part.of(values);
  MatrixXd result =
      MatrixXd::Constant(times_, values.cols(), std::numeric_limits<double>::quiet_NaN());
  for (const Part& part : parts_) result(part.rows, Eigen::all) = part.of(values);
  return result;
}

BackAtLateTimes::BackAtLateTimes(const Eigen::Ref<const VectorXd>& clock,
                                 const std::vector<Segment>& segments,
                                 const Eigen::Ref<const VectorXd>& times,
                                 const VectorXd& delays) {
  if (delays.size() == 0) groups_.push_back({BackAtTimes(clock, segments, times), {}});
  for (const auto& [delay, columns] : columnsByDelay(delays))
    groups_.push_back({BackAtTimes(clock, segments, times.array() - delay), columns});
}

MatrixXd BackAtLateTimes::of(const Eigen::Ref<const MatrixXd>& values) const {
  if (groups_.size() == 1) return groups_.front().back.of(values);
  MatrixXd at_times;
  for (const Group& group : groups_) {
    const MatrixXd columns = group.back.of(MatrixXd(values(Eigen::all, group.columns)));
    if (at_times.size() == 0) at_times.resize(columns.rows(), values.cols());
    at_times(Eigen::all, group.columns) = columns;
  }
  return at_times;
}

}  // namespace dynid
