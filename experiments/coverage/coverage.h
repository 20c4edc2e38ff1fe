#pragma once

#include "dynid/estimation/covariance.h"
#include "dynid/identification/consistent_fit.h"
#include "dynid/math/random_stream.h"

#include "equations/exact_rows.h"
#include "support/random_robot.h"
#include <cmath>
#include <string>
#include <vector>

namespace dynid::coverage {

/// One way of recording and conditioning a log.
struct Setting {
  std::string name;
  double correlation_s = 0.0;  ///< of the effort's noise; 0: white
  bool filtered = false;       ///< rows and efforts low-passed and decimated, as real logs are
  /// [rad/s] the truth's friction ramps through zero below this, as the model's does; 0: it jumps
  double truth_ramp = 0.02;
};

inline const std::vector<Setting> kSettings{{"white", 0.0, false},
                                            {"AR(1) 30 ms", 0.03, false},
                                            {"white, filtered", 0.0, true},
                                            {"AR(1), filtered", 0.03, true},
                                            {"white, filtered, jumps", 0.0, true, 0.0}};

constexpr double kRate = 100.0;          // Hz
constexpr double kCutoff = 8.0;          // Hz, where filtered
constexpr double kRelativeNoise = 0.03;  // of each channel's root mean square effort
constexpr int kBlocks = 40;              // as identify's default

/// Three joints in general position, bodies well inside what is physically possible; the prior of
/// the consistent fit is another body of similar size.
struct Arm {
  std::shared_ptr<const Robot> robot;
  SimulationTruth truth;
};
inline Arm makeArm() {
  ChainJoint second, third;
  second.X_PJ = {rotationFromRpy({-1.5, 0.1, 0.0}), {0.05, 0.0, 0.3}};
  third.X_PJ = {rotationFromRpy({0.2, 0.0, -0.1}), {0.0, -0.4, 0.02}};
  Robot robot = chainRobot({ChainJoint{}, second, third}, {0.0, 0.0, -9.80665});
  std::mt19937_64 rng(1);
  for (Body& body : robot.bodies) body.prior = support::randomBody(rng);
  for (Joint& joint : robot.joints) joint.limits = {-2.0, 2.0, 2.0, 8.0};
  Arm arm;
  arm.truth = randomTruth(robot, 1);
  for (Body& body : robot.bodies) body.prior = InertialParameters(1.3 * *body.prior);
  arm.robot = std::make_shared<const Robot>(robot);
  return arm;
}

/// Noise of all channels, stationary, first-order autoregressive.
inline Eigen::MatrixXd makeNoise(const Eigen::MatrixXd& effort,
                                 double correlation_s,
                                 std::uint64_t seed) {
  Eigen::MatrixXd noise(effort.rows(), effort.cols());
  const double keep = correlation_s > 0.0 ? std::exp(-1.0 / (kRate * correlation_s)) : 0.0;
  for (Eigen::Index a = 0; a < effort.cols(); ++a) {
    RandomStream random(seed, static_cast<std::uint64_t>(a) + 100);
    const double sigma =
        kRelativeNoise * effort.col(a).norm() / std::sqrt(static_cast<double>(effort.rows()));
    double state = random.normal();
    for (Eigen::Index i = 0; i < effort.rows(); ++i) {
      noise(i, a) = sigma * state;
      state = keep * state + std::sqrt(1.0 - keep * keep) * random.normal();
    }
  }
  return noise;
}

/// Which intervals of one log hold the truth, parameter by parameter (1 or 0).
struct Hits {
  Eigen::VectorXd unconstrained, consistent, second_stage;
};

/// Another motion and other noise for every seed.
inline Hits runOnce(const Arm& arm, const Setting& setting, std::uint64_t seed, bool consistent) {
  RandomMotionOptions motion;
  motion.duration_s = 24.0;
  motion.ramp_s = 1.0;
  motion.seed = seed;
  SimulationTruth truth = arm.truth;
  truth.ramp_speed = Eigen::VectorXd::Constant(arm.robot->numJoints(), setting.truth_ramp);
  const ExactRows exact = exactRows(arm.robot, truth, motion, kRate);
  const Lowpass lowpass = setting.filtered ? designLowpass(4, kCutoff, kRate) : Lowpass{};
  const Eigen::MatrixXd noise = makeNoise(exact.effort, setting.correlation_s, seed);
  const Statistics statistics = compress(exact, noise, kBlocks, lowpass, setting.filtered ? 3 : 1);
  const LeastSquaresOptions options;
  const Estimate estimate = weightedLeastSquares(statistics, exact.base.independent, options);
  const Covariance covariance = jackknifeCovariance(statistics, estimate);
  const auto hits = [&](const Eigen::VectorXd& beta) -> Eigen::VectorXd {
    return ((beta - exact.truth).array().abs() <= covariance.half_width.array()).cast<double>();
  };
  Hits result;
  result.unconstrained = hits(estimate.beta);
  if (!consistent) return result;
  PhysicalFitOptions fit_options;
  const Eigen::MatrixXd E = exact.base.combination();
  const auto consistent_beta = [&]() -> Eigen::VectorXd {
    const ConsistentFit fit =
        fitConsistently(*arm.robot, exact.layout, E, estimate, {}, true, fit_options);
    if (!fit.result.feasible)
      return Eigen::VectorXd::Constant(exact.truth.size(), std::nan(""));  // counts as a miss
    return E * fit.parameters;
  };
  result.second_stage = hits(consistent_beta());
  fit_options.second_stage = false;
  fit_options.margin = 0.0;
  result.consistent = hits(consistent_beta());
  return result;
}

}  // namespace dynid::coverage
