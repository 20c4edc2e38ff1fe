#pragma once

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

struct NonlinearProgram;
struct Robot;

/// Limits set by the user in addition to those of the robot description.
struct LimitOptions {
  /// Replace the limits of the description: one value per joint, one for all, or empty. [rad/s or
  /// m/s, and per s, per s^2]
  std::vector<double> velocity, acceleration, jerk;
  double position_share = 1.0;      ///< (0, 1] of the range about its centre
  double velocity_share = 1.0;      ///< (0, 1]
  double acceleration_share = 1.0;  ///< (0, 1]
  /// (0, 1] Reduce it if the described inertias, from which efforts are computed, are inaccurate.
  double effort_share = 0.9;
  bool effort = true;  ///< false: efforts are not limited

  /// @throws std::invalid_argument with the name of the invalid field
  void check(int joints) const;
};

/// Limits of a trajectory, one entry per joint. Jerk and effort are infinite if not limited; all
/// others are finite.
struct MotionLimits {
  /// lower, upper: position [rad or m]; velocity, acceleration, jerk [per s, s^2, s^3]; effort [N m
  /// or N].
  Eigen::VectorXd lower, upper, velocity, acceleration, jerk, effort;
  std::vector<std::string> notes;  ///< assumptions that were made, one sentence each

  /// Centre and half width of the position ranges.
  Eigen::VectorXd middle() const { return 0.5 * (lower + upper); }
  Eigen::VectorXd half() const { return 0.5 * (upper - lower); }
};

/// Limits of the robot's joints. Defaults: a joint without position limits has +-pi (prismatic
/// +-0.5 m), without a velocity limit 1 rad/s (0.5 m/s), without an acceleration limit velocity
/// limit / 0.25 s. Effort is limited only if the description gives the inertia of every body that
/// the joint moves.
MotionLimits motionLimits(const Robot& robot, const LimitOptions& options);

/// Reasons why no trajectory can meet the limits: one sentence each, with the limit, the excess,
/// and what to relax. Empty if none was found.
std::vector<std::string> contradictions(const Robot& robot,
                                        const MotionLimits& limits,
                                        int harmonics,
                                        double period_s);

/// Scale of each coefficient: its largest value within the limits if all others are zero. [1 + 2 L
/// x joints]
Eigen::MatrixXd coefficientScale(const MotionLimits& limits, int harmonics, double period_s);

/// Adds the limits of position, velocity, acceleration and jerk at `points` times of a period as
/// linear constraints of a program in x, where X = middle + scale * x (elementwise; the centre of
/// the ranges in the row of the offsets).
void addLimits(const MotionLimits& limits,
               const Eigen::MatrixXd& scale,
               double period_s,
               int points,
               NonlinearProgram& program);

/// Replaces X by the nearest coefficients with dq(0) = ddq(0) = 0 (sum_l a_l = 0, sum_l l b_l = 0).
void bringToRest(Eigen::MatrixXd& X);

/// Modifies the program of addLimits for motions that are at rest at the start of a period: X =
/// middle + bringToRest(scale * x). This avoids equality constraints, which slow the solver down.
void restrictToRest(const Eigen::MatrixXd& scale, NonlinearProgram& program);

/// Largest values of a trajectory: bounds that hold at all times, not only on a grid.
struct MotionPeaks {
  Eigen::VectorXd lower, upper;                  ///< of the position
  Eigen::VectorXd velocity, acceleration, jerk;  ///< of the absolute value
};

/// Rigorous bounds by gridToPeak on a grid of 100 points per period of the highest harmonic.
MotionPeaks seriesPeaks(const Eigen::MatrixXd& X, double period_s);

/// Scales the motion of every joint about its offset until the rigorous bounds are within the
/// limits. The offsets must be within them.
/// @returns the smallest factor used (1: unchanged)
double shrinkIntoLimits(const MotionLimits& limits, double period_s, Eigen::MatrixXd& X);

}  // namespace dynid
