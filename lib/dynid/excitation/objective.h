#pragma once

#include "dynid/excitation/excitation_options.h"
#include "dynid/excitation/fourier_basis.h"
#include "dynid/excitation/information.h"

#include <Eigen/Core>

#include <memory>

namespace dynid {

/// A criterion as a smooth function of the Fourier coefficients, with its exact gradient.
class ExcitationObjective {
 public:
  /// @param velocity  [joints] limits [rad/s or m/s], to which the smoothing of the sign is
  ///     relative
  /// @param points    number of equally spaced samples of the period
  ExcitationObjective(std::shared_ptr<Information> information,
                      const Eigen::VectorXd& velocity,
                      int harmonics,
                      double period_s,
                      int points);

  /// Smoothness of the criterion and of the sign; see evaluateCriterion and Information::rows.
  struct Smoothness {
    double sharpness = 2.0;
    double velocity_share = 0.05;  ///< smoothing of the Coulomb sign relative to the velocity limit
  };

  /// Value and, if the pointer is not null, gradient [1 + 2 L x joints] at X. Infinite if the loops
  /// of a mechanism do not close.
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
