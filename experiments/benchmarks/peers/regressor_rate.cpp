/// Our half of peers.sh: the batch regressor, and the robot and torques as text for the other
/// library.

#include "dynid/dynamics/projection.h"
#include "dynid/equations/row_block.h"
#include "dynid/robot/load_robot.h"

#include <chrono>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace dynid;

constexpr Eigen::Index kSamples = 264;  // a block that stays in the cache
constexpr int kStates = 5;              // for the comparison of torques

Eigen::MatrixXd draw(Eigen::Index rows, Eigen::Index columns, double size, unsigned seed) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> uniform(-size, size);
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return uniform(rng); });
}

/// Times whole blocks until half a second has passed. @returns [ns] per sample
double nanoseconds(const ProjectionRegressor& regressor) {
  const Eigen::Index n = regressor.robot().numJoints();
  const Eigen::MatrixXd q = draw(kSamples, n, 3.0, 1), dq = draw(kSamples, n, 2.0, 2),
                        ddq = draw(kSamples, n, 5.0, 3);
  std::vector<Eigen::Index> columns;
  for (int j = 0; j < n; ++j) columns.push_back(std::ssize(regressor.columns(j)));
  RowBlock Y;
  Y.resize(kSamples, columns);
  ProjectionRegressor::Targets targets(columns.size());
  for (size_t j = 0; j < columns.size(); ++j)
    for (Eigen::Index c = 0; c < columns[j]; ++c) targets[j].push_back(Y[j].col(c).data());
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  std::int64_t blocks = 0;
  while (Clock::now() - begin < std::chrono::milliseconds(500)) {
    regressor.evaluate(q, dq, ddq, targets);
    ++blocks;
  }
  const std::chrono::duration<double, std::nano> spent = Clock::now() - begin;
  return spent.count() / static_cast<double>(blocks * kSamples);
}

void print(std::FILE* file, const Eigen::MatrixXd& numbers) {
  for (Eigen::Index i = 0; i < numbers.rows(); ++i)
    for (Eigen::Index j = 0; j < numbers.cols(); ++j) std::fprintf(file, " %.17g", numbers(i, j));
  std::fprintf(file, "\n");
}

/// Joints in the order of the bodies: parent, sliding or not, axis, placement, ten parameters; then
/// states with the torques that these parameters need.
void writeTree(const ProjectionRegressor& regressor, const std::string& path) {
  const Robot& robot = regressor.robot();
  const Eigen::VectorXd pi = draw(10 * robot.numBodies(), 1, 1.0, 4);
  std::FILE* file = std::fopen(path.c_str(), "w");
  std::fprintf(file, "%d", robot.numBodies());
  print(file, robot.gravity.transpose());
  Eigen::VectorXi joint(robot.numBodies());
  for (int b = 0; b < robot.numBodies(); ++b) {
    const Body& body = robot.bodies[b];
    joint(b) = body.joint;
    std::fprintf(file, "%d %d", body.parent, body.prismatic ? 1 : 0);
    print(file, body.axis.transpose());
    print(file, body.X_PJ.R);
    print(file, body.X_PJ.p.transpose());
    print(file, pi.segment<10>(10 * b).transpose());
  }
  const Eigen::Index n = robot.numJoints();
  std::fprintf(file, "%d\n", kStates);
  for (unsigned s = 0; s < kStates; ++s) {
    const Eigen::VectorXd q = draw(n, 1, 3.0, 10 + s), dq = draw(n, 1, 2.0, 20 + s),
                          ddq = draw(n, 1, 5.0, 30 + s), tau = regressor.dense(q, dq, ddq) * pi;
    for (const Eigen::VectorXd* values : {&q, &dq, &ddq, &tau})
      print(file, (*values)(joint).eval());
  }
  std::fclose(file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: regressor_rate ROBOT [tree.txt]\n");
    return 2;
  }
  const auto robot = std::make_shared<const Robot>(loadRobot(argv[1]));
  if (robot->numBodies() != robot->numJoints()) {
    std::fprintf(stderr, "%s: has mimic or passive joints\n", argv[1]);
    return 3;
  }
  const ProjectionRegressor regressor(robot);
  if (argc > 2) writeTree(regressor, argv[2]);
  std::printf("%d %.1f\n", robot->numJoints(), nanoseconds(regressor));
}
