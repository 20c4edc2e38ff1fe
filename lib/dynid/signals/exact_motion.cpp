#include "dynid/signals/exact_motion.h"

#include "dynid/math/quantile.h"
#include "dynid/signals/differentiate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kStencil = 9;
constexpr double kNoiseOfAcceleration = 0.0305;
constexpr double kQuantile = 0.95;  // below 1: transitions between motion pieces may be rougher
// relative to the joint that moves most: lower bound of the scale
constexpr double kIdleShare = 1e-2;

// One joint over all pieces.
struct JointMotion {
  std::vector<double> errors;  // absolute errors of the acceleration
  double squared_acceleration = 0.0;
  double samples = 0.0, moving = 0.0, repeated = 0.0;

  double rms() const { return samples > 0.0 ? std::sqrt(squared_acceleration / samples) : 0.0; }
};

// Adds one piece: errors of the acceleration from the eighth differences, and counts of moving and
// of repeated samples.
void add(const VectorXd& q,
         const VectorXd& dq,
         const VectorXd& ddq,
         double dt,
         double still_speed,
         JointMotion& joint) {
  VectorXd d = q;
  for (int order = 0; order < 8; ++order) d = (d.tail(d.size() - 1) - d.head(d.size() - 1)).eval();
  for (double value : d) joint.errors.push_back(kNoiseOfAcceleration * std::abs(value) / (dt * dt));
  joint.squared_acceleration += ddq.squaredNorm();
  joint.samples += static_cast<double>(q.size());
  for (Index k = 1; k < q.size(); ++k) {
    if (std::abs(dq(k)) < still_speed) continue;
    joint.moving += 1.0;
    if (q(k) == q(k - 1)) joint.repeated += 1.0;
  }
}

}  // namespace

MotionQuality judgeMotion(std::span<const MatrixXd> positions, double dt, double still_speed) {
  MotionQuality quality{std::numeric_limits<double>::infinity(), 0.0};
  const Index n = positions.empty() ? 0 : positions.front().cols();
  std::vector<JointMotion> joints(n);
  for (const MatrixXd& Q : positions) {
    if (Q.rows() < kStencil) continue;
    MatrixXd first(Q.rows(), n), second(Q.rows(), n);
    differentiate(Q, dt, first, second);
    for (Index j = 0; j < n; ++j)
      add(Q.col(j), first.col(j), second.col(j), dt, still_speed, joints[j]);
  }
  double liveliest = 0.0, moving = 0.0;
  for (const JointMotion& joint : joints) {
    liveliest = std::max(liveliest, joint.rms());
    moving += joint.moving;
  }
  if (!(liveliest > 0.0) || moving == 0.0) return quality;
  quality.acceleration_error = 0.0;
  for (const JointMotion& joint : joints) {
    if (joint.moving > 0.0)
      quality.repeated = std::max(quality.repeated, joint.repeated / joint.moving);
    quality.acceleration_error =
        std::max(quality.acceleration_error,
                 quantile(joint.errors, kQuantile) / std::max(joint.rms(), kIdleShare * liveliest));
  }
  return quality;
}

}  // namespace dynid
