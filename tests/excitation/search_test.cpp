#include "dynid/excitation/search.h"

#include "dynid/excitation/design.h"
#include "dynid/robot/load_robot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "three_joint_problem.h"
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace dynid {
namespace {

// A child process that is killed is counted, and the others go on.
TEST(Search, AProcessThatEndsEarlyIsCounted) {
  const SearchProblem problem = threeJointProblem(1);
  SearchOptions options;
  options.threads = options.starts = 2;
  options.seconds = 0.0;
  options.hops = 0;
  EXPECT_EQ(searchTrajectory(problem, options).lost_processes, 0);

  bool killed = false;
  const auto kill_one = [&](const std::string&, double) {
    if (killed) return;
    std::ifstream children("/proc/self/task/" + std::to_string(gettid()) + "/children");
    pid_t child = 0;
    if (children >> child) killed = kill(child, SIGKILL) == 0;
  };
  options.hops = 20;
  const SearchResult result = searchTrajectory(problem, options, kill_one);
  if (!killed) GTEST_SKIP() << "Linux does not list the children of a process";
  EXPECT_EQ(result.lost_processes, 1);
  EXPECT_EQ(result.finished_chains, 1);
  EXPECT_TRUE(std::isfinite(result.best.score));
}

// In a search that ends at once, the best of the random motions is the result, and the design says
// so.
TEST(Search, BeginsWithTheBestRandomMotionWithinTheLimits) {
  SearchProblem problem = threeJointProblem(1);
  SearchOptions options;
  options.threads = 1;
  options.seconds = 1e-6;
  const SearchResult free = searchTrajectory(problem, options);
  EXPECT_TRUE(free.random());
  EXPECT_FALSE(free.poor());
  EXPECT_EQ(free.best.score, free.reference);

  problem.limits.effort.setConstant(1e-3);
  const SearchResult weak = searchTrajectory(problem, options);
  EXPECT_EQ(weak.reference, free.reference) << "without regard to efforts";
  EXPECT_TRUE(std::isinf(weak.best.score)) << "but not within their limits";
  EXPECT_FALSE(weak.random());
}

TEST(DesignExcitation, NeedsARobot) {
  EXPECT_THROW(designExcitation(nullptr, {}), std::invalid_argument);
}

TEST(DesignExcitation, SaysThatAPeriodIsTooLongForTheSpeedOfTheRobot) {
  const auto robot = std::make_shared<const Robot>(
      loadRobot(std::filesystem::path(DYNID_DATASETS_DIR) / "quickstart" / "arm.toml"));
  ExcitationOptions options;
  options.search.seconds = 1.0;
  options.harmonics = 2;
  const auto slowness = [&](double duration_s) {
    options.duration_s = duration_s;
    for (const std::string& note : designExcitation(robot, options).notes)
      if (note.find("of the velocity limit of") != std::string::npos) return note;
    return std::string();
  };
  EXPECT_EQ(slowness(4.0), "");
  EXPECT_THAT(slowness(80.0), testing::HasSubstr("is 0.025 Hz, which is low for this robot"));
}

}  // namespace
}  // namespace dynid
