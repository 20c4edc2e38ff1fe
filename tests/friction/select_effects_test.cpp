#include "dynid/friction/select_effects.h"

#include "dynid/math/random_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "friction/simulated_friction.h"
#include "support/random_robot.h"
#include <algorithm>

namespace dynid {
namespace {

using ::testing::AnyOf;
using ::testing::DoubleEq;
using ::testing::ElementsAre;
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
    for (const SelectedFriction& selected :
         selectedFriction(twoJoints(seed), {.coulomb = 0.2}, seed, kNoise)) {
      EXPECT_EQ(selected.sign_model.presliding, 0.0) << "seed " << seed;
      EXPECT_FALSE(selected.uses_standstill);
      chosen_in_vain += static_cast<int>(selected.optional.size());
    }
  EXPECT_EQ(chosen_in_vain, 0);
}

TEST(SelectEffects, ViscousFrictionAloneNeedsNothingElse) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    for (const SelectedFriction& selected : selectedFriction(twoJoints(seed), {}, seed, kNoise)) {
      EXPECT_THAT(selected.optional, IsEmpty()) << "seed " << seed;
      EXPECT_EQ(selected.sign_model.presliding, 0.0) << "seed " << seed;
    }
}

// With few rows 3 % of the error is less than what a term gains by chance.
TEST(SelectEffects, FewRowsChooseNothingByChance) {
  SelectionOptions only_share;
  only_share.min_chi_squared = 0.0;
  int by_chance = 0;
  for (std::uint64_t seed = 1; seed <= 3 * kSeeds; ++seed) {
    const auto select = [&](const SelectionOptions& options) {
      return selectedFriction(twoJoints(seed), {.coulomb = 0.2}, seed, 0.2, 60, options);
    };
    for (const SelectedFriction& selected : select({})) {
      EXPECT_THAT(selected.optional, IsEmpty()) << "seed " << seed;
      EXPECT_EQ(selected.sign_model.presliding, 0.0) << "seed " << seed;
    }
    for (const SelectedFriction& selected : select(only_share))
      by_chance += static_cast<int>(selected.optional.size());
  }
  EXPECT_GT(by_chance, 0);
}

TEST(SelectEffects, StribeckFrictionIsFound) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    for (const SelectedFriction& selected :
         selectedFriction(twoJoints(seed),
                          {.coulomb = 0.2, .stribeck = 0.15, .stribeck_velocity = 0.25},
                          seed,
                          kNoise))
      EXPECT_TRUE(selected.has(FrictionEffect::kStribeck)) << "seed " << seed;
}

TEST(SelectEffects, PreslidingIsFoundAndItsRowsAtStandstillCount) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    for (const SelectedFriction& selected :
         selectedFriction(twoJoints(seed), {.coulomb = 0.3, .presliding = 3e-3}, seed, kNoise)) {
      // 0.3 mm at a prismatic joint.
      EXPECT_THAT(selected.sign_model.presliding, AnyOf(3e-3, DoubleEq(3e-4))) << "seed " << seed;
      EXPECT_TRUE(selected.optional.empty()) << "seed " << seed;
      EXPECT_TRUE(selected.uses_standstill);
    }
}

// The shortest distance that is offered (0.3 mrad) leaves a little more in motion than the plain
// sign does. Hysteresis over a longer distance explained the standstill too, and left far more.
TEST(SelectEffects, PreslidingOverAShorterDistanceThanOfferedIsNoHysteresis) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    for (const SelectedFriction& selected :
         selectedFriction(twoJoints(seed), {.coulomb = 0.4, .presliding = 1e-4}, seed, 1e-3))
      EXPECT_EQ(selected.hysteresisDistance(), 0.0) << "seed " << seed;
}

TEST(SelectEffects, HysteresisIsFoundBesideCoulombFriction) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    for (const SelectedFriction& selected :
         selectedFriction(twoJoints(seed),
                          {.coulomb = 0.15, .hysteresis = 0.15, .hysteresis_distance = 3e-2},
                          seed,
                          kNoise)) {
      // 3 mm at a prismatic joint.
      EXPECT_THAT(selected.hysteresisDistance(), AnyOf(3e-2, DoubleEq(3e-3))) << "seed " << seed;
      EXPECT_EQ(selected.optional.size(), 1U) << "seed " << seed;
      EXPECT_EQ(selected.sign_model.presliding, 0.0) << "seed " << seed;
      EXPECT_TRUE(selected.uses_standstill);
    }
}

// The robot rests in two of eight blocks; presliding explains one rest and not the other, so that
// no gain over all samples is significant. The gain in motion is, and decides.
TEST(SelectEffects, PreslidingIsFoundByItsGainInMotion) {
  RandomRobotOptions options;
  options.joints = 1;
  const Robot robot = randomRobot(1, options);
  Column plain = frictionColumn(robot, 0, FrictionEffect::kCoulomb), presliding = plain;
  presliding.presliding = 1e-3;
  const CandidateLayout candidates = candidateLayout(robot, {{{}, {plain, presliding}, {}}});
  ChannelStatistics channel{candidates.sign_models[0], {}, {}};
  RandomStream random(1, 2);
  constexpr int kBlocks = 8, kRows = 50;
  for (int block = 0; block < kBlocks; ++block) {
    Eigen::MatrixXd moving(kRows, 3), still = Eigen::MatrixXd::Zero(kRows, 3);
    for (int i = 0; i < kRows; ++i) {
      const double sign = i % 2 == 0 ? 1.0 : -1.0, state = 0.9 * sign + 0.3 * random.normal();
      moving.row(i) << sign, state, state + 0.1 * random.normal();
    }
    still.col(1).setConstant(block < 2 ? 1.0 : 0.0);
    still.col(2).setConstant(block == 0 ? 1.0 : block == 1 ? 0.15 : 0.0);
    channel.moving.push_back(TriangularFactor::fromRows(moving, kRows));
    channel.standstill.push_back(TriangularFactor::fromRows(still, kRows));
  }
  const Statistics statistics{candidates.layout.size(), {channel}, std::vector<int>(kBlocks, 0)};
  const EffectChoice choice =
      selectEffects(statistics, candidates, {}, Eigen::VectorXd::Zero(candidates.layout.size()));
  EXPECT_EQ(choice.sign_model, std::vector<int>{1});
}

// A low-pass hides a narrow Stribeck curve nearly entirely, so that a fit may give it any height;
// predictions with less filtering would show it.
TEST(SelectEffects, AStribeckCurveFarAboveTheCoulombFrictionIsNone) {
  RandomRobotOptions one_joint;
  one_joint.joints = 1;
  const Robot robot = randomRobot(1, one_joint);
  const CandidateLayout candidates =
      candidateLayout(robot,
                      {{{},
                        {frictionColumn(robot, 0, FrictionEffect::kCoulomb)},
                        {{{frictionColumn(robot, 0, FrictionEffect::kStribeck, 0.1)}}}}});
  SelectionOptions options;
  options.highest_speed = Eigen::VectorXd::Ones(1);
  // The effort is sign + height column + noise.
  const auto chosen = [&](double height, double column_size) {
    ChannelStatistics channel{
        {candidates.sign_models[0][0], candidates.optional[0][0].columns[0]}, {}, {}};
    RandomStream random(1, 2);
    constexpr int kBlocks = 8, kRows = 200;
    for (int block = 0; block < kBlocks; ++block) {
      Eigen::MatrixXd moving(kRows, 3);
      for (int i = 0; i < kRows; ++i) {
        const double sign = i % 2 == 0 ? 1.0 : -1.0, curve = column_size * random.normal();
        moving.row(i) << sign, curve, sign + height * curve + 0.2 * random.normal();
      }
      channel.moving.push_back(TriangularFactor::fromRows(moving, kRows));
      channel.standstill.push_back(TriangularFactor::fromRows(Eigen::MatrixXd::Zero(1, 3), 1));
    }
    const Statistics statistics{candidates.layout.size(), {channel}, std::vector<int>(kBlocks, 0)};
    return selectEffects(
               statistics, candidates, {}, Eigen::VectorXd::Zero(candidates.layout.size()), options)
        .optional[0];
  };
  EXPECT_THAT(chosen(0.8, 0.25), ElementsAre(0));
  EXPECT_THAT(chosen(200.0, 0.001), IsEmpty());
}

// Two of eight parts of the log have no such curve: the gain is 1.9 of its standard errors.
TEST(SelectEffects, AStribeckCurveThatAQuarterOfTheLogContradictsIsNone) {
  RandomRobotOptions one_joint;
  one_joint.joints = 1;
  const Robot robot = randomRobot(1, one_joint);
  const auto chosen = [&](FrictionEffect effect, int blocks_with_it) {
    const CandidateLayout candidates = candidateLayout(
        robot,
        {{{},
          {frictionColumn(robot, 0, FrictionEffect::kCoulomb)},
          {{{frictionColumn(
              robot, 0, effect, effect == FrictionEffect::kStribeck ? 0.1 : 0.0)}}}}});
    ChannelStatistics channel{
        {candidates.sign_models[0][0], candidates.optional[0][0].columns[0]}, {}, {}};
    RandomStream random(1, 2);
    constexpr int kBlocks = 8, kRows = 100;
    for (int block = 0; block < kBlocks; ++block) {
      const double height = block < blocks_with_it ? 1.0 : 0.0;
      Eigen::MatrixXd moving(kRows, 3);
      for (int i = 0; i < kRows; ++i) {
        const double sign = i % 2 == 0 ? 1.0 : -1.0, column = random.normal();
        moving.row(i) << sign, column, sign + height * column + 0.1 * random.normal();
      }
      channel.moving.push_back(TriangularFactor::fromRows(moving, kRows));
      channel.standstill.push_back(TriangularFactor::fromRows(Eigen::MatrixXd::Zero(1, 3), 1));
    }
    const Statistics statistics{candidates.layout.size(), {channel}, std::vector<int>(kBlocks, 0)};
    return selectEffects(
               statistics, candidates, {}, Eigen::VectorXd::Zero(candidates.layout.size()))
        .optional[0];
  };
  EXPECT_THAT(chosen(FrictionEffect::kStribeck, 6), IsEmpty());
  EXPECT_THAT(chosen(FrictionEffect::kStribeck, 8), ElementsAre(0));
  EXPECT_THAT(chosen(FrictionEffect::kQuadraticViscous, 6), ElementsAre(0));
}

TEST(SelectEffects, FrictionOfTheTransmittedTorqueIsFound) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    for (const SelectedFriction& selected :
         selectedFriction(twoJoints(seed), {.coulomb = 0.1, .transmitted = 0.15}, seed, kNoise))
      EXPECT_TRUE(selected.has(FrictionEffect::kLoad)) << "seed " << seed;
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
  const auto rule = [&](const std::vector<int>& columns) {
    return standstillWeights(layout, columns, 2, 3);
  };
  EXPECT_THAT(rule({0, first, first + 1}), ElementsAre(0.0, 0.0, 0.0));
  EXPECT_THAT(rule({0, first, first + 2}), ElementsAre(0.0, 0.03, 0.0));
  EXPECT_THAT(rule({0, first, first + 3}), ElementsAre(0.0, 0.0, 0.0));
}

}  // namespace
}  // namespace dynid
