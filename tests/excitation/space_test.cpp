#include "dynid/excitation/space.h"

#include "dynid/excitation/space_check.h"
#include "dynid/excitation/space_rows.h"
#include "dynid/math/random_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/random_robot.h"
#include <cmath>

namespace dynid {
namespace {

using testing::HasSubstr;

Eigen::VectorXd constant(int n, double value) { return Eigen::VectorXd::Constant(n, value); }

// Thin capsules on a random tree with prismatic and mimic bodies, and one of every other obstacle.
struct Scene {
  explicit Scene(std::uint64_t seed) {
    auto made = std::make_shared<Robot>(randomRobot(seed));
    robot = made;
    options.link_radius = 0.01;
    Surroundings::Box box;
    box.name = "crate";
    box.center = {0.3, -0.2, 0.4};
    box.half = {0.2, 0.3, 0.1};
    box.R = rotationFromRpy({0.2, 0.5, -0.7});
    options.surroundings.boxes = {box};
    options.surroundings.ground = -0.5;
    options.surroundings.workspace =
        Surroundings::Workspace{made->bodies.back().name, {-1, -1, -1}, {1, 1, 1}, 0};
    const int n = made->numJoints();
    lower = constant(n, -1.5);
    upper = constant(n, 1.5);
    space = std::make_shared<const Space>(robot, options, lower, upper, constant(n, 0.1));
  }
  std::shared_ptr<const Robot> robot;
  SpaceOptions options;
  Eigen::VectorXd lower, upper;
  std::shared_ptr<const Space> space;
};

Eigen::VectorXd randomPosture(RandomStream& random, int n) {
  Eigen::VectorXd q(n);
  for (double& value : q) value = random.uniform(-1.5, 1.5);
  return q;
}

// Where nearest points jump (parallel segments, the centre of a box) there is no derivative. Such
// gaps are detected from the two one-sided differences and skipped; most gaps are smooth.
TEST(Space, SlopesAreTheDerivatives) {
  int compared = 0, jumps = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Scene scene(seed);
    const int n = scene.robot->numJoints();
    RandomStream random(seed, 2);
    for (int i = 0; i < 20; ++i) {
      const Eigen::VectorXd q = randomPosture(random, n), way = randomPosture(random, n);
      Eigen::VectorXd here;
      Eigen::MatrixXd slopes;
      scene.space->evaluate(q, here, &slopes);
      const auto at = [&](double h) {
        Eigen::VectorXd values;
        scene.space->evaluate(q + h * way, values, nullptr);
        return values;
      };
      const double h = 1e-4;
      const Eigen::VectorXd central =
          (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
      const Eigen::VectorXd kink =
          ((at(h) - 2.0 * here + at(-h)) / h)
              .cwiseAbs()
              .cwiseMax(((at(2.0 * h) - 2.0 * here + at(-2.0 * h)) / h).cwiseAbs());
      const Eigen::VectorXd exact = slopes * way;
      for (int g = 0; g < scene.space->count(); ++g) {
        // The golden-section search stops at 1e-9 m along the segment.
        if (kink(g) > 0.05) {
          ++jumps;
          continue;
        }
        ++compared;
        EXPECT_NEAR(exact(g), central(g), 1e-4 * (1.0 + std::abs(exact(g))))
            << "seed " << seed << " " << scene.space->name(g);
      }
    }
  }
  EXPECT_GT(compared, 50 * jumps);
}

TEST(Space, ReachBoundsEverySlope) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Scene scene(seed);
    RandomStream random(seed, 3);
    for (int i = 0; i < 300; ++i) {
      Eigen::VectorXd gaps;
      Eigen::MatrixXd slopes;
      scene.space->evaluate(randomPosture(random, scene.robot->numJoints()), gaps, &slopes);
      const Eigen::MatrixXd slack = scene.space->reach() - slopes.cwiseAbs();
      EXPECT_GE(slack.minCoeff(), -1e-9) << "seed " << seed;
    }
  }
}

TEST(Space, NeighboursAndWhatNeverPartsAreLeftOutAloud) {
  // A chain along x about vertical axes; the second link is so short that its neighbours touch.
  const auto joint = [](double x) {
    ChainJoint j;
    j.X_PJ.p = {x, 0.0, 0.0};
    return j;
  };
  const auto robot = std::make_shared<const Robot>(
      chainRobot({joint(0.2), joint(0.4), joint(0.05), joint(0.4)}, {0.0, 0.0, -9.81}));
  SpaceOptions options;
  options.link_radius = 0.04;
  const Space space(robot, options, constant(4, -3.0), constant(4, 3.0), constant(4, 0.0));
  std::vector<std::string> names;
  for (int g = 0; g < space.count(); ++g) names.push_back(space.name(g));
  EXPECT_THAT(names, testing::Contains("world and link3"));
  EXPECT_THAT(names, testing::Not(testing::Contains("world and link1")));
  EXPECT_THAT(names, testing::Not(testing::Contains("link1 and link3")));
  EXPECT_THAT(space.notes(), testing::Contains(HasSubstr("link1 and link3")));
  EXPECT_THAT(space.notes(), testing::Contains(HasSubstr("fitted between the joints")));
}

TEST(SpaceRows, JacobianIsExactAndTheRowsAreBelowTheGaps) {
  const Scene scene(2);
  const int n = scene.robot->numJoints();
  const SpaceRows rows(scene.space, 2, 5.0, 12, 0.005);
  RandomStream random(2, 5);
  Eigen::MatrixXd X(5, n), way(5, n);
  for (double& value : X.reshaped()) value = 0.3 * random.normal();
  for (double& value : way.reshaped()) value = random.normal();
  Eigen::VectorXd g, values;
  Eigen::MatrixXd jacobian;
  rows.evaluate(X, g, &jacobian);
  const auto at = [&](double h) {
    Eigen::VectorXd moved;
    rows.evaluate(X + h * way, moved, nullptr);
    return moved;
  };
  const double h = 1e-5;
  const Eigen::VectorXd central = (at(h) - at(-h)) / (2.0 * h);
  const Eigen::VectorXd exact = jacobian * way.reshaped();
  EXPECT_LT((exact - central).cwiseAbs().maxCoeff(), 1e-3 * (1.0 + exact.norm()));
  const Eigen::MatrixXd q = fourierBasis(2, 5.0, periodGrid(5.0, 12)).q * X;
  for (Eigen::Index i = 0; i < 12; ++i) {
    const double gap = scene.space->smallest(q.row(i).transpose()).first;
    const double row = 0.1 * g(i) + scene.space->clearance() + 0.005;
    EXPECT_LE(row, gap + 1e-12);
    EXPECT_GE(row, gap - std::log(scene.space->count()) / 200.0 - 1e-12);
  }
}

// One joint turning a rod of 1 m above the ground; the rod's end touches it between two samples.
struct Rod {
  Rod() {
    auto made = std::make_shared<Robot>(chainRobot({{}}, {0.0, 0.0, -9.81}));
    made->bodies[0].axis = Eigen::Vector3d::UnitY();
    Body::FixedLink tip;
    tip.name = "tip";
    tip.X_BL.p = {1.0, 0.0, 0.0};
    made->bodies[0].links.push_back(tip);
    robot = made;
    options.link_radius = 0.1;
    options.surroundings.ground = -0.8;
    options.clearance = 0.0;
  }
  Space space() const {
    return {robot, options, constant(1, -1.5), constant(1, 1.5), constant(1, 0.0)};
  }
  // q(t) = -swing cos(2 pi t / 2 s); the end is lowest where q is +swing, at 1 s.
  static Eigen::MatrixXd swing(double angle) {
    Eigen::MatrixXd X = Eigen::MatrixXd::Zero(3, 1);
    X(2, 0) = angle * std::numbers::pi;
    return X;
  }
  std::shared_ptr<const Robot> robot;
  SpaceOptions options;
};

TEST(Space, ObstaclesAreLeftOutOnlyWhereNoJointChangesTheGap) {
  Rod rod;
  rod.options.surroundings.ground = 0.5;  // the inner end of the rod does not move
  const Space above = rod.space();
  EXPECT_THAT(above.leftOut(), testing::ElementsAre("link1 and the ground"));
  EXPECT_THAT(above.notes(), testing::Contains(HasSubstr("no joint changes their distance")));
  EXPECT_TRUE(above.unmet().empty());
  EXPECT_EQ(above.count(), 1) << "the outer end";

  rod.options.surroundings.ground = 3.0;
  ASSERT_EQ(rod.space().unmet().size(), 1U);
  EXPECT_THAT(rod.space().unmet()[0],
              testing::MatchesRegex("link1 and the ground: the largest distance found .*"
                                    " is -2.1 m, expected .*`height` \\(\\[ground\\].*"));

  rod.options.surroundings.ground.reset();
  rod.options.surroundings.boxes = {{"room", Eigen::Vector3d::Zero(), {4.0, 4.0, 4.0}}};
  ASSERT_EQ(rod.space().unmet().size(), 1U);
  EXPECT_THAT(rod.space().unmet()[0], HasSubstr("link1 and box room: the largest distance"));
  EXPECT_THAT(rod.space().unmet()[0], HasSubstr("[[obstacle.box]]"));
}

TEST(Space, AWorkspaceThatFewPosturesReachIsKept) {
  Rod rod;
  rod.options.surroundings.ground.reset();
  const auto with_lower_z = [&](double z) {
    rod.options.surroundings.workspace =
        Surroundings::Workspace{"tip", {-9.0, -9.0, z}, {9.0, 9.0, 9.0}, 0};
    return rod.space();
  };
  // The tip is at height -sin q; q is -1.5 or more.
  const Space rare = with_lower_z(std::sin(1.4999));
  EXPECT_TRUE(rare.unmet().empty());
  EXPECT_TRUE(rare.leftOut().empty());
  EXPECT_EQ(rare.count(), 6);
  const Space never = with_lower_z(std::sin(1.5) + 0.001);
  ASSERT_EQ(never.unmet().size(), 1U);
  EXPECT_THAT(never.unmet()[0], HasSubstr("tip and the lower z face of its workspace: "));
  EXPECT_THAT(never.unmet()[0], HasSubstr("[workspace]"));
  // Also where no joint changes the distance: nothing moves along y.
  rod.options.surroundings.workspace =
      Surroundings::Workspace{"tip", {-9.0, 1.0, -9.0}, {9.0, 9.0, 9.0}, 0};
  EXPECT_EQ(rod.space().unmet().size(), 1U);
  EXPECT_TRUE(rod.space().leftOut().empty());
}

TEST(ClosestApproach, HoldsBetweenTheSamples) {
  const Rod rod;
  const Space space = rod.space();
  const double touching = std::asin(0.7);  // the capsule's end is at height -sin q - 0.1
  for (const double beyond : {-1e-2, -1e-4, -1e-6, 1e-6, 1e-4, 1e-2}) {
    BoundedMotion motion = boundedMotion(Rod::swing(touching + beyond), 2.0);
    motion.intervals =
        3;  // 1/3, 1, 5/3 s are the first on_progress; shifted, none is at the lowest point
    const auto at = motion.at;
    motion.at = [at](double t, Eigen::VectorXd& q, Eigen::VectorXd& dq) { at(t + 0.17, q, dq); };
    const Approach found = closestApproach(space, motion);
    EXPECT_EQ(found.clear, beyond < 0.0) << beyond;
    EXPECT_EQ(space.name(found.which), "link1 and the ground");
  }
}

TEST(ClosestApproach, SaysWhatWhenAndHowDeep) {
  const Rod rod;
  const Space space = rod.space();
  const Approach found = closestApproach(space, boundedMotion(Rod::swing(std::asin(0.8)), 2.0));
  EXPECT_FALSE(found.clear);
  EXPECT_THAT(describe(space, found), HasSubstr("link1 and the ground overlap by 0.0"));
  EXPECT_THAT(describe(space, found), HasSubstr("m at "));
  EXPECT_NEAR(found.time_s, 1.0, 0.05);
  EXPECT_NEAR(found.gap, -0.1, 0.01);
}

TEST(ClosestApproach, QuinticPiecesToo) {
  const Rod rod;
  QuinticPiece piece;
  piece.duration_s = 1.0;
  piece.coefficients = Eigen::MatrixXd::Zero(1, 6);
  piece.coefficients(0, 1) = std::asin(0.7) - 1e-3;
  EXPECT_TRUE(closestApproach(rod.space(), boundedMotion(piece)).clear);
  piece.coefficients(0, 1) += 2e-3;
  const Approach found = closestApproach(rod.space(), boundedMotion(piece));
  EXPECT_FALSE(found.clear);
  EXPECT_NEAR(found.time_s, 1.0, 0.02);
}

TEST(StartContacts, NamesTheGapAndTheRemedy) {
  const Rod rod;
  EXPECT_TRUE(startContacts(rod.space(), constant(1, 0.0)).empty());
  const auto reasons = startContacts(rod.space(), constant(1, 1.4));
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_THAT(reasons[0], HasSubstr("start posture: link1 and the ground overlap by 0.285 m"));
  EXPECT_THAT(reasons[0], HasSubstr("give another `start`"));
}

TEST(SpaceOptions, NamesTheBadField) {
  SpaceOptions options;
  options.clearance = -0.1;
  EXPECT_THROW(options.check(), std::invalid_argument);
  options.clearance = 0.0;
  options.link_radius = NAN;
  EXPECT_THROW(options.check(), std::invalid_argument);
}

}  // namespace
}  // namespace dynid
