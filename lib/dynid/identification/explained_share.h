#pragma once

#include "dynid/identification/fit.h"

namespace dynid {

/// Explained fraction [channels] of the variance of each channel's moving rows, from the factors.
/// Every block is predicted by the fit of the other four of five folds.
/// @param judged  statistics with the rows to be predicted and the blocks of the regression: those
///     of the regression, or of the same logs with another cut-off
Eigen::VectorXd explainedShare(const Recordings& recordings,
                               const Regression& regression,
                               const Fit& fit,
                               const Statistics& judged,
                               const FitOptions& options);

}  // namespace dynid
