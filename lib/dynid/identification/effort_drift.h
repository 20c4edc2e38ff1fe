#pragma once

#include "dynid/statistics/gather.h"

#include <Eigen/Core>

namespace dynid {

/// Adds a warning ("effort-drift") to every log in which an effort drifts: a line through the mean
/// residuals m_b of its blocks b of n_b rows (regression on b with weights n_b),
///
///     drift^2 = slope^2 sum_b n_b (b - mean b)^2,
///
/// explains more than half of the squared residuals and 80 % of the squared differences between
/// blocks, and its rms is at least 2 % of that of the effort. Logs of fewer than eight blocks, and
/// joints without an offset among the parameters, are not judged.
/// @param parameters   [layout] of the fit
/// @param scale_known  false: efforts are in A
void reportDrifts(const Recordings& recordings,
                  const Regression& regression,
                  const Eigen::VectorXd& parameters,
                  bool scale_known);

}  // namespace dynid
