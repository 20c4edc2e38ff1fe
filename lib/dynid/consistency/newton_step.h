#pragma once

#include "dynid/consistency/cone_scaling.h"
#include "dynid/consistency/conic_problem.h"

#include <Eigen/Core>

#include <memory>
#include <optional>

namespace dynid {

/// One interior-point step as linear least squares, in y = Theta dx,
///
///     min 1/2 ||A Theta^-1 y + r||^2 + 1/2 ||rho o (C Theta^-1 y) + c||^2 + 1/2 ||y - y0||^2:
///
/// exactly one Levenberg-Marquardt step of the first two terms from the start y0 with trust-region
/// radius one and unit damping. y0 - y is the new scaled dual.
struct StepEquations {
  Eigen::VectorXd r;    ///< A x - b
  Eigen::VectorXd rho;  ///< sqrt(nu / s)
  Eigen::VectorXd c;
  Eigen::VectorXd y0;  ///< the target in scaled coordinates
};

/// Solved by normal equations, and by Ceres with QR of the stacked rows [J; 1] where those are too
/// ill-conditioned or the step is refused.
class NewtonStep {
 public:
  /// `problem` must outlive this object.
  explicit NewtonStep(const ConicProblem& problem);
  ~NewtonStep();

  /// The scaled step y; nothing if neither way gives a finite one.
  std::optional<Eigen::VectorXd> solve(const ConeScaling& scaling, const StepEquations& equations);

  /// How many steps needed the stacked rows.
  int fallbacks() const { return fallbacks_; }

 private:
  struct LinearProblem;

  const ConicProblem& problem_;
  RowMajorMatrix bounds_;
  std::unique_ptr<LinearProblem> linear_;
  int fallbacks_ = 0;
};

}  // namespace dynid
