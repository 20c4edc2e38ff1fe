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
  /// @param weights  [actuators] a row of channel i is multiplied by weights(i), 1/sigma_i for the
  ///                 Fisher information
  /// @param earlier  empty, or [actuators] W_i^T W_i of unweighted rows that are there already,
  ///                 divided by the samples of the motion to come; `matrix` counts them in
  Information(std::shared_ptr<const Robot> robot,
              SoughtParameters sought,
              Eigen::VectorXd weights,
              const std::vector<Eigen::MatrixXd>& earlier = {});

  const SoughtParameters& sought() const { return sought_; }
  const Robot& robot() const { return *robot_; }

  /// The part of `matrix` that was there before; 0 x 0 where nothing was.
  const Eigen::MatrixXd& earlier() const { return earlier_; }

  /// Rows of all channels, one below the other: [actuators samples x parameters], channel i in rows
  /// i samples ... . Coulomb columns: tanh(dq/smoothing(i)), or the sign itself where that is zero.
  Eigen::MatrixXd rows(const MotionSamples& motion, const Eigen::VectorXd& smoothing);

  /// The information of one sample on the average: W^T W / samples, [parameters x parameters], and
  /// what was there before.
  Eigen::MatrixXd matrix(const MotionSamples& motion, const Eigen::VectorXd& smoothing);

  /// Derivative by the motion of a function f of the information matrix of the last call of
  /// `matrix` (same motion and smoothing, which must be positive).
  /// @param dM  df/dM, symmetric
  MotionSamples gradient(const MotionSamples& motion,
                         const Eigen::VectorXd& smoothing,
                         const Eigen::MatrixXd& dM);

 private:
  struct Entry {
    int column;           // of sought_.columns
    std::vector<int> at;  // inertial: per joint its column in Y[j], -1 if it has none
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
