#include "dynid/signals/motion_period.h"

#include "dynid/core/parallel.h"

#include <cmath>
#include <vector>

namespace dynid {
namespace {

constexpr double kRepeats = 0.15;             // relative to the power
constexpr double kLongestPeriod = 2.0 / 3.0;  // relative to the duration of the motion
constexpr double kStill = 1e-9;  // [rad or m] standard deviation of a joint at standstill

// Position and speed of the moving joints, without mean and divided by their standard deviation:
// [samples x 2 joints].
Eigen::MatrixXd standardised(const Eigen::Ref<const Eigen::MatrixXd>& position) {
  const Eigen::Index n = position.rows();
  std::vector<Eigen::VectorXd> columns;
  const auto append = [&](const Eigen::VectorXd& values) {
    const Eigen::VectorXd centred = values.array() - values.mean();
    const double deviation = std::sqrt(centred.squaredNorm() / static_cast<double>(values.size()));
    if (deviation > kStill) columns.emplace_back(centred / deviation);
  };
  for (Eigen::Index j = 0; j < position.cols(); ++j) {
    const Eigen::VectorXd q = position.col(j).segment(1, n - 2);
    const std::size_t before = columns.size();
    append(q);
    if (columns.size() == before) continue;  // at standstill: its speed is rounding error
    append(position.col(j).tail(n - 2) - position.col(j).head(n - 2));
  }
  Eigen::MatrixXd x(n - 2, std::ssize(columns));
  for (Eigen::Index c = 0; c < x.cols(); ++c) x.col(c) = columns[c];
  return x;
}

}  // namespace

std::optional<double> motionPeriod(const Eigen::Ref<const Eigen::MatrixXd>& position,
                                   double dt,
                                   int threads) {
  constexpr Eigen::Index kFewest = 16;
  if (position.rows() < kFewest) return std::nullopt;
  const Eigen::MatrixXd x = standardised(position);
  if (x.cols() == 0) return std::nullopt;
  const Eigen::Index n = x.rows();
  const auto last = static_cast<Eigen::Index>(kLongestPeriod * static_cast<double>(n));
  Eigen::VectorXd d(last + 1);
  parallelRanges(d.size(), threads, [&](Eigen::Index first, Eigen::Index end) {
    for (Eigen::Index lag = first; lag < end; ++lag)
      d(lag) = 0.5 * (x.bottomRows(n - lag) - x.topRows(n - lag)).array().square().mean();
  });
  bool left = false;  // whether the motion has left its initial point
  for (Eigen::Index lag = 1; lag < last; ++lag) {
    left = left || d(lag) > kRepeats;
    if (!left || d(lag) > kRepeats || d(lag) > d(lag - 1) || d(lag) > d(lag + 1)) continue;
    return static_cast<double>(lag) * dt;
  }
  return std::nullopt;
}

}  // namespace dynid
