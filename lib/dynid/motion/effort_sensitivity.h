#pragma once

#include "dynid/dynamics/projection.h"

#include <Eigen/Core>

#include <memory>
#include <vector>

namespace dynid {

/// Efforts of a robot on the joint side as a function of its motion and of the parameters theta:
///
///     tau = Y(q, dq, ddq) pi
///           + A^T (viscous o v + coulomb o tanh(v / width) + offset + drive o A ddq)
///     v = A dq,  A = T^-1 (actuator speeds)
///
/// o is the elementwise product. theta = [pi of `inertial`; then viscous, coulomb, offset and, if
/// requested, drive inertia of every actuator].
class EffortSensitivity {
 public:
  /// @param inertial  standard columns (10 body + component) that are unknown; the others are zero
  /// @param width     [actuators] rad/s or m/s, > 0: speed over which friction changes its sign
  /// @param drive_inertia  whether theta includes drive inertias
  EffortSensitivity(std::shared_ptr<const Robot> robot,
                    std::vector<int> inertial,
                    Eigen::VectorXd width,
                    bool drive_inertia);

  int numJoints() const { return robot_->numJoints(); }
  /// Number of entries of theta.
  Eigen::Index numParameters() const;
  const std::vector<int>& inertial() const { return inertial_; }

  /// Efforts [N,n] at these states [N,n].
  Eigen::MatrixXd efforts(const Eigen::MatrixXd& q,
                          const Eigen::MatrixXd& dq,
                          const Eigen::MatrixXd& ddq,
                          const Eigen::VectorXd& theta) const;

  /// Regressor rows, one [N, parameters] per joint: efforts(.).col(j) = rows[j] theta.
  std::vector<Eigen::MatrixXd> rows(const Eigen::MatrixXd& q,
                                    const Eigen::MatrixXd& dq,
                                    const Eigen::MatrixXd& ddq) const;

  /// Derivatives of the efforts by the state of joint j, n matrices [N,n] each: by_q[j](i, a) = d
  /// tau_a / d q_j at sample i.
  struct Derivatives {
    std::vector<Eigen::MatrixXd> by_q, by_dq, by_ddq;
  };
  /// Derivatives by symmetric differences of the batch kernel: exact up to rounding for velocities
  /// (rigid-body efforts are quadratic in them) and accelerations (linear), and accurate to 1e-8
  /// for positions. Friction is differentiated analytically.
  Derivatives derivatives(const Eigen::MatrixXd& q,
                          const Eigen::MatrixXd& dq,
                          const Eigen::MatrixXd& ddq,
                          const Eigen::VectorXd& theta) const;

 private:
  Eigen::VectorXd standardParameters(const Eigen::VectorXd& theta) const;
  /// Number of parameters of the effects at one actuator.
  Eigen::Index effectsPerActuator() const { return drive_inertia_ ? 4 : 3; }

  std::shared_ptr<const Robot> robot_;
  std::vector<int> inertial_;
  Eigen::VectorXd width_;
  bool drive_inertia_;
  Eigen::MatrixXd to_actuator_;  // A
  ProjectionRegressor regressor_;
};

}  // namespace dynid
