#include "dynid/motion/effort_sensitivity.h"

#include <Eigen/LU>

#include <algorithm>
#include <stdexcept>

namespace dynid {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kPositionStep = 1e-4;  // rad or m
constexpr double kSpeedStep = 1e-2;     // rad/s or m/s

}  // namespace

EffortSensitivity::EffortSensitivity(std::shared_ptr<const Robot> robot,
                                     std::vector<int> inertial,
                                     VectorXd width,
                                     bool drive_inertia)
    : robot_(std::move(robot)),
      inertial_(std::move(inertial)),
      width_(std::move(width)),
      drive_inertia_(drive_inertia),
      to_actuator_(robot_->T.inverse()),
      regressor_(robot_) {
  if (width_.size() != numJoints() || !(width_.minCoeff() > 0.0))
    throw std::invalid_argument(
        "the widths of the speed ramp are not positive or not one per actuator; expected a "
        "positive width per actuator");
}

Index EffortSensitivity::numParameters() const {
  return std::ssize(inertial_) + effectsPerActuator() * numJoints();
}

VectorXd EffortSensitivity::standardParameters(const VectorXd& theta) const {
  VectorXd pi = VectorXd::Zero(10 * robot_->numBodies());
  for (Index c = 0; c < std::ssize(inertial_); ++c) pi(inertial_[c]) = theta(c);
  return pi;
}

MatrixXd EffortSensitivity::efforts(const MatrixXd& q,
                                    const MatrixXd& dq,
                                    const MatrixXd& ddq,
                                    const VectorXd& theta) const {
  MatrixXd tau = regressor_.efforts(standardParameters(theta), q, dq, ddq);
  const MatrixXd v = dq * to_actuator_.transpose(), dv = ddq * to_actuator_.transpose();
  MatrixXd effects(v.rows(), v.cols());
  for (Index a = 0; a < v.cols(); ++a) {
    const VectorXd theta_a =
        theta.segment(std::ssize(inertial_) + effectsPerActuator() * a, effectsPerActuator());
    effects.col(a) = theta_a(0) * v.col(a).array() +
                     theta_a(1) * (v.col(a).array() / width_(a)).tanh() + theta_a(2);
    if (drive_inertia_) effects.col(a) += theta_a(3) * dv.col(a);
  }
  return tau + effects * to_actuator_;
}

std::vector<MatrixXd> EffortSensitivity::rows(const MatrixXd& q,
                                              const MatrixXd& dq,
                                              const MatrixXd& ddq) const {
  const Index samples = q.rows();
  std::vector<MatrixXd> result(numJoints(), MatrixXd::Zero(samples, numParameters()));
  std::vector<MatrixXd> Y;
  regressor_.evaluate(q, dq, ddq, Y);
  for (int j = 0; j < numJoints(); ++j) {
    const std::vector<int> columns = regressor_.columns(j);
    for (std::size_t c = 0; c < inertial_.size(); ++c) {
      const auto at = std::lower_bound(columns.begin(), columns.end(), inertial_[c]);
      if (at != columns.end() && *at == inertial_[c])
        result[j].col(c) = Y[j].col(at - columns.begin());
    }
  }
  const MatrixXd v = dq * to_actuator_.transpose(), dv = ddq * to_actuator_.transpose();
  for (Index a = 0; a < v.cols(); ++a) {
    const Index first = std::ssize(inertial_) + effectsPerActuator() * a;
    for (Index j = 0; j < v.cols(); ++j) {
      const double gain = to_actuator_(a, j);
      if (gain == 0.0) continue;
      MatrixXd& of_joint = result[j];
      of_joint.col(first) = gain * v.col(a);
      of_joint.col(first + 1) = gain * (v.col(a).array() / width_(a)).tanh();
      of_joint.col(first + 2).setConstant(gain);
      if (drive_inertia_) of_joint.col(first + 3) = gain * dv.col(a);
    }
  }
  return result;
}

EffortSensitivity::Derivatives EffortSensitivity::derivatives(const MatrixXd& q,
                                                              const MatrixXd& dq,
                                                              const MatrixXd& ddq,
                                                              const VectorXd& theta) const {
  const VectorXd pi = standardParameters(theta);
  const Index n = numJoints();
  const MatrixXd v = dq * to_actuator_.transpose();
  Derivatives result;
  const auto difference = [&](int order, Index j, double step) -> MatrixXd {
    MatrixXd up[3] = {q, dq, ddq}, down[3] = {q, dq, ddq};
    up[order].col(j).array() += step;
    down[order].col(j).array() -= step;
    return (regressor_.efforts(pi, up[0], up[1], up[2]) -
            regressor_.efforts(pi, down[0], down[1], down[2])) /
           (2.0 * step);
  };
  for (Index j = 0; j < n; ++j) {
    result.by_q.push_back(difference(0, j, kPositionStep));
    result.by_dq.push_back(difference(1, j, kSpeedStep));
    result.by_ddq.push_back(difference(2, j, 1.0));
    for (Index a = 0; a < n; ++a) {
      if (to_actuator_(a, j) == 0.0) continue;
      const VectorXd theta_a =
          theta.segment(std::ssize(inertial_) + effectsPerActuator() * a, effectsPerActuator());
      const Eigen::ArrayXd sign = (v.col(a).array() / width_(a)).tanh();
      const VectorXd slope = theta_a(0) + theta_a(1) / width_(a) * (1.0 - sign.square());
      for (Index b = 0; b < n; ++b) {
        const double gain = to_actuator_(a, j) * to_actuator_(a, b);
        if (gain == 0.0) continue;
        result.by_dq.back().col(b) += gain * slope;
        if (drive_inertia_) result.by_ddq.back().col(b).array() += gain * theta_a(3);
      }
    }
  }
  return result;
}

}  // namespace dynid
