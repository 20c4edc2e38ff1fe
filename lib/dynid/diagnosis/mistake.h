#pragma once

#include "dynid/diagnosis/channel_columns.h"
#include "dynid/diagnosis/hypothesis_score.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// A single mistake that a log may hold.
struct Mistake {
  enum class Kind {
    kEffortSign,     ///< the effort of one joint (none named: of all) has the opposite sign
    kEffortSwap,     ///< the efforts of two joints are exchanged
    kEffortOrder,    ///< the efforts are in another order of joints: `order`
    kEffortScale,    ///< the effort of one joint must be multiplied by `value`
    kPositionSign,   ///< position and velocity of one joint have the opposite sign
    kAxisSign,       ///< position, velocity and effort of one joint have the opposite sign
    kPositionZero,   ///< `value` [rad] must be subtracted from the position of one joint
    kPositionSwap,   ///< position and velocity of two joints are exchanged
    kColumnSwap,     ///< all columns of two joints are exchanged
    kPositionOrder,  ///< position and velocity are in another order of joints: `order`
    kColumnOrder,    ///< all columns are in another order of joints: `order`
    kGravity,        ///< gravity points along `direction` of the root link
    kTimeScale,      ///< the clock must be multiplied by `value`
    kPositionUnit    ///< the position of one joint (none named: all) must be multiplied by `value`
  };
  Kind kind = Kind::kEffortSign;
  std::vector<int> joints = {};  ///< indices of log columns; empty: all
  double value = 0.0;
  std::vector<int> order = {};                          ///< channel c is column order[c] of the log
  Eigen::Vector3d direction = Eigen::Vector3d::Zero();  ///< [m/s^2]
};

/// The motion with the mistake undone.
ColumnMotion undoneMotion(const Mistake& mistake, const ColumnMotion& motion, const Robot& robot);

/// The efforts with the mistake undone.
/// @param gains  [channels] as in tryHypotheses: logged numbers change places before gains are
/// applied to them
EffortAssignment undoneEfforts(const Mistake& mistake, const Eigen::VectorXd& gains);

}  // namespace dynid
