#pragma once

#include "dynid/excitation/excitation_design.h"
#include "dynid/excitation/excitation_options.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

struct NonlinearProgram;
struct Robot;

/// Limits of the robot's joints; those that neither description nor options give are taken from
/// completeLimits. Effort is limited only if the description gives the inertia of every body that
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

/// Rigorous bounds by gridToPeak on a grid of 100 points per period of the highest harmonic.
MotionPeaks seriesPeaks(const Eigen::MatrixXd& X, double period_s);

/// Scales the motion of every joint about its offset until the rigorous bounds are within the
/// limits. The offsets must be within them.
/// @returns the smallest factor used (1: unchanged)
double shrinkIntoLimits(const MotionLimits& limits, double period_s, Eigen::MatrixXd& X);

}  // namespace dynid
