#pragma once

#include "dynid/diagnosis/log_excerpt.h"
#include "dynid/diagnosis/tried_hypothesis.h"
#include "dynid/robot/robot.h"

#include <memory>

namespace dynid {

/// Fits the excerpt as it is, and with every single mistake undone. Where joints move one after the
/// other, each has few independent rows: 4 of 82 such right logs of 14 simulated robots were
/// refused. There a mistake refuses the log only if the other folds of the excerpt name it as well
/// (HypothesisResults::confirmed).
/// @param gains [channels] factor from the logged number to the excerpt's effort (1 for efforts,
///     the drive gain for currents); NaN: the gain is not known, and the excerpt holds currents
/// @param threads  the result does not depend on it
HypothesisResults tryHypotheses(const std::shared_ptr<const Robot>& robot,
                                const LogExcerpt& excerpt,
                                const Eigen::VectorXd& gains,
                                int threads);

}  // namespace dynid
