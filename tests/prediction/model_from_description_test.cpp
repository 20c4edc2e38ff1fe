#include "dynid/prediction/model_from_description.h"

#include "dynid/core/errors.h"
#include "dynid/model/model_efforts.h"

#include <gtest/gtest.h>

#include "support/random_robot.h"
#include <memory>
#include <stdexcept>

namespace dynid {
namespace {

// Damping and dry friction of a description belong to the joint, not to a drive of a coupled group.
TEST(ModelFromDescription, DampingActsOnTheJointsOfACoupledRobot) {
  RandomRobotOptions options;
  options.joints = 4;
  options.coupling = 0.5;
  Robot robot = randomRobot(2, options);
  ASSERT_FALSE(robot.T.isDiagonal());
  const Eigen::Vector4d damping(1.0, 2.0, 3.0, 4.0), dry(0.4, 0.3, 0.2, 0.1);
  for (int j = 0; j < 4; ++j) {
    robot.joints[j].damping = damping(j);
    robot.joints[j].friction = dry(j);
  }
  const Model model = modelFromDescription(std::make_shared<const Robot>(robot));
  const Eigen::RowVector4d q(0.1, 0.2, 0.3, 0.4), dq(1.5, -0.7, 0.3, -2.0);
  const Eigen::MatrixXd friction =
      effortsByCause(model, q, dq, Eigen::RowVector4d::Zero()).friction;
  const Eigen::RowVector4d expected(1.5 + 0.4, 2.0 * -0.7 - 0.3, 3.0 * 0.3 + 0.2, 4.0 * -2.0 - 0.1);
  EXPECT_LT((friction - expected).norm(), 1e-12);
}

// An inertia at a joint that turns T times as fast as its drive is T^2 times as large at the drive.
TEST(ModelFromDescription, DriveInertiaActsOnTheJointBehindATransmission) {
  RandomRobotOptions options;
  options.joints = 3;
  Robot robot = randomRobot(3, options);
  robot.T.diagonal() << 0.5, 1.0, -2.0;
  robot.joints[0].drive_inertia = 8.0;
  robot.joints[2].drive_inertia = 3.0;
  const Eigen::RowVector3d zero = Eigen::RowVector3d::Zero(), ddq(1.0, 2.0, -0.5);
  const auto drive = [&] {
    return effortsByCause(
               modelFromDescription(std::make_shared<const Robot>(robot)), zero, zero, ddq)
        .drive;
  };
  EXPECT_LT((drive() - Eigen::RowVector3d(8.0, 0.0, -1.5)).norm(), 1e-12);
  robot.T(0, 2) = 0.5;  // both actuators move joint 1
  EXPECT_THROW(drive(), InputError);
}

TEST(ModelFromDescription, NeedsARobot) {
  EXPECT_THROW(modelFromDescription(nullptr), std::invalid_argument);
}

}  // namespace
}  // namespace dynid
