#pragma once

#include "dynid/identification/fit.h"
#include "dynid/model/model.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// How well the equations of every wrench sensor of the logs fit. The error of a component is
///
///     ||measured - predicted|| / max(||measured||, S / 4)
///
/// with the norm S of the three measured components. For moments S is at least 0.1 m times that of
/// the forces (a point mass has no moment about itself). Where nothing is measured (free flight), S
/// is the norm of the parameters' single contributions, which cancel in the prediction.
///
/// The factors of forces and moments are those of the least-squares fit of the joints and the
/// sensor with one unknown factor each. They are NaN where the logs do not determine them, and
/// unless they at least halve the squared residual weighted by the noise and leave less than 25 %
/// of the sensor unexplained.
///
/// @param statistics  rows of inverse dynamics; the six channels of every sensor follow the joints
/// @param parameters  [layout] of the model
/// @returns no entry for a sensor on whose equations no parameter depends
std::vector<SensorFit> sensorFits(const Recordings& recordings,
                                  const Regression& regression,
                                  const Statistics& statistics,
                                  const Eigen::VectorXd& parameters);

}  // namespace dynid
