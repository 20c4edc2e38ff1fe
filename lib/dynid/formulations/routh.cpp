#include "dynid/formulations/routh.h"

#include "dynid/formulations/hamilton.h"
#include "dynid/formulations/suitability.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace dynid {
namespace {

// If all joints or none are chosen, one of the blocks is empty.
Eigen::MatrixXd inverseOf(const Eigen::MatrixXd& M) {
  if (M.rows() == 0) return M;
  return M.ldlt().solve(Eigen::MatrixXd::Identity(M.rows(), M.rows()));
}

}  // namespace

Eigen::VectorXd routhAccelerations(const Robot& robot,
                                   const Eigen::VectorXd& pi,
                                   const Eigen::VectorXd& q,
                                   const Eigen::VectorXd& dq,
                                   const Eigen::VectorXd& tau,
                                   const std::vector<bool>& momentum) {
  if (momentum.size() != robot.joints.size())
    throw std::invalid_argument(fmt::format("got a choice of momentum for {} joints; expected {}",
                                            momentum.size(),
                                            robot.joints.size()));
  const auto n = std::ssize(momentum);
  const auto chosen = static_cast<Eigen::Index>(std::count(momentum.begin(), momentum.end(), true));
  Eigen::VectorXi s(chosen), r(n - chosen);
  for (Eigen::Index j = 0, at_s = 0, at_r = 0; j < n; ++j)
    (momentum[j] ? s(at_s++) : r(at_r++)) = static_cast<int>(j);

  const MassMatrixRate mass = massMatrixAlong(robot, pi, q, dq);
  const Eigen::MatrixXd M_ss = mass.M(s, s), M_sr = mass.M(s, r), M_rr = mass.M(r, r);
  const Eigen::MatrixXd dM_ss = mass.dM(s, s), dM_sr = mass.dM(s, r), dM_rr = mass.dM(r, r);
  const Eigen::VectorXd p_s = M_ss * dq(s) + M_sr * dq(r), dq_r = dq(r);

  // Routh's equations in q, p_s and dq_r.
  const Eigen::MatrixXd inverse_ss = inverseOf(M_ss);
  Eigen::VectorXd velocity = dq;
  const Eigen::VectorXd dq_s = inverse_ss * (p_s - M_sr * dq_r);
  velocity(s) = dq_s;
  const Eigen::VectorXd gradient = lagrangianGradientRows(robot, q, velocity) * pi;  // -dR/dq
  const Eigen::VectorXd dp_s = gradient(s) + tau(s);
  const Eigen::MatrixXd C = M_sr.transpose() * inverse_ss;
  const Eigen::MatrixXd S = M_rr - C * M_sr;
  const Eigen::MatrixXd dC = (dM_sr.transpose() - C * dM_ss) * inverse_ss;
  const Eigen::MatrixXd dS = dM_rr - dC * M_sr - C * dM_sr;
  const Eigen::VectorXd ddq_r =
      inverseOf(S) * (gradient(r) + tau(r) - dC * p_s - C * dp_s - dS * dq_r);

  Eigen::VectorXd ddq(q.size());
  ddq(r) = ddq_r;
  const Eigen::VectorXd ddq_s = inverse_ss * (dp_s - dM_ss * dq_s - dM_sr * dq_r - M_sr * ddq_r);
  ddq(s) = ddq_s;
  return ddq;
}

namespace {

Formulation routhFormulation(const std::string& name,
                             const std::string& what,
                             Eigen::MatrixXd (*evaluate)(const Robot&, const FormulationState&)) {
  return {name,
          Computes::kAccelerations,
          what,
          kRoundingTolerance,
          kRoundingReason,
          false,
          needsTwoJoints,
          evaluate};
}

template <typename Choice>
Eigen::MatrixXd evaluateRouth(const Robot& robot, const FormulationState& s, Choice choice) {
  std::vector<bool> momentum(robot.joints.size());
  for (size_t j = 0; j < momentum.size(); ++j) momentum[j] = choice(j);
  return routhAccelerations(robot, s.pi, s.q, s.dq, s.tau, momentum);
}

}  // namespace

Formulation routhFirstFormulation() {
  return routhFormulation("routh, first joint",
                          "momentum of the first joint, velocities of the others",
                          [](const Robot& robot, const FormulationState& s) {
                            return evaluateRouth(robot, s, [](size_t j) { return j == 0; });
                          });
}

Formulation routhAlternateFormulation() {
  return routhFormulation("routh, alternate joints",
                          "momentum of every second joint",
                          [](const Robot& robot, const FormulationState& s) {
                            return evaluateRouth(robot, s, [](size_t j) { return j % 2 == 1; });
                          });
}

Formulation routhButLastFormulation() {
  return routhFormulation(
      "routh, all but the last",
      "momenta of all joints but the last",
      [](const Robot& robot, const FormulationState& s) {
        return evaluateRouth(
            robot, s, [last = robot.joints.size() - 1](size_t j) { return j != last; });
      });
}

}  // namespace dynid
