#include "dynid/excitation/closed_adjoint.h"

#include "dynid/math/random_stream.h"

#include <gtest/gtest.h>

#include "support/closed_chains.h"

namespace dynid {
namespace {

// Central difference of the weighted sum of the regressor along a direction of (q, dq, ddq).
void expectDerivative(const Robot& given, const std::string& name) {
  const auto robot = std::make_shared<const Robot>(given);
  const Eigen::Index n = robot->numJoints(), samples = 3;
  RandomStream random(3, 7);
  const auto drawn = [&](double size) {
    Eigen::MatrixXd m(samples, n);
    for (double& value : m.reshaped()) value = size * random.normal();
    return m;
  };
  Eigen::MatrixXd q = drawn(0.02), dq = drawn(1.0), ddq = drawn(2.0);
  q.rowwise() += robot->assembly.head(n).transpose();
  const Eigen::MatrixXd by_q = drawn(1.0), by_dq = drawn(1.0), by_ddq = drawn(1.0);
  ProjectionRegressor regressor(robot);
  std::vector<Eigen::MatrixXd> G, Y;
  for (int j = 0; j < n; ++j) {
    G.emplace_back(samples, static_cast<Eigen::Index>(regressor.columns(j).size()));
    for (double& value : G.back().reshaped()) value = random.normal();
  }
  const auto sum = [&](double h) {
    regressor.evaluate(q + h * by_q, dq + h * by_dq, ddq + h * by_ddq, Y);
    double total = 0.0;
    for (size_t j = 0; j < Y.size(); ++j) total += Y[j].cwiseProduct(G[j]).sum();
    return total;
  };
  RegressorAdjoint adjoint(robot);  // uses ClosedAdjoint for mechanisms
  Eigen::MatrixXd gq, gdq, gddq;
  adjoint.evaluate(q, dq, ddq, G, gq, gdq, gddq);
  const double exact =
      gq.cwiseProduct(by_q).sum() + gdq.cwiseProduct(by_dq).sum() + gddq.cwiseProduct(by_ddq).sum();
  // Fourth order, rounding 1e-15/h; curvatures of a mechanism are larger than those of a tree.
  const double h = 2e-4;
  const double difference =
      (8.0 * (sum(h) - sum(-h)) - (sum(2.0 * h) - sum(-2.0 * h))) / (12.0 * h);
  EXPECT_NEAR(exact, difference, 1e-7 * (gq.norm() + gdq.norm() + gddq.norm())) << name;
}

TEST(ClosedAdjoint, IsTheDerivativeOfTheProjectedRegressor) {
  for (const char* name : {"four_bar", "palletizer"})
    expectDerivative(loadRobot(std::string(DYNID_DATASETS_DIR) + "/" + name + "/" + name + ".toml"),
                     name);
  for (Loop::Type type : support::kLoopTypes) {
    int tried = 0;
    for (std::uint64_t seed = 1; seed <= 10 && tried < 2; ++seed) {
      const Robot robot = support::randomClosedRobot(seed, type, 3, seed % 2 == 0);
      if (!(closeLoopsNear(robot, robot.assembly).pivot_ratio > 0.1)) continue;  // near singular
      ++tried;
      expectDerivative(
          robot,
          "type " + std::to_string(static_cast<int>(type)) + ", seed " + std::to_string(seed));
    }
    EXPECT_EQ(tried, 2);
  }
}

}  // namespace
}  // namespace dynid
