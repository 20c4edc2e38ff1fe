#pragma once

#include "dynid/excitation/fourier_basis.h"
#include "dynid/excitation/nonlinear_program.h"
#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// What the user asks of the limits beyond the description.
struct LimitOptions {
  /// Replace the description's limits: one value a joint, one for all, or empty. [rad/s or m/s ...]
  std::vector<double> velocity, acceleration, jerk;
  double position_share = 1.0;      ///< (0, 1] of the range about its middle
  double velocity_share = 1.0;      ///< (0, 1]
  double acceleration_share = 1.0;  ///< (0, 1]
  /// (0, 1] Lower it where the description's inertias are rough: efforts come from them.
  double effort_share = 0.9;
  bool effort = true;  ///< false: efforts are not limited

  /// @throws std::invalid_argument naming the bad field.
  void check(int joints) const;
};

/// Limits that a trajectory must keep, one entry a joint; jerk and effort are infinite where there
/// is none, all others finite.
struct MotionLimits {
  Eigen::VectorXd lower, upper, velocity, acceleration, jerk, effort;
  std::vector<std::string> notes;  ///< what was assumed, a sentence each

  Eigen::VectorXd middle() const { return 0.5 * (lower + upper); }
  Eigen::VectorXd half() const { return 0.5 * (upper - lower); }
};

/// Limits of the robot's joints. A joint without position limits: +-pi (prismatic +-0.5 m); without
/// a velocity limit: 1 rad/s (0.5 m/s); without an acceleration limit: velocity limit / 0.25 s. An
/// effort is limited only where the description gives an inertia for every body that the joint
/// moves.
MotionLimits motionLimits(const Robot& robot, const LimitOptions& options);

/// Why no trajectory can meet the limits: a sentence each, with the limit, by how much, and what to
/// relax. Empty: nothing speaks against it.
std::vector<std::string> contradictions(const Robot& robot,
                                        const MotionLimits& limits,
                                        int harmonics,
                                        double period_s);

/// Scale of the coefficients: what each alone may be within the limits. [1 + 2 L x joints]
Eigen::MatrixXd coefficientScale(const MotionLimits& limits, int harmonics, double period_s);

/// Position, velocity, acceleration and jerk limits at `points` times of a period, as rows of a
/// program in x with X = middle + scale * x (entrywise; the middle in the row of the offsets).
void addLimits(const MotionLimits& limits,
               const Eigen::MatrixXd& scale,
               double period_s,
               int points,
               NonlinearProgram& program);

/// The nearest coefficients with dq(0) = ddq(0) = 0 (sum_l a_l = 0, sum_l l b_l = 0).
void bringToRest(Eigen::MatrixXd& X);

/// The program of addLimits for motions at rest where a period begins: rows of X = middle +
/// bringToRest(scale * x). Without equalities, which slow the solver down.
void restrictToRest(const Eigen::MatrixXd& scale, NonlinearProgram& program);

/// Largest values of a trajectory, bounds that hold at every time and not only on a grid.
struct MotionPeaks {
  Eigen::VectorXd lower, upper;                  ///< of the position
  Eigen::VectorXd velocity, acceleration, jerk;  ///< of the absolute value
};

/// Rigorous bounds by gridToPeak on a grid of 100 points per shortest sine.
MotionPeaks seriesPeaks(const Eigen::MatrixXd& X, double period_s);

/// Shrinks every joint's motion about its offset until the rigorous peaks are within the limits.
/// The offsets must be within. Returns the smallest factor used (1: nothing to do).
double shrinkIntoLimits(const MotionLimits& limits, double period_s, Eigen::MatrixXd& X);

}  // namespace dynid
