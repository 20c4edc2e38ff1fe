#pragma once

#include "dynid/signals/log_correction.h"

#include <Eigen/Core>

#include <numbers>
#include <vector>

namespace dynid {

inline constexpr double kDegree = std::numbers::pi / 180.0;  ///< [rad] one degree

struct ColumnMotion;
struct EffortAssignment;
struct Robot;

/// A single mistake that a log may hold.
struct Mistake {
  enum class Kind {
    kEffortSign,     ///< the effort of one or two joints (none named: of all) has the opposite sign
    kEffortSwap,     ///< the efforts of two joints are exchanged
    kEffortOrder,    ///< the efforts are in another order of joints: `order`
    kEffortScale,    ///< the effort of one joint (none named: of all) must be multiplied by `value`
    kEffortShare,    ///< the efforts are shares of the effort limits: the limit itself is `value`
    kPositionScale,  ///< the position of one joint must be multiplied by `value`: gear ratio, pitch
    kPositionSign,   ///< position and velocity of one joint have the opposite sign
    kAxisSign,       ///< position, velocity and effort of one joint have the opposite sign
    kPositionZero,   ///< `value` [rad] must be subtracted from the position of one joint
    kPositionStep,   ///< the same [rad or m], from the time `from_s` on
    kPositionSwap,   ///< position and velocity of two joints are exchanged
    kColumnSwap,     ///< all columns of two joints are exchanged
    kPositionOrder,  ///< position and velocity are in another order of joints: `order`
    kColumnOrder,    ///< all columns are in another order of joints: `order`
    kGravity,        ///< gravity points along `direction` of the root link
    kJointAxis,      ///< one joint turns about, or slides along, `direction` of its frame
    kJointSide,      ///< columns of coupled drives, `joints`, are those of the joints behind them
    kDriveSide,      ///< columns of coupled joints, `joints`, are those of the drives
    kMixedSides,     ///< efforts of coupled drives, `joints`, beside the positions of the joints
    kNoGravity,      ///< the efforts hold no gravity torque: a controller has subtracted it
    kTimeScale,      ///< the clock must be multiplied by `value`
    kEffortDelay,    ///< all efforts are late by `value` [s], beyond the range of findEffortDelay
    kPositionDelay,  ///< position and velocity of one joint are late by `value` [s]
    kPositionUnit  ///< the position of these joints (none named: all) must be multiplied by `value`
  };
  Kind kind = Kind::kEffortSign;
  std::vector<int> joints = {};  ///< indices of log columns; empty: all
  double value = 0.0;            ///< see Kind
  std::vector<int> order = {};   ///< channel c is column order[c] of the log
  /// [m/s^2] of gravity; of an axis: a unit vector in the frame of the joint
  Eigen::Vector3d direction = Eigen::Vector3d::Zero();
  double before_s = 0.0, from_s = 0.0;  ///< ends of the gap of the log in which a step lies
  /// Of degrees: gear ratios that explain the efforts as well (PositionRatio); 0: not examined.
  double lowest_ratio = 0.0, highest_ratio = 0.0;
};

/// Whether two mistakes are the same but for a tenth of their value (and of a direction).
bool areTheSame(const Mistake& a, const Mistake& b);

/// Whether positions are said to be in degrees.
bool isDegrees(const Mistake& mistake);

/// Whether the robot description is said to be wrong: the direction of gravity, the axis of a
/// joint, or the side of a transmission that the columns belong to.
bool isOfDescription(const Mistake& mistake);

/// Whether the mistake can be undone by a change of the log's columns (LogCorrection). False for
/// mistakes of the robot description, for a delay between columns, for a zero that changes within
/// the log, and for missing gravity torques.
bool isReversible(const Mistake& mistake);

/// The change of the log's columns that undoes the mistake; of a mistake that is not reversible:
/// none. A unit of all positions concerns the revolute joints of the robot only.
/// @throws std::invalid_argument if the mistake names joints that the robot does not have, or too
/// few of them
LogCorrection correctionOf(const Mistake& mistake, const Robot& robot);

/// The motion with the mistake undone.
ColumnMotion undoneMotion(const Mistake& mistake, const ColumnMotion& motion, const Robot& robot);

/// The efforts with the mistake undone.
/// @param gains  [channels] as in tryHypotheses: logged numbers change places before gains are
/// applied to them
EffortAssignment undoneEfforts(const Mistake& mistake,
                               const Robot& robot,
                               const Eigen::VectorXd& gains);

}  // namespace dynid
