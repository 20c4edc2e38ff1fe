/// One stage between a log and its statistics, a given number of times: for counting instructions.
///     rounds regressor|statistics|filter N

#include "dynid/dynamics/projection.h"
#include "dynid/regression/triangular_factor.h"
#include "dynid/signals/filter.h"

#include "support/random_robot.h"
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

int main(int argc, char** argv) {
  using namespace dynid;
  if (argc != 3) return 2;
  const std::string stage = argv[1];
  const int rounds = std::atoi(argv[2]);
  RandomRobotOptions options;
  options.joints = 7;
  options.branching = 0.0;
  options.prismatic = 0.0;
  options.mimic = 0.0;
  const ProjectionRegressor regressor(std::make_shared<const Robot>(randomRobot(5, options)));
  const Eigen::Index samples = 10 * ProjectionRegressor::kBatch;
  const Eigen::MatrixXd motion = Eigen::MatrixXd::Random(samples, 7);
  const Eigen::MatrixXd rows = Eigen::MatrixXd::Random(samples, 60);
  const Lowpass lowpass = designLowpass(4, 5.0, 1000.0);
  FilterWorkspace workspace;
  std::vector<Eigen::MatrixXd> Y;
  double used = 0.0;
  for (int round = 0; round < rounds; ++round) {
    if (stage == "regressor") {
      for (Eigen::Index first = 0; first < samples; first += ProjectionRegressor::kBatch) {
        const auto batch = motion.middleRows(first, ProjectionRegressor::kBatch);
        regressor.evaluate(batch, batch, batch, Y);
        used += Y.front()(0, 9);
      }
    } else if (stage == "statistics") {
      TriangularFactor factor(60);
      factor.add(rows);
      used += factor.R()(0, 0);
    } else if (stage == "filter") {
      Eigen::MatrixXd filtered = motion;
      filterZeroPhase(lowpass, filtered, workspace);
      used += filtered(0, 0);
    } else {
      return 2;
    }
  }
  std::printf("%ld samples a round (%g)\n", static_cast<long>(samples), used);
  return 0;
}
