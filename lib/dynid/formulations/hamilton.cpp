#include "dynid/formulations/hamilton.h"

#include "dynid/dynamics/closed_motion.h"
#include "dynid/formulations/energies.h"
#include "dynid/formulations/motion_window.h"
#include "dynid/formulations/suitability.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>

namespace dynid {
namespace {

// Generalized momenta of the joints: momenta of the bodies propagated inward along the tree; with
// loops multiplied by N^T.
template <typename T>
VectorX<T> jointMomenta(const Robot& robot,
                        const Eigen::VectorXd& pi,
                        const VectorX<T>& q,
                        const VectorX<T>& dq) {
  std::vector<BodyMotion<T>> motions;
  forwardKinematics<T>(robot, q, dq, VectorX<T>::Zero(q.size()), motions);
  std::vector<Vector3<T>> linear(motions.size()), angular(motions.size());
  for (size_t k = 0; k < motions.size(); ++k) {
    const InertialParameters body = pi.segment<10>(10 * k);
    const BodyMotion<T>& m = motions[k];
    const Vector3<T> h = body.segment<3>(1).cast<T>();
    const Matrix3<T> inertia = inertiaTensor(body).cast<T>();
    linear[k] = m.v * T(body(0)) + m.w.cross(h);
    angular[k] = h.cross(m.v) + inertia * m.w;
  }
  VectorX<T> p = VectorX<T>::Zero(robot.numTreeJoints());
  for (size_t k = motions.size(); k-- > 0;) {
    const Body& body = robot.bodies[k];
    const Vector3<T> axis = body.axis.cast<T>();
    p(body.joint) += body.multiplier * axis.dot(body.prismatic ? linear[k] : angular[k]);
    if (body.parent < 0) continue;
    const Vector3<T> carried = motions[k].R_PB * linear[k];
    linear[body.parent] += carried;
    angular[body.parent] += motions[k].R_PB * angular[k] + motions[k].p_PB.cross(carried);
  }
  if (robot.loops.empty()) return p;
  const auto N = loopProjectorAt<T>(robot, q);
  VectorX<T> driven = VectorX<T>::Zero(q.size());
  for (Eigen::Index j = 0; j < q.size(); ++j)
    for (Eigen::Index t = 0; t < p.size(); ++t) driven(j) += N(t, j) * p(t);
  return driven;
}

}  // namespace

Eigen::MatrixXd momentumRows(const Robot& robot,
                             const Eigen::VectorXd& q,
                             const Eigen::VectorXd& dq) {
  const Eigen::Index n = robot.numJoints(), columns = Eigen::Index{10} * robot.numBodies();
  const VectorX<Dual1> position = alongTime(q, Eigen::VectorXd::Zero(n));
  Eigen::MatrixXd rows(n, columns);
  for (Eigen::Index j = 0; j < n; ++j) {
    const EnergyRows<Dual1> energy = energyRows<Dual1>(robot, position, alongEntry(dq, j));
    for (Eigen::Index c = 0; c < columns; ++c) rows(j, c) = energy.kinetic(c).slope;
  }
  return rows;
}

Eigen::MatrixXd lagrangianGradientRows(const Robot& robot,
                                       const Eigen::VectorXd& q,
                                       const Eigen::VectorXd& dq) {
  const Eigen::Index n = robot.numJoints(), columns = Eigen::Index{10} * robot.numBodies();
  const VectorX<Dual1> velocity = alongTime(dq, Eigen::VectorXd::Zero(n));
  Eigen::MatrixXd rows(n, columns);
  for (Eigen::Index j = 0; j < n; ++j) {
    const EnergyRows<Dual1> energy = energyRows<Dual1>(robot, alongEntry(q, j), velocity);
    for (Eigen::Index c = 0; c < columns; ++c)
      rows(j, c) = energy.kinetic(c).slope - energy.potential(c).slope;
  }
  return rows;
}

MassMatrixRate massMatrixAlong(const Robot& robot,
                               const Eigen::VectorXd& pi,
                               const Eigen::VectorXd& q,
                               const Eigen::VectorXd& dq) {
  const Eigen::Index n = robot.numJoints();
  const VectorX<Dual1> position = alongTime(q, dq);
  MassMatrixRate result{Eigen::MatrixXd(n, n), Eigen::MatrixXd(n, n)};
  for (Eigen::Index j = 0; j < n; ++j) {
    const VectorX<Dual1> unit = alongTime(Eigen::VectorXd::Unit(n, j), Eigen::VectorXd::Zero(n));
    const VectorX<Dual1> p = jointMomenta<Dual1>(robot, pi, position, unit);
    for (Eigen::Index i = 0; i < n; ++i) {
      result.M(i, j) = p(i).value;
      result.dM(i, j) = p(i).slope;
    }
  }
  return result;
}

Eigen::VectorXd hamiltonAccelerations(const Robot& robot,
                                      const Eigen::VectorXd& pi,
                                      const Eigen::VectorXd& q,
                                      const Eigen::VectorXd& p,
                                      const Eigen::VectorXd& tau) {
  const Eigen::MatrixXd M = massMatrixAlong(robot, pi, q, Eigen::VectorXd::Zero(q.size())).M;
  const Eigen::LDLT<Eigen::MatrixXd> factor(M);
  const Eigen::VectorXd dq = factor.solve(p);
  const Eigen::VectorXd dp = tau + lagrangianGradientRows(robot, q, dq) * pi;
  return factor.solve(dp - massMatrixAlong(robot, pi, q, dq).dM * dq);
}

Formulation hamiltonFormulation() {
  return {"hamilton",
          Computes::kAccelerations,
          "canonical equations: dq = dH/dp, dp/dt = tau - dH/dq",
          kRoundingTolerance,
          kRoundingReason,
          false,
          suitsEveryRobot,
          [](const Robot& robot, const FormulationState& s) -> Eigen::MatrixXd {
            const Eigen::VectorXd p = momentumRows(robot, s.q, s.dq) * s.pi;
            return hamiltonAccelerations(robot, s.pi, s.q, p, s.tau);
          }};
}

Formulation momentumWindowFormulation() {
  return {"momentum-window",
          Computes::kIdentity,
          "p(t1) - p(t0) - int dL/dq dt = int tau dt over 20 ms",
          kQuadratureTolerance,
          kQuadratureReason,
          false,
          suitsEveryRobot,
          [](const Robot& robot, const FormulationState& s) -> Eigen::MatrixXd {
            Eigen::VectorXd left = Eigen::VectorXd::Zero(s.q.size()), right = left, size = left;
            forEachNode(robot, s, [&](double weight, const FormulationState& at) {
              left -= weight * (lagrangianGradientRows(robot, at.q, at.dq) * s.pi);
              right += weight * at.tau;
              size += weight * at.tau.cwiseAbs();
            });
            const FormulationState first = stateAt(robot, s, 0.0);
            const FormulationState last = stateAt(robot, s, kWindowSeconds);
            left += momentumRows(robot, last.q, last.dq) * s.pi -
                    momentumRows(robot, first.q, first.dq) * s.pi;
            return (left - right) / size.maxCoeff();
          }};
}

}  // namespace dynid
