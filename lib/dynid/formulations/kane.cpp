#include "dynid/formulations/kane.h"

#include "dynid/dynamics/closed_motion.h"
#include "dynid/dynamics/kinematics.h"
#include "dynid/formulations/suitability.h"
#include "dynid/spatial/inertia.h"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <array>
#include <stdexcept>

namespace dynid {
namespace {

/// A body given by mass, centre of mass and central inertia, as textbooks write Kane's equations.
struct TrialBody {
  double mass;
  Eigen::Vector3d com;      // from the frame's origin, body axes
  Eigen::Matrix3d inertia;  // about the centre of mass, body axes
};

// Trial bodies: particles at the origin and on the three axes, and bodies with moments of inertia
// at the origin.
std::array<TrialBody, 10> trialBodies() {
  std::array<TrialBody, 10> trial;
  trial.fill({1.0, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Zero()});
  for (int i = 0; i < 3; ++i) trial[1 + i].com(i) = 1.0;
  size_t next = 4;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      Eigen::Matrix3d& inertia = trial[next++].inertia;
      inertia(i, j) = inertia(j, i) = 1.0;
    }
  return trial;
}

// Matrix from the results for the trial bodies to the coefficients of the ten parameters.
Eigen::MatrixXd fromTrial(const std::array<TrialBody, 10>& trial) {
  Eigen::MatrixXd parameters(10, 10);
  for (Eigen::Index t = 0; t < 10; ++t) {
    const TrialBody& body = trial[t];
    parameters.col(t) = inertialFromCenterOfMass(body.mass, body.com, body.inertia);
  }
  return parameters.inverse();
}

/// Inertia force and moment of a body, in the root link's axes.
struct InertiaForces {
  Eigen::Vector3d r, force, moment;  // r: position of the centre of mass
};

InertiaForces inertiaForces(const TrialBody& body,
                            const BodyMotion<double>& m,
                            const Transform& X) {
  const Eigen::Vector3d w = X.R * m.w, alpha = X.R * m.wd, arm = X.R * body.com;
  // Proper acceleration: without g
  const Eigen::Vector3d a = X.R * m.a + alpha.cross(arm) + w.cross(w.cross(arm));
  const Eigen::Matrix3d inertia = X.R * body.inertia * X.R.transpose();
  return {X.p + arm, body.mass * a, inertia * alpha + w.cross(inertia * w)};
}

}  // namespace

Eigen::MatrixXd kaneRegressor(const Robot& robot,
                              const Eigen::VectorXd& q,
                              const Eigen::VectorXd& dq,
                              const Eigen::VectorXd& ddq,
                              const Eigen::MatrixXd& N) {
  if (N.rows() != robot.numJoints())
    throw std::invalid_argument("the matrix of partial velocities has " + std::to_string(N.rows()) +
                                " rows; expected " + std::to_string(robot.numJoints()));
  static const std::array<TrialBody, 10> trial = trialBodies();
  static const Eigen::MatrixXd from_trial = fromTrial(trial);
  std::vector<BodyMotion<double>> motions;
  forwardKinematics<double>(robot, q, dq, ddq, motions);
  const std::vector<Transform> poses = bodyPoses(robot, q);
  Eigen::MatrixXd Y =
      Eigen::MatrixXd::Zero(robot.numTreeJoints(), Eigen::Index{10} * robot.numBodies());
  for (int k = 0; k < std::ssize(poses); ++k) {
    Eigen::MatrixXd taken = Eigen::MatrixXd::Zero(robot.numTreeJoints(), 10);
    for (Eigen::Index t = 0; t < 10; ++t) {
      const InertiaForces inertia = inertiaForces(trial[t], motions[k], poses[k]);
      for (int b = k; b >= 0; b = robot.bodies[b].parent) {
        const Body& carrier = robot.bodies[b];
        const Transform& X = poses[b];
        const Eigen::Vector3d z = carrier.multiplier * (X.R * carrier.axis);
        taken(carrier.joint, t) +=
            carrier.prismatic ? z.dot(inertia.force)
                              : z.cross(inertia.r - X.p).dot(inertia.force) + z.dot(inertia.moment);
      }
    }
    Y.middleCols<10>(10 * k) = taken * from_trial;
  }
  if (robot.loops.empty()) return N.transpose() * Y;
  return (loopProjector(robot, requireClosed(robot, q)) * N).transpose() * Y;
}

Formulation kaneFormulation() {
  return {"kane",
          Computes::kRegressor,
          "inertia forces of the centres of mass along the partial velocities",
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
