#pragma once

#include "dynid/consistency/cone_scaling.h"
#include "dynid/consistency/conic_problem.h"

#include <Eigen/Core>

#include <memory>
#include <optional>

namespace dynid {

/// One interior-point step as a linear least-squares problem in y = Theta dx,
///
///     min 1/2 ||A Theta^-1 y + r||^2 + 1/2 ||rho o (C Theta^-1 y) + c||^2 + 1/2 ||y - y0||^2.
///
/// This is exactly one Levenberg-Marquardt step for the first two terms from the start y0 with
/// trust-region radius one and unit damping. y0 - y is the new scaled dual. Theta and
/// rho = sqrt(nu / s) belong to the point of the path, r, c and y0 to a direction.
struct StepEquations {
  Eigen::VectorXd r;  ///< A x - b
  Eigen::VectorXd c;
  Eigen::VectorXd y0;  ///< the target in scaled coordinates
};

/// Solves the step by normal equations; if these are too ill-conditioned or the step is refused, by
/// Ceres with a QR decomposition of the stacked rows [J; 1].
class NewtonStep {
 public:
  /// `problem` must outlive this object. The steps do not depend on the number of threads.
  explicit NewtonStep(const ConicProblem& problem, int threads = 1);
  ~NewtonStep();

  /// Factorises the normal equations of a point; all steps are from there on until the next call.
  void setPoint(const ConeScaling& scaling, const Eigen::VectorXd& rho);
  /// The scaled step y; empty if neither method gives a finite one.
  std::optional<Eigen::VectorXd> solve(const StepEquations& equations);

  /// Number of points with a step that used the stacked rows.
  int fallbacks() const { return fallbacks_; }

 private:
  struct LinearProblem;

  const ConicProblem& problem_;
  RowMajorMatrix bounds_;
  int threads_;
  std::unique_ptr<LinearProblem> linear_;
  bool finite_ = false, fell_back_ = false;  // at this point
  int fallbacks_ = 0;
};

}  // namespace dynid
