#pragma once

#include "dynid/excitation/information.h"
#include "dynid/model/model.h"

#include <Eigen/Core>

#include <limits>
#include <string>
#include <vector>

namespace dynid {

/// How well a log of the trajectory will tell a parameter.
struct ParameterForecast {
  std::string name;        ///< column of the base parameter, as in a model
  std::string expression;  ///< in words
  std::string unit;
  double std_dev = 0.0;  ///< infinite where nothing can tell it from others
  /// What earlier statistics alone give.
  double std_dev_before = std::numeric_limits<double>::infinity();
  /// What the statistics found, else what the description says, as far as it says anything; NaN.
  double expected = std::numeric_limits<double>::quiet_NaN();
};

/// What identify is expected to say about every parameter of the sought layout.
struct ForecastVerdicts {
  std::vector<ParameterVerdict> verdicts;  ///< [layout] by identify's rule
  /// [layout] false: no value is known beforehand, `excitation` only says that the motion tells it.
  std::vector<bool> judged;
};
ForecastVerdicts forecastVerdicts(const SoughtParameters& sought,
                                  const std::vector<ParameterForecast>& forecasts);

/// Values of the sought parameters that the description gives: inertias, damping and friction; of a
/// combination the part that is given. NaN where nothing is, or where it says zero.
Eigen::VectorXd describedValues(const Robot& robot, const SoughtParameters& sought);

/// Standard deviations, roots of the diagonal of information^-1: infinite where the parameter has a
/// part in a direction of which nothing is known.
/// @param information  symmetric, positive semidefinite
Eigen::VectorXd standardDeviations(const Eigen::MatrixXd& information);

/// Standard deviations of all sought parameters for white effort noise:
///
///     Cov = (sum over samples and channels of w w^T / sigma_i^2 + information of earlier logs)^-1
///
/// @param motion   one period, equally spaced
/// @param samples  that the log will have of it
/// @param sigma    [actuators] standard deviation of the effort noise [N m or N]
/// @param earlier  as Information's
std::vector<ParameterForecast> forecast(const std::shared_ptr<const Robot>& robot,
                                        const SoughtParameters& sought,
                                        const MotionSamples& motion,
                                        double samples,
                                        const Eigen::VectorXd& sigma,
                                        const std::vector<Eigen::MatrixXd>& earlier = {});

}  // namespace dynid
