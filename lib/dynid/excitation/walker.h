#pragma once

#include "dynid/excitation/nonlinear_program.h"
#include "dynid/excitation/objective.h"
#include "dynid/excitation/search_problem.h"
#include "dynid/math/random_stream.h"

#include <Eigen/Core>

#include <functional>
#include <memory>
#include <vector>

namespace dynid {

/// One descent of the criterion.
struct Descent {
  Criterion criterion = Criterion::kCondition;
  ExcitationObjective::Smoothness smoothness;
  int iterations = 200;
  double first_barrier = 1e-2;
};

/// Takes trajectories down the criterion within the limits. Its variables x are the coefficients,
/// from the middle of the ranges and in shares of what each alone may be.
class Walker {
 public:
  explicit Walker(const SearchProblem& problem);

  /// Offsets about the middle of the ranges and normal coefficients, shrunk into the limits; where
  /// space or efforts ask for it, about the easiest of some random postures.
  Eigen::VectorXd randomStart(RandomStream& random) const;

  /// The point that the stage comes to. Where the space or the efforts do not hold between the
  /// times that the program looks at, it is asked again with more of both.
  Eigen::VectorXd run(const Descent& stage, const Eigen::VectorXd& start);

  /// Called with a point on the way every few steps of `run`: a search that is cut short has what
  /// it has come to.
  void onTheWay(std::function<void(const Eigen::VectorXd&)> look) { look_ = std::move(look); }

  /// The trajectory at x, shrunk into the limits.
  Candidate candidate(const Eigen::VectorXd& x);

 private:
  /// Some of the constraints g >= 0, by the coefficients X.
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
  std::shared_ptr<const Space> space_;  // null: nothing to keep clear of
  bool efforts_limited_;
  std::function<void(const Eigen::VectorXd&)> look_;
  int looks_ = 0;
  int space_points_;
  double space_margin_, effort_margin_ = 0.0;  // 0: efforts have no rows yet
};

}  // namespace dynid
