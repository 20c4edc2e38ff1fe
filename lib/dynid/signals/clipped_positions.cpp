#include "dynid/signals/clipped_positions.h"

#include "dynid/signals/local_motion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace dynid {
namespace {

using Eigen::Index;

constexpr double kApproach = 0.02;  // [s]
constexpr Index kApproachRows = 2;  // at least
constexpr Index kFewestRows = 3;    // of a stay
// Ratio of the distances after 2 t and after t: 2 at constant speed (up to 3 if t is two rows,
// because the value is crossed between rows), at least 4 if the joint starts from rest.
constexpr double kMostGrowth = 3.2;
constexpr double kStepsBeyond = 5.0;     // of the encoder
constexpr double kShareBeyond = 0.01;    // of the joint's range
constexpr double kOthersMove = 0.01;     // of their range
constexpr double kVelocityGoesOn = 0.2;  // of the speed before and after
constexpr int kFewestStays = 2;          // without a velocity that goes on

/// Range of a joint's positions, and their smallest step.
struct PositionScale {
  double low = std::numeric_limits<double>::infinity(), high = -low, step = low;
  double range() const { return high - low; }
};

PositionScale scaleOf(std::span<const RawSignals> excerpts, Index joint) {
  PositionScale scale;
  for (const RawSignals& excerpt : excerpts)
    for (Index k = 0; k < excerpt.rows(); ++k) {
      const double q = excerpt.position(k, joint);
      if (!std::isfinite(q)) continue;
      scale.low = std::min(scale.low, q);
      scale.high = std::max(scale.high, q);
      const double step = k > 0 ? std::abs(q - excerpt.position(k - 1, joint)) : 0.0;
      if (step > 0.0) scale.step = std::min(scale.step, step);
    }
  return scale;
}

/// Rows [begin, end) of an excerpt at the extreme value.
struct Stay {
  const RawSignals* excerpt = nullptr;
  Index begin = 0, end = 0;
};

std::vector<Stay> staysAt(std::span<const RawSignals> excerpts, Index joint, double value) {
  std::vector<Stay> stays;
  for (const RawSignals& excerpt : excerpts)
    for (Index k = 0; k < excerpt.rows();) {
      Index end = k;
      while (end < excerpt.rows() && excerpt.position(end, joint) == value) ++end;
      if (end - k >= kFewestRows) stays.push_back({&excerpt, k, end});
      k = std::max(end, k + 1);
    }
  return stays;
}

/// Judges the stays of one joint at one value.
class StayJudge {
 public:
  StayJudge(std::span<const RawSignals> excerpts, Index joint, double value, double dt)
      : joint_(joint),
        value_(value),
        dt_(dt),
        rows_(std::max<Index>(kApproachRows, std::lround(kApproach / dt))) {
    for (Index j = 0; j < excerpts.front().joints(); ++j) scales_.push_back(scaleOf(excerpts, j));
  }

  bool inFullMotion(const Stay& stay) const {
    const double before = speed(stay, stay.begin, -1), after = speed(stay, stay.end - 1, 1);
    const PositionScale& scale = scales_[joint_];
    const double duration = dt_ * static_cast<double>(stay.end - stay.begin);
    const double beyond = 0.25 * duration * std::min(before, after);
    return beyond > std::max(kStepsBeyond * scale.step, kShareBeyond * scale.range());
  }

  /// Whether the recorded velocity goes on in the second half of the stay.
  bool velocityGoesOn(const Stay& stay) const {
    if (stay.excerpt->velocity.size() == 0) return false;
    const Index half = (stay.end - stay.begin) / 2;
    const double logged =
        stay.excerpt->velocity.col(joint_).segment(stay.end - half, half).cwiseAbs().mean();
    return logged > leastShownSpeed(stay.excerpt->velocity.col(joint_)) &&
           logged > kVelocityGoesOn * speed(stay, stay.end - 1, 1);
  }

  bool anotherMoves(const Stay& stay) const {
    for (Index j = 0; j < std::ssize(scales_); ++j) {
      if (j == joint_) continue;
      const auto rows = stay.excerpt->position.col(j).segment(stay.begin, stay.end - stay.begin);
      if (rows.maxCoeff() - rows.minCoeff() > kOthersMove * scales_[j].range()) return true;
    }
    return false;
  }

 private:
  /// Average speed next to a row of the stay; 0 where it is not constant there.
  double speed(const Stay& stay, Index row, Index direction) const {
    const Index near = row + direction * rows_, far = row + 2 * direction * rows_;
    if (far < 0 || far >= stay.excerpt->rows()) return 0.0;
    const double first = std::abs(stay.excerpt->position(near, joint_) - value_);
    const double both = std::abs(stay.excerpt->position(far, joint_) - value_);
    return both < kMostGrowth * first ? first / (dt_ * static_cast<double>(rows_)) : 0.0;
  }

  Index joint_;
  double value_, dt_;
  Index rows_;
  std::vector<PositionScale> scales_;
};

ClippedPositions clippedAt(std::span<const RawSignals> excerpts,
                           Index joint,
                           double value,
                           double dt) {
  ClippedPositions clipped;
  const std::vector<Stay> stays = staysAt(excerpts, joint, value);
  if (stays.empty()) return clipped;
  const StayJudge judge(excerpts, joint, value, dt);
  int going_on = 0;
  for (const Stay& stay : stays) {
    if (!judge.inFullMotion(stay)) continue;
    const bool goes_on = judge.velocityGoesOn(stay);
    if (!goes_on && !judge.anotherMoves(stay)) continue;
    going_on += goes_on;
    ++clipped.stays;
    clipped.rows += stay.end - stay.begin;
  }
  clipped.velocity_goes_on = 2 * going_on > clipped.stays;
  if (clipped.stays < (clipped.velocity_goes_on ? 1 : kFewestStays) ||
      2 * clipped.stays < std::ssize(stays))
    return {};
  clipped.value = value;
  return clipped;
}

}  // namespace

std::optional<ClippedPositions> findClippedPositions(std::span<const RawSignals> excerpts,
                                                     Index joint,
                                                     double dt) {
  const PositionScale scale = scaleOf(excerpts, joint);
  if (!(scale.range() > 0.0) || !(dt > 0.0)) return std::nullopt;
  const ClippedPositions low = clippedAt(excerpts, joint, scale.low, dt);
  const ClippedPositions high = clippedAt(excerpts, joint, scale.high, dt);
  const ClippedPositions& more = low.rows > high.rows ? low : high;
  if (more.rows == 0) return std::nullopt;
  return more;
}

}  // namespace dynid
