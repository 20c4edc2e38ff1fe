#pragma once

#include "dynid/excitation/excitation_design.h"

#include <Eigen/Core>

#include <functional>
#include <string>
#include <vector>

namespace dynid {

/// A motion with known bounds of its acceleration.
struct BoundedMotion {
  double duration_s = 0.0;
  /// State at time t in [0, duration_s]
  std::function<void(double t, Eigen::VectorXd& q, Eigen::VectorXd& dq)> at;
  Eigen::VectorXd acceleration;  ///< [joints] bounds of |ddq| at all times
  int intervals = 100;           ///< initial number of time intervals
};
BoundedMotion boundedMotion(const Eigen::MatrixXd& X, double period_s);
BoundedMotion boundedMotion(const QuinticPiece& piece);

/// Checks a motion by bisection in time. Over half an interval h a gap changes from its value at
/// the centre by at most
///
///     h sum_j reach_j (|dq_j| + h max |ddq_j|)
///
/// Intervals that this bound cannot decide are halved until a gap below the clearance is found, at
/// most 12 times (20000 intervals in total); an undecided interval counts as a collision.
Approach closestApproach(const Space& space, const BoundedMotion& motion);

/// Text such as "forearm and box table come as near as 0.003 m (0.007 m less than the clearance
/// 0.01 m) at 3.2 s", or "overlap by 0.02 m".
std::string describe(const Space& space, const Approach& approach);

/// Contacts of links with obstacles (not with other links) in a posture at rest, one sentence each.
std::vector<std::string> startContacts(const Space& space, const Eigen::VectorXd& start);

}  // namespace dynid
