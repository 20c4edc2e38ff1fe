#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <functional>
#include <string>

namespace dynid {

/// minimise f(x) subject to lower <= A x <= upper and g(x) >= 0. Scale x, A and g so that entries
/// are about 1.
struct NonlinearProgram {
  /// Value, and the gradient if asked for (not a null pointer). May be infinite: the step is then
  /// shortened.
  std::function<double(const Eigen::VectorXd& x, Eigen::VectorXd* gradient)> f;
  Eigen::SparseMatrix<double> A;
  Eigen::VectorXd lower, upper;
  int rows_of_g = 0;
  /// g, and its Jacobian [rows_of_g x x.size()] if asked for.
  std::function<void(const Eigen::VectorXd& x, Eigen::VectorXd& g, Eigen::MatrixXd* jacobian)> g;
};

struct ProgramOptions {
  int max_iterations = 200;
  double tolerance = 1e-4;
  double first_barrier = 1e-1;  ///< smaller for a warm start
};

struct ProgramResult {
  Eigen::VectorXd x;
  double value = 0.0;
  int iterations = 0;
  bool usable = false;  ///< x is a point of the iteration with a finite value
  std::string status;   ///< why it ended
};

/// Ipopt with the limited-memory BFGS Hessian.
///
/// Not thread safe (its linear solver MUMPS has globals): use processes.
/// Source: Waechter and Biegler 2006.
ProgramResult solveProgram(const NonlinearProgram& program,
                           const Eigen::VectorXd& start,
                           const ProgramOptions& options);

}  // namespace dynid
