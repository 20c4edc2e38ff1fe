#include "dynid/formulations/variational_integrator.h"

#include "dynid/dynamics/mass_matrix.h"
#include "dynid/formulations/constraints.h"
#include "dynid/formulations/hamilton_principle.h"

#include <Eigen/Cholesky>

#include <limits>

namespace dynid {
namespace {

constexpr int kIterations = 100;
constexpr double kConverged = 1e-15;  // relative to the first guess: only rounding errors are left

// Solves p + h D1 L_d(q1, q2)/h = 0 for q2, where p is the momentum at q1 plus the impulse of the
// efforts.
VariationalStep solveFor(const Robot& robot,
                         const Eigen::VectorXd& pi,
                         const Eigen::VectorXd& q1,
                         const Eigen::VectorXd& guess,
                         const Eigen::VectorXd& p,
                         double h) {
  VariationalStep step;
  step.q = guess;
  const Eigen::LLT<Eigen::MatrixXd> mass(massMatrix(robot, pi, 0.5 * (q1 + guess)));
  step.reason = kMassMatrixReason;
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kIterations && mass.info() == Eigen::Success; ++i) {
    // The derivative of D1 L_d by q2 is approximately -M/h.
    const Eigen::VectorXd rest = p + h * (discreteGradient(robot, q1, step.q, h, 0) * pi);
    const Eigen::VectorXd move = h * mass.solve(rest);
    if (!move.allFinite()) break;
    step.q += move;
    // Relative to the guess: q itself may diverge
    const double size = move.norm(), scale = 1.0 + guess.norm();
    // Converged to rounding: small, and no longer decreasing.
    step.solved = size <= kConverged * scale || (size <= 1e-11 * scale && size >= 0.5 * last);
    if (step.solved) {
      step.reason.clear();
      return step;
    }
    last = size;
    step.reason = "the step of " + std::to_string(h) + " s is too long for this motion";
  }
  step.q.setConstant(std::numeric_limits<double>::quiet_NaN());
  return step;
}

}  // namespace

VariationalStep variationalStep(const Robot& robot,
                                const Eigen::VectorXd& pi,
                                const Eigen::VectorXd& q0,
                                const Eigen::VectorXd& q1,
                                const Eigen::VectorXd& tau,
                                double h) {
  const Eigen::VectorXd arriving = h * (discreteGradient(robot, q0, q1, h, 1) * pi) + h * tau;
  return solveFor(robot, pi, q1, 2.0 * q1 - q0, arriving, h);
}

VariationalStep variationalStart(const Robot& robot,
                                 const Eigen::VectorXd& pi,
                                 const Eigen::VectorXd& q0,
                                 const Eigen::VectorXd& dq0,
                                 const Eigen::VectorXd& tau,
                                 double h) {
  const Eigen::VectorXd momentum = massMatrix(robot, pi, q0) * dq0;
  return solveFor(robot, pi, q0, q0 + h * dq0, momentum + 0.5 * h * tau, h);
}

}  // namespace dynid
