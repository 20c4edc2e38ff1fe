#include "dynid/validation/physics_checks.h"

#include "dynid/core/text.h"
#include "dynid/dynamics/friction_resistance.h"
#include "dynid/dynamics/inverse_dynamics.h"
#include "dynid/formulations/christoffel.h"
#include "dynid/formulations/huygens.h"
#include "dynid/model/model_efforts.h"
#include "dynid/validation/joint_states.h"
#include "dynid/validation/model_friction.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace dynid {
namespace {

// Both properties hold exactly except for rounding errors (about 1e-13 for thirty joints).
constexpr double kStructure = 1e-9;

/// Random velocities within the limits, or within 1 rad/s or m/s if there are none.
class RandomRates {
 public:
  RandomRates(const Robot& robot, std::uint64_t seed) : robot_(robot), random_(seed) {}
  Eigen::VectorXd next() {
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    Eigen::VectorXd rates(robot_.numJoints());
    for (Eigen::Index j = 0; j < rates.size(); ++j) {
      const double limit = robot_.joints[j].limits.velocity;
      rates(j) = unit(random_) * (std::isfinite(limit) ? limit : 1.0);
    }
    return rates;
  }

 private:
  const Robot& robot_;
  std::mt19937_64 random_;
};

/// Sets `worst` to the larger of both; NaN is kept.
void raise(double& worst, double value) {
  if (std::isnan(value) || value > worst) worst = value;
}

Check verdict(const std::string& name, double value, const std::string& what) {
  Check check;
  check.name = name;
  check.value = value;
  check.threshold = kStructure;
  check.outcome = value <= kStructure ? Check::Outcome::kPassed : Check::Outcome::kFailed;
  check.message = what + " to " + toText(value, 2) + " of its terms";
  return check;
}

}  // namespace

Check checkSkewSymmetry(const Model& model, int samples, std::uint64_t seed) {
  const Robot& robot = *model.robot;
  const Eigen::VectorXd pi = model.parameters.head(Eigen::Index{10} * robot.numBodies());
  JointStates states(robot, seed);
  RandomRates rates(robot, seed);
  double worst = 0.0;
  for (int i = 0; i < samples; ++i) {
    const Eigen::VectorXd q = states.next();
    const SkewSymmetry error = skewSymmetry(robot, pi, q, rates.next());
    raise(worst, error.asymmetry);
    raise(worst, error.coupling_error);
  }
  return verdict("coriolis_skew_symmetric", worst, "dM/dt - 2 S is skew symmetric");
}

Check checkPowerBalance(const Model& model, int samples, std::uint64_t seed) {
  const Robot& robot = *model.robot;
  const Eigen::VectorXd pi = model.parameters.head(Eigen::Index{10} * robot.numBodies());
  const Eigen::MatrixXd T_inverse = robot.T.inverse();
  const Eigen::VectorXd drives = driveInertias(model);
  JointStates states(robot, seed);
  RandomRates rates(robot, seed);
  double worst = 0.0;
  for (int i = 0; i < samples; ++i) {
    const Eigen::VectorXd q = states.next(), dq = rates.next(), ddq = rates.next();
    const Eigen::VectorXd dq_a = T_inverse * dq, ddq_a = T_inverse * ddq;
    const Eigen::VectorXd tau =
        inverseDynamics(robot, pi, q, dq, ddq) + T_inverse.transpose() * drives.cwiseProduct(ddq_a);
    const double gained =
        powerRow(robot, q, dq, ddq).dot(pi) + drives.cwiseProduct(dq_a).dot(ddq_a);
    const double flow = dq.cwiseProduct(tau).cwiseAbs().sum();
    const double value = flow == 0.0 ? 0.0 : std::abs(gained - dq.dot(tau)) / flow;
    raise(worst, value);
  }
  return verdict("power_balance", worst, "dE/dt is the power of the joints");
}

Check checkFrictionPassivity(const Model& model) {
  Check check;
  check.name = "friction_passive";
  check.outcome = Check::Outcome::kPassed;
  check.value = std::numeric_limits<double>::infinity();
  std::vector<std::string> pushing;
  for (const ModelFriction& friction : frictionsOf(model)) {
    const Eigen::VectorXd speeds = frictionSpeeds(friction.fastest);
    const Eigen::VectorXd against = friction.resistance(speeds);
    Eigen::Index at = 0;
    const double smallest = against.minCoeff<Eigen::PropagateNaN>(&at);
    if (std::isnan(smallest) || smallest < check.value) check.value = smallest;
    if (!(smallest >= -kStructure * against.cwiseAbs().maxCoeff()))
      pushing.push_back("friction of " + friction.name + " pushes with " + toText(-smallest, 3) +
                        " " +
                        (model.effort_unit == "A"       ? "A"
                         : friction.speed_unit == "m/s" ? "N"
                                                        : "N m") +
                        " at " + toText(speeds(at), 3) + " " + friction.speed_unit);
  }
  if (std::isinf(check.value)) {
    check.value = 0.0;
    check.message = "the model has no friction";
  } else if (pushing.empty()) {
    check.message = "friction takes energy at every speed up to the limits";
  } else {
    check.outcome = Check::Outcome::kNoticed;
    check.message = join(pushing, "; ") + "; a simulator gains energy there";
  }
  return check;
}

}  // namespace dynid
