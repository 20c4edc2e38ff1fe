#include "dynid/dynamics/kinematics.h"

#include <gtest/gtest.h>

#include "support/random_robot.h"
#include <memory>

namespace dynid {
namespace {

Eigen::Vector3d unskew(const Eigen::Matrix3d& S) {
  return 0.5 * Eigen::Vector3d(S(2, 1) - S(1, 2), S(0, 2) - S(2, 0), S(1, 0) - S(0, 1));
}

// Motion derived from poses only, along q(t) = q + dq t + ddq t^2 / 2, by fourth-order central
// differences.
struct Differences {
  Eigen::Vector3d v_W, dv_W, w_W, dw_W;
};

Differences differences(const Robot& robot,
                        size_t body,
                        const Eigen::VectorXd& q,
                        const Eigen::VectorXd& dq,
                        const Eigen::VectorXd& ddq) {
  const double h = 1e-3;
  std::vector<Transform> X;
  for (int i = -2; i <= 2; ++i) {
    const double t = i * h;
    X.push_back(bodyPoses(robot, q + dq * t + 0.5 * ddq * t * t)[body]);
  }
  const auto first = [&](auto pick) {
    return ((8.0 * (pick(3) - pick(1)) - (pick(4) - pick(0))) / (12.0 * h)).eval();
  };
  const auto second = [&](auto pick) {
    return ((16.0 * (pick(3) + pick(1)) - (pick(4) + pick(0)) - 30.0 * pick(2)) / (12.0 * h * h))
        .eval();
  };
  const auto p = [&](size_t i) { return X[i].p; };
  const auto R = [&](size_t i) { return X[i].R; };
  const Eigen::Matrix3d dR = first(R), ddR = second(R);
  // dR = [w]x R, ddR = ([dw]x + [w]x[w]x) R
  return {first(p), second(p), unskew(dR * X[2].R.transpose()), unskew(ddR * X[2].R.transpose())};
}

TEST(ForwardKinematics, AgreesWithDifferencesOfPoses) {
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    RandomRobotOptions options;
    options.joints = 6;
    const Robot robot = randomRobot(seed, options);
    std::mt19937_64 rng(seed);
    const Eigen::VectorXd q = support::vectorX(rng, 6, 2.0), dq = support::vectorX(rng, 6, 1.0);
    const Eigen::VectorXd ddq = support::vectorX(rng, 6, 2.0);
    std::vector<BodyMotion<double>> motions;
    forwardKinematics<double>(robot, q, dq, ddq, motions);
    const std::vector<Transform> poses = bodyPoses(robot, q);
    for (size_t k = 0; k < motions.size(); ++k) {
      const Differences d = differences(robot, k, q, dq, ddq);
      const Eigen::Matrix3d& R_WB = poses[k].R;
      const BodyMotion<double>& m = motions[k];
      const double scale = 1.0 + d.dv_W.norm();
      EXPECT_LT((R_WB * m.v - d.v_W).norm(), 1e-7 * scale) << "seed " << seed << " body " << k;
      EXPECT_LT((R_WB * m.w - d.w_W).norm(), 1e-7 * scale) << "seed " << seed << " body " << k;
      EXPECT_LT((R_WB * m.a - (d.dv_W - robot.gravity)).norm(), 1e-6 * scale) << "seed " << seed;
      EXPECT_LT((R_WB * m.wd - d.dw_W).norm(), 1e-6 * scale) << "seed " << seed << " body " << k;
    }
  }
}

TEST(ForwardKinematics, AtRestTheProperAccelerationIsMinusGravity) {
  const Robot robot = randomRobot(4);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(robot.numJoints());
  std::vector<BodyMotion<double>> motions;
  forwardKinematics<double>(robot, zero, zero, zero, motions);
  const std::vector<Transform> poses = bodyPoses(robot, zero);
  for (size_t k = 0; k < motions.size(); ++k)
    EXPECT_LT((poses[k].R * motions[k].a + robot.gravity).norm(), 1e-13);
}

TEST(BodyPoses, MimickingBodiesFollowTheirMaster) {
  ChainJoint plain;
  plain.X_PJ.p = {1.0, 0.0, 0.0};
  Robot robot = chainRobot({ChainJoint{}, plain}, Eigen::Vector3d::Zero());
  robot.bodies[1].joint = 0;
  robot.bodies[1].multiplier = -1.0;
  robot.bodies[1].offset = 0.3;
  robot.joints.pop_back();
  const std::vector<Transform> X = bodyPoses(robot, Eigen::VectorXd::Constant(1, 0.7));
  const Eigen::Matrix3d expected = rotationAbout(Eigen::Vector3d::UnitZ().eval(), 0.7 - 0.7 + 0.3);
  EXPECT_LT((X[1].R - expected).norm(), 1e-15);
}

}  // namespace
}  // namespace dynid
