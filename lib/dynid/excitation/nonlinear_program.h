#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <functional>
#include <string>

namespace dynid {

/// Minimise f(x) subject to lower <= A x <= upper and g(x) >= 0. Entries of x, A and g should be
/// scaled to about 1.
struct NonlinearProgram {
  /// Value, and the gradient if the pointer is not null. The value may be infinite; the step is
  /// then shortened.
  std::function<double(const Eigen::VectorXd& x, Eigen::VectorXd* gradient)> f;
  Eigen::SparseMatrix<double> A;
  Eigen::VectorXd lower, upper;
  int rows_of_g = 0;
  /// g, and its Jacobian [rows_of_g x x.size()] if the pointer is not null.
  std::function<void(const Eigen::VectorXd& x, Eigen::VectorXd& g, Eigen::MatrixXd* jacobian)> g;
};

/// Settings of solveProgram.
struct ProgramOptions {
  int max_iterations = 200;
  double tolerance = 1e-4;      ///< relative convergence tolerance
  double first_barrier = 1e-1;  ///< initial barrier parameter; smaller for a warm start
};

/// Result of solveProgram.
struct ProgramResult {
  Eigen::VectorXd x;
  double value = 0.0;
  int iterations = 0;
  bool usable = false;  ///< x is an iterate with a finite value
  std::string status;   ///< reason for the end of the iteration
};

/// Solves the program by Ipopt with the limited-memory BFGS approximation of the Hessian. Not
/// thread-safe (the linear solver MUMPS has global state); use several processes instead.
/// Source: Waechter and Biegler 2006.
ProgramResult solveProgram(const NonlinearProgram& program,
                           const Eigen::VectorXd& start,
                           const ProgramOptions& options);

}  // namespace dynid
