#include "dynid/signals/raw_signals.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace dynid {

namespace {

void checkShape(const char* name,
                const Eigen::MatrixXd& channel,
                Eigen::Index rows,
                Eigen::Index joints,
                bool optional) {
  if (optional && channel.size() == 0) return;
  if (channel.rows() == rows && channel.cols() == joints) return;
  throw std::invalid_argument("the recorded " + std::string(name) + " is " +
                              std::to_string(channel.rows()) + " x " +
                              std::to_string(channel.cols()) + "; expected " +
                              std::to_string(rows) + " x " + std::to_string(joints));
}

}  // namespace

void RawSignals::check() const {
  checkShape("position", position, rows(), joints(), false);
  checkShape("velocity", velocity, rows(), joints(), true);
  checkShape("acceleration", acceleration, rows(), joints(), true);
  checkShape("effort", effort, rows(), joints(), true);
  checkShape("required channel", required, rows(), required.cols(), true);
}

Eigen::MatrixXd sideBySide(std::initializer_list<const Eigen::MatrixXd*> channels) {
  Eigen::Index rows = 0, columns = 0;
  for (const Eigen::MatrixXd* channel : channels) {
    rows = std::max(rows, channel->rows());
    columns += channel->cols();
  }
  Eigen::MatrixXd all(rows, columns);
  columns = 0;
  for (const Eigen::MatrixXd* channel : channels) {
    if (channel->size() > 0) all.middleCols(columns, channel->cols()) = *channel;
    columns += channel->cols();
  }
  return all;
}

RowCounts& RowCounts::operator+=(const RowCounts& other) {
  read += other.read;
  kept += other.kept;
  not_finite += other.not_finite;
  backward += other.backward;
  duplicate_time += other.duplicate_time;
  repeated += other.repeated;
  short_segment += other.short_segment;
  return *this;
}

}  // namespace dynid
