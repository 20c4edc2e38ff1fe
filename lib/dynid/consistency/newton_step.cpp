#include "dynid/consistency/newton_step.h"

#include "dynid/kernels/dense.h"
#include "dynid/math/independent_columns.h"

#include <ceres/ceres.h>

#include <numeric>
#include <utility>
#include <vector>

namespace dynid {
namespace {

/// Largest squared norm of a column of J for which normal equations are used; above it they lose
/// too many digits of the barrier.
constexpr double kIllConditioned = 1e13;
constexpr double kMostOfAll = 0.8;  // share of the columns
constexpr int kFewColumns = 200;    // starting a thread would take as long as a product of these

/// residual = J y + r; J and r are read anew at every evaluation.
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
  options.initial_trust_region_radius = 1.0;
  options.min_lm_diagonal = 1.0;
  options.max_lm_diagonal = 1.0;
  options.jacobi_scaling = false;
  options.num_threads = 1;
  options.logging_type = ceres::SILENT;
  options.minimizer_progress_to_stdout = false;
  return options;
}

/// y0 + step, if the step passes Ceres' test (Madsen, Nielsen, Tingleff, "Methods for Non-Linear
/// Least Squares Problems", 2004, section 3.2): the cost decreases by at least a thousandth of the
/// decrease that the linear model predicts.
/// @param residual  J y0 + r
std::optional<Eigen::VectorXd> tested(const RowMajorMatrix& J,
                                      const Eigen::VectorXd& r,
                                      const Eigen::VectorXd& y0,
                                      const Eigen::VectorXd& residual,
                                      const Eigen::VectorXd& step) {
  constexpr double kLeastDecrease = 1e-3;
  Eigen::VectorXd y = y0 + step;
  if (!y.allFinite()) return std::nullopt;
  const Eigen::VectorXd change = J * step;
  const double expected = -change.dot(residual + 0.5 * change);
  const double decrease = 0.5 * (residual.squaredNorm() - (J * y + r).squaredNorm());
  if (!(expected > 0.0) || !(decrease > kLeastDecrease * expected)) return std::nullopt;
  return y;
}

/// A set of columns that only the row of the trace bound connects with the other columns of J, and
/// all other rows restricted to these columns.
struct StepPart {
  std::vector<Eigen::Index> columns, rows;
};

StepPart everything(const ConicProblem& problem) {
  StepPart all;
  all.columns.resize(problem.size());
  all.rows.resize(problem.A.rows() + problem.C.rows());
  std::iota(all.columns.begin(), all.columns.end(), Eigen::Index{0});
  std::iota(all.rows.begin(), all.rows.end(), Eigen::Index{0});
  return all;
}

std::vector<StepPart> stepParts(const ConicProblem& problem) {
  Eigen::MatrixXd rows(problem.A.rows() + problem.C.rows(), problem.size());
  rows << problem.A, problem.C;
  rows.row(problem.A.rows()).setZero();  // the trace bound
  std::vector<StepPart> parts;
  for (const std::vector<Eigen::Index>& columns : independentVariables(rows, problem.bodies)) {
    // Separating a few columns from a large factor would not save time.
    if (std::ssize(columns) > kMostOfAll * rows.cols()) return {everything(problem)};
    parts.push_back({columns, rowsWithEntries(rows, columns)});
  }
  return parts;
}

/// (J^T J + 1)^-1 by Cholesky factors of the independent parts; the row of the trace bound, which
/// connects them, follows by the formula of Sherman and Morrison (1950).
class InverseOfNormalMatrix {
 public:
  InverseOfNormalMatrix(const RowMajorMatrix& J,
                        Eigen::Index trace,
                        const std::vector<StepPart>& parts,
                        int threads)
      : J_(J), parts_(parts) {
    for (const StepPart& part : parts) {
      const bool whole = parts.size() == 1;
      const RowMajorMatrix J_part = whole ? J : RowMajorMatrix(J(part.rows, part.columns));
      Eigen::MatrixXd L = J_part.rows() > 0
                              ? denseLowerOuterGram(J_part.transpose(), threads)
                              : Eigen::MatrixXd::Zero(J_part.cols(), J_part.cols()).eval();
      L.diagonal().array() += 1.0;
      valid_ = valid_ && denseCholesky(L);
      factors_.push_back(std::move(L));
    }
    if (parts.size() == 1 || !valid_) return;
    along_trace_ = J.row(trace).transpose();
    by_trace_ = solveParts(along_trace_);
  }

  bool valid() const { return valid_; }

  Eigen::VectorXd operator()(const Eigen::VectorXd& g) const {
    if (parts_.size() == 1) return solveParts(g);
    Eigen::VectorXd x = solveOnce(g);
    // One refinement: the formula loses digits where the trace bound is active.
    return x + solveOnce(g - x - J_.transpose() * (J_ * x));
  }

 private:
  Eigen::VectorXd solveParts(const Eigen::VectorXd& g) const {
    Eigen::VectorXd x(g.size());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      Eigen::VectorXd g_part = g(parts_[i].columns);
      factors_[i].triangularView<Eigen::Lower>().solveInPlace(g_part);
      factors_[i].transpose().triangularView<Eigen::Upper>().solveInPlace(g_part);
      x(parts_[i].columns) = g_part;
    }
    return x;
  }

  Eigen::VectorXd solveOnce(const Eigen::VectorXd& g) const {
    const Eigen::VectorXd x = solveParts(g);
    return x - by_trace_ * (along_trace_.dot(x) / (1.0 + along_trace_.dot(by_trace_)));
  }

  const RowMajorMatrix& J_;
  const std::vector<StepPart>& parts_;
  bool valid_ = true;
  std::vector<Eigen::MatrixXd> factors_;  // lower triangular, one per part
  Eigen::VectorXd along_trace_, by_trace_;
};

/// [J; 1]
Eigen::MatrixXd stackedRows(const RowMajorMatrix& J) {
  Eigen::MatrixXd stack = Eigen::MatrixXd::Zero(J.rows() + J.cols(), J.cols());
  stack.topRows(J.rows()) = J;
  stack.bottomRows(J.cols()).setIdentity();
  return stack;
}

}  // namespace

struct NewtonStep::LinearProblem {
  explicit LinearProblem(const ConicProblem& conic)
      : J(RowMajorMatrix::Zero(conic.A.rows() + conic.C.rows(), conic.size())),
        r(Eigen::VectorXd::Zero(J.rows())),
        y(Eigen::VectorXd::Zero(J.cols())),
        parts(stepParts(conic)),
        options(oneStepOptions()),
        problem(unchecked()) {
    problem.AddResidualBlock(new LinearCost(J, r), nullptr, y.data());
  }

  static ceres::Problem::Options unchecked() {
    ceres::Problem::Options problem_options;
    problem_options.disable_all_safety_checks = true;
    return problem_options;
  }

  /// The step that Ceres' DENSE_QR makes: the dy with the least ||[J; 1] dy + [J y0 + r; 0]||.
  Eigen::VectorXd stepByReflections(const Eigen::VectorXd& residual) {
    if (!reflections) reflections.emplace(stackedRows(J));
    Eigen::VectorXd stacked = Eigen::VectorXd::Zero(J.rows() + J.cols());
    stacked.head(J.rows()) = -residual;
    return reflections->leastSquares(std::move(stacked));
  }

  /// One step from y0 by QR of [J; 1]. @returns false if it was refused (Ceres counts the start as
  /// a successful step)
  bool stepByStackedRows(const Eigen::VectorXd& y0) {
    y = y0;
    options.linear_solver_type = ceres::DENSE_QR;
    ceres::Solver::Summary summary;
    ceres::Solve(options, &problem, &summary);
    return summary.num_successful_steps >= 2 && y.allFinite();
  }

  RowMajorMatrix J;
  Eigen::VectorXd r;
  Eigen::VectorXd y;
  std::vector<StepPart> parts;
  std::optional<InverseOfNormalMatrix> inverse;  // empty: too ill-conditioned
  std::optional<DenseReflections> reflections;   // of this point; empty: not needed yet
  ceres::Solver::Options options;
  ceres::Problem problem;
};

NewtonStep::NewtonStep(const ConicProblem& problem, int threads)
    : problem_(problem),
      bounds_(problem.C),
      threads_(problem.size() < kFewColumns ? 1 : threads),
      linear_(std::make_unique<LinearProblem>(problem)) {}

NewtonStep::~NewtonStep() = default;

void NewtonStep::setPoint(const ConeScaling& scaling, const Eigen::VectorXd& rho) {
  const Eigen::Index m = problem_.A.rows();
  const Eigen::Index bounds = problem_.C.rows();
  RowMajorMatrix& J = linear_->J;
  scaling.multiplyInverse(problem_.A, J.topRows(m), threads_);
  scaling.multiplyInverse(bounds_, J.bottomRows(bounds));
  J.bottomRows(bounds).array().colwise() *= rho.array();
  fell_back_ = false;
  finite_ = J.allFinite();
  linear_->inverse.reset();
  linear_->reflections.reset();
  if (!finite_ || J.colwise().squaredNorm().maxCoeff() > kIllConditioned) return;
  linear_->inverse.emplace(J, m, linear_->parts, threads_);
  if (!linear_->inverse->valid()) linear_->inverse.reset();
}

std::optional<Eigen::VectorXd> NewtonStep::solve(const StepEquations& equations) {
  const Eigen::VectorXd& y0 = equations.y0;
  const RowMajorMatrix& J = linear_->J;
  Eigen::VectorXd& r = linear_->r;
  r << equations.r, equations.c;
  if (!finite_ || !r.allFinite() || !y0.allFinite()) return std::nullopt;
  const Eigen::VectorXd residual = J * y0 + r;
  const Eigen::VectorXd gradient = J.transpose() * residual;
  if (gradient.isZero(0.0)) return y0;  // stationary, so that Ceres would not move

  // The step that Ceres' DENSE_NORMAL_CHOLESKY makes, -(J^T J + 1)^-1 J^T (J y0 + r)
  if (linear_->inverse)
    if (auto y = tested(J, r, y0, residual, -(*linear_->inverse)(gradient))) return y;
  fallbacks_ += fell_back_ ? 0 : 1;
  fell_back_ = true;
  if (auto y = tested(J, r, y0, residual, linear_->stepByReflections(residual))) return y;
  if (linear_->stepByStackedRows(y0)) return linear_->y;
  return std::nullopt;
}

}  // namespace dynid
