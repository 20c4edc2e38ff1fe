#include "dynid/diagnosis/prior_bodies.h"

#include "dynid/consistency/prior.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "robot/test_texts.h"
#include <fmt/format.h>

namespace dynid {
namespace {

using ::testing::ElementsAre;

/// `<inertial>` of a body with this mass and radius of gyration, `height` above the link's origin.
std::string ball(double mass, double gyration, double height = 0.02) {
  const double moment = 2.0 / 3.0 * mass * gyration * gyration;
  return fmt::format(
      "<inertial><origin xyz=\"0 0 {0}\"/><mass value=\"{1}\"/><inertia ixx=\"{2}\" iyy=\"{2}\" "
      "izz=\"{2}\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>",
      height,
      mass,
      moment);
}

/// Three bodies in a row whose capsules are of the smallest size (1.5 kg).
Robot chain(const std::string& first, const std::string& second, const std::string& third) {
  return parseRobot("",
                    urdf(link("base") + link("a", first) + link("b", second) + link("c", third) +
                         joint("ja", "revolute", "base", "a") + joint("jb", "revolute", "a", "b") +
                         joint("jc", "revolute", "b", "c")));
}

struct Priors {
  std::vector<std::string> sources;
  std::vector<InertialParameters> bodies;
  explicit Priors(const Robot& robot) : bodies(priorBodies(robot, sources)) {}
};

const InertialParameters& smallestCapsule() {
  static const InertialParameters capsule =
      capsulePrior(Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero());
  return capsule;
}

TEST(PriorBodies, AreTheDescribedOnesOrCapsules) {
  const Robot robot = chain(ball(2.0, 0.05), "", ball(0.005, 0.01));  // the last one is a finger
  const Priors prior(robot);
  EXPECT_THAT(prior.sources, ElementsAre("urdf", "capsule", "urdf"));
  EXPECT_EQ(prior.bodies[0], *robot.bodies[0].prior);
  EXPECT_EQ(prior.bodies[1], smallestCapsule());
  EXPECT_EQ(prior.bodies[2], *robot.bodies[2].prior);
}

// The wrist of a large robot is larger than that of a small one.
TEST(PriorBodies, TheLastLinkOfALargeRobotIsLarge) {
  const auto last = [](double length, bool ellipsoid) {
    Robot robot = chain("", "", "");
    for (Body& body : robot.bodies)
      if (body.parent >= 0) body.X_PJ.p = Eigen::Vector3d(0.0, 0.0, 0.5 * length);
    if (ellipsoid)
      robot.bodies[2].bounds.ellipsoid = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Ones()};
    return Priors(robot).bodies[2];
  };
  EXPECT_EQ(last(0.8, false), smallestCapsule());
  EXPECT_EQ(last(4.0, false), capsulePrior(Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), 0.4));
  EXPECT_EQ(last(4.0, true), smallestCapsule());
}

TEST(PriorBodies, AMassFarBelowThatOfTheOtherBodiesIsAPlaceholder) {
  for (const double mass : {1e-9, 1e-5, 1e-3}) {
    const Priors prior(chain(ball(1.5, 0.05), ball(1.0, 0.05), ball(mass, 0.05)));
    EXPECT_THAT(prior.sources, ElementsAre("urdf", "urdf", "capsule")) << mass;
    const InertialParameters expected = 0.01 * 1.0 / smallestCapsule()(0) * smallestCapsule();
    EXPECT_LT((prior.bodies[2] - expected).norm(), 1e-12);
  }
}

// A robot of millimetres is as light as the placeholders of others.
TEST(PriorBodies, AllBodiesOfATinyRobotAreUsed) {
  const Robot robot = chain(ball(2e-5, 0.02), ball(1e-5, 0.02), ball(1e-6, 0.02));
  const Priors prior(robot);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(prior.bodies[k], *robot.bodies[k].prior) << k;
}

TEST(PriorBodies, MomentsOfAPointBecomeThoseOfACapsule) {
  const Robot robot = chain(ball(2.0, 0.05), ball(2.0, 0.001), ball(0.5, 0.05));
  const Priors prior(robot);
  EXPECT_THAT(prior.sources, ElementsAre("urdf", "capsule", "urdf"));
  const CenterOfMassInertia body = centerOfMassInertia(prior.bodies[1]),
                            capsule = centerOfMassInertia(smallestCapsule());
  EXPECT_NEAR(body.mass, 2.0, 1e-12);
  EXPECT_LT((body.com - Eigen::Vector3d(0, 0, 0.02)).norm(), 1e-9);
  EXPECT_LT((body.inertia_about_com - 2.0 / capsule.mass * capsule.inertia_about_com).norm(), 1e-9);
  EXPECT_EQ(prior.bodies[2], *robot.bodies[2].prior);
}

// The centre of mass is far from the joint, so that the body is larger than its capsule.
TEST(PriorBodies, MomentsOfAPointFarFromItsJointAreThoseOfALargeBody) {
  const Robot robot = chain(ball(2.0, 0.05), ball(2.0, 0.01, 0.5), ball(2.0, 0.04, 0.5));
  const Priors prior(robot);
  const CenterOfMassInertia body = centerOfMassInertia(prior.bodies[1]);
  EXPECT_NEAR(0.5 * body.inertia_about_com.trace(), 2.0 * 0.5 * 0.5, 1e-9);
  EXPECT_EQ(prior.bodies[2], *robot.bodies[2].prior);
}

}  // namespace
}  // namespace dynid
