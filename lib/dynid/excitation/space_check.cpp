#include "dynid/excitation/space_check.h"

#include "dynid/core/text.h"
#include "dynid/excitation/fourier_basis.h"
#include "dynid/excitation/leads.h"
#include "dynid/excitation/motion_limits.h"
#include "dynid/excitation/space.h"

#include <cmath>
#include <numbers>

namespace dynid {
namespace {

constexpr int kHalvings = 12;
constexpr int kMostIntervals = 20000;
constexpr int kIntervalsPerHarmonic = 32;

struct Interval {
  double middle, half;
  int halvings;
  std::vector<int> open;  // undecided gaps
};

}  // namespace

BoundedMotion boundedMotion(const Eigen::MatrixXd& X, double period_s) {
  const Eigen::Index L = (X.rows() - 1) / 2;
  BoundedMotion motion;
  motion.duration_s = period_s;
  motion.acceleration = seriesPeaks(X, period_s).acceleration;
  motion.intervals = kIntervalsPerHarmonic * static_cast<int>(L);
  motion.at = [X, period_s, L](double t, Eigen::VectorXd& q, Eigen::VectorXd& dq) {
    q = X.row(0);
    dq.setZero(X.cols());
    for (Eigen::Index l = 1; l <= L; ++l) {
      const double w = 2.0 * std::numbers::pi * static_cast<double>(l) / period_s;
      const double s = std::sin(w * t), c = std::cos(w * t);
      q += (s / w * X.row(l) - c / w * X.row(L + l)).transpose();
      dq += (c * X.row(l) + s * X.row(L + l)).transpose();
    }
  };
  return motion;
}

BoundedMotion boundedMotion(const QuinticPiece& piece) {
  BoundedMotion motion;
  motion.duration_s = piece.duration_s;
  motion.acceleration = quinticPeaks(piece).acceleration;
  motion.at = [c = piece.coefficients](double t, Eigen::VectorXd& q, Eigen::VectorXd& dq) {
    q.setZero(c.rows());
    dq.setZero(c.rows());
    for (Eigen::Index k = 5; k >= 0; --k) {
      q = q * t + c.col(k);
      if (k >= 1) dq = dq * t + static_cast<double>(k) * c.col(k);
    }
  };
  return motion;
}

Approach closestApproach(const Space& space, const BoundedMotion& motion) {
  Approach result;
  if (space.count() == 0) return result;
  std::vector<int> all;
  for (int g = 0; g < space.count(); ++g) all.push_back(g);
  std::vector<Interval> stack;
  const double half = 0.5 * motion.duration_s / motion.intervals;
  for (int i = 0; i < motion.intervals; ++i) stack.push_back({(2 * i + 1) * half, half, 0, all});
  Eigen::VectorXd q, dq, values;
  for (int looked = 0; !stack.empty(); ++looked) {
    if (looked == kMostIntervals) {
      result.clear = false;
      break;
    }
    const Interval interval = std::move(stack.back());
    stack.pop_back();
    motion.at(interval.middle, q, dq);
    space.evaluate(q, values, nullptr);
    const Eigen::VectorXd change =
        interval.half * (space.reach() * (dq.cwiseAbs() + interval.half * motion.acceleration));
    std::vector<int> open;
    for (const int g : interval.open) {
      if (values(g) < result.gap) {
        result.gap = values(g);
        result.which = g;
        result.time_s = interval.middle;
      }
      if (values(g) < space.clearance())
        result.clear = false;
      else if (values(g) - change(g) < space.clearance())
        open.push_back(g);
    }
    if (open.empty()) continue;
    if (interval.halvings == kHalvings) {
      result.clear = false;
      continue;
    }
    for (const double side : {-0.5, 0.5})
      stack.push_back({interval.middle + side * interval.half,
                       0.5 * interval.half,
                       interval.halvings + 1,
                       open});
  }
  return result;
}

std::string describe(const Space& space, const Approach& approach) {
  const std::string what = approach.gap < 0.0
                               ? " overlap by " + toText(-approach.gap, 3) + " m"
                               : " come as near as " + toText(approach.gap, 3) +
                                     " m (the clearance is " + toText(space.clearance(), 3) + " m)";
  return space.name(approach.which) + what + " at " + toText(approach.time_s, 4) + " s";
}

std::vector<std::string> startContacts(const Space& space, const Eigen::VectorXd& start) {
  std::vector<std::string> reasons;
  Eigen::VectorXd values;
  space.evaluate(start, values, nullptr);
  for (int g = 0; g < space.count(); ++g) {
    if (values(g) >= space.clearance()) continue;
    reasons.push_back("start posture: " + space.name(g) +
                      (values(g) < 0.0 ? " overlap by " + toText(-values(g), 3) + " m"
                                       : " are " + toText(values(g), 3) + " m apart") +
                      ", expected at least the clearance " + toText(space.clearance(), 3) +
                      " m; give another `start` or a smaller `clearance`");
  }
  return reasons;
}

}  // namespace dynid
