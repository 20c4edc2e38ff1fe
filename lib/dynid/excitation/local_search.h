#pragma once

#include "dynid/excitation/excitation_design.h"
#include "dynid/excitation/nonlinear_program.h"
#include "dynid/excitation/objective.h"
#include "dynid/excitation/search_problem.h"
#include "dynid/math/random_stream.h"

#include <Eigen/Core>

#include <functional>
#include <memory>
#include <vector>

namespace dynid {

/// Settings of one minimisation of the criterion.
struct Descent {
  Criterion criterion = Criterion::kCondition;
  ExcitationObjective::Smoothness smoothness;
  int iterations = 200;
  double first_barrier = 1e-2;
};

/// Minimises the criterion over trajectories within the limits. The variables x are the
/// coefficients relative to the centre of the ranges, divided by their scale (coefficientScale).
class LocalSearch {
 public:
  explicit LocalSearch(const SearchProblem& problem);

  /// A random start: offsets about the centre of the ranges and normally distributed coefficients,
  /// scaled into the limits. With collision or effort constraints, the offsets are about the best
  /// of some random postures.
  Eigen::VectorXd randomStart(RandomStream& random) const;

  /// Minimises the criterion from `start` and returns the result. If collision or effort
  /// constraints are violated between the times at which the program evaluates them, it is solved
  /// again with more times and larger margins.
  Eigen::VectorXd run(const Descent& stage, const Eigen::VectorXd& start);

  /// Sets a function that `run` calls with the current point every few iterations, so that an
  /// interrupted search can use it.
  void setProgress(std::function<void(const Eigen::VectorXd&)> on_progress) {
    on_progress_ = std::move(on_progress);
  }

  /// The trajectory at x, scaled into the limits.
  Candidate candidate(const Eigen::VectorXd& x);

 private:
  /// A group of the constraints g >= 0 as a function of the coefficients X.
  struct Rows {
    int count;
    std::function<void(const Eigen::MatrixXd& X, Eigen::VectorXd& g, Eigen::MatrixXd* jacobian)>
        evaluate;
  };

  Eigen::MatrixXd toX(const Eigen::VectorXd& x) const;
  Eigen::VectorXd toVariables(Eigen::MatrixXd X) const;
  Eigen::VectorXd byVariables(Eigen::MatrixXd gradient) const;
  double spaceExcess(const Eigen::MatrixXd& X) const;
  void shrinkIntoMechanism(Eigen::MatrixXd& X) const;
  double effortShare(const MotionSamples& motion) const;
  double excess(const Eigen::MatrixXd& X, const MotionSamples& motion) const;
  Eigen::VectorXd easyPosture(Eigen::VectorXd q, RandomStream& random) const;
  bool tighten(const Eigen::VectorXd& x);
  void setRows();
  void evaluateRows(const Eigen::VectorXd& x, Eigen::VectorXd& g, Eigen::MatrixXd* jacobian) const;

  const SearchProblem& problem_;
  std::shared_ptr<Information> information_;
  ExcitationObjective objective_;
  Eigen::MatrixXd scale_;
  NonlinearProgram program_;
  std::vector<Rows> rows_;
  std::shared_ptr<const Space> space_;  // null: no collision constraints
  bool efforts_limited_;
  std::function<void(const Eigen::VectorXd&)> on_progress_;
  int steps_ = 0;
  int space_points_;
  double space_margin_, effort_margin_ = 0.0;  // 0: efforts are not constrained yet
};

}  // namespace dynid
