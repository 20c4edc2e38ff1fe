#pragma once

#include "dynid/consistency/cone_scaling.h"
#include "dynid/consistency/conic_problem.h"

#include <Eigen/Core>

#include <memory>
#include <optional>

namespace dynid {

/// One interior-point step as linear least squares, in y = Theta dx:
///
///     min  1/2 ||A dx + r||^2 + 1/2 ||y - t||^2 + 1/2 ||rho o (C dx) + c||^2.
struct StepEquations {
  Eigen::VectorXd r;    ///< A x - b
  Eigen::VectorXd t;    ///< target in scaled coordinates
  Eigen::VectorXd rho;  ///< sqrt(nu / s)
  Eigen::VectorXd c;
};

/// Solves step after step of one problem with Ceres.
///
/// Levenberg-Marquardt from y = t with trust-region radius one and unit damping minimises exactly
/// this: the prox term is the barrier. Where Ceres refuses the step (rounding hides the decrease
/// close to the optimum), the same step is solved on the stacked rows [A; Theta; rho C] by QR.
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
  std::optional<Eigen::VectorXd> levenbergMarquardt(const ConeScaling& scaling,
                                                    const StepEquations& equations);
  std::optional<Eigen::VectorXd> stackedRows(const ConeScaling& scaling,
                                             const StepEquations& equations);

  const ConicProblem& problem_;
  RowMajorMatrix bounds_;
  std::unique_ptr<LinearProblem> scaled_;
  std::unique_ptr<LinearProblem> stacked_;
  int fallbacks_ = 0;
};

}  // namespace dynid
