#include "dynid/formulations/kane.h"

#include "dynid/dynamics/kinematics.h"
#include "dynid/formulations/suitability.h"
#include "dynid/spatial/inertia.h"

#include <Eigen/Geometry>

#include <stdexcept>

namespace dynid {
namespace {

// Force and moment that the body's motion takes, one column for each of its ten parameters.
Eigen::Matrix<double, 6, 10> inertiaWrenches(const BodyMotion<double>& m) {
  Eigen::Matrix<double, 6, 10> wrenches;
  for (int c = 0; c < 10; ++c) {
    const InertialParameters unit = InertialParameters::Unit(c);
    const Eigen::Vector3d h = unit.segment<3>(1);
    const Eigen::Matrix3d inertia = inertiaTensor(unit);
    wrenches.col(c) << unit(0) * m.a + m.wd.cross(h) + m.w.cross(m.w.cross(h)),
        inertia * m.wd + m.w.cross(inertia * m.w) + h.cross(m.a);
  }
  return wrenches;
}

}  // namespace

Eigen::MatrixXd kaneRegressor(const Robot& robot,
                              const Eigen::VectorXd& q,
                              const Eigen::VectorXd& dq,
                              const Eigen::VectorXd& ddq,
                              const Eigen::MatrixXd& N) {
  if (N.rows() != robot.numJoints())
    throw std::invalid_argument("kaneRegressor: N has " + std::to_string(N.rows()) +
                                " rows; expected " + std::to_string(robot.numJoints()));
  std::vector<BodyMotion<double>> motions, partial;
  forwardKinematics<double>(robot, q, dq, ddq, motions);
  std::vector<Eigen::Matrix<double, 6, 10>> wrenches;
  for (const BodyMotion<double>& motion : motions) wrenches.push_back(inertiaWrenches(motion));
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(q.size());
  Eigen::MatrixXd Y(N.cols(), Eigen::Index{10} * robot.numBodies());
  for (Eigen::Index r = 0; r < N.cols(); ++r) {
    forwardKinematics<double>(robot, q, N.col(r), zero, partial);
    for (size_t k = 0; k < partial.size(); ++k) {
      Vector6<double> velocity;
      velocity << partial[k].v, partial[k].w;
      Y.row(r).segment<10>(static_cast<Eigen::Index>(10 * k)) = velocity.transpose() * wrenches[k];
    }
  }
  return Y;
}

Formulation kaneFormulation() {
  return {"kane",
          Computes::kRegressor,
          "inertia forces along the partial velocities",
          kRoundingTolerance,
          kRoundingReason,
          false,
          suitsEveryRobot,
          [](const Robot& robot, const FormulationState& s) {
            const Eigen::Index n = robot.numJoints();
            return kaneRegressor(robot, s.q, s.dq, s.ddq, Eigen::MatrixXd::Identity(n, n));
          }};
}

}  // namespace dynid
