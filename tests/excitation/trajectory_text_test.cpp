#include "dynid/excitation/trajectory_text.h"

#include "dynid/excitation/excitation_design.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace dynid {
namespace {

TEST(TrajectoryText, NamesWithCommasAndQuotesAreOneFieldOfTheCsv) {
  TrajectoryFile trajectory;
  trajectory.joint_names = {"plain", "j,1 \"x\""};
  trajectory.time = Eigen::VectorXd::Zero(1);
  for (auto* values : {&trajectory.position, &trajectory.velocity, &trajectory.acceleration})
    *values = Eigen::MatrixXd::Zero(1, 2);
  EXPECT_EQ(trajectoryCsv(trajectory),
            "time,plain.position,\"j,1 \"\"x\"\".position\",plain.velocity,"
            "\"j,1 \"\"x\"\".velocity\",plain.acceleration,\"j,1 \"\"x\"\".acceleration\"\n"
            "0,0,0,0,0,0,0\n");
}

// A condition number that rounding leaves below the limit does not hide an unknown parameter.
TEST(ExcitationDesign, IsPoorWithAnInfiniteForecast) {
  ExcitationDesign design;
  design.condition_number = 5.4e7;
  design.search.best.score = 1.0;
  design.forecast.resize(2);
  EXPECT_FALSE(design.poor());
  design.forecast[1].std_dev = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(design.singular() && design.poor());
  EXPECT_THAT(poorMotionText(design), testing::HasSubstr("have no influence of their own"));
}

}  // namespace
}  // namespace dynid
