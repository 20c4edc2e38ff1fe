#include "dynid/excitation/nonlinear_program.h"

#include <IpStdCInterface.h>
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dynid {
namespace {

struct Callbacks {
  const NonlinearProgram* program;
  Eigen::VectorXd x, gradient;  // of the last evaluation
  double value = NAN;
  bool has_gradient = false;
  int iterations = 0;

  void at(Index n, const Number* point, bool with_gradient) {
    const Eigen::Map<const Eigen::VectorXd> given(point, n);
    if (x.size() == n && given == x && (has_gradient || !with_gradient)) return;
    x = given;
    has_gradient = with_gradient;
    value = program->f(x, with_gradient ? &gradient : nullptr);
  }
};

Callbacks& of(UserDataPtr data) { return *static_cast<Callbacks*>(data); }

Bool evaluateF(Index n, Number* x, Bool, Number* value, UserDataPtr data) {
  of(data).at(n, x, false);
  *value = of(data).value;
  return std::isfinite(*value) ? TRUE : FALSE;
}

Bool evaluateGradient(Index n, Number* x, Bool, Number* gradient, UserDataPtr data) {
  of(data).at(n, x, true);
  if (!std::isfinite(of(data).value)) return FALSE;
  std::copy_n(of(data).gradient.data(), n, gradient);
  return TRUE;
}

Bool evaluateConstraints(Index n, Number* x, Bool, Index m, Number* g, UserDataPtr data) {
  const NonlinearProgram& program = *of(data).program;
  const Eigen::Map<const Eigen::VectorXd> at(x, n);
  Eigen::Map<Eigen::VectorXd> all(g, m);
  all.head(program.A.rows()) = program.A * at;
  if (program.rows_of_g == 0) return TRUE;
  Eigen::VectorXd values;
  program.g(at, values, nullptr);
  all.tail(program.rows_of_g) = values;
  return values.allFinite() ? TRUE : FALSE;
}

Bool evaluateJacobian(Index n,
                      Number* x,
                      Bool,
                      Index,
                      Index,
                      Index* row,
                      Index* column,
                      Number* values,
                      UserDataPtr data) {
  const NonlinearProgram& program = *of(data).program;
  const auto& A = program.A;
  Index k = 0;
  for (int c = 0; c < A.outerSize(); ++c)
    for (Eigen::SparseMatrix<double>::InnerIterator it(A, c); it; ++it, ++k) {
      if (values == nullptr) {
        row[k] = static_cast<Index>(it.row());
        column[k] = static_cast<Index>(it.col());
      } else {
        values[k] = it.value();
      }
    }
  if (program.rows_of_g == 0) return TRUE;
  if (values == nullptr) {
    for (Index c = 0; c < n; ++c)
      for (Index r = 0; r < program.rows_of_g; ++r, ++k) {
        row[k] = static_cast<Index>(A.rows()) + r;
        column[k] = c;
      }
    return TRUE;
  }
  Eigen::VectorXd g;
  Eigen::MatrixXd jacobian;
  program.g(Eigen::Map<const Eigen::VectorXd>(x, n), g, &jacobian);
  std::copy_n(jacobian.data(), jacobian.size(), values + k);
  return jacobian.allFinite() ? TRUE : FALSE;
}

Bool noHessian(Index,
               Number*,
               Bool,
               Number,
               Index,
               Number*,
               Bool,
               Index,
               Index*,
               Index*,
               Number*,
               UserDataPtr) {
  return FALSE;
}

Bool countIterations(Index,
                     Index iteration,
                     Number,
                     Number,
                     Number,
                     Number,
                     Number,
                     Number,
                     Number,
                     Number,
                     Index,
                     UserDataPtr data) {
  of(data).iterations = iteration;
  return TRUE;
}

void set(IpoptProblem problem, const char* name, const char* value) {
  AddIpoptStrOption(problem, const_cast<char*>(name), const_cast<char*>(value));
}
void set(IpoptProblem problem, const char* name, double value) {
  AddIpoptNumOption(problem, const_cast<char*>(name), value);
}
void set(IpoptProblem problem, const char* name, int value) {
  AddIpoptIntOption(problem, const_cast<char*>(name), value);
}

std::string describe(ApplicationReturnStatus status) {
  switch (status) {
    case Solve_Succeeded:
      return "converged";
    case Solved_To_Acceptable_Level:
      return "converged to the acceptable level";
    case Maximum_Iterations_Exceeded:
      return "iteration limit";
    case Infeasible_Problem_Detected:
      return "the constraints contradict each other";
    default:
      return "Ipopt status " + std::to_string(static_cast<int>(status));
  }
}

void configure(IpoptProblem problem, const ProgramOptions& options, bool linear) {
  set(problem, "sb", "yes");
  set(problem, "print_level", 0);
  set(problem, "hessian_approximation", "limited-memory");
  set(problem, "limited_memory_max_history", 6);
  set(problem, "jac_c_constant", "yes");
  set(problem, "jac_d_constant", linear ? "yes" : "no");
  set(problem, "nlp_scaling_method", "none");
  set(problem, "mu_init", options.first_barrier);
  set(problem, "bound_push", 1e-4);
  set(problem, "bound_frac", 1e-4);
  set(problem, "slack_bound_push", 1e-4);
  set(problem, "slack_bound_frac", 1e-4);
  set(problem, "tol", options.tolerance);
  set(problem, "acceptable_tol", 10.0 * options.tolerance);
  set(problem, "acceptable_iter", 10);
  set(problem, "max_iter", options.max_iterations);
}

}  // namespace

ProgramResult solveProgram(const NonlinearProgram& program,
                           const Eigen::VectorXd& start,
                           const ProgramOptions& options) {
  if (program.A.cols() != start.size() || program.A.rows() != program.lower.size() ||
      program.upper.size() != program.lower.size())
    throw std::invalid_argument(
        "the matrix, the limits and the start of a nonlinear program disagree in size");
  Callbacks callbacks;
  callbacks.program = &program;
  ProgramResult result;
  result.x = start;
  Eigen::VectorXd x_lower = Eigen::VectorXd::Constant(start.size(), -2e19), x_upper = -x_lower,
                  g_lower(program.lower.size() + program.rows_of_g), g_upper(g_lower.size());
  g_lower << program.lower, Eigen::VectorXd::Zero(program.rows_of_g);
  g_upper << program.upper, Eigen::VectorXd::Constant(program.rows_of_g, 2e19);
  IpoptProblem problem = CreateIpoptProblem(
      static_cast<Index>(start.size()),
      x_lower.data(),
      x_upper.data(),
      static_cast<Index>(g_lower.size()),
      g_lower.data(),
      g_upper.data(),
      static_cast<Index>(program.A.nonZeros() + program.rows_of_g * start.size()),
      0,
      0,
      evaluateF,
      evaluateConstraints,
      evaluateGradient,
      evaluateJacobian,
      noHessian);
  configure(problem, options, program.rows_of_g == 0);
  SetIntermediateCallback(problem, countIterations);
  const ApplicationReturnStatus status =
      IpoptSolve(problem, result.x.data(), nullptr, nullptr, nullptr, nullptr, nullptr, &callbacks);
  FreeIpoptProblem(problem);
  result.status = describe(status);
  result.iterations = callbacks.iterations;
  result.value = result.x.allFinite() ? program.f(result.x, nullptr) : NAN;
  result.usable = std::isfinite(result.value);
  return result;
}

}  // namespace dynid
