#pragma once

#include "dynid/statistics/gather.h"

#include <Eigen/Core>

namespace dynid {

/// Adds a warning ("residual-burst") to every log in a short part of which several efforts do not
/// follow from the motion, as where something touches the robot. In a stretch of a tenth of the
/// blocks of the log, of each of these channels
///   - the fit leaves more than 70 % of the squared residual of the log,
///   - the residual of one block is more than ten times the median one (root mean squares), and
///   - the residual of the log is more than 4 % of the effort.
/// They are at least a third of the channels that move, and at least two of two or more. Logs of
/// fewer than ten blocks are not judged. The times of the message count from the first used row.
/// @param parameters  [layout] of the fit
void reportBursts(const Recordings& recordings,
                  const Regression& regression,
                  const Eigen::VectorXd& parameters);

}  // namespace dynid
