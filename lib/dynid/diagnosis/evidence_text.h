#pragma once

#include "dynid/diagnosis/tried_hypothesis.h"
#include "dynid/robot/robot.h"

#include <string>
#include <vector>

namespace dynid {

/// What speaks for the named mistake: "with that undone the model leaves 1.2 % of the effort
/// variance of elbow_joint unexplained instead of 48 % ...", for the channel that gains most, by
/// the fit, the links that resemble those of the description, or the description itself, whichever
/// its certainty rests on.
std::string evidenceOf(const Robot& robot,
                       const HypothesisResults& results,
                       const TriedHypothesis& best,
                       const std::vector<std::string>& names);

/// Other explanations than a mistake of the log: "; or that ...".
std::string otherCauses(const TriedHypothesis& best);

}  // namespace dynid
