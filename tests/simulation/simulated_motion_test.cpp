#include "dynid/simulation/simulated_motion.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace dynid {
namespace {

TEST(MotionOf, ShapesThatDoNotFitAreRefused) {
  FourierSeries series;
  series.fundamental_hz = 0.1;
  series.a = series.b = Eigen::MatrixXd::Ones(2, 3);
  series.offset = Eigen::Vector2d::Zero();
  EXPECT_NO_THROW(evaluate(series, 1.0));
  const auto refused = [&](const auto& change) {
    FourierSeries changed = series;
    change(changed);
    EXPECT_THROW(evaluate(changed, 1.0), std::invalid_argument);
  };
  refused([](FourierSeries& s) { s.fundamental_hz = 0.0; });
  refused([](FourierSeries& s) { s.b.resize(2, 2); });
  refused([](FourierSeries& s) { s.b.resize(1, 3); });
  refused([](FourierSeries& s) { s.offset.resize(1); });

  TrajectoryFile trajectory;
  trajectory.joint_names = {"one", "two"};
  trajectory.time = Eigen::VectorXd::LinSpaced(10, 0.0, 0.9);
  trajectory.position = Eigen::MatrixXd::Zero(10, 2);
  trajectory.velocity = trajectory.acceleration = trajectory.position;
  EXPECT_NO_THROW(motionOf(trajectory).at(0.5));
  trajectory.acceleration = Eigen::MatrixXd::Zero(5, 2);
  EXPECT_THROW(motionOf(trajectory), std::invalid_argument);
}

}  // namespace
}  // namespace dynid
