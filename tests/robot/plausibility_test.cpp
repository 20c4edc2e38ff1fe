#include "dynid/robot/plausibility.h"

#include "dynid/robot/load_robot.h"

#include <gmock/gmock.h>

#include "test_texts.h"
#include <fmt/format.h>

namespace dynid {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

InertialParameters diagonal(double mass,
                            double xx,
                            double yy,
                            double zz,
                            const Eigen::Vector3d& com = Eigen::Vector3d::Zero()) {
  return inertialFromCenterOfMass(mass, com, Eigen::Vector3d(xx, yy, zz).asDiagonal());
}

TEST(Plausibility, AUniformBallIsFineAndHasItsOwnDensity) {
  const double radius = 0.1, density = 2700.0;
  const double mass = density * 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius;
  const double moment = 0.4 * mass * radius * radius;
  const Plausibility ball =
      plausibilityOf("ball", diagonal(mass, moment, moment, moment, {0.3, 0.2, 0.1}));
  EXPECT_TRUE(ball.physical);
  EXPECT_THAT(ball.problems, IsEmpty());
  EXPECT_NEAR(ball.smallest_density, density, 1e-8 * density);
  EXPECT_NEAR(ball.triangle_gap, 1.0, 1e-12);
  EXPECT_GT(ball.pseudo_inertia_min_eigenvalue, 0.0);
  EXPECT_TRUE(usableAsPrior(diagonal(mass, moment, moment, moment, {0.3, 0.2, 0.1})));
}

TEST(Plausibility, ATriangleViolationIsSaidInTheLinksAxes) {
  const Plausibility bad = plausibilityOf("X", diagonal(1.0, 0.050, 0.047, 0.100));
  EXPECT_FALSE(bad.physical);
  EXPECT_THAT(bad.problems,
              ElementsAre("link X: Ixx + Iyy < Izz by 3 %: no body has such an inertia"));
  EXPECT_LT(bad.pseudo_inertia_min_eigenvalue, 0.0);
  EXPECT_FALSE(usableAsPrior(diagonal(1.0, 0.050, 0.047, 0.100)));
}

TEST(Plausibility, ARotatedTriangleViolationIsSaidInPrincipalAxes) {
  const Eigen::Matrix3d R = rotationFromRpy({0.7, 0.6, 0.5});
  const Eigen::Matrix3d I = R * Eigen::Vector3d(0.050, 0.047, 0.100).asDiagonal() * R.transpose();
  EXPECT_THAT(
      plausibilityOf("X", inertialFromCenterOfMass(1.0, Eigen::Vector3d::Zero(), I)).problems,
      ElementsAre("link X: the two smaller principal moments sum to 3 % less than the largest: no "
                  "body has such an "
                  "inertia"));
}

TEST(Plausibility, NegativeMassesAndMomentsAreNamed) {
  EXPECT_THAT(plausibilityOf("X", diagonal(-2.0, 1, 1, 1)).problems,
              ElementsAre("link X: a mass of -2 kg is not positive"));
  EXPECT_THAT(
      plausibilityOf("X", diagonal(1.0, -0.1, 1, 1)).problems,
      ElementsAre("link X: the principal moment -0.1 kg m^2 about the centre of mass is negative"));
  EXPECT_FALSE(usableAsPrior(diagonal(-2.0, 1, 1, 1)));
}

TEST(Plausibility, FlatBodiesExistButAreNoPriors) {
  const Plausibility plate = plausibilityOf("X", diagonal(1.0, 0.5, 0.5, 1.0));
  EXPECT_TRUE(plate.physical);
  EXPECT_THAT(plate.problems,
              ElementsAre(HasSubstr("all of the mass lies in a plane, a line or a point")));
  EXPECT_FALSE(usableAsPrior(diagonal(1.0, 0.5, 0.5, 1.0)));
  EXPECT_THAT(plausibilityOf("X", diagonal(1.0, 0, 0, 0)).problems,
              ElementsAre(HasSubstr("a plane, a line or a point")));
}

TEST(Plausibility, MixedUpUnitsShowInTheDensity) {
  EXPECT_THAT(plausibilityOf("X", diagonal(2000.0, 0.008, 0.008, 0.008)).problems,
              ElementsAre(HasSubstr("more than any; check the units")));
  EXPECT_THAT(plausibilityOf("X", diagonal(2.0, 8.0, 8.0, 8.0)).problems,
              ElementsAre(HasSubstr("far lighter than foam")));
}

TEST(Plausibility, EveryLinkWithAnInertiaIsJudged) {
  const std::string good =
      "<inertial><mass value=\"1\"/><inertia ixx=\"0.01\" iyy=\"0.01\" izz=\"0.01\"/></inertial>";
  const std::string bad =
      "<inertial><mass value=\"1\"/><inertia ixx=\"0.01\" iyy=\"0.01\" izz=\"0.04\"/></inertial>";
  const Robot robot =
      parseRobot("",
                 urdf(link("base", bad) + link("a", good) + link("b", bad) + link("c") +
                      joint("j", "revolute", "base", "a") + joint("f", "fixed", "a", "b") +
                      joint("k", "revolute", "b", "c")));
  const std::vector<Plausibility> all = plausibilityOf(robot);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].name, "base");
  EXPECT_EQ(all[2].name, "b");
  EXPECT_THAT(
      robot.warnings,
      ElementsAre(
          "no body has these principal moments (two sum to less than the third): links "
          "base, b",
          "the described inertia is not usable as a prior: identification uses a capsule from "
          "joint to joint instead (dynid check reports what is wrong with each link): bodies a"));
}

std::string chainOf(double offset, double mass) {
  std::string urdf = "<robot name='arm'><link name='l0'/>";
  for (int j = 1; j <= 3; ++j)
    urdf += fmt::format(
        "<link name='l{0}'><inertial><mass value='{2}'/>"
        "<inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
        "<joint name='j{0}' type='continuous'><parent link='l{1}'/><child link='l{0}'/>"
        "<origin xyz='{3} 0 0'/><axis xyz='0 1 0'/></joint>",
        j,
        j - 1,
        mass,
        j == 2 ? 2.0 * offset : offset);
  return urdf + "</robot>";
}

TEST(LengthsInMillimetres, AreNamedWithWhatWasFound) {
  const Robot robot = parseRobot("", chainOf(150.0, 3.0));
  const std::optional<LengthFault> fault = lengthsInMillimetres(robot);
  ASSERT_TRUE(fault);
  EXPECT_DOUBLE_EQ(fault->reach, 600.0);
  EXPECT_EQ(fault->message,
            "the description seems to be in millimetres: the offset of j2 is 300 m and the longest "
            "chain of joints 600 m, for links of 9 kg together");
  EXPECT_THAT(fault->remedy, HasSubstr("by 0.001 and every moment of inertia by 1e-6"));
  EXPECT_THAT(robot.warnings, ::testing::Contains(HasSubstr(fault->message)));
}

/// An arm of four links; the numbers are lengths [m].
std::string armWith(double offset, double centre) {
  std::string urdf = "<robot name='arm'><link name='l0'/>";
  for (int j = 1; j <= 4; ++j)
    urdf += fmt::format(
        "<link name='l{0}'><inertial><origin xyz='0 {3} 0'/><mass value='2'/>"
        "<inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
        "<joint name='j{0}' type='continuous'><parent link='l{1}'/><child link='l{0}'/>"
        "<origin xyz='{2} 0 0'/><axis xyz='0 1 0'/></joint>",
        j,
        j - 1,
        j == 3 ? offset : 0.2,
        j == 2 ? centre : 0.1);
  return urdf + "</robot>";
}

TEST(Plausibility, ACentreOfMassFarBeyondTheMomentsIsAProblem) {
  const InertialParameters pi =
      inertialFromCenterOfMass(2.0, Eigen::Vector3d(0, 100, 0), 0.01 * Eigen::Matrix3d::Identity());
  EXPECT_FALSE(usableAsPrior(pi));
  EXPECT_THAT(plausibilityOf("a", pi).problems,
              ElementsAre("link a: the centre of mass lies 100 m from the link's origin, 1.2e+03 "
                          "times the radius of gyration; check the units (m, kg m^2)"));
}

TEST(OffsetsInMillimetres, OneAmongOthersInMetresIsNamed) {
  EXPECT_THAT(parseRobot("", armWith(150.0, 0.1)).warnings,
              ElementsAre("offsets of more than 5 m and 100 times the robot's others, as if in "
                          "millimetres: joints j3"));
  EXPECT_THAT(parseRobot("", armWith(0.25, 0.1)).warnings, ::testing::IsEmpty());
  EXPECT_THAT(parseRobot("", armWith(12.0, 0.1)).warnings, ::testing::IsEmpty());  // a ladder
}

TEST(Plausibility, ACentreOfMassBeyondTheRobotIsAProblem) {
  const Robot robot = parseRobot("", armWith(0.2, 3.0));
  const std::vector<Plausibility> all = plausibilityOf(robot);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_TRUE(all[1].physical);
  EXPECT_THAT(
      all[1].problems,
      ElementsAre("link l2: the centre of mass lies 3 m from the link's origin, the robot is "
                  "0.6 m long; check its unit (m)"));
  EXPECT_THAT(all[0].problems, ::testing::IsEmpty());
  EXPECT_THAT(robot.warnings,
              ElementsAre("the centre of mass lies farther from the link's origin than twice the "
                          "length of the robot; check its unit: links l2"));
  EXPECT_THAT(parseRobot("", armWith(0.2, 0.5)).warnings, ::testing::IsEmpty());
}

// Three slides with their frames on one another: the machine is as large as its strokes.
TEST(Reach, AGantryIsAsLargeAsItsStrokes) {
  std::string urdf = "<robot name='gantry'><link name='base'/>";
  std::string parent = "base";
  for (const std::string axis : {"1 0 0", "0 1 0", "0 0 1"}) {
    const std::string link = "link" + axis;
    urdf += "<link name='" + link + "'/><joint name='slide" + axis +
            "' type='prismatic'><parent link='" + parent + "'/><child link='" + link +
            "'/><axis xyz='" + axis +
            "'/><limit lower='-0.4' upper='0.6' velocity='1' effort='100'/></joint>";
    parent = link;
  }
  EXPECT_NEAR(reachOf(parseRobot("", urdf + "</robot>")), 3.0, 1e-12);
}

TEST(LongestChain, IsThatOfOneBranch) {
  const Robot robot = parseRobot("", chainOf(0.3, 3.0));
  EXPECT_GT(longestChain(robot), 0.0);
  Robot two = robot;  // a second branch of the same links
  for (Body body : robot.bodies) {
    if (body.parent >= 0) body.parent += robot.numBodies();
    two.bodies.push_back(body);
  }
  EXPECT_EQ(longestChain(two), longestChain(robot));
  EXPECT_LE(longestChain(robot), reachOf(robot));
}

TEST(LengthsInMillimetres, ALargeMachineIsNone) {
  EXPECT_FALSE(lengthsInMillimetres(parseRobot("", chainOf(0.3, 3.0))));
  EXPECT_FALSE(lengthsInMillimetres(parseRobot("", chainOf(20.0, 2e4))));  // a crane of 80 m
  EXPECT_FALSE(lengthsInMillimetres(parseRobot("", chainOf(50.0, 1e3))));  // 15 kg/m
}

}  // namespace
}  // namespace dynid
