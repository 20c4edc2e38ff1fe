#pragma once

#include "dynid/excitation/space.h"
#include "dynid/logs/trajectory_file.h"

#include <Eigen/Core>

#include <functional>
#include <string>
#include <vector>

namespace dynid {

/// A motion of known acceleration bounds.
struct BoundedMotion {
  double duration_s = 0.0;
  std::function<void(double t, Eigen::VectorXd& q, Eigen::VectorXd& dq)> at;
  Eigen::VectorXd acceleration;  ///< [joints] bounds of |ddq| at every time
  int intervals = 100;           ///< to begin with
};
BoundedMotion boundedMotion(const Eigen::MatrixXd& X, double period_s);
BoundedMotion boundedMotion(const QuinticPiece& piece);

/// How near a motion comes to what it may not touch.
struct Approach {
  bool clear = true;      ///< all gaps are above the clearance at every time, not only at samples
  double gap = INFINITY;  ///< [m] the smallest that was seen
  int which = -1;         ///< gap of the Space
  double time_s = 0.0;
};

/// Bisection in time: a gap changes over half an interval h by at most
///
///     h sum_j reach_j (|dq_j| + h max |ddq_j|)
///
/// from its value at the middle. What this bound cannot decide is halved, until a gap below the
/// clearance is seen, or 12 times (20000 intervals in all): then it counts as touched.
Approach closestApproach(const Space& space, const BoundedMotion& motion);

/// "forearm and box table come as near as 0.003 m (0.007 m less than the clearance 0.01 m) at 3.2
/// s"; deeper ones "overlap by 0.02 m".
std::string describe(const Space& space, const Approach& approach);

/// What touches at a posture of rest, where links cannot be the reason: a sentence each.
std::vector<std::string> startContacts(const Space& space, const Eigen::VectorXd& start);

}  // namespace dynid
