#include "dynid/formulations/motion_window.h"

#include "dynid/formulations/projection_method.h"

#include <Eigen/Eigenvalues>

#include <cmath>

namespace dynid {

FormulationState stateAt(const Robot& robot, const FormulationState& s, double t) {
  FormulationState at = s;
  at.q = s.q + t * s.dq + t * t / 2 * s.ddq + t * t * t / 6 * s.dddq;
  at.dq = s.dq + t * s.ddq + t * t / 2 * s.dddq;
  at.ddq = s.ddq + t * s.dddq;
  at.tau = projectionRegressor(robot, at.q, at.dq, at.ddq) * s.pi;
  return at;
}

void forEachNode(const Robot& robot,
                 const FormulationState& state,
                 const std::function<void(double, const FormulationState&)>& visit) {
  // Golub and Welsch 1969: the nodes are the eigenvalues of the matrix of Legendre's three-term
  // recurrence.
  constexpr Eigen::Index kNodes = 10;
  Eigen::MatrixXd recurrence = Eigen::MatrixXd::Zero(kNodes, kNodes);
  for (Eigen::Index i = 1; i < kNodes; ++i) {
    const auto x = static_cast<double>(i);
    recurrence(i, i - 1) = x / std::sqrt(4.0 * x * x - 1.0);
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(recurrence);
  for (Eigen::Index i = 0; i < kNodes; ++i) {
    const double node = 0.5 * (1.0 + solver.eigenvalues()(i));
    const double weight = solver.eigenvectors()(0, i) * solver.eigenvectors()(0, i);
    visit(weight * kWindowSeconds, stateAt(robot, state, node * kWindowSeconds));
  }
}

}  // namespace dynid
