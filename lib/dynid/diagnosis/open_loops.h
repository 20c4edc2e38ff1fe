#pragma once

#include "dynid/diagnosis/diagnosis.h"
#include "dynid/diagnosis/log_excerpt.h"
#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <memory>

namespace dynid {

/// Explains a log at whose positions the loops of the robot do not close. Of the single mistakes
/// with which undone they close (changesThatClose), the one that explains the efforts best is named
/// and refuses the log, together with those that explain them as well (within kTiedCertainty of
/// HypothesisScore::objective). With a reversed or exchanged position, the effort of the same joint
/// may be reversed or exchanged as well.
/// @param gains  [channels] as in tryHypotheses
/// @param diagnosis  gets the finding and the mistakes that can be undone
/// @returns whether a mistake is named; false for loops that close, or that close with no single
///     mistake undone
bool explainOpenLoops(const std::shared_ptr<const Robot>& robot,
                      const LogExcerpt& excerpt,
                      const Eigen::VectorXd& gains,
                      Diagnosis& diagnosis);

}  // namespace dynid
