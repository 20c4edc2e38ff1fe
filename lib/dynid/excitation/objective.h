#pragma once

#include "dynid/excitation/criterion.h"
#include "dynid/excitation/fourier_basis.h"
#include "dynid/excitation/information.h"

#include <Eigen/Core>

#include <memory>

namespace dynid {

/// A criterion as a smooth function of the Fourier coefficients, with its exact gradient.
class ExcitationObjective {
 public:
  /// @param velocity  [joints] limits, that the smoothing of signs is a share of
  /// @param points    equally spaced samples of the period
  ExcitationObjective(std::shared_ptr<Information> information,
                      const Eigen::VectorXd& velocity,
                      int harmonics,
                      double period_s,
                      int points);

  /// How sharp the smooth stand-ins are; see evaluateCriterion and Information::rows.
  struct Smoothness {
    double sharpness = 2.0;
    double velocity_share = 0.05;  ///< smoothing of the Coulomb sign, share of the velocity limit
  };

  /// Value and, unless a null pointer, gradient [1 + 2 L x joints] at X. Infinite where a
  /// mechanism's loops do not close.
  double evaluate(Criterion criterion,
                  const Smoothness& smoothness,
                  const Eigen::MatrixXd& X,
                  Eigen::MatrixXd* gradient);

  MotionSamples samples(const Eigen::MatrixXd& X) const;

 private:
  double evaluateClosed(Criterion criterion,
                        const Smoothness& smoothness,
                        const Eigen::MatrixXd& X,
                        Eigen::MatrixXd* gradient);

  std::shared_ptr<Information> information_;
  FourierBasis basis_;
  Eigen::VectorXd actuator_velocity_;
};

}  // namespace dynid
