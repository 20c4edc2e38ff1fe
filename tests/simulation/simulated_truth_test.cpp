#include "dynid/simulation/simulated_truth.h"

#include "dynid/dynamics/friction_resistance.h"

#include <gtest/gtest.h>

#include "support/random_robot.h"
#include <stdexcept>
#include <vector>

namespace dynid {
namespace {

// As the friction that is identified, and as that of a real drive.
TEST(RandomTruth, FrictionResistsAtEverySpeed) {
  RandomRobotOptions options;
  options.joints = 5;
  options.coupling = 0.5;
  Robot robot = randomRobot(3, options);
  for (Drive& drive : robot.drives) {
    drive.automatic_friction = false;
    drive.friction = {FrictionEffect::kViscous,
                      FrictionEffect::kCoulomb,
                      FrictionEffect::kAsymmetric,
                      FrictionEffect::kQuadraticViscous,
                      FrictionEffect::kStribeck};
  }
  const Eigen::VectorXd highest = highestActuatorSpeeds(robot);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const SimulationTruth truth = randomTruth(robot, seed);
    for (int a = 0; a < robot.numJoints(); ++a) {
      std::vector<Column> columns;
      std::vector<double> values;
      for (int c = 0; c < truth.layout.size(); ++c) {
        if (truth.layout[c].owner != a || !isDissipative(truth.layout[c])) continue;
        columns.push_back(truth.layout[c]);
        values.push_back(truth.parameters(c));
      }
      ASSERT_EQ(columns.size(), 5u);
      const Eigen::Map<const Eigen::VectorXd> theta(values.data(), 5);
      EXPECT_GE((frictionResistance(columns, frictionSpeeds(highest(a))) * theta).minCoeff(), 0.0)
          << seed << " " << a;
      EXPECT_GT(theta.tail(3).cwiseAbs().minCoeff(), 0.0);
    }
  }
}

TEST(TruthOf, AModelThatIsNotCompleteIsRefused) {
  EXPECT_THROW(truthOf(Model{}), std::invalid_argument);
}

}  // namespace
}  // namespace dynid
