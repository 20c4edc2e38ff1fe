#include "dynid/identification/slow_motion.h"

#include <gtest/gtest.h>

#include "model/synthetic_model.h"

namespace dynid {
namespace {

Finding slow(int joint, double share) {
  return {Finding::Severity::kNote, "speed-low", joint, "slow", share, "faster"};
}

TEST(SlowMotion, NamesJointsThatAreSlowInAllLogs) {
  Model model = testing::syntheticModel();
  model.provenance.logs.resize(2);
  const std::vector<std::string> names = model.robot->logColumnNames();
  EXPECT_EQ(slowMotion(model, {{slow(0, 0.12), slow(1, 0.05)}, {slow(0, 0.08)}}),
            "the logs reach a small part of the velocity limit of " + names[0] +
                " 12 %: friction and inertia above these speeds are extrapolated; record faster "
                "motion (dynid excite)");
  EXPECT_EQ(slowMotion(model, {{slow(1, 0.05)}, {}}), "");
  EXPECT_EQ(slowMotion(model, {{slow(1, 0.05)}}), "");  // the other is of statistics
}

}  // namespace
}  // namespace dynid
