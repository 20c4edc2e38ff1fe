#pragma once

#include "dynid/excitation/motion_limits.h"
#include "dynid/excitation/search_problem.h"
#include "dynid/excitation/sought_parameters.h"

#include "support/random_robot.h"
#include <cstdint>
#include <memory>

namespace dynid {

/// The search for a motion of 10 s with two harmonics, for a random robot with three joints.
inline SearchProblem threeJointProblem(std::uint64_t seed) {
  RandomRobotOptions options;
  options.joints = 3;
  options.mimic = options.coupling = 0.0;
  SearchProblem problem;
  problem.robot = std::make_shared<const Robot>(randomRobot(seed, options));
  problem.sought = soughtParameters(problem.robot, true);
  problem.limits = motionLimits(*problem.robot, {});
  problem.harmonics = 2;
  problem.period_s = 10.0;
  problem.criterion = Criterion::kD;
  problem.weights = Eigen::VectorXd::Ones(3);
  return problem;
}

}  // namespace dynid
