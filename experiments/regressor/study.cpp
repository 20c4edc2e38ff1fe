/// The study of run.sh: Y(q, dq, ddq) pi against torques from independent code.

#include "dynid/dynamics/projection.h"
#include "dynid/robot/load_robot.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace dynid;

/// All numbers of a text, separated by anything that is not part of a number.
Eigen::VectorXd numbersOf(std::string text) {
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream stream(text);
  std::vector<double> values;
  for (double value = 0.0; stream >> value;) values.push_back(value);
  return Eigen::Map<Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// Parameters (behind the last colon of the first line) and states of the oracle.
struct Oracle {
  Eigen::VectorXd parameters;
  std::vector<Eigen::VectorXd> rows;  ///< q, dq, ddq, tau
};
Oracle readOracle(const std::string& path) {
  std::ifstream file(path);
  Oracle oracle;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind('#', 0) == 0)
      oracle.parameters = numbersOf(line.substr(line.rfind(':') + 1));
    else if (const Eigen::VectorXd row = numbersOf(line); row.size() > 0)
      oracle.rows.push_back(row);
  }
  return oracle;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: regressor_study robot.urdf regressor.csv\n");
    return 2;
  }
  Robot loaded = loadRobot(argv[1]);
  loaded.gravity = {0.0, 0.0, -9.81};
  const auto robot = std::make_shared<const Robot>(loaded);
  const Oracle oracle = readOracle(argv[2]);
  const Eigen::Index n = robot->numJoints();
  if (oracle.rows.empty() || oracle.parameters.size() != 10 * robot->numBodies()) {
    std::fprintf(stderr, "%s: no states, or parameters of another robot\n", argv[2]);
    return 3;
  }
  ProjectionRegressor regressor(robot);
  double worst = 0.0;
  std::printf("| state | norm of the torque, N m | relative disagreement |\n|---:|---:|---:|\n");
  for (size_t i = 0; i < oracle.rows.size(); ++i) {
    const Eigen::VectorXd& row = oracle.rows[i];
    const Eigen::MatrixXd Y =
        regressor.dense(row.segment(0, n), row.segment(n, n), row.segment(2 * n, n));
    const Eigen::VectorXd tau = row.segment(3 * n, n);
    const double error = (Y * oracle.parameters - tau).norm() / tau.norm();
    worst = std::max(worst, error);
    std::printf("| %zu | %.3f | %.1e |\n", i + 1, tau.norm(), error);
  }
  std::printf("\nworst %.1e, expected below 1e-11\n", worst);
  return worst < 1e-11 ? 0 : 1;
}
