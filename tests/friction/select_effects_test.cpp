#include "dynid/friction/select_effects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "friction/simulated_friction.h"
#include "support/random_robot.h"
#include <algorithm>

namespace dynid {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

constexpr double kNoise = 0.01;
constexpr std::uint64_t kSeeds = 4;  // experiments/friction_selection uses 100

std::shared_ptr<const Robot> twoJoints(std::uint64_t seed) {
  RandomRobotOptions options;
  options.joints = 2;
  return std::make_shared<const Robot>(randomRobot(seed, options));
}

TEST(SelectEffects, CoulombAndViscousFrictionNeedNothingElse) {
  int chosen_in_vain = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    for (const SelectedFriction& own :
         selectedFriction(twoJoints(seed), {.coulomb = 0.2}, seed, kNoise)) {
      EXPECT_EQ(own.sign_model.presliding, 0.0) << "seed " << seed;
      EXPECT_FALSE(own.usesStandstill);
      chosen_in_vain += static_cast<int>(own.optional.size());
    }
  EXPECT_EQ(chosen_in_vain, 0);
}

TEST(SelectEffects, ViscousFrictionAloneNeedsNothingElse) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    for (const SelectedFriction& own : selectedFriction(twoJoints(seed), {}, seed, kNoise)) {
      EXPECT_THAT(own.optional, IsEmpty()) << "seed " << seed;
      EXPECT_EQ(own.sign_model.presliding, 0.0) << "seed " << seed;
    }
}

TEST(SelectEffects, StribeckFrictionIsFound) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    for (const SelectedFriction& own :
         selectedFriction(twoJoints(seed),
                          {.coulomb = 0.2, .stribeck = 0.15, .stribeck_velocity = 0.25},
                          seed,
                          kNoise))
      EXPECT_THAT(own.optional, Contains(FrictionEffect::kStribeck)) << "seed " << seed;
}

TEST(SelectEffects, PreslidingIsFoundAndItsRowsAtStandstillCount) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    for (const SelectedFriction& own :
         selectedFriction(twoJoints(seed), {.coulomb = 0.3, .presliding = 3e-3}, seed, kNoise)) {
      EXPECT_GE(own.sign_model.presliding, 1e-3) << "seed " << seed;
      EXPECT_LE(own.sign_model.presliding, 1e-2) << "seed " << seed;
      EXPECT_TRUE(own.usesStandstill);
    }
}

TEST(SelectEffects, FrictionOfTheTransmittedTorqueIsFound) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    for (const SelectedFriction& own :
         selectedFriction(twoJoints(seed), {.coulomb = 0.1, .transmitted = 0.15}, seed, kNoise))
      EXPECT_THAT(own.optional, Contains(FrictionEffect::kLoad)) << "seed " << seed;
}

TEST(SelectEffects, TheRuleForRowsAtStandstillLooksAtTheFittedColumns) {
  const auto robot = twoJoints(1);
  ParameterLayout layout = inertialLayout(*robot);
  const int first = layout.size();
  for (int a = 0; a < 2; ++a) layout.append(frictionColumn(*robot, a, FrictionEffect::kCoulomb));
  Column presliding = layout[first + 1];
  presliding.presliding = 1e-3;
  layout.append(presliding);
  Column at_joint = presliding;
  at_joint.owner = 0;
  at_joint.at_joint = true;
  layout.append(at_joint);
  using ::testing::ElementsAre;
  const auto rule = [&](const std::vector<int>& columns) {
    return usesStandstillRows(layout, columns, 2, 3);
  };
  EXPECT_THAT(rule({0, first, first + 1}), ElementsAre(false, false, false));
  EXPECT_THAT(rule({0, first, first + 2}), ElementsAre(false, true, false));
  EXPECT_THAT(rule({0, first, first + 3}), ElementsAre(false, false, false));
}

}  // namespace
}  // namespace dynid
