#include "dynid/excitation/objective.h"

#include "dynid/core/errors.h"
#include "dynid/excitation/criterion.h"

#include <Eigen/LU>

#include <cmath>

namespace dynid {
ExcitationObjective::ExcitationObjective(std::shared_ptr<Information> information,
                                         const Eigen::VectorXd& velocity,
                                         int harmonics,
                                         double period_s,
                                         int points)
    : information_(std::move(information)),
      basis_(fourierBasis(harmonics, period_s, periodGrid(period_s, points))) {
  actuator_velocity_ = information_->robot().T.inverse().cwiseAbs() * velocity;
}

MotionSamples ExcitationObjective::samples(const Eigen::MatrixXd& X) const {
  return {basis_.q * X, basis_.dq * X, basis_.ddq * X};
}

double ExcitationObjective::evaluate(Criterion criterion,
                                     const Smoothness& smoothness,
                                     const Eigen::MatrixXd& X,
                                     Eigen::MatrixXd* gradient) {
  try {
    return evaluateClosed(criterion, smoothness, X, gradient);
  } catch (const InputError&) {  // the mechanism does not reach the position
    if (gradient != nullptr) gradient->setZero(X.rows(), X.cols());
    return INFINITY;
  }
}

double ExcitationObjective::evaluateClosed(Criterion criterion,
                                           const Smoothness& smoothness,
                                           const Eigen::MatrixXd& X,
                                           Eigen::MatrixXd* gradient) {
  const MotionSamples motion = samples(X);
  const Eigen::VectorXd smoothing = smoothness.velocity_share * actuator_velocity_;
  const CriterionValue criterion_value =
      evaluateCriterion(criterion, information_->matrix(motion, smoothing), smoothness.sharpness);
  if (gradient == nullptr) return criterion_value.value;
  gradient->setZero(X.rows(), X.cols());
  if (!std::isfinite(criterion_value.value)) return criterion_value.value;
  const MotionSamples g = information_->gradient(motion, smoothing, criterion_value.dM);
  *gradient =
      basis_.q.transpose() * g.q + basis_.dq.transpose() * g.dq + basis_.ddq.transpose() * g.ddq;
  return criterion_value.value;
}

}  // namespace dynid
