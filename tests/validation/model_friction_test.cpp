#include "dynid/validation/model_friction.h"

#include <gtest/gtest.h>

#include "model/synthetic_model.h"

namespace dynid {
namespace {

using testing::appendEffect;
using testing::threeLink;

Model coulombModel() {
  Model model;
  model.robot = threeLink();  // the wrist's drive m6 moves elbow and wrist
  model.layout = inertialLayout(*model.robot);
  model.parameters = Eigen::VectorXd::Zero(model.layout.size());
  for (int a = 0; a < 3; ++a)
    appendEffect(model,
                 frictionColumn(*model.robot, a, FrictionEffect::kCoulomb),
                 static_cast<double>(a + 1));
  return model;
}

TEST(FrictionErrorAtRest, IsThatOfAllDrivesOfAJoint) {
  // q = T q_a with T = (1 0; -1 1) has the inverse (1 0; 1 1): m6 turns with both joints.
  const Eigen::Vector3d expected(1.0, 2.0 + 3.0, 3.0);
  EXPECT_LT((frictionErrorAtRest(coulombModel()) - expected).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(FrictionErrorAtRest, LeavesOutWhatGrowsWithTheSpeed) {
  Model model = coulombModel();
  appendEffect(model, frictionColumn(*model.robot, 0, FrictionEffect::kViscous), 10.0);
  appendEffect(model, frictionColumn(*model.robot, 0, FrictionEffect::kOffset), 100.0);
  // The highest speed of the shoulder is 2 rad/s: 10 N m s / rad at 0.1 rad/s
  EXPECT_NEAR(frictionErrorAtRest(model)(0), 2.0, 0.01);
}

TEST(FrictionErrorAtRest, IsInAmpereWithUnknownGains) {
  Model model = coulombModel();
  model.effort_unit = "A";
  model.drive_gains = Eigen::Vector3d(0.5, 2.0, -3.0);
  const Eigen::Vector3d expected(2.0, 1.0 + 1.0, 1.0);
  EXPECT_LT((frictionErrorAtRest(model) - expected).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(FrictionErrorAtRest, IsZeroWithoutFriction) {
  Model model;
  model.robot = threeLink();
  model.layout = inertialLayout(*model.robot);
  model.parameters = Eigen::VectorXd::Zero(model.layout.size());
  EXPECT_TRUE(frictionsOf(model).empty());
  EXPECT_TRUE(frictionErrorAtRest(model).isZero());
}

}  // namespace
}  // namespace dynid
