#pragma once

#include "dynid/excitation/criterion.h"
#include "dynid/excitation/fourier_basis.h"
#include "dynid/excitation/information.h"
#include "dynid/excitation/motion_limits.h"

#include <Eigen/Core>

#include <memory>

namespace dynid {

/// A criterion as a smooth function of the Fourier coefficients, with its exact gradient.
class ExcitationObjective {
 public:
  /// @param points  equally spaced samples of the period
  ExcitationObjective(std::shared_ptr<Information> information,
                      const MotionLimits& limits,
                      int harmonics,
                      double period_s,
                      int points);

  /// How sharp the smooth stand-ins are; see evaluateCriterion and Information::rows.
  struct Smoothness {
    double sharpness = 2.0;
    double velocity_share = 0.05;  ///< smoothing of the Coulomb sign, share of the velocity limit
  };

  /// Value and gradient [1 + 2 L x joints] at X. Efforts beyond their limits (see MotionLimits)
  /// cost 10 times the squared excess, relative to the limit, on the average over the samples.
  double evaluate(Criterion criterion,
                  const Smoothness& smoothness,
                  const Eigen::MatrixXd& X,
                  Eigen::MatrixXd* gradient);

  MotionSamples samples(const Eigen::MatrixXd& X) const;

 private:
  double effortPenalty(const MotionSamples& motion, MotionSamples* gradient);

  std::shared_ptr<Information> information_;
  MotionLimits limits_;
  FourierBasis basis_;
  Eigen::VectorXd actuator_velocity_;
  bool efforts_limited_ = false;
  std::unique_ptr<ProjectionRegressor> regressor_;
  std::unique_ptr<RegressorAdjoint> adjoint_;
};

}  // namespace dynid
