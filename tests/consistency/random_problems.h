#pragma once

#include "dynid/consistency/physical_fit.h"
#include "dynid/spatial/pseudo_inertia.h"

#include <Eigen/Core>
#include <Eigen/Dense>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>
#include <vector>

/// Random serial robots with random bodies, motions and corrupted torques, in eight families: the
/// problems on which the physical fit is tested. Used by the tests and by the study in
/// experiments/physical_fit.
namespace dynid::random_problems {

struct Family {
  std::string name;
  double noise = 0.1;     ///< of the torque, relative to its root mean square
  double unmodelled = 0;  ///< torque that the model cannot represent, relative to the same
  double thin = 0.3;      ///< share of rod-like bodies
  /// of the logarithm of the mass, and of the centre of mass in units of 5 cm
  double prior_error = 0.5;
  /// 0: independent random states; otherwise two harmonics of this amplitude
  double amplitude = 0;
  bool tilted = false;      ///< gravity tilted against the first axis
  bool exact_rods = false;  ///< rods without thickness: the true parameters lie on the boundary
  std::array<int, 4> samples = {150, 150, 150, 60};  ///< for 2, 6, 7, 30 bodies
};

inline constexpr std::array<int, 4> kSizes = {2, 6, 7, 30};
inline constexpr std::uint32_t kFirstSeed = 1000;

/// Families: mild; noisy; infeasible (noise larger than physical consistency allows, few samples);
/// singular (poor excitation); exact (no noise, truth on the boundary); tilted (wrong prior);
/// under-determined (fewer rows than columns); weak (hardly any motion).
inline std::vector<Family> families() {
  return {{.name = "mild", .noise = 0.02},
          {.name = "noisy", .noise = 0.3},
          {.name = "infeasible",
           .noise = 0.5,
           .unmodelled = 0.4,
           .thin = 0.6,
           .samples = {30, 40, 40, 30}},
          {.name = "singular", .noise = 0.05, .unmodelled = 0.1, .amplitude = 0.25},
          {.name = "exact", .noise = 0.0, .thin = 0.7, .exact_rods = true},
          {.name = "tilted",
           .noise = 0.2,
           .prior_error = 1.0,
           .tilted = true,
           .samples = {100, 100, 100, 60}},
          {.name = "under", .noise = 0.1, .samples = {5, 5, 5, 8}},
          {.name = "weak", .noise = 0.1, .amplitude = 0.02}};
}

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  double normal() { return normal_(engine_); }
  double uniform() { return uniform_(engine_); }
  Eigen::Vector3d normal3() {
    const double x = normal(), y = normal();
    return {x, y, normal()};
  }

 private:
  std::mt19937 engine_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_{0.0, 1.0};
};

/// A joint in modified Denavit-Hartenberg parameters [m, rad].
struct Joint {
  double a = 0.0;
  double alpha = 0.0;
  double d = 0.0;
};

inline std::vector<Joint> randomArm(int bodies, Random& random) {
  constexpr double kRightAngle = std::numbers::pi / 2;
  constexpr std::array<double, 3> kTwists = {0.0, kRightAngle, -kRightAngle};
  std::vector<Joint> arm(bodies);
  for (std::size_t i = 0; i < arm.size(); ++i) {
    if (i > 0) {
      arm[i].a = random.uniform() < 0.5 ? 0.1 + 0.35 * random.uniform() : 0.0;
      arm[i].alpha = kTwists.at(static_cast<std::size_t>(3.0 * random.uniform()));
      if (random.uniform() < 0.1) arm[i].alpha += 0.4 * random.normal();
    }
    arm[i].d = random.uniform() < 0.6 ? 0.1 + 0.3 * random.uniform() : 0.0;
  }
  if (bodies > 1 && arm[1].alpha == 0.0) arm[1].alpha = kRightAngle;
  return arm;
}

/// A set of mass points, lighter towards the tip; rods are (nearly) one-dimensional.
inline InertialParameters randomBody(const Family& family, double along, Random& random) {
  const double mass = (0.5 + 6.0 * random.uniform()) * std::exp(-1.5 * along);
  const bool rod = random.uniform() < family.thin;
  const Eigen::Vector3d axis = random.normal3().normalized();
  const Eigen::Vector3d center = 0.1 * random.normal3();
  const int points = rod ? 8 : 20;
  Eigen::Matrix4d P = Eigen::Matrix4d::Zero();
  for (int i = 0; i < points; ++i) {
    Eigen::Vector3d p = center;
    if (rod) {
      p += 0.2 * random.normal() * axis;
      if (!family.exact_rods) p += 1e-3 * random.normal3();
    } else {
      p += Eigen::Vector3d(0.07, 0.05, 0.12).cwiseProduct(random.normal3());
    }
    P += mass / points * p.homogeneous() * p.homogeneous().transpose();
  }
  return inertialFromPseudo(P);
}

/// A ball with a radius of 10 cm, a wrong mass and a wrong position.
inline InertialParameters randomPrior(const InertialParameters& truth,
                                      double error,
                                      Random& random) {
  const double mass = truth(0) * std::exp(error * random.normal());
  const Eigen::Vector3d center = truth.segment<3>(1) / truth(0) + 0.05 * error * random.normal3();
  return inertialFromCenterOfMass(mass, center, 0.02 * mass * Eigen::Matrix3d::Identity());
}

struct State {
  Eigen::VectorXd q, dq, ddq;
};

inline State randomState(int bodies, Random& random) {
  State state{Eigen::VectorXd(bodies), Eigen::VectorXd(bodies), Eigen::VectorXd(bodies)};
  for (int j = 0; j < bodies; ++j) {
    state.q(j) = std::numbers::pi * (2.0 * random.uniform() - 1.0);
    state.dq(j) = 1.2 * random.normal();
    state.ddq(j) = 4.0 * random.normal();
  }
  return state;
}

/// Two harmonics over ten seconds; `coefficients` [bodies x 5].
inline State harmonicState(const Eigen::MatrixXd& coefficients, double amplitude, double time) {
  const Eigen::Index bodies = coefficients.rows();
  State state{coefficients.col(4), Eigen::VectorXd::Zero(bodies), Eigen::VectorXd::Zero(bodies)};
  for (int h = 1; h <= 2; ++h) {
    const double w = 2.0 * std::numbers::pi / 10.0 * h;
    const Eigen::VectorXd a = amplitude / h * coefficients.col(2 * h - 2);
    const Eigen::VectorXd b = amplitude / h * coefficients.col(2 * h - 1);
    const double c = std::cos(w * time), s = std::sin(w * time);
    state.q += a * s - b * c;
    state.dq += w * (a * c + b * s);
    state.ddq += w * w * (b * c - a * s);
  }
  return state;
}

/// The matrix L with L vech(I) = I v.
inline Eigen::Matrix<double, 3, 6> inertiaTimes(const Eigen::Vector3d& v) {
  Eigen::Matrix<double, 3, 6> L;
  L << v.x(), v.y(), v.z(), 0, 0, 0, 0, v.x(), 0, v.y(), v.z(), 0, 0, 0, v.x(), 0, v.y(), v.z();
  return L;
}

/// Joint torques as linear functions of all bodies' parameters, [bodies x 10 bodies], by the
/// Newton-Euler equations in world coordinates. Axes along z.
inline Eigen::MatrixXd torqueRows(const std::vector<Joint>& arm,
                                  const State& state,
                                  const Eigen::Vector3d& gravity) {
  const auto bodies = static_cast<Eigen::Index>(arm.size());
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(bodies, 10 * bodies);
  std::vector<Eigen::Vector3d> axes, origins;
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p = Eigen::Vector3d::Zero(), w = p, dw = p, acceleration = -gravity;
  for (Eigen::Index k = 0; k < bodies; ++k) {
    const Joint& joint = arm[k];
    const Eigen::Matrix3d twist = rotationAbout(Eigen::Vector3d::UnitX(), joint.alpha);
    const Eigen::Vector3d offset = R * (Eigen::Vector3d(joint.a, 0, 0) + joint.d * twist.col(2));
    acceleration += dw.cross(offset) + w.cross(w.cross(offset));
    p += offset;
    R = R * twist * rotationAbout(Eigen::Vector3d::UnitZ(), state.q(k));
    const Eigen::Vector3d axis = R.col(2);
    dw += axis * state.ddq(k) + w.cross(axis * state.dq(k));
    w += axis * state.dq(k);
    axes.push_back(axis);
    origins.push_back(p);

    const Eigen::Vector3d w_k = R.transpose() * w, dw_k = R.transpose() * dw,
                          a_k = R.transpose() * acceleration;
    Eigen::Matrix<double, 3, 10> force = Eigen::Matrix<double, 3, 10>::Zero(), moment = force;
    force.col(0) = a_k;
    force.middleCols<3>(1) = skew(dw_k) + skew(w_k) * skew(w_k);
    moment.middleCols<3>(1) = -skew(a_k);
    moment.rightCols<6>() = inertiaTimes(dw_k) + skew(w_k) * inertiaTimes(w_k);
    for (std::size_t j = 0; j < axes.size(); ++j)
      rows.block<1, 10>(static_cast<Eigen::Index>(j), 10 * k) =
          axes[j].transpose() * (R * moment) +
          axes[j].cross(p - origins[j]).transpose() * (R * force);
  }
  return rows;
}

/// Viscous and Coulomb friction (a fifth of the parameters is zero) and drive inertia of every
/// joint.
inline Eigen::VectorXd randomJointEffects(int bodies, Random& random) {
  constexpr std::array<double, 3> kScales = {2.0, 3.0, 0.3};
  Eigen::VectorXd effects(3 * bodies);
  for (int j = 0; j < bodies; ++j)
    for (int i = 0; i < 3; ++i) {
      const double scale = kScales.at(i) * std::exp(-2.0 * j / bodies);
      effects(3 * j + i) = random.uniform() < 0.2 ? 0.0 : scale * random.uniform();
    }
  return effects;
}

/// Adds noise and unmodelled torque, and divides the rows of every joint by its noise level.
inline void corruptAndWeigh(const Family& family,
                            int bodies,
                            PhysicalFitProblem& problem,
                            Random& random) {
  const Eigen::Index samples = problem.z.size() / bodies;
  for (int j = 0; j < bodies; ++j) {
    const double phase = 2.0 * std::numbers::pi * random.uniform();
    const double frequency = 1.0 + 3.0 * random.uniform();
    double square = 0.0;
    for (Eigen::Index s = 0; s < samples; ++s)
      square += problem.z(s * bodies + j) * problem.z(s * bodies + j);
    const double rms = std::max(1e-6, std::sqrt(square / static_cast<double>(samples)));
    const double weight = 1.0 / (std::max(family.noise, 1e-3) * rms);
    for (Eigen::Index s = 0; s < samples; ++s) {
      const Eigen::Index i = s * bodies + j;
      const auto step = static_cast<double>(s);
      problem.z(i) += rms * (family.noise * random.normal() +
                             family.unmodelled *
                                 (std::sin(frequency * step + phase) + 0.5 * std::cos(0.1 * step)));
      problem.z(i) *= weight;
      problem.R.row(i) *= weight;
    }
  }
}

/// The problem of a family for kSizes[size_index] bodies: three nonnegative and one free column per
/// joint.
inline PhysicalFitProblem randomProblem(const Family& family,
                                        std::size_t size_index,
                                        std::uint32_t seed) {
  Random random(seed);
  const int n = kSizes.at(size_index);
  const int samples = family.samples.at(size_index);
  const std::vector<Joint> arm = randomArm(n, random);
  PhysicalFitProblem problem;
  problem.bodies = n;
  problem.nonnegative = 3 * n;
  problem.free = n;
  Eigen::VectorXd truth(14 * n);
  for (int k = 0; k < n; ++k) {
    const InertialParameters body = randomBody(family, static_cast<double>(k) / n, random);
    truth.segment<10>(10 * k) = body;
    problem.prior.push_back(randomPrior(body, family.prior_error, random));
  }
  truth.segment(10 * n, 3 * n) = randomJointEffects(n, random);
  for (int j = 0; j < n; ++j) truth(13 * n + j) = 0.5 * random.normal();

  const Eigen::Vector3d gravity =
      family.tilted ? 9.81 * Eigen::Vector3d(0.4, -0.3, -0.86) : Eigen::Vector3d(0, 0, -9.81);
  const Eigen::MatrixXd coefficients =
      Eigen::MatrixXd::NullaryExpr(n, 5, [&] { return random.normal(); });
  problem.R = Eigen::MatrixXd::Zero(samples * n, 14 * n);
  for (int s = 0; s < samples; ++s) {
    const State state = family.amplitude > 0.0
                            ? harmonicState(coefficients, family.amplitude, 10.0 * s / samples)
                            : randomState(n, random);
    problem.R.block(s * n, 0, n, 10 * n) = torqueRows(arm, state, gravity);
    for (int j = 0; j < n; ++j) {
      problem.R(s * n + j, 10 * n + 3 * j) = state.dq(j);
      problem.R(s * n + j, 10 * n + 3 * j + 1) = state.dq(j) > 0.0 ? 1.0 : -1.0;
      problem.R(s * n + j, 10 * n + 3 * j + 2) = state.ddq(j);
      problem.R(s * n + j, 13 * n + j) = 1.0;
    }
  }
  problem.z = problem.R * truth;
  corruptAndWeigh(family, n, problem, random);
  problem.rows = static_cast<double>(problem.z.size());
  return problem;
}

}  // namespace dynid::random_problems
