#include "dynid/excitation/forecast.h"

#include "dynid/excitation/effort_check.h"
#include "dynid/excitation/information.h"
#include "dynid/identification/verdicts.h"

#include <Eigen/Eigenvalues>

#include <cmath>
#include <limits>
#include <map>

namespace dynid {

Eigen::VectorXd standardDeviations(const Eigen::MatrixXd& information) {
  // Scaled to a unit diagonal before the inversion, since units differ by orders of magnitude.
  Eigen::VectorXd scale = information.diagonal().cwiseSqrt();
  for (double& value : scale) value = value > 1e-150 ? 1.0 / value : 0.0;
  const Eigen::MatrixXd scaled = scale.asDiagonal() * information * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scaled);
  // Rounding errors of a zero eigenvalue.
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
  const Eigen::VectorXd expected = describedValues(*robot, sought);
  std::vector<ParameterForecast> result;
  for (int p = 0; p < sought.count(); ++p) {
    const Column& column = sought.layout[sought.base.independent[p]];
    result.push_back({column.name,
                      sought.base.expression(p, sought.layout),
                      column.unit,
                      after(p),
                      before(p),
                      expected(p)});
  }
  return result;
}

Eigen::VectorXd describedValues(const Robot& robot, const SoughtParameters& sought) {
  const Eigen::VectorXd pi = describedParameters(robot);
  Eigen::VectorXd known = Eigen::VectorXd::Zero(sought.layout.size());
  for (int c = 0; c < sought.layout.size(); ++c) {
    const Column& column = sought.layout[c];
    if (column.kind == ColumnKind::kInertial) known(c) = pi(10 * column.owner + column.component);
    // The description gives the friction of joints, not of a coupled actuator.
    if (column.kind != ColumnKind::kFriction || robot.isCoupled(column.owner)) continue;
    const Joint& joint = robot.joints[column.owner];
    if (column.effect == FrictionEffect::kViscous) known(c) = joint.damping;
    if (column.effect == FrictionEffect::kCoulomb) known(c) = joint.friction;
  }
  known = known.array().isNaN().select(0.0, known);
  const Eigen::MatrixXd combination = sought.base.combination();
  Eigen::VectorXd values = combination * known;
  const Eigen::VectorXd terms = combination.cwiseAbs() * known.cwiseAbs();
  // a result of complete cancellation is rounding error
  for (Eigen::Index p = 0; p < values.size(); ++p)
    if (!(std::abs(values(p)) > 1e-9 * terms(p)))
      values(p) = std::numeric_limits<double>::quiet_NaN();
  return values;
}

ForecastVerdicts forecastVerdicts(const SoughtParameters& sought,
                                  const std::vector<ParameterForecast>& forecasts) {
  std::vector<Excitation> of_base;
  std::map<std::string, bool> judged;
  for (const ParameterForecast& p : forecasts) {
    // An unknown value is assumed to be large.
    const bool known = std::isfinite(p.expected);
    of_base.push_back(
        excitationOf(known ? p.expected : std::numeric_limits<double>::infinity(), p.std_dev));
    judged[p.name] = known || !std::isfinite(p.std_dev);
  }
  ForecastVerdicts result;
  result.verdicts = parameterVerdicts(sought.base, sought.layout, of_base);
  for (const ParameterVerdict& verdict : result.verdicts)
    result.judged.push_back(verdict.identifiability == Identifiability::kNone ||
                            judged.at(verdict.seen_in));
  return result;
}

}  // namespace dynid
