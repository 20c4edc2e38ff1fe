#include "dynid/dynamics/mass_matrix.h"

#include "dynid/core/text.h"
#include "dynid/dynamics/closed_motion.h"
#include "dynid/dynamics/inverse_dynamics.h"
#include "dynid/dynamics/kinematics.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include <fmt/format.h>
#include <limits>
#include <stdexcept>

namespace dynid {
namespace {

Eigen::VectorXd drivesOrZero(const Robot& robot, const Eigen::VectorXd& drive_inertia) {
  if (drive_inertia.size() == 0) return Eigen::VectorXd::Zero(robot.T.cols());
  if (drive_inertia.size() != robot.T.cols())
    throw std::invalid_argument("mass matrix: got " + std::to_string(drive_inertia.size()) +
                                " drive inertias; expected " + std::to_string(robot.T.cols()));
  return drive_inertia;
}

Eigen::Matrix<double, 6, 6> bodyInertia(const InertialParameters& pi) {
  Eigen::Matrix<double, 6, 6> M;
  const Eigen::Matrix3d H = skew<double>(pi.segment<3>(1));
  M << pi(0) * Eigen::Matrix3d::Identity(), -H, H, inertiaTensor(pi);
  return M;
}

void expectOnePerJoint(const Robot& robot, const Eigen::VectorXd& values, const char* name) {
  if (values.size() != robot.numJoints())
    throw std::invalid_argument(
        fmt::format("got {} {}; expected {}", values.size(), name, robot.numJoints()));
}

}  // namespace

std::vector<BodyJacobian> bodyJacobians(const Robot& robot, const Eigen::VectorXd& q) {
  expectOnePerJoint(robot, q, "positions");
  const Eigen::Index n = robot.numTreeJoints();
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(n);
  const bool loops = !robot.loops.empty();
  const ClosedPosition closed = loops ? requireClosed(robot, q) : ClosedPosition{};
  std::vector<BodyMotion<double>> motions;
  treeKinematics<double>(robot, loops ? closed.q : q, zero, zero, motions);
  std::vector<BodyJacobian> J(robot.bodies.size(), BodyJacobian::Zero(6, n));
  for (size_t k = 0; k < robot.bodies.size(); ++k) {
    const Body& body = robot.bodies[k];
    if (body.parent >= 0) {
      const BodyJacobian& J_P = J[body.parent];
      const Eigen::Matrix3d R_BP = motions[k].R_PB.transpose();
      J[k].topRows<3>() =
          R_BP * (J_P.topRows<3>() - skew<double>(motions[k].p_PB) * J_P.bottomRows<3>());
      J[k].bottomRows<3>() = R_BP * J_P.bottomRows<3>();
    }
    J[k].col(body.joint).segment<3>(body.prismatic ? 0 : 3) += body.multiplier * body.axis;
  }
  if (!loops) return J;
  const Eigen::MatrixXd N = loopProjector(robot, closed);
  for (BodyJacobian& body : J) body = (body * N).eval();
  return J;
}

Eigen::MatrixXd massMatrix(const Robot& robot,
                           const Eigen::VectorXd& pi,
                           const Eigen::VectorXd& q) {
  const Eigen::Index n = robot.numJoints();
  if (pi.size() != Eigen::Index{10} * robot.numBodies() || q.size() != n)
    throw std::invalid_argument(
        fmt::format("got {} parameters and {} positions; expected {} and {}",
                    pi.size(),
                    q.size(),
                    10 * robot.numBodies(),
                    n));
  const std::vector<BodyJacobian> J = bodyJacobians(robot, q);
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n);
  for (size_t k = 0; k < J.size(); ++k)
    M += J[k].transpose() * bodyInertia(pi.segment<10>(10 * k)) * J[k];
  return 0.5 * (M + M.transpose());
}

Eigen::MatrixXd actuatorMassMatrix(const Robot& robot,
                                   const Eigen::VectorXd& pi,
                                   const Eigen::VectorXd& drive_inertia,
                                   const Eigen::VectorXd& q) {
  Eigen::MatrixXd M = robot.T.transpose() * massMatrix(robot, pi, q) * robot.T;
  M.diagonal() += drivesOrZero(robot, drive_inertia);
  return M;
}

Eigen::VectorXd biasForces(const Robot& robot,
                           const Eigen::VectorXd& pi,
                           const Eigen::VectorXd& q,
                           const Eigen::VectorXd& dq) {
  return inverseDynamics(robot, pi, q, dq, Eigen::VectorXd::Zero(q.size()));
}

ForwardDynamics forwardDynamics(const Robot& robot,
                                const Eigen::VectorXd& pi,
                                const Eigen::VectorXd& drive_inertia,
                                const Eigen::VectorXd& q,
                                const Eigen::VectorXd& dq,
                                const Eigen::VectorXd& tau) {
  expectOnePerJoint(robot, tau, "efforts");
  const Eigen::VectorXd force = robot.T.transpose() * (tau - biasForces(robot, pi, q, dq));
  const Eigen::LDLT<Eigen::MatrixXd> factor(actuatorMassMatrix(robot, pi, drive_inertia, q));
  ForwardDynamics result;
  result.smallest_pivot = factor.vectorD().size() > 0 ? factor.vectorD().minCoeff() : 0.0;
  const bool finite = force.allFinite() && factor.matrixLDLT().allFinite();
  result.solved = finite && factor.info() == Eigen::Success && result.smallest_pivot > 0.0;
  if (result.solved) {
    result.ddq = robot.T * factor.solve(force);
    return result;
  }
  result.ddq.setConstant(robot.numJoints(), std::numeric_limits<double>::quiet_NaN());
  if (!finite) {
    result.reason = "a parameter, position, velocity or effort is not finite, or too large";
  } else {
    result.reason = "the mass matrix is not positive definite (smallest pivot " +
                    toText(result.smallest_pivot) + "): no real robot has these parameters";
  }
  return result;
}

Energy energy(const Robot& robot,
              const Eigen::VectorXd& pi,
              const Eigen::VectorXd& drive_inertia,
              const Eigen::VectorXd& q,
              const Eigen::VectorXd& dq) {
  expectOnePerJoint(robot, dq, "velocities");
  Energy energy;
  const Eigen::VectorXd dq_actuator = robot.T.partialPivLu().solve(dq);
  energy.kinetic = 0.5 * dq.dot(massMatrix(robot, pi, q) * dq) +
                   0.5 * drivesOrZero(robot, drive_inertia).dot(dq_actuator.cwiseAbs2());
  const std::vector<Transform> X_WB = bodyPoses(robot, q);
  for (size_t k = 0; k < X_WB.size(); ++k) {
    const Eigen::Index at = 10 * k;
    const Eigen::Vector3d first_moment = pi(at) * X_WB[k].p + X_WB[k].R * pi.segment<3>(at + 1);
    energy.potential -= robot.gravity.dot(first_moment);
  }
  return energy;
}

}  // namespace dynid
