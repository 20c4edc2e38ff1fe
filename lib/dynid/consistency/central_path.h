#pragma once

#include "dynid/consistency/cone_scaling.h"
#include "dynid/consistency/conic_problem.h"
#include "dynid/consistency/newton_step.h"

#include <Eigen/Core>

#include <optional>

namespace dynid {

/// A point near the primal-dual central path of f(x) + trace_weight <a, x> over the cone with C x +
/// s = d:
///
///     A^T (A x - b) + trace_weight a + C^T nu = w,   x w = mu,  nu s = mu   (x, s, w, nu > 0),
///
/// and the steps along it. A step has a predictor and a corrector with the same factors (Mehrotra,
/// SIAM J. Optim. 2(4), 1992): the predictor goes to the final complementarity; the corrector to
/// one that is the nearer to it the longer the predictor's step is, with the predictor's
/// second-order term. Where that allows a short step only, a step without predictor is taken if it
/// is longer.
struct CentralPath {
  /// Starts at `start`, which must lie inside the cone; if it is empty, at a multiple of the
  /// identity. The bounds need not be satisfied. `problem` must outlive the path.
  /// @param threads  the path does not depend on it
  CentralPath(const ConicProblem& problem, const Eigen::VectorXd& start, int threads = 1);

  /// Computes the residuals at the current point. To be called before each step.
  void evaluate();
  /// One step towards the point with complementarity mu of each pair, limited to 0.99 of the
  /// distance to the boundary of the cone.
  /// @returns false if no step could be computed or rounding errors left the cone; the path must
  /// not be used afterwards
  bool step(double mu, double trace_weight);
  /// As `step`, towards the minimum of f + weight sum_k (tr Q_k - log det Q_k): the bodies'
  /// complementarity goes to `weight`, the complementarity of scalars and bounds to `others`.
  bool stepWithPrior(double weight, double others);
  /// Mean complementarity.
  double mu() const { return complementarity / problem.degree(); }

  const ConicProblem& problem;
  Eigen::VectorXd trace;  ///< a
  ConeScaling scaling;    ///< holds x and w
  NewtonStep newton;
  Eigen::VectorXd x;
  Eigen::VectorXd w;
  Eigen::VectorXd s;
  Eigen::VectorXd nu;
  Eigen::VectorXd residual;        ///< A x - b
  Eigen::VectorXd bound_residual;  ///< d - C x - s
  double objective = 0.0;          ///< f(x)
  double complementarity = 0.0;    ///< <x, w> + <s, nu>
  double last_step = 1.0;          ///< length of the last step, at most one
  bool feasible = false;           ///< C x + s = d to rounding

 private:
  /// Complementarity of the pairs of bodies, and of all others.
  struct Pairs {
    double bodies = 0.0, others = 0.0;
  };
  /// A Newton direction in scaled coordinates, and that of the bounds.
  struct Direction {
    Eigen::VectorXd dx, dw, ds, dnu;
  };
  std::optional<Direction> direction(Pairs target,
                                     const Eigen::VectorXd& gradient,
                                     const Direction* predictor);
  /// The complementarity on the way from `now` to `final` that is a share of `now`.
  static Pairs towards(Pairs now, Pairs final, double share);
  /// Length of the step, at most one.
  double lengthOf(const Direction& direction) const;
  bool stepTowards(Pairs now, Pairs final, const Eigen::VectorXd& gradient);
};

}  // namespace dynid
