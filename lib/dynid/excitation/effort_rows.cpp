#include "dynid/excitation/effort_rows.h"

#include "dynid/excitation/effort_check.h"

#include <cmath>

namespace dynid {
namespace {

constexpr double kEffortSharpness = 100.0;

}  // namespace

EffortRows::EffortRows(std::shared_ptr<const Robot> robot,
                       const MotionLimits& limits,
                       int harmonics,
                       double period_s,
                       int points,
                       double margin)
    : robot_(std::move(robot)),
      room_(limits.effort),
      basis_(fourierBasis(harmonics, period_s, periodGrid(period_s, points))),
      margin_(margin),
      adjoint_(robot_) {
  Eigen::VectorXd pi = describedParameters(*robot_);
  pi = pi.array().isNaN().select(0.0, pi);
  const ProjectionRegressor regressor(robot_);
  for (int j = 0; j < robot_->numJoints(); ++j) {
    room_(j) -= robot_->joints[j].friction;
    parameters_.emplace_back(pi(regressor.columns(j)).transpose());
  }
}

void EffortRows::evaluate(const Eigen::MatrixXd& X, Eigen::VectorXd& g, Eigen::MatrixXd* jacobian) {
  const MotionSamples motion{basis_.q * X, basis_.dq * X, basis_.ddq * X};
  const Eigen::ArrayXXd share =
      describedEfforts(*robot_, motion).array().rowwise() / room_.transpose().array();
  // Relative to the largest value, so that the exponentials do not overflow.
  const Eigen::ArrayXd worst = share.abs().rowwise().maxCoeff();
  Eigen::ArrayXXd up = share, down = -share;
  for (auto* side : {&up, &down}) *side = (kEffortSharpness * (side->colwise() - worst)).exp();
  // Joints without a limit do not contribute.
  for (Eigen::Index j = 0; j < room_.size(); ++j)
    if (!std::isfinite(room_(j))) up.col(j) = down.col(j) = 0.0;
  const Eigen::ArrayXd sum = (up + down).rowwise().sum();
  g = 1.0 - margin_ - worst - sum.log() / kEffortSharpness;
  if (jacobian == nullptr) return;

  const Eigen::MatrixXd slope =
      -(((up - down).colwise() / sum).rowwise() / room_.transpose().array());
  std::vector<Eigen::MatrixXd> G;
  for (size_t j = 0; j < parameters_.size(); ++j) G.emplace_back(slope.col(j) * parameters_[j]);
  MotionSamples by;
  adjoint_.evaluate(motion.q, motion.dq, motion.ddq, G, by.q, by.dq, by.ddq);
  jacobian->resize(count(), X.size());
  for (Eigen::Index j = 0; j < X.cols(); ++j) {
    const Joint& joint = robot_->joints[j];
    by.q.col(j) += joint.stiffness * slope.col(j);
    by.dq.col(j) += joint.damping * slope.col(j);
    by.ddq.col(j) += joint.drive_inertia * slope.col(j);
    jacobian->middleCols(j * X.rows(), X.rows()) = by.q.col(j).asDiagonal() * basis_.q +
                                                   by.dq.col(j).asDiagonal() * basis_.dq +
                                                   by.ddq.col(j).asDiagonal() * basis_.ddq;
  }
}

}  // namespace dynid
