#pragma once

#include "dynid/excitation/excitation_design.h"

#include <Eigen/Core>

#include <memory>
#include <vector>

namespace dynid {

struct MotionSamples;
struct SoughtParameters;

/// Derives the verdicts from the forecasts of the sought parameters.
ForecastVerdicts forecastVerdicts(const SoughtParameters& sought,
                                  const std::vector<ParameterForecast>& forecasts);

/// Values of the sought parameters according to the description: inertias, damping and friction;
/// for a combination the part that is given. NaN if nothing is given or the value is zero.
Eigen::VectorXd describedValues(const Robot& robot, const SoughtParameters& sought);

/// Standard deviations: square roots of the diagonal of information^-1. Infinite if the parameter
/// has a component in a direction without information.
/// @param information  symmetric, positive semidefinite
Eigen::VectorXd standardDeviations(const Eigen::MatrixXd& information);

/// Standard deviations of all sought parameters for white effort noise:
///
///     Cov = (sum over samples and channels of w w^T / sigma_i^2 + information of earlier logs)^-1
///
/// @param motion   one period, equally spaced
/// @param samples  number of samples of the log
/// @param sigma    [actuators] standard deviation of the effort noise [N m or N]
/// @param earlier  as in Information
std::vector<ParameterForecast> forecast(const std::shared_ptr<const Robot>& robot,
                                        const SoughtParameters& sought,
                                        const MotionSamples& motion,
                                        double samples,
                                        const Eigen::VectorXd& sigma,
                                        const std::vector<Eigen::MatrixXd>& earlier = {});

}  // namespace dynid
