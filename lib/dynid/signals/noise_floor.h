#pragma once

#include "dynid/signals/filter.h"

#include <Eigen/Core>

namespace dynid {

/// The noise floor of a prediction: what no model of the motion can explain, as sums of squares per
/// channel. It is the part of the residual above the cut-off of the fit, but at most the effort
/// above the cut-off: the rest is noise of the prediction, which a better one does not have. The
/// effort alone is no measure: it contains the jumps of friction, which the model predicts.
/// @param above_cutoff sums of squares of the residual without its low-passed part (keepAbove)
/// @param residual sums of squares of the residual, which limit the floor
/// @param effort_above_cutoff sums of squares of the effort without its low-passed part
inline Eigen::VectorXd squaredNoiseFloor(const Eigen::VectorXd& above_cutoff,
                                         const Eigen::VectorXd& residual,
                                         const Eigen::VectorXd& effort_above_cutoff) {
  return above_cutoff.cwiseMin(residual).cwiseMin(effort_above_cutoff);
}

/// Removes the low-passed part of every column.
inline void keepAbove(const Lowpass& filter,
                      Eigen::Ref<Eigen::MatrixXd> columns,
                      FilterWorkspace& workspace) {
  Eigen::MatrixXd slow = columns;
  filterZeroPhase(filter, slow, workspace);
  columns -= slow;
}

}  // namespace dynid
