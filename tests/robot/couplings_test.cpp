#include "dynid/robot/couplings.h"

#include <Eigen/LU>
#include <gmock/gmock.h>

#include "test_texts.h"

namespace dynid {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kGroup = "[[transmission]]\njoints = [\"j2\", \"j3\"]\n";

TEST(Couplings, WithoutAGroupActuatorsAreTheJoints) {
  const Robot robot = parseRobot("", threeJoints());
  EXPECT_EQ(robot.T, Eigen::MatrixXd::Identity(3, 3));
  EXPECT_EQ(robot.transmission_offset, Eigen::VectorXd::Zero(3));
  EXPECT_THAT(robot.actuatorNames(), ElementsAre("j1", "j2", "j3"));
  EXPECT_THAT(robot.logColumnNames(), ElementsAre("j1", "j2", "j3"));
}

TEST(Couplings, MatrixGoesToTheRowsAndColumnsOfItsJoints) {
  const Robot robot = parseRobot(
      "[[transmission]]\njoints = [\"j3\", \"j1\"]\nactuators = [\"m3\", \"m1\"]\nmatrix = [[1, "
      "2], [3, 4]]\n"
      "offset = [0.1, 0.2]\nmeasured = \"actuator\"\n",
      threeJoints());
  EXPECT_EQ(robot.T, (Eigen::Matrix3d{{4, 0, 3}, {0, 1, 0}, {2, 0, 1}}));
  EXPECT_EQ(robot.transmission_offset, Eigen::Vector3d(0.2, 0, 0.1));
  EXPECT_THAT(robot.actuatorNames(), ElementsAre("m1", "j2", "m3"));
  EXPECT_THAT(robot.logColumnNames(), ElementsAre("m1", "j2", "m3"));
}

TEST(Couplings, CouplingMatrixIsTheInverse) {
  const std::string C = "[[45, 0], [32, 32]]";
  const Robot robot = parseRobot(std::string(kGroup) + "coupling_matrix = " + C, threeJoints());
  const Eigen::Matrix2d expected = Eigen::Matrix2d{{45, 0}, {32, 32}}.inverse();
  EXPECT_LT((robot.T.bottomRightCorner<2, 2>() - expected).norm(), 1e-16);
  EXPECT_THAT(robot.logColumnNames(), ElementsAre("j1", "j2", "j3"));
  EXPECT_EQ(robot.measured_at_actuator, (std::vector<bool>{false, false, false}));
}

TEST(Couplings, DrivesAreDescribedByJointOrByActuator) {
  const Robot robot = parseRobot(
      std::string(kGroup) +
          "actuators = [\"m2\", \"m3\"]\nmatrix = [[1, 0], [-1, 1]]\n"
          "[joint.j2]\nfriction = [\"viscous\"]\nposition_effects = [{ type = \"spring\" }]\n"
          "[joint.m3]\nfriction = [\"coulomb\"]\nposition_effects = [{ type = \"spring\" }]\n"
          "[joint.j3]\nlimits = { velocity = 3.0 }\n",
      threeJoints());
  EXPECT_EQ(robot.drives[1].friction[0], FrictionEffect::kViscous);
  EXPECT_FALSE(robot.drives[1].position_effects[0].at_actuator);
  EXPECT_EQ(robot.drives[2].friction[0], FrictionEffect::kCoulomb);
  EXPECT_TRUE(robot.drives[2].position_effects[0].at_actuator);
  EXPECT_EQ(robot.joints[2].limits.velocity, 3.0);
}

TEST(Couplings, WhatDoesNotFitIsRefused) {
  const auto error = [](const std::string& more) { return descriptionError(kGroup + more); };
  const std::string matrix = "matrix = [[1, 0], [-1, 1]]\n";
  EXPECT_THAT(error(""), HasSubstr("[[transmission]]: needs matrix or coupling_matrix"));
  EXPECT_THAT(error(matrix + "coupling_matrix = [[1, 0], [0, 1]]"),
              HasSubstr("has both matrix and coupling_matrix; keep one"));
  EXPECT_THAT(error("matrix = [[1, 2], [2, 4]]"),
              HasSubstr("robot.toml:3: [[transmission]] matrix: is singular"));
  EXPECT_THAT(error("matrix = [[0, 0], [0, 0]]"), HasSubstr("is singular"));
  EXPECT_THAT(error("matrix = [[1, 0]]"), HasSubstr("2 rows of 2 numbers are expected"));
  EXPECT_THAT(error(matrix + "actuators = [\"m\"]"), HasSubstr("as many names as joints (2)"));
  EXPECT_THAT(error(matrix + "offset = [1]"), HasSubstr("as many numbers as joints (2)"));
  EXPECT_THAT(error(matrix + "measured = \"motor\""), HasSubstr("(one of: joint, actuator)"));
  EXPECT_THAT(error(matrix + "actuators = [\"m\", \"m\"]"),
              HasSubstr("name of another actuator or joint"));
  EXPECT_THAT(error(matrix + "actuators = [\"j1\", \"m\"]"),
              HasSubstr("name of another actuator or joint"));
  EXPECT_THAT(error(matrix + "[joint.j2]\ngear_ratio = 45"),
              HasSubstr("whose matrix holds the ratios already; remove gear_ratio"));
  EXPECT_THAT(error(matrix + "actuators = [\"m2\", \"m3\"]\n[joint.m2]\ngear_ratio = 45"),
              HasSubstr("remove gear_ratio"));
  EXPECT_THAT(
      error(matrix + "actuators = [\"m2\", \"m3\"]\n[joint.m2]\nlimits = { effort = 1 }"),
      HasSubstr("limits belong to a joint, and \"m2\" is an actuator; put them into [joint.j2]"));
  EXPECT_THAT(
      error(matrix +
            "actuators = [\"m2\", \"m3\"]\n[joint.m2]\ndrive_gain = 1\n[joint.j2]\ndrive_gain = 2"),
      HasSubstr("the same drive is described under \"j2\" and under \"m2\""));
  EXPECT_THAT(error(matrix + "[[transmission]]\njoints = [\"j3\"]\nmatrix = [[1]]"),
              HasSubstr("joint \"j3\" is named twice"));
  EXPECT_THAT(descriptionError("[[transmission]]\njoints = [\"j7\"]\nmatrix = [[1]]"),
              HasSubstr("has no moving joint \"j7\""));
  EXPECT_THAT(descriptionError("[[transmission]]\nmatrix = [[1]]"), HasSubstr("needs joints"));
  EXPECT_THAT(descriptionError("ignore = [\"j3\"]\n" + std::string(kGroup) + matrix),
              HasSubstr("joint \"j3\" is ignored or excluded"));
}

TEST(Couplings, MimicsHaveNoDrive) {
  const std::string text =
      urdf(link("base") + link("a") + link("b") + joint("j1", "revolute", "base", "a") +
           joint("j2", "revolute", "a", "b", "<mimic joint=\"j1\"/>"));
  EXPECT_THAT(inputError([&] { parseRobot("[joint.j2]\ngear_ratio = 2", text); }),
              HasSubstr("joint \"j2\" mimics \"j1\" and has no drive; describe that joint"));
}

}  // namespace
}  // namespace dynid
