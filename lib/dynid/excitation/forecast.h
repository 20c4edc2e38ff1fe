#pragma once

#include "dynid/excitation/information.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// How well a log of the trajectory will tell a parameter.
struct ParameterForecast {
  std::string name;        ///< column of the base parameter, as in a model
  std::string expression;  ///< in words
  std::string unit;
  double std_dev = 0.0;  ///< infinite where the motion cannot tell it from others
};

/// Standard deviations of all sought parameters for white effort noise:
///
///     Cov = (sum over samples and channels of w w^T / sigma_i^2)^-1
///
/// @param motion   one period, equally spaced
/// @param samples  that the log will have of it
/// @param sigma    [actuators] standard deviation of the effort noise [N m or N]
std::vector<ParameterForecast> forecast(const std::shared_ptr<const Robot>& robot,
                                        const SoughtParameters& sought,
                                        const MotionSamples& motion,
                                        double samples,
                                        const Eigen::VectorXd& sigma);

}  // namespace dynid
