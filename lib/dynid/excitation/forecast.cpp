#include "dynid/excitation/forecast.h"

#include <Eigen/Cholesky>

#include <cmath>
#include <limits>

namespace dynid {

std::vector<ParameterForecast> forecast(const std::shared_ptr<const Robot>& robot,
                                        const SoughtParameters& sought,
                                        const MotionSamples& motion,
                                        double samples,
                                        const Eigen::VectorXd& sigma) {
  Information information(robot, sought, sigma.cwiseInverse());
  const Eigen::MatrixXd M = information.matrix(motion, Eigen::VectorXd::Zero(sigma.size()));
  // Scaled to a unit diagonal before it is inverted: units differ by orders of magnitude.
  const Eigen::VectorXd scale = M.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = scale.asDiagonal() * M * scale.asDiagonal();
  const Eigen::LLT<Eigen::MatrixXd> factor(scaled);
  Eigen::VectorXd variance =
      Eigen::VectorXd::Constant(M.rows(), std::numeric_limits<double>::infinity());
  if (factor.info() == Eigen::Success) {
    const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(M.rows(), M.cols());
    variance = factor.solve(identity).diagonal();
    variance.array() *= scale.array().square() / samples;
  }
  std::vector<ParameterForecast> result;
  for (int p = 0; p < sought.count(); ++p) {
    const Column& column = sought.layout[sought.base.independent[static_cast<size_t>(p)]];
    result.push_back({column.name,
                      sought.base.expression(p, sought.layout),
                      column.unit,
                      std::sqrt(variance(p))});
  }
  return result;
}

}  // namespace dynid
