#pragma once

#include "dynid/dynamics/projection.h"
#include "dynid/excitation/fourier_basis.h"
#include "dynid/excitation/regressor_adjoint.h"
#include "dynid/excitation/sought_parameters.h"

#include <Eigen/Core>

#include <memory>
#include <vector>

namespace dynid {

/// Regressor rows of the sought parameters along a motion, their information matrix, and its exact
/// gradient by the motion.
class Information {
 public:
  /// @param weights  [actuators] factor of the rows of each channel; 1/sigma_i gives the Fisher
  ///     information
  /// @param earlier  empty, or [actuators] W_i^T W_i of the unweighted rows of earlier logs,
  ///     divided by the number of samples of the new motion; `matrix` includes them
  Information(std::shared_ptr<const Robot> robot,
              SoughtParameters sought,
              Eigen::VectorXd weights,
              const std::vector<Eigen::MatrixXd>& earlier = {});

  const SoughtParameters& sought() const { return sought_; }
  const Robot& robot() const { return *robot_; }

  /// The part of `matrix` from earlier logs; 0 x 0 if there is none.
  const Eigen::MatrixXd& earlier() const { return earlier_; }

  /// Rows of all channels, [actuators samples x parameters], channel i starting at row i samples.
  /// Coulomb columns are tanh(dq/smoothing(i)), or the sign of dq if smoothing(i) is zero.
  Eigen::MatrixXd rows(const MotionSamples& motion, const Eigen::VectorXd& smoothing);

  /// Mean information per sample, W^T W / samples [parameters x parameters], plus that of earlier
  /// logs.
  Eigen::MatrixXd matrix(const MotionSamples& motion, const Eigen::VectorXd& smoothing);

  /// Derivative by the motion of a function f of the information matrix M from the last call of
  /// `matrix` (same motion and smoothing, which must be positive).
  /// @param dM  df/dM, symmetric
  MotionSamples gradient(const MotionSamples& motion,
                         const Eigen::VectorXd& smoothing,
                         const Eigen::MatrixXd& dM);

 private:
  struct Entry {
    int column;           // of sought_.columns
    std::vector<int> at;  // inertial column: per joint its column in Y[j], -1 if it has none
  };
  /// Sum of W_i^T W_i over sought_.columns.
  Eigen::MatrixXd gram() const;
  void fillChannels(const MotionSamples& motion, const Eigen::VectorXd& smoothing);

  std::shared_ptr<const Robot> robot_;
  SoughtParameters sought_;
  Eigen::VectorXd weights_;
  Eigen::MatrixXd earlier_;  // weighted; 0 x 0: none
  Eigen::MatrixXd inverse_transmission_;
  std::vector<std::vector<Entry>> entries_;  // per actuator
  ProjectionRegressor regressor_;
  RegressorAdjoint adjoint_;
  std::vector<Eigen::MatrixXd> Y_, G_;
  std::vector<Eigen::MatrixXd> W_;  // per actuator [samples x entries], weighted
};

}  // namespace dynid
