#include "dynid/formulations/agreement.h"

#include "dynid/dynamics/closed_motion.h"
#include "dynid/dynamics/mass_matrix.h"
#include "dynid/formulations/base_joints.h"
#include "dynid/formulations/formulation_table.h"
#include "dynid/formulations/projection_method.h"
#include "dynid/math/quantile.h"
#include "dynid/robot/complete_limits.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <random>
#include <stdexcept>
#include <utility>

namespace dynid {
namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  Eigen::MatrixXd matrix(Eigen::Index rows, Eigen::Index cols, double size = 1.0) {
    std::uniform_real_distribution<double> uniform(-size, size);
    Eigen::MatrixXd result(rows, cols);
    for (double& x : result.reshaped()) x = uniform(engine_);
    return result;
  }
  Eigen::VectorXd vector(Eigen::Index size, double reach) { return matrix(size, 1, reach); }

 private:
  std::mt19937_64 engine_;
};

/// Parameters of a random possible body: a positive definite second moment about the centre of
/// mass, with a mass of a few kilograms and a size of a few decimetres.
InertialParameters possibleBody(Random& random) {
  const double mass = 2.0 + random.vector(1, 1.5)(0);
  const Eigen::Matrix3d spread = random.matrix(3, 3, 0.15);
  const Eigen::Matrix3d second =
      mass * (spread * spread.transpose() + 1e-3 * Eigen::Matrix3d::Identity());
  return inertialFromCenterOfMass(
      mass, random.vector(3, 0.2), second.trace() * Eigen::Matrix3d::Identity() - second);
}

Eigen::VectorXd possibleBodies(const Robot& robot, Random& random) {
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(Eigen::Index{10} * robot.numBodies());
  for (Eigen::Index k = 0; k < robot.numBodies(); ++k)
    if (!robot.bodies[k].massless) pi.segment<10>(10 * k) = possibleBody(random);
  return pi;
}

Eigen::VectorXd randomPosition(const Robot& robot, Random& random) {
  Eigen::VectorXd q = random.vector(robot.numJoints(), 1.0);
  for (Eigen::Index j = 0; j < q.size(); ++j) {
    const JointLimits limits = completeLimits(robot.joints[j].limits, robot.joints[j].prismatic);
    q(j) = 0.5 * (limits.lower + limits.upper) + 0.5 * (limits.upper - limits.lower) * q(j);
  }
  return q;
}

/// Sets `worst` to the larger of both; NaN is kept.
void raise(double& worst, double value) {
  if (std::isnan(value) || value > worst) worst = value;
}

/// Largest difference between the results of one formulation and the reference over the states.
class Disagreement {
 public:
  Disagreement(const Robot& robot, Computes computes) : robot_(robot), computes_(computes) {}

  void add(const FormulationState& s, const Eigen::MatrixXd& value) {
    if (computes_ == Computes::kIdentity) {
      note(value.cwiseAbs().maxCoeff<Eigen::PropagateNaN>(), 1.0, 0);
    } else if (computes_ == Computes::kAccelerations) {
      const Eigen::MatrixXd M = massMatrix(robot_, s.pi, s.q);
      const double effort = std::max(s.tau.cwiseAbs().maxCoeff<Eigen::PropagateNaN>(),
                                     (M * s.ddq).cwiseAbs().maxCoeff<Eigen::PropagateNaN>());
      note((M * (value.col(0) - s.ddq)).cwiseAbs().maxCoeff<Eigen::PropagateNaN>(), effort, 0);
      if (value.cols() > 1)
        note((value.col(1) - s.A.transpose() * s.lambda).cwiseAbs().maxCoeff<Eigen::PropagateNaN>(),
             effort,
             0);
    } else {
      addRegressor(projectionRegressor(robot_, s.q, s.dq, s.ddq).topRows(value.rows()), value);
    }
  }

  double relative() const {
    // A parameter without effect on any joint in these states has only rounding errors on both
    // sides.
    constexpr double kUnfelt = 1e-3;
    const double floor = kUnfelt * scale_.maxCoeff();
    double worst = 0.0;
    for (Eigen::Index c = 0; c < 10; ++c) {
      const double scale = std::max(scale_(c), floor);
      const double ratio = scale > 0.0 ? difference_(c) / scale : difference_(c);
      raise(worst, ratio);
    }
    return worst;
  }

 private:
  void note(double difference, double scale, Eigen::Index c) {
    raise(difference_(c), difference);
    scale_(c) = std::max(scale_(c), scale);
  }
  void addRegressor(const Eigen::MatrixXd& reference, const Eigen::MatrixXd& value) {
    if (value.cols() != reference.cols())
      throw std::logic_error("a formulation returned a wrong number of columns");
    for (Eigen::Index c = 0; c < value.cols(); ++c) {
      if (robot_.bodies[c / 10].massless) continue;
      note((value.col(c) - reference.col(c)).cwiseAbs().maxCoeff<Eigen::PropagateNaN>(),
           reference.col(c).cwiseAbs().maxCoeff<Eigen::PropagateNaN>(),
           c % 10);
    }
  }

  const Robot& robot_;
  Computes computes_;
  // Per parameter; other quantities use entry 0
  Vector10<double> difference_ = Vector10<double>::Zero();
  Vector10<double> scale_ = Vector10<double>::Zero();
};

}  // namespace

FormulationAgreement compareFormulation(const Formulation& formulation,
                                        const Robot& robot,
                                        const std::vector<FormulationState>& states) {
  using Clock = std::chrono::steady_clock;
  FormulationAgreement row;
  row.name = formulation.name;
  row.computes = formulation.computes;
  row.what = formulation.what;
  row.tolerance = formulation.tolerance;
  row.reason = formulation.unsuitable(robot);
  row.applies = row.reason.empty();
  if (!row.applies) return row;
  row.reason = formulation.tolerance_reason;
  Disagreement disagreement(robot, formulation.computes);
  std::vector<double> nanoseconds;
  for (const FormulationState& state : states) {
    const Clock::time_point start = Clock::now();
    const Eigen::MatrixXd value = formulation.evaluate(robot, state);
    nanoseconds.push_back(std::chrono::duration<double, std::nano>(Clock::now() - start).count());
    disagreement.add(state, value);
  }
  row.nanoseconds = median(std::move(nanoseconds));
  row.max_relative_disagreement = disagreement.relative();
  return row;
}

std::vector<FormulationState> randomFormulationStates(const Robot& robot,
                                                      const AgreementOptions& options,
                                                      bool at_rest) {
  if (options.states < 1)
    throw std::invalid_argument(fmt::format("`states` is {}; expected at least 1", options.states));
  Random random(options.seed);
  const Eigen::Index n = robot.numJoints();
  const Eigen::VectorXd pi = possibleBodies(robot, random);
  std::vector<FormulationState> states(options.states);
  for (FormulationState& s : states) {
    s.pi = pi;
    s.q = closablePosition(robot, [&] { return randomPosition(robot, random); });
    s.dq = random.vector(n, at_rest ? 0.0 : 2.0);
    s.ddq = random.vector(n, at_rest ? 0.0 : 8.0);
    s.dddq = random.vector(n, at_rest ? 0.0 : 30.0);
    s.tau = projectionRegressor(robot, s.q, s.dq, s.ddq) * pi;
    const Eigen::Index constraints = std::max<Eigen::Index>(0, std::min<Eigen::Index>(3, n - 1));
    s.A = random.matrix(constraints, n);
    s.b = s.A * s.ddq;
    s.lambda = random.vector(constraints, 10.0);
    s.tau_constrained = s.tau - s.A.transpose() * s.lambda;
  }
  return states;
}

std::vector<FormulationAgreement> compareFormulations(const Robot& given,
                                                      const AgreementOptions& options) {
  const Robot robot = given.floating_base ? withBaseJoints(given) : given;
  const std::vector<FormulationState> moving = randomFormulationStates(robot, options, false);
  const std::vector<FormulationState> resting = randomFormulationStates(robot, options, true);
  std::vector<FormulationAgreement> rows;
  for (const Formulation& formulation : allFormulations())
    rows.push_back(compareFormulation(formulation, robot, formulation.at_rest ? resting : moving));
  return rows;
}

}  // namespace dynid
