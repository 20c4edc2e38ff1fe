#include "dynid/consistency/newton_step.h"

#include <ceres/ceres.h>

#include <utility>

namespace dynid {
namespace {

/// residual = J y + r, both read anew at every evaluation.
class LinearCost final : public ceres::CostFunction {
 public:
  LinearCost(const RowMajorMatrix& J, const Eigen::VectorXd& r) : J_(J), r_(r) {
    set_num_residuals(static_cast<int>(J.rows()));
    mutable_parameter_block_sizes()->push_back(static_cast<int>(J.cols()));
  }

  bool Evaluate(double const* const* parameters,
                double* residuals,
                double** jacobians) const override {
    const Eigen::Map<const Eigen::VectorXd> y(parameters[0], J_.cols());
    Eigen::Map<Eigen::VectorXd> residual(residuals, J_.rows());
    residual = r_;
    residual.noalias() += J_ * y;
    if (jacobians != nullptr && jacobians[0] != nullptr)
      Eigen::Map<RowMajorMatrix>(jacobians[0], J_.rows(), J_.cols()) = J_;
    return true;
  }

 private:
  const RowMajorMatrix& J_;
  const Eigen::VectorXd& r_;
};

ceres::Solver::Options oneStepOptions() {
  ceres::Solver::Options options;
  options.minimizer_type = ceres::TRUST_REGION;
  options.trust_region_strategy_type = ceres::LEVENBERG_MARQUARDT;
  options.max_num_iterations = 1;
  options.function_tolerance = 0.0;
  options.gradient_tolerance = 0.0;
  options.parameter_tolerance = 0.0;
  options.num_threads = 1;
  options.logging_type = ceres::SILENT;
  options.minimizer_progress_to_stdout = false;
  return options;
}

}  // namespace

/// A linear least-squares problem of fixed shape that Ceres solves with one step.
struct NewtonStep::LinearProblem {
  LinearProblem(Eigen::Index rows, Eigen::Index columns, ceres::Solver::Options solver_options)
      : J(RowMajorMatrix::Zero(rows, columns)),
        r(Eigen::VectorXd::Zero(rows)),
        y(Eigen::VectorXd::Zero(columns)),
        options(std::move(solver_options)),
        problem(unchecked()) {
    problem.AddResidualBlock(new LinearCost(J, r), nullptr, y.data());
  }

  static ceres::Problem::Options unchecked() {
    ceres::Problem::Options problem_options;
    problem_options.disable_all_safety_checks = true;
    return problem_options;
  }

  /// One step from y; false if it was refused (Ceres counts the start as a successful step).
  bool step() {
    if (!J.allFinite() || !r.allFinite() || !y.allFinite()) return false;
    ceres::Solver::Summary summary;
    ceres::Solve(options, &problem, &summary);
    return summary.num_successful_steps >= 2 && y.allFinite();
  }

  RowMajorMatrix J;
  Eigen::VectorXd r;
  Eigen::VectorXd y;
  ceres::Solver::Options options;
  ceres::Problem problem;
};

NewtonStep::NewtonStep(const ConicProblem& problem) : problem_(problem), bounds_(problem.C) {
  ceres::Solver::Options options = oneStepOptions();
  options.linear_solver_type = ceres::DENSE_NORMAL_CHOLESKY;
  options.initial_trust_region_radius = 1.0;
  options.min_lm_diagonal = 1.0;
  options.max_lm_diagonal = 1.0;
  options.jacobi_scaling = false;
  scaled_ = std::make_unique<LinearProblem>(
      problem.A.rows() + problem.C.rows(), problem.size(), std::move(options));
}

NewtonStep::~NewtonStep() = default;

std::optional<Eigen::VectorXd> NewtonStep::solve(const ConeScaling& scaling,
                                                 const StepEquations& equations) {
  if (auto y = levenbergMarquardt(scaling, equations)) return y;
  ++fallbacks_;
  return stackedRows(scaling, equations);
}

std::optional<Eigen::VectorXd> NewtonStep::levenbergMarquardt(const ConeScaling& scaling,
                                                              const StepEquations& equations) {
  const Eigen::Index m = problem_.A.rows();
  const Eigen::Index bounds = problem_.C.rows();
  LinearProblem& linear = *scaled_;
  scaling.multiplyInverse(problem_.A, linear.J.topRows(m));
  scaling.multiplyInverse(bounds_, linear.J.bottomRows(bounds));
  linear.J.bottomRows(bounds).array().colwise() *= equations.rho.array();
  linear.r << equations.r, equations.c;
  linear.y = equations.t;
  if (!linear.step()) return std::nullopt;
  return linear.y;
}

std::optional<Eigen::VectorXd> NewtonStep::stackedRows(const ConeScaling& scaling,
                                                       const StepEquations& equations) {
  const Eigen::Index m = problem_.A.rows();
  const Eigen::Index bounds = problem_.C.rows();
  const Eigen::Index size = problem_.size();
  if (!stacked_) {
    ceres::Solver::Options options = oneStepOptions();
    // QR rather than normal equations: it cannot break down, so Ceres has nothing to complain
    // about.
    options.linear_solver_type = ceres::DENSE_QR;
    options.initial_trust_region_radius = 1e16;
    options.max_trust_region_radius = 1e32;
    options.min_lm_diagonal = 1e-300;
    stacked_ = std::make_unique<LinearProblem>(m + size + bounds, size, std::move(options));
    stacked_->J.topRows(m) = problem_.A;
  }
  LinearProblem& linear = *stacked_;
  scaling.writeTheta(linear.J.middleRows(m, size));
  linear.J.bottomRows(bounds) = equations.rho.asDiagonal() * bounds_;
  linear.r << equations.r, -equations.t, equations.c;
  linear.y.setZero();
  if (!linear.step()) return std::nullopt;
  return scaling.toScaled(linear.y);
}

}  // namespace dynid
