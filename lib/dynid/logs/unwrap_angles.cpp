#include "dynid/logs/unwrap_angles.h"

#include "dynid/logs/units.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>

namespace dynid {
namespace {

constexpr double kLargestAngle =
    kTurn + 0.1;                      // [rad] recorded modulo a turn: (-pi, pi] or [0, 2 pi)
constexpr double kLargestStep = 0.5;  // [rad] between two samples, besides the turn

}  // namespace

void AngleUnwrapper::apply(Eigen::Ref<Eigen::MatrixXd> position) {
  if (last_.size() == 0) {
    last_.setConstant(position.cols(), std::numeric_limits<double>::quiet_NaN());
    turns_.setZero(position.cols());
    wraps_.assign(position.cols(), 0);
  }
  for (Eigen::Index j = 0; j < position.cols(); ++j) {
    if (j < std::ssize(prismatic_) && prismatic_[j]) continue;
    for (double& angle : position.col(j)) {
      if (!std::isfinite(angle)) continue;
      const double step = angle - last_(j);  // NaN for the first sample
      const bool in_a_turn = std::abs(angle) < kLargestAngle && std::abs(last_(j)) < kLargestAngle;
      if (in_a_turn && std::abs(std::abs(step) - kTurn) < kLargestStep) {
        turns_(j) -= std::copysign(1.0, step);
        ++wraps_[j];
      }
      last_(j) = angle;
      angle += kTurn * turns_(j);
    }
  }
}

std::vector<std::string> AngleUnwrapper::notes(const std::vector<std::string>& joints) const {
  std::vector<std::string> notes;
  for (std::size_t j = 0; j < wraps_.size(); ++j)
    if (wraps_[j] > 0)
      notes.push_back(
          fmt::format("the angle of {} wraps at a full turn {} times: it was made continuous",
                      joints[j],
                      wraps_[j]));
  return notes;
}

}  // namespace dynid
