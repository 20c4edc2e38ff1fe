#include "dynid/excitation/objective.h"

#include "dynid/excitation/effort_check.h"

#include <Eigen/LU>

#include <cmath>

namespace dynid {
namespace {

constexpr double kEffortWeight = 10.0;
// The penalty begins a little before the limit, so that the optimum of the sum lies within.
constexpr double kEffortOnset = 0.97;

}  // namespace

ExcitationObjective::ExcitationObjective(std::shared_ptr<Information> information,
                                         const MotionLimits& limits,
                                         int harmonics,
                                         double period_s,
                                         int points)
    : information_(std::move(information)),
      limits_(limits),
      basis_(fourierBasis(harmonics, period_s, periodGrid(period_s, points))) {
  const Robot& robot = information_->robot();
  actuator_velocity_ = robot.T.inverse().cwiseAbs() * limits.velocity;
  efforts_limited_ = limits.effort.array().isFinite().any();
  if (efforts_limited_) {
    const auto shared = std::make_shared<const Robot>(robot);
    regressor_ = std::make_unique<ProjectionRegressor>(shared);
    adjoint_ = std::make_unique<RegressorAdjoint>(shared);
  }
}

MotionSamples ExcitationObjective::samples(const Eigen::MatrixXd& X) const {
  return {basis_.q * X, basis_.dq * X, basis_.ddq * X};
}

double ExcitationObjective::effortPenalty(const MotionSamples& motion, MotionSamples* gradient) {
  const Robot& robot = information_->robot();
  const Eigen::VectorXd pi = describedParameters(robot);
  std::vector<Eigen::MatrixXd> Y, G;
  regressor_->evaluate(motion.q, motion.dq, motion.ddq, Y);
  const auto samples = static_cast<double>(motion.q.rows());
  double penalty = 0.0;
  MotionSamples viscous{motion.q * 0.0, motion.q * 0.0, motion.q * 0.0};
  for (int j = 0; j < robot.numJoints(); ++j) {
    const Eigen::MatrixXd& Y_j = Y[static_cast<size_t>(j)];
    G.emplace_back(Eigen::MatrixXd::Zero(Y_j.rows(), Y_j.cols()));
    if (!std::isfinite(limits_.effort(j))) continue;
    const Eigen::VectorXd pi_j = pi(regressor_->columns(j));
    const double damping = robot.joints[static_cast<size_t>(j)].damping;
    const Eigen::ArrayXd tau = (Y_j * pi_j + damping * motion.dq.col(j)) / limits_.effort(j);
    const Eigen::ArrayXd excess = (tau.abs() - kEffortOnset).max(0.0);
    penalty += kEffortWeight * excess.square().sum() / samples;
    const Eigen::VectorXd slope =
        2.0 * kEffortWeight / (samples * limits_.effort(j)) * excess * tau.sign();
    G.back().noalias() = slope * pi_j.transpose();
    viscous.dq.col(j) = damping * slope;
  }
  if (gradient != nullptr) {
    MotionSamples g;
    adjoint_->evaluate(motion.q, motion.dq, motion.ddq, G, g.q, g.dq, g.ddq);
    gradient->q += g.q;
    gradient->dq += g.dq + viscous.dq;
    gradient->ddq += g.ddq;
  }
  return penalty;
}

double ExcitationObjective::evaluate(Criterion criterion,
                                     const Smoothness& smoothness,
                                     const Eigen::MatrixXd& X,
                                     Eigen::MatrixXd* gradient) {
  const MotionSamples motion = samples(X);
  const Eigen::VectorXd smoothing = smoothness.velocity_share * actuator_velocity_;
  const CriterionValue criterion_value =
      evaluateCriterion(criterion, information_->matrix(motion, smoothing), smoothness.sharpness);
  double value = criterion_value.value;
  if (!std::isfinite(value)) {
    if (gradient != nullptr) gradient->setZero(X.rows(), X.cols());
    return value;
  }
  MotionSamples g;
  if (gradient != nullptr) g = information_->gradient(motion, smoothing, criterion_value.dM);
  if (efforts_limited_) value += effortPenalty(motion, gradient != nullptr ? &g : nullptr);
  if (gradient != nullptr)
    *gradient =
        basis_.q.transpose() * g.q + basis_.dq.transpose() * g.dq + basis_.ddq.transpose() * g.ddq;
  return value;
}

}  // namespace dynid
