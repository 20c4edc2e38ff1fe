#pragma once

#include "dynid/motion/bordered_band.h"
#include "dynid/motion/estimate_motion.h"

#include <Eigen/Core>

#include <memory>
#include <vector>

namespace dynid {

/// Noise of the efforts, per joint.
struct MotionNoise {
  Eigen::VectorXd effort_std_dev, whitening;
};

/// The unknowns and the noise that belongs to them.
struct MotionState {
  Eigen::MatrixXd coefficients;  ///< [knots of all records, n]
  Eigen::VectorXd theta;
  MotionNoise noise;
};

/// One Gauss-Newton step.
struct MotionStep {
  bool solved = false;
  double objective = 0.0, predicted_decrease = 0.0;
  Eigen::MatrixXd coefficients;  ///< increment
  Eigen::VectorXd theta;         ///< increment
};

/// The likelihood of estimateMotion for one knot rate.
class MotionProblem {
 public:
  /// [samples x joints] true for effort rows that are used.
  using Mask = Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic>;

  MotionProblem(const EffortSensitivity& model,
                const std::vector<MotionRecord>& records,
                const MotionOptions& options,
                double knot_rate);
  /// With effort rows that were selected before.
  MotionProblem(const EffortSensitivity& model,
                const std::vector<MotionRecord>& records,
                const MotionOptions& options,
                double knot_rate,
                Mask mask);

  double knotRate() const { return knot_rate_; }
  const Mask& mask() const { return mask_; }
  const std::vector<UniformSpline>& splines() const { return splines_; }

  /// Initial state: splines of the positions, and generalised least squares.
  MotionState start();
  /// The state of a problem with another knot rate, converted to this one.
  MotionState resume(const MotionProblem& before, const MotionState& state) const;

  /// Linearises the problem at the state and solves for the Gauss-Newton step.
  MotionStep linearise(const MotionState& state);
  /// Moves along the step as far as the objective decreases.
  /// @returns the step length; 0 if the objective does not decrease
  double advance(MotionState& state, const MotionStep& step) const;
  /// Estimates the noise from the residuals at the state, corrected by the leverage of the last
  /// linearisation.
  void updateNoise(MotionState& state) const;

  Eigen::MatrixXd covariance() const { return equations_->borderCovariance(); }
  Eigen::MatrixXd leastSquaresCovariance() const { return least_squares_covariance_; }
  Eigen::VectorXd positionRatio(const MotionState& state) const;
  std::vector<Eigen::MatrixXd> coefficientsByRecord(const MotionState& state) const;

 private:
  struct Motion {
    Eigen::MatrixXd q, dq, ddq;  // [samples of all records, n]
  };
  /// Whitened effort rows of consecutive samples.
  struct Rows {
    Eigen::Index samples = 0, first_knot = 0;
    Eigen::MatrixXd J;
  };

  void placeSplines();
  Mask usableRows(const Motion& motion) const;
  Motion motionOf(const Eigen::MatrixXd& coefficients) const;
  /// Residuals e [N,n], whitened and divided by their standard deviations; 0 where masked.
  Eigen::MatrixXd whitened(const Eigen::MatrixXd& residual, const MotionNoise& noise) const;
  double objectiveOf(const MotionState& state) const;
  /// Adds the measured positions to the normal equations.
  void addPositionEquations(const Motion& motion);
  /// Solves the normal equations and updates the leverage.
  MotionStep solvedStep(double objective);
  void estimateNoise(const Eigen::MatrixXd& residual,
                     const Eigen::VectorXd& leverage,
                     bool clip,
                     MotionNoise& noise) const;
  Eigen::VectorXd effortLeverage() const;
  bool follows(Eigen::Index sample) const { return sample > 0 && !begins_[sample]; }

  const EffortSensitivity* model_;
  const std::vector<MotionRecord>* records_;
  const MotionOptions* options_;
  double knot_rate_;
  std::vector<UniformSpline> splines_;
  std::vector<Eigen::Index> first_knot_;  // per record
  Eigen::Index knots_ = 0;
  Eigen::VectorXd time_;
  Eigen::MatrixXd q_, effort_;
  std::vector<bool> begins_;                 // per sample: whether a record begins there
  std::vector<UniformSpline::Basis> basis_;  // per sample; `first` is counted over all records
  Mask mask_;
  std::unique_ptr<BorderedBand> equations_;
  std::vector<Rows> rows_;
  Eigen::VectorXd leverage_;
  Eigen::MatrixXd least_squares_covariance_;
};

}  // namespace dynid
