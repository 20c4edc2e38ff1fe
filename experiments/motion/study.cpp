/// Torque error on clean motion after a log with a coarse encoder: filters, splines of the
/// positions alone, and maximum likelihood.
///
///   motion_study ROBOT.toml [runs]

#include "dynid/dynamics/projection.h"
#include "dynid/math/random_stream.h"
#include "dynid/motion/estimate_motion.h"
#include "dynid/regression/base_parameters.h"
#include "dynid/robot/load_robot.h"
#include "dynid/signals/differentiate.h"
#include "dynid/signals/filter.h"
#include "dynid/simulation/simulated_motion.h"
#include "dynid/simulation/simulated_truth.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numbers>
#include <vector>

namespace {

using namespace dynid;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Case {
  int bits;
  double noise;  // share of each joint's root mean square effort
  double rate_hz;
  double correlation_s;
  int harmonics;  // of 0.1 Hz in the motion: 8 is slow, 30 is brisk
};

/// The arm, and what it is really like.
struct Arm {
  std::shared_ptr<const Robot> robot;
  std::vector<int> inertial;  // independent columns
  VectorXd pi, theta;         // standard parameters; those of EffortSensitivity
};

Arm makeArm(const char* file) {
  Arm arm;
  Robot robot = loadRobot(file);
  const SimulationTruth truth = randomTruth(robot, 1);
  arm.robot = std::make_shared<const Robot>(robot);
  arm.pi = truth.parameters.head(10 * robot.numBodies());
  const BaseParameters base = baseParameters(randomStateRows(robot, inertialLayout(robot)));
  arm.inertial = base.independent;
  const Index n = robot.numJoints();
  arm.theta.resize(base.rank + 3 * n);
  arm.theta.head(base.rank) = base.combination() * arm.pi;
  for (Index a = 0; a < n; ++a) {
    const double size = std::pow(2.0, -static_cast<double>(a));
    arm.theta.segment<3>(base.rank + 3 * a) << 8.0 * size, 6.0 * size, 0.5 * size;
  }
  return arm;
}

struct Log {
  VectorXd time;
  MatrixXd q, dq, ddq, effort;  // exact motion, exact efforts
};

Log makeLog(const Arm& arm, double rate, int harmonics, std::uint64_t seed) {
  RandomMotionOptions options;
  options.duration_s = 30.0;
  options.ramp_s = 1.0;
  options.harmonics = harmonics;
  options.seed = seed;
  const SimulatedMotion motion = randomMotion(*arm.robot, options);
  const Index samples = static_cast<Index>(options.duration_s * rate), n = arm.robot->numJoints();
  Log log{VectorXd::LinSpaced(samples, 0.0, static_cast<double>(samples - 1) / rate),
          MatrixXd(samples, n),
          MatrixXd(samples, n),
          MatrixXd(samples, n),
          {}};
  for (Index i = 0; i < samples; ++i) {
    const JointMotion at = motion.at(log.time(i));
    log.q.row(i) = at.q.transpose();
    log.dq.row(i) = at.dq.transpose();
    log.ddq.row(i) = at.ddq.transpose();
  }
  const EffortSensitivity truth(arm.robot, arm.inertial, VectorXd::Constant(n, 1e-3), false);
  log.effort = truth.efforts(log.q, log.dq, log.ddq, arm.theta);
  return log;
}

MotionRecord measure(const Log& log, const Case& setting, std::uint64_t seed) {
  MotionRecord record{log.time, log.q, log.effort};
  const double step = 2.0 * std::numbers::pi / std::pow(2.0, setting.bits);
  record.q = step * (log.q.array() / step).round();
  const double keep = setting.correlation_s > 0.0
                          ? std::exp(-1.0 / (setting.rate_hz * setting.correlation_s))
                          : 0.0;
  for (Index j = 0; j < log.q.cols(); ++j) {
    RandomStream random(seed, static_cast<std::uint64_t>(j));
    const double sigma = setting.noise * log.effort.col(j).norm() /
                         std::sqrt(static_cast<double>(log.effort.rows()));
    double state = random.normal();
    for (Index i = 0; i < log.q.rows(); ++i) {
      record.effort(i, j) += sigma * state;
      state = keep * state + std::sqrt(1.0 - keep * keep) * random.normal();
    }
  }
  return record;
}

/// Root mean square error [N m] over all joints on the moving rows of another, clean motion.
double errorOn(const Log& clean, const EffortSensitivity& model, const VectorXd& theta) {
  const MatrixXd off = model.efforts(clean.q, clean.dq, clean.ddq, theta) - clean.effort;
  double sum = 0.0, count = 0.0;
  for (Index j = 0; j < off.cols(); ++j)
    for (Index i = 0; i < off.rows(); ++i) {
      if (std::abs(clean.dq(i, j)) < 0.1) continue;
      sum += off(i, j) * off(i, j);
      count += 1.0;
    }
  return std::sqrt(sum / count);
}

/// Low-pass, central differences, rows and efforts through the same low-pass, decimated, weighted.
VectorXd filtered(const EffortSensitivity& model,
                  const MotionRecord& log,
                  double cutoff,
                  double rate) {
  const Lowpass lowpass = designLowpass(4, cutoff, rate);
  MatrixXd q = log.q, dq(q.rows(), q.cols()), ddq(q.rows(), q.cols()), effort = log.effort;
  filterZeroPhase(lowpass, q);
  differentiate(q, 1.0 / rate, dq, ddq);
  std::vector<MatrixXd> rows = model.rows(q, dq, ddq);
  for (MatrixXd& channel : rows) filterZeroPhase(lowpass, channel);
  filterZeroPhase(lowpass, effort);
  const Index stride = std::max<Index>(1, std::lround(rate / (4.0 * cutoff)));
  const Index ends = static_cast<Index>(0.5 * rate), p = model.numParameters();
  VectorXd sigma = VectorXd::Ones(q.cols()), theta = VectorXd::Zero(p);
  for (int pass = 0; pass < 3; ++pass) {
    MatrixXd gram = MatrixXd::Zero(p, p);
    VectorXd right = VectorXd::Zero(p), squares = VectorXd::Zero(q.cols()), count = squares;
    for (int measure_noise = 0; measure_noise < 2; ++measure_noise) {
      for (Index i = ends; i + ends < q.rows(); i += stride)
        for (Index j = 0; j < q.cols(); ++j) {
          if (std::abs(dq(i, j)) < 0.05) continue;
          const auto row = rows[j].row(i);
          if (measure_noise == 0) {
            gram.selfadjointView<Eigen::Lower>().rankUpdate(row.transpose(),
                                                            1.0 / (sigma(j) * sigma(j)));
            right += row.transpose() * effort(i, j) / (sigma(j) * sigma(j));
          } else {
            squares(j) += std::pow(effort(i, j) - row.dot(theta), 2.0);
            count(j) += 1.0;
          }
        }
      if (measure_noise == 0) {
        const VectorXd scale = gram.diagonal().cwiseSqrt().cwiseInverse();
        const MatrixXd scaled = scale.asDiagonal() *
                                MatrixXd(gram.selfadjointView<Eigen::Lower>()) * scale.asDiagonal();
        theta = scale.asDiagonal() * scaled.ldlt().solve(VectorXd(scale.asDiagonal() * right));
      }
    }
    sigma = (squares.array() / count.array()).sqrt();
  }
  return theta;
}

struct Result {
  double filter = 0.0, spline = 0.0, likelihood = 0.0, coverage = 0.0, seconds = 0.0, knots = 0.0;
  double spline_knots = 0.0, cutoff = 0.0;
  int iterations = 0;
  bool converged = false;
};

Result run(const Arm& arm, const Case& setting, std::uint64_t seed) {
  const Index n = arm.robot->numJoints();
  const Log log = makeLog(arm, setting.rate_hz, setting.harmonics, seed);
  const Log clean = makeLog(arm, 100.0, setting.harmonics, 7);
  const MotionRecord record = measure(log, setting, seed);
  const double slowest = 0.05, step = 2.0 * std::numbers::pi / std::pow(2.0, setting.bits);
  const EffortSensitivity model(arm.robot, arm.inertial, VectorXd::Constant(n, 0.01), false);
  Result result;
  result.filter = result.spline = 1e300;
  for (double cutoff = 1.0; cutoff < 0.2 * setting.rate_hz; cutoff *= std::sqrt(2.0)) {
    const double error = errorOn(clean, model, filtered(model, record, cutoff, setting.rate_hz));
    if (error < result.filter) {
      result.filter = error;
      result.cutoff = cutoff;
    }
  }
  MotionOptions options;
  options.position_std_dev = VectorXd::Constant(n, step / std::sqrt(12.0));
  options.slowest_speed = VectorXd::Constant(n, slowest);
  options.positions_only = true;
  for (double knots = 4.0; knots <= setting.rate_hz / 3.0; knots *= 2.0) {
    options.first_knot_rate = knots;
    const double error = errorOn(clean, model, estimateMotion(model, {record}, options).theta);
    if (error < result.spline) {
      result.spline = error;
      result.spline_knots = knots;
    }
  }
  options.positions_only = false;
  options.first_knot_rate = 8.0;
  const auto begin = std::chrono::steady_clock::now();
  const MotionEstimate estimate = estimateMotion(model, {record}, options);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.likelihood = errorOn(clean, model, estimate.theta);
  result.iterations = estimate.iterations;
  result.converged = estimate.converged;
  result.knots = estimate.knot_rate;
  if (estimate.covariance.size() > 0) {
    const VectorXd half = 1.96 * estimate.covariance.diagonal().cwiseMax(0.0).cwiseSqrt();
    result.coverage =
        ((estimate.theta - arm.theta).array().abs() <= half.array()).cast<double>().mean();
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const int runs = argc > 2 ? std::atoi(argv[2]) : 1;
  const Arm arm = makeArm(argv[1]);
  std::printf(
      "| harmonics | encoder | effort noise | rate | best filter | spline alone | likelihood | "
      "coverage | "
      "iterations | knots/s | s | not converged "
      "|\n|---:|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  for (const Case& setting : {Case{13, 0.005, 100.0, 0.0, 30},
                              Case{13, 0.005, 500.0, 0.0, 30},
                              Case{13, 0.03, 100.0, 0.0, 30},
                              Case{13, 0.03, 500.0, 0.0, 30},
                              Case{16, 0.005, 100.0, 0.0, 30},
                              Case{16, 0.03, 100.0, 0.0, 30},
                              Case{16, 0.03, 100.0, 0.03, 30},
                              Case{19, 0.005, 100.0, 0.0, 30},
                              Case{13, 0.005, 100.0, 0.0, 8},
                              Case{16, 0.03, 100.0, 0.0, 8}}) {
    Result sum;
    int failed = 0;
    for (int k = 0; k < runs; ++k) {
      const Result result = run(arm, setting, 100 + static_cast<std::uint64_t>(k));
      sum.filter += 1e3 * result.filter / runs;
      sum.spline += 1e3 * result.spline / runs;
      sum.likelihood += 1e3 * result.likelihood / runs;
      sum.coverage += result.coverage / runs;
      sum.iterations = std::max(sum.iterations, result.iterations);
      sum.knots = std::max(sum.knots, result.knots);
      sum.seconds = std::max(sum.seconds, result.seconds);
      sum.cutoff = result.cutoff;
      sum.spline_knots = result.spline_knots;
      failed += result.converged ? 0 : 1;
    }
    std::printf(
        "| %d | %d bits | %.1f %%%s | %.0f Hz | %.1f (%.1f Hz) | %.1f (%.0f/s) | %.1f | %.3f | %d "
        "| "
        "%.0f | %.1f | %d |\n",
        setting.harmonics,
        setting.bits,
        100.0 * setting.noise,
        setting.correlation_s > 0.0 ? ", .03 s" : "",
        setting.rate_hz,
        sum.filter,
        sum.cutoff,
        sum.spline,
        sum.spline_knots,
        sum.likelihood,
        sum.coverage,
        sum.iterations,
        sum.knots,
        sum.seconds,
        failed);
    std::fflush(stdout);
  }
  return 0;
}
