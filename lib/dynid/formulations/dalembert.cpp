#include "dynid/formulations/dalembert.h"

#include "dynid/formulations/energies.h"
#include "dynid/formulations/suitability.h"
#include "dynid/spatial/pseudo_inertia.h"

#include <array>

namespace dynid {
namespace {

using Pose = Eigen::Matrix<double, 3, 4>;  // [R p], or a derivative of it

std::vector<BodyPose<Dual1>> posesAlong(const Robot& robot, const VectorX<Dual1>& q) {
  const VectorX<Dual1> zero = VectorX<Dual1>::Zero(q.size());
  std::vector<BodyMotion<Dual1>> motions;
  forwardKinematics<Dual1>(robot, q, zero, zero, motions);
  return worldPoses(robot, motions);
}

Pose slopeOf(const BodyPose<Dual1>& pose) {
  Pose slope;
  for (Eigen::Index i = 0; i < 3; ++i) {
    for (Eigen::Index j = 0; j < 3; ++j) slope(i, j) = pose.R(i, j).slope;
    slope(i, 3) = pose.p(i).slope;
  }
  return slope;
}

// X'' - g of every body along the motion; g is subtracted from the position part only.
std::vector<Pose> lostAccelerations(const Robot& robot,
                                    const Eigen::VectorXd& q,
                                    const Eigen::VectorXd& dq,
                                    const Eigen::VectorXd& ddq) {
  VectorX<Dual2> position(q.size());
  for (Eigen::Index j = 0; j < q.size(); ++j)
    // Second time derivative: both dual directions are time
    position(j) = Dual2(Dual1(q(j), dq(j)), Dual1(dq(j), ddq(j)));
  const VectorX<Dual2> zero = VectorX<Dual2>::Zero(q.size());
  std::vector<BodyMotion<Dual2>> motions;
  forwardKinematics<Dual2>(robot, position, zero, zero, motions);
  std::vector<Pose> accelerations;
  for (const BodyPose<Dual2>& pose : worldPoses(robot, motions)) {
    Pose X;
    for (Eigen::Index i = 0; i < 3; ++i) {
      for (Eigen::Index j = 0; j < 3; ++j) X(i, j) = pose.R(i, j).slope.slope;
      X(i, 3) = pose.p(i).slope.slope - robot.gravity(i);
    }
    accelerations.push_back(X);
  }
  return accelerations;
}

}  // namespace

Eigen::MatrixXd virtualWorkRegressor(const Robot& robot,
                                     const Eigen::VectorXd& q,
                                     const Eigen::VectorXd& dq,
                                     const Eigen::VectorXd& ddq) {
  std::array<Eigen::Matrix4d, 10> P;
  for (int c = 0; c < 10; ++c) P[c] = pseudoInertia(InertialParameters::Unit(c));
  const std::vector<Pose> lost = lostAccelerations(robot, q, dq, ddq);
  Eigen::MatrixXd Y(q.size(), Eigen::Index{10} * robot.numBodies());
  for (Eigen::Index j = 0; j < q.size(); ++j) {
    const std::vector<BodyPose<Dual1>> displaced = posesAlong(robot, alongEntry(q, j));
    for (size_t k = 0; k < lost.size(); ++k) {
      const Eigen::Matrix4d work = slopeOf(displaced[k]).transpose() * lost[k];
      for (size_t c = 0; c < 10; ++c) Y(j, 10 * k + c) = work.cwiseProduct(P[c]).sum();
    }
  }
  return Y;
}

Eigen::MatrixXd staticRegressor(const Robot& robot, const Eigen::VectorXd& q) {
  Eigen::MatrixXd Y = Eigen::MatrixXd::Zero(q.size(), Eigen::Index{10} * robot.numBodies());
  for (Eigen::Index j = 0; j < q.size(); ++j) {
    const std::vector<BodyPose<Dual1>> displaced = posesAlong(robot, alongEntry(q, j));
    for (size_t k = 0; k < displaced.size(); ++k) {
      const Eigen::RowVector4d work = -robot.gravity.transpose() * slopeOf(displaced[k]);
      const Eigen::Index at = 10 * k;
      Y(j, at) = work(3);
      Y.row(j).segment<3>(at + 1) = work.head<3>();
    }
  }
  return Y;
}

Formulation dalembertFormulation() {
  return {"dalembert-lagrange",
          Computes::kRegressor,
          "work of the lost forces in virtual displacements, from positions alone",
          kRoundingTolerance,
          kRoundingReason,
          false,
          suitsEveryRobot,
          [](const Robot& robot, const FormulationState& s) {
            return virtualWorkRegressor(robot, s.q, s.dq, s.ddq);
          }};
}

Formulation virtualWorkFormulation() {
  return {
      "virtual-work",
      Computes::kRegressor,
      "statics: the work of gravity in virtual displacements, compared at rest",
      kRoundingTolerance,
      kRoundingReason,
      true,
      suitsEveryRobot,
      [](const Robot& robot, const FormulationState& s) { return staticRegressor(robot, s.q); }};
}

}  // namespace dynid
