#include "formulation_table.h"

#include "dynid/dynamics/mass_matrix.h"
#include "dynid/dynamics/newton_euler.h"
#include "dynid/dynamics/projection.h"

#include <Eigen/Core>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <random>

namespace dynid::tool {
namespace {

constexpr int kStates = 200;
constexpr double kPi = 3.14159265358979323846;
// Rounding of a chain of n bodies grows to about n^2 eps; 1e-11 is that of 300 bodies, and far
// below any mistake.
constexpr double kTolerance = 1e-11;

struct State {
  Eigen::VectorXd q, dq, ddq;
};

using Torque = std::function<Eigen::VectorXd(const State&)>;

std::vector<State> randomStates(const Robot& robot, std::mt19937_64& random) {
  std::vector<State> states(kStates);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto n = static_cast<Eigen::Index>(robot.joints.size());
  for (State& state : states) {
    state = {Eigen::VectorXd(n), Eigen::VectorXd(n), Eigen::VectorXd(n)};
    for (Eigen::Index j = 0; j < n; ++j) {
      const JointLimits& limits = robot.joints[static_cast<size_t>(j)].limits;
      const double lower = std::isfinite(limits.lower) ? limits.lower : -kPi;
      const double upper = std::isfinite(limits.upper) ? limits.upper : kPi;
      state.q(j) = 0.5 * (lower + upper) + 0.5 * (upper - lower) * unit(random);
      state.dq(j) = 3.0 * unit(random);
      state.ddq(j) = 10.0 * unit(random);
    }
  }
  return states;
}

/// Bodies of arbitrary numbers: the formulations are linear in them, so agreement needs no real
/// ones.
Eigen::VectorXd randomParameters(const Robot& robot, std::mt19937_64& random) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  Eigen::VectorXd pi(10 * robot.numBodies());
  for (double& value : pi) value = unit(random);
  return pi;
}

FormulationRow compare(FormulationRow row,
                       const Torque& torque,
                       const std::vector<State>& states,
                       const std::vector<Eigen::VectorXd>& reference) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> nanoseconds;
  double difference = 0.0, scale = 0.0;
  for (size_t i = 0; i < states.size(); ++i) {
    const Clock::time_point start = Clock::now();
    const Eigen::VectorXd tau = torque(states[i]);
    nanoseconds.push_back(std::chrono::duration<double, std::nano>(Clock::now() - start).count());
    difference = std::max(difference, (tau - reference[i]).cwiseAbs().maxCoeff());
    scale = std::max(scale, reference[i].cwiseAbs().maxCoeff());
  }
  std::nth_element(nanoseconds.begin(), nanoseconds.begin() + kStates / 2, nanoseconds.end());
  row.nanoseconds = nanoseconds[kStates / 2];
  row.max_relative_disagreement = scale > 0.0 ? difference / scale : difference;
  row.tolerance = kTolerance;
  return row;
}

}  // namespace

std::vector<FormulationRow> compareFormulations(const std::shared_ptr<const Robot>& robot,
                                                std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::vector<State> states = randomStates(*robot, random);
  const Eigen::VectorXd pi = randomParameters(*robot, random);

  ProjectionRegressor regressor(robot);
  const Torque projection = [&](const State& s) -> Eigen::VectorXd {
    return regressor.dense(s.q, s.dq, s.ddq) * pi;
  };
  const Torque newton_euler = [&](const State& s) {
    return inverseDynamics(*robot, pi, s.q, s.dq, s.ddq);
  };
  const Torque mass_matrix = [&](const State& s) -> Eigen::VectorXd {
    return massMatrix(*robot, pi, s.q) * s.ddq + biasForces(*robot, pi, s.q, s.dq);
  };
  std::vector<Eigen::VectorXd> reference;
  std::transform(states.begin(), states.end(), std::back_inserter(reference), projection);
  return {
      compare({"projection", "torque through the regressor, Y pi"}, projection, states, reference),
      compare({"newton-euler", "torque by the two-way recursion"}, newton_euler, states, reference),
      compare({"mass-matrix", "torque as M(q) ddq + bias, M from the body Jacobians"},
              mass_matrix,
              states,
              reference)};
}

}  // namespace dynid::tool
