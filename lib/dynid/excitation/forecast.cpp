#include "dynid/excitation/forecast.h"

#include <Eigen/Eigenvalues>

#include <cmath>
#include <limits>

namespace dynid {

Eigen::VectorXd standardDeviations(const Eigen::MatrixXd& information) {
  // Scaled to a unit diagonal before it is inverted: units differ by orders of magnitude.
  Eigen::VectorXd scale = information.diagonal().cwiseSqrt();
  for (double& value : scale) value = value > 1e-150 ? 1.0 / value : 0.0;
  const Eigen::MatrixXd scaled = scale.asDiagonal() * information * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scaled);
  // Rounding of the sums leaves this much of an eigenvalue that is zero.
  const double floor = 1e-14 * static_cast<double>(scaled.rows());
  Eigen::VectorXd deviation(scaled.rows());
  for (Eigen::Index p = 0; p < deviation.size(); ++p) {
    double variance = 0.0, unknown = scale(p) > 0.0 ? 0.0 : 1.0;
    for (Eigen::Index k = 0; k < deviation.size(); ++k) {
      const double lambda = eigen.eigenvalues()(k), share = eigen.eigenvectors()(p, k);
      if (lambda > floor)
        variance += share * share / lambda;
      else
        unknown += share * share;
    }
    deviation(p) =
        unknown > 1e-8 ? std::numeric_limits<double>::infinity() : scale(p) * std::sqrt(variance);
  }
  return deviation;
}

std::vector<ParameterForecast> forecast(const std::shared_ptr<const Robot>& robot,
                                        const SoughtParameters& sought,
                                        const MotionSamples& motion,
                                        double samples,
                                        const Eigen::VectorXd& sigma,
                                        const std::vector<Eigen::MatrixXd>& earlier) {
  Information information(robot, sought, sigma.cwiseInverse(), earlier);
  const Eigen::MatrixXd M = information.matrix(motion, Eigen::VectorXd::Zero(sigma.size()));
  const Eigen::VectorXd after = standardDeviations(samples * M);
  Eigen::VectorXd before =
      Eigen::VectorXd::Constant(after.size(), std::numeric_limits<double>::infinity());
  if (!earlier.empty()) before = standardDeviations(samples * information.earlier());
  std::vector<ParameterForecast> result;
  for (int p = 0; p < sought.count(); ++p) {
    const Column& column = sought.layout[sought.base.independent[static_cast<size_t>(p)]];
    result.push_back(
        {column.name, sought.base.expression(p, sought.layout), column.unit, after(p), before(p)});
  }
  return result;
}

}  // namespace dynid
