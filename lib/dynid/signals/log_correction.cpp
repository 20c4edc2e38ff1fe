#include "dynid/signals/log_correction.h"

#include <fmt/format.h>
#include <numeric>
#include <stdexcept>

namespace dynid {
namespace {

std::vector<int> sourcesOr(const std::vector<int>& sources, Eigen::Index channels) {
  if (!sources.empty()) return sources;
  std::vector<int> same(channels);
  std::iota(same.begin(), same.end(), 0);
  return same;
}

Eigen::VectorXd valuesOr(const Eigen::VectorXd& values, double usual, Eigen::Index channels) {
  return values.size() > 0 ? values : Eigen::VectorXd::Constant(channels, usual);
}

void reorder(const std::vector<int>& source, Eigen::MatrixXd& values) {
  if (values.size() == 0 || source.empty()) return;
  values = values(Eigen::all, source).eval();
}

void scale(const Eigen::VectorXd& factor, Eigen::MatrixXd& values) {
  if (values.size() > 0 && factor.size() > 0) values *= factor.asDiagonal();
}

/// [channels] factors of the velocities.
Eigen::VectorXd velocityFactor(const LogCorrection& correction, Eigen::Index channels) {
  if (correction.velocity_factor.size() > 0) return correction.velocity_factor;
  return valuesOr(correction.position_factor, 1.0, channels) / correction.time_factor;
}

bool isSame(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return a.size() == b.size() && a == b;
}

}  // namespace

void LogCorrection::check(Eigen::Index columns) const {
  for (const Eigen::Index size : {std::ssize(position_source),
                                  std::ssize(effort_source),
                                  position_factor.size(),
                                  position_shift.size(),
                                  velocity_factor.size(),
                                  effort_factor.size()})
    if (size != 0 && size != columns)
      throw std::invalid_argument(
          fmt::format("a correction of {} columns was given for a log of {}", size, columns));
  for (const std::vector<int>* sources : {&position_source, &effort_source})
    for (const int source : *sources)
      if (source < 0 || source >= columns)
        throw std::invalid_argument(fmt::format(
            "a correction takes a channel from column {} of a log of {}", source, columns));
}

bool LogCorrection::changesNothing() const { return *this == LogCorrection{}; }

bool LogCorrection::operator==(const LogCorrection& other) const {
  return time_factor == other.time_factor && position_source == other.position_source &&
         effort_source == other.effort_source && isSame(position_factor, other.position_factor) &&
         isSame(position_shift, other.position_shift) &&
         isSame(velocity_factor, other.velocity_factor) &&
         isSame(effort_factor, other.effort_factor);
}

void apply(const LogCorrection& correction,
           Eigen::MatrixXd& position,
           Eigen::MatrixXd& velocity,
           Eigen::MatrixXd& acceleration) {
  for (const Eigen::MatrixXd* values : {&position, &velocity, &acceleration})
    if (values->size() > 0) correction.check(values->cols());
  for (Eigen::MatrixXd* values : {&position, &velocity, &acceleration})
    reorder(correction.position_source, *values);
  scale(correction.position_factor, position);
  scale(velocityFactor(correction, velocity.cols()), velocity);
  scale(correction.position_factor, acceleration);
  if (position.size() > 0 && correction.position_shift.size() > 0)
    position.rowwise() += correction.position_shift.transpose();
  acceleration /= correction.time_factor * correction.time_factor;
}

void apply(const LogCorrection& correction, RawSignals& rows) {
  if (correction.changesNothing()) return;
  correction.check(rows.position.cols());
  if (rows.effort.size() > 0) correction.check(rows.effort.cols());
  rows.time *= correction.time_factor;
  apply(correction, rows.position, rows.velocity, rows.acceleration);
  reorder(correction.effort_source, rows.effort);
  scale(correction.effort_factor, rows.effort);
}

LogCorrection combined(const LogCorrection& first,
                       const LogCorrection& second,
                       Eigen::Index channels) {
  first.check(channels);
  second.check(channels);
  if (first.changesNothing()) return second;
  if (second.changesNothing()) return first;
  const std::vector<int> position = sourcesOr(second.position_source, channels);
  const std::vector<int> effort = sourcesOr(second.effort_source, channels);
  LogCorrection both;
  both.time_factor = first.time_factor * second.time_factor;
  both.position_source = sourcesOr(first.position_source, channels);
  both.effort_source = sourcesOr(first.effort_source, channels);
  const std::vector<int> position_before = both.position_source;
  const std::vector<int> effort_before = both.effort_source;
  const Eigen::VectorXd factor = valuesOr(second.position_factor, 1.0, channels);
  const Eigen::VectorXd effort_factor = valuesOr(second.effort_factor, 1.0, channels);
  both.position_factor =
      valuesOr(first.position_factor, 1.0, channels)(position).cwiseProduct(factor);
  both.position_shift =
      valuesOr(first.position_shift, 0.0, channels)(position).cwiseProduct(factor) +
      valuesOr(second.position_shift, 0.0, channels);
  if (first.velocity_factor.size() > 0 || second.velocity_factor.size() > 0)
    both.velocity_factor =
        velocityFactor(first, channels)(position).cwiseProduct(velocityFactor(second, channels));
  both.effort_factor =
      valuesOr(first.effort_factor, 1.0, channels)(effort).cwiseProduct(effort_factor);
  for (size_t c = 0; c < position.size(); ++c) {
    both.position_source[c] = position_before[position[c]];
    both.effort_source[c] = effort_before[effort[c]];
  }
  return both;
}

}  // namespace dynid
