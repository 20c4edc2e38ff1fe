#include "dynid/simulation/simulated_truth.h"

#include "dynid/consistency/prior.h"
#include "dynid/dynamics/friction_resistance.h"
#include "dynid/dynamics/inverse_dynamics.h"
#include "dynid/dynamics/joint_effects.h"
#include "dynid/dynamics/mass_matrix.h"
#include "dynid/math/random_stream.h"
#include "dynid/robot/link_end.h"
#include "dynid/simulation/simulated_motion.h"
#include "dynid/spatial/pseudo_inertia.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace dynid {
namespace {

constexpr double kBoundMargin = 0.05;  // of an interval of masses or coordinates

// A body of the link's size: the capsule under a random affine map (under which it remains a
// physically possible body) with a random density.
InertialParameters randomLink(const Robot& robot, int body, RandomStream& random) {
  Eigen::Matrix4d map = Eigen::Matrix4d::Identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) map(i, j) += random.uniform(-0.25, 0.25);
    map(i, 3) = random.uniform(-0.03, 0.03);
  }
  const Eigen::Matrix4d P =
      pseudoInertia(capsulePrior(Eigen::Vector3d::Zero(), linkEnd(robot, body)));
  return inertialFromPseudo(random.uniform(0.5, 1.5) * map * P * map.transpose());
}

// Root mean square effort that each drive transmits in a typical motion [actuators], its typical
// speed and the inertia that it moves.
struct Load {
  Eigen::VectorXd effort, speed, inertia;
};
Load typicalLoad(const Robot& robot, const Eigen::VectorXd& pi) {
  const Eigen::Index n = robot.numJoints();
  const SimulatedMotion motion = randomMotion(robot, {});
  const Eigen::MatrixXd from_joints = robot.T.inverse();
  Load load{Eigen::VectorXd::Zero(n), Eigen::VectorXd::Zero(n), Eigen::VectorXd::Zero(n)};
  constexpr int kTruthInstants = 50;
  for (int i = 0; i < kTruthInstants; ++i) {
    const JointMotion m = motion.at(motion.duration_s * (0.1 + 0.8 * i / kTruthInstants));
    const Eigen::VectorXd tau = robot.T.transpose() * inverseDynamics(robot, pi, m.q, m.dq, m.ddq);
    load.effort += tau.cwiseAbs2() / kTruthInstants;
    load.speed += (from_joints * m.dq).cwiseAbs2() / kTruthInstants;
    load.inertia += actuatorMassMatrix(robot, pi, {}, m.q).diagonal() / kTruthInstants;
  }
  load.effort = load.effort.cwiseSqrt();
  load.speed = load.speed.cwiseSqrt().cwiseMax(0.05);  // lower bound for joints that hardly move
  return load;
}

// The same body with its density changed such that the mass is within the user's bounds.
InertialParameters withinMassBounds(const LinkBounds& bounds, const InertialParameters& body) {
  if (!bounds.mass) return body;
  const auto [lower, upper] = *bounds.mass;
  const double margin = std::isfinite(upper) ? kBoundMargin * (upper - lower) : 0.0;
  const double mass = std::clamp(body(0), lower + margin, upper - margin);
  return mass / body(0) * body;
}

// Squared distance from the centre of an ellipsoid, in its radii.
double squaredRadii(const LinkBounds::Ellipsoid& ellipsoid, const Eigen::Vector3d& point) {
  return (point - ellipsoid.center).cwiseQuotient(ellipsoid.radii).squaredNorm();
}

// A centre of mass within the user's bounds, near the given one if possible. Bounds that contradict
// each other are not met.
Eigen::Vector3d boundedCenter(const LinkBounds& bounds, const Eigen::Vector3d& center) {
  const auto in_box = [&](const Eigen::Vector3d& point) -> Eigen::Vector3d {
    if (!bounds.com_box) return point;
    const auto& [lower, upper] = *bounds.com_box;
    Eigen::Vector3d inside = point;
    for (int i = 0; i < 3; ++i) {
      const double width = upper(i) - lower(i);
      const double margin = std::isfinite(width) ? kBoundMargin * width : 0.0;
      inside(i) = std::clamp(point(i), lower(i) + margin, upper(i) - margin);
    }
    return inside;
  };
  Eigen::Vector3d chosen = in_box(center);
  if (!bounds.ellipsoid) return chosen;
  constexpr double kInside = 0.5;  // squared radii: leaves room for the extent of the body
  const Eigen::Vector3d nearest = in_box(bounds.ellipsoid->center);
  const double limit = std::max(kInside, 0.5 * (1.0 + squaredRadii(*bounds.ellipsoid, nearest)));
  for (int i = 0; i < 60 && squaredRadii(*bounds.ellipsoid, chosen) > limit; ++i)
    chosen = nearest + 0.8 * (chosen - nearest);
  return chosen;
}

// The same body moved and shrunk such that its centre of mass is in the user's box and it fits into
// the user's ellipsoid.
InertialParameters withinShapeBounds(const LinkBounds& bounds, const InertialParameters& body) {
  if (!bounds.com_box && !bounds.ellipsoid) return body;
  const Eigen::Matrix4d P = pseudoInertia(body);
  const Eigen::Vector3d center = P.col(3).head<3>() / P(3, 3);
  const Eigen::Vector3d wanted = boundedCenter(bounds, center);
  double scale = 1.0;
  if (bounds.ellipsoid) {
    const Eigen::Vector3d spread =
        P.diagonal().head<3>() / P(3, 3) - center.cwiseAbs2();  // mean squares about the centre
    const double extent = spread.cwiseQuotient(bounds.ellipsoid->radii.cwiseAbs2()).sum();
    const double room = 1.0 - squaredRadii(*bounds.ellipsoid, wanted);
    if (room > 0.0 && extent > 0.0)
      scale = std::min(1.0, std::sqrt((1.0 - kBoundMargin) * room / extent));
  }
  Eigen::Matrix4d map = Eigen::Matrix4d::Identity();
  map.topLeftCorner<3, 3>() *= scale;
  map.topRightCorner<3, 1>() = wanted - scale * center;
  return inertialFromPseudo(map * P * map.transpose());
}

// Scales the bodies `open` such that the sum of all masses is within the user's bounds, as far as
// the other bodies allow it.
void scaleToTotalMass(const Robot& robot, const std::vector<int>& open, Eigen::VectorXd& pi) {
  if (!robot.total_mass) return;
  const auto [lower, upper] = *robot.total_mass;
  double total = 0.0, of_open = 0.0;
  for (int k = 0; k < robot.numBodies(); ++k) total += pi(10 * k);
  for (const int k : open) of_open += pi(10 * k);
  const double margin = std::isfinite(upper) ? kBoundMargin * (upper - lower) : 0.0;
  const double wanted = std::clamp(total, lower + margin, upper - margin) - (total - of_open);
  if (!(of_open > 0.0) || !(wanted > 0.0)) return;
  for (const int k : open) pi.segment<10>(10 * k) *= wanted / of_open;
}

// Parameter of a column for which it contributes `share` of the typical effort at typical speed.
double plausible(const Column& column, const Load& load, double share) {
  const double effort = share * load.effort(column.owner), v = load.speed(column.owner);
  switch (column.effect) {
    case FrictionEffect::kViscous:
      return effort / v;
    case FrictionEffect::kAsymmetric:
      return 0.1 * effort / v;
    case FrictionEffect::kSqrtViscous:
      return effort / std::sqrt(v);
    case FrictionEffect::kQuadraticViscous:
      return effort / (v * v);
    case FrictionEffect::kLoad:
      return 0.5 * share;
    case FrictionEffect::kRipple:
    case FrictionEffect::kOffset:
      return 0.2 * effort;
    default:
      return effort;
  }
}

// The value of a column of one actuator that the description gives, as modelFromDescription reads
// it; 0: none.
double described(const Robot& robot, const Column& column) {
  if (robot.isCoupled(column.owner)) return 0.0;
  const Joint& joint = robot.joints[column.owner];
  if (column.kind == ColumnKind::kDriveInertia) return joint.drive_inertia;
  if (column.isFriction(FrictionEffect::kViscous)) return joint.damping;
  if (column.isFriction(FrictionEffect::kCoulomb) && !column.hasPreslidingState())
    return joint.friction;
  if (column.isFriction(FrictionEffect::kOffset)) return -joint.stiffness * joint.spring_reference;
  const bool first_effect = column.position_effect == 0 && column.component == 0;
  return column.kind == ColumnKind::kPosition && first_effect ? joint.stiffness : 0.0;
}

// Lowers the friction terms of either sign until the friction of the actuator resists at every
// speed up to its limit, as that of a real drive does.
void makePassive(const Robot& robot,
                 int actuator,
                 const ParameterLayout& layout,
                 std::vector<double>& values) {
  std::vector<int> places;
  std::vector<Column> columns;
  for (int c = 0; c < layout.size(); ++c) {
    if (layout[c].owner != actuator || !isDissipative(layout[c])) continue;
    places.push_back(c);
    columns.push_back(layout[c]);
  }
  if (columns.empty()) return;
  const Eigen::MatrixXd resistance =
      frictionResistance(columns, frictionSpeeds(highestActuatorSpeeds(robot)(actuator)));
  const auto pushes = [&] {
    Eigen::VectorXd friction = Eigen::VectorXd::Zero(resistance.rows());
    for (size_t i = 0; i < places.size(); ++i)
      friction += values[places[i]] * resistance.col(static_cast<Eigen::Index>(i));
    return friction.minCoeff() < 0.0;
  };
  constexpr int kMostHalvings = 60;
  for (int i = 0; i < kMostHalvings && pushes(); ++i)
    for (const int place : places)
      if (!layout[place].nonnegative) values[place] *= 0.5;
}

// Appends the columns of one actuator with the parameters of the description, where `keep` asks for
// them, or else plausible ones: drive inertia of 10 to 50 % of the inertia it moves, and friction
// and position effects of 5 to 20 % of its typical effort each, passive friction.
void appendDrive(const Robot& robot,
                 int actuator,
                 const Load& load,
                 bool keep,
                 RandomStream& random,
                 SimulationTruth& truth) {
  const Drive& drive = robot.drives[actuator];
  const bool prismatic = robot.joints[actuator].prismatic;
  std::vector<double> values(truth.parameters.data(),
                             truth.parameters.data() + truth.parameters.size());
  const auto append = [&](Column column, double value) {
    const double known = keep ? described(robot, column) : 0.0;
    if (known != 0.0) value = known;
    truth.layout.append(std::move(column));
    values.push_back(value);
  };
  if (drive.drive_inertia)
    append(driveInertiaColumn(robot, actuator), random.uniform(0.1, 0.5) * load.inertia(actuator));
  std::vector<FrictionEffect> effects = drive.friction;
  if (drive.automatic_friction)
    effects = {FrictionEffect::kViscous, FrictionEffect::kCoulomb, FrictionEffect::kOffset};
  for (FrictionEffect effect : effects) {
    double shape = 0.0;
    if (effect == FrictionEffect::kStribeck) shape = prismatic ? 0.01 : 0.1;
    if (effect == FrictionEffect::kRipple) shape = std::abs(drive.gear_ratio.value_or(1.0));
    for (int component = 0; component < componentsOf(effect); ++component) {
      const bool presliding = effect == FrictionEffect::kPresliding;
      Column column =
          frictionColumn(robot, actuator, presliding ? FrictionEffect::kCoulomb : effect, shape);
      if (presliding) column.presliding = prismatic ? 3e-4 : 3e-3;
      if (presliding && truth.layout.find(column.name) >= 0)
        column.name = drive.name + ".presliding";
      column.component = component;
      if (componentsOf(effect) > 1) column.name += component == 0 ? "_sin" : "_cos";
      const double value = plausible(column, load, random.uniform(0.05, 0.2));
      append(column, column.nonnegative || random.uniform() < 0.5 ? value : -value);
    }
  }
  makePassive(robot, actuator, truth.layout, values);
  for (int e = 0; e < std::ssize(drive.position_effects); ++e) {
    const std::vector<PositionTerm> terms = positionTerms(drive.position_effects[e], prismatic);
    for (int t = 0; t < std::ssize(terms); ++t) {
      Column column;
      column.kind = ColumnKind::kPosition;
      column.owner = actuator;
      column.component = t;
      column.position_effect = e;
      const std::string& owner =
          drive.position_effects[e].at_actuator ? drive.name : robot.joints[actuator].name;
      column.name = owner + "." + terms[t].name + (e > 0 ? std::to_string(e + 1) : "");
      column.unit = terms[t].unit;
      append(column, random.uniform(0.05, 0.2) * load.effort(actuator));
    }
  }
  truth.parameters = Eigen::Map<Eigen::VectorXd>(values.data(), std::ssize(values));
}

}  // namespace

void SimulationTruth::check(const Robot& robot) const {
  const auto fail = [](const std::string& what) {
    throw std::invalid_argument("the model to simulate: " + what);
  };
  const int inertial = 10 * robot.numBodies();
  if (parameters.size() != layout.size())
    fail("got " + std::to_string(parameters.size()) + " parameters; expected " +
         std::to_string(layout.size()));
  if (!parameters.allFinite()) fail("a parameter is not finite");
  for (int c = 0; c < layout.size(); ++c) {
    const Column& column = layout[c];
    if ((column.kind == ColumnKind::kInertial) != (c < inertial) ||
        column.kind == ColumnKind::kPayload)
      fail("column \"" + column.name + "\" stands at " + std::to_string(c) + "; expected the " +
           std::to_string(inertial) + " inertial columns first, joint effects after, no payloads");
  }
  if (layout.size() < inertial) fail("inertial columns are missing");
  if (drive_gains.size() != 0 && drive_gains.size() != std::ssize(robot.drives))
    fail("got " + std::to_string(drive_gains.size()) + " drive gains; expected " +
         std::to_string(robot.drives.size()));
  if (!drive_gains.allFinite() || (drive_gains.array() == 0.0).any())
    fail("a drive gain is zero or not finite; expected N m/A, negative allowed");
  if (ramp_speed.size() != 0 && ramp_speed.size() != std::ssize(robot.drives))
    fail("got " + std::to_string(ramp_speed.size()) + " ramp speeds; expected " +
         std::to_string(robot.drives.size()));
  if (!ramp_speed.allFinite() || (ramp_speed.array() < 0.0).any())
    fail("a ramp speed is negative or not finite; expected rad/s or m/s");
  if (effort_delay.size() != 0 && effort_delay.size() != std::ssize(robot.drives))
    fail("got " + std::to_string(effort_delay.size()) + " delays of efforts; expected " +
         std::to_string(robot.drives.size()));
  if (!effort_delay.allFinite()) fail("a delay of an effort is not finite; expected s");
}

SimulationTruth randomTruth(const Robot& robot,
                            std::uint64_t seed,
                            bool described_inertia,
                            bool described_drives) {
  SimulationTruth truth;
  truth.layout = inertialLayout(robot);
  truth.parameters = Eigen::VectorXd::Zero(truth.layout.size());
  std::vector<int> open;  // bodies that neither their description nor bounds of their own limit
  for (int k = 0; k < robot.numBodies(); ++k) {
    if (robot.bodies[k].massless) continue;
    RandomStream random(seed, static_cast<std::uint64_t>(k));
    const std::optional<InertialParameters>& prior = robot.bodies[k].prior;
    const bool real = prior && smallestPseudoEigenvalue(*prior) > 0.0;
    const bool given = described_inertia && real;
    if (!given && !robot.bodies[k].bounds.mass) open.push_back(k);
    truth.parameters.segment<10>(Eigen::Index{10} * k) =
        given ? *prior
              : withinMassBounds(
                    robot.bodies[k].bounds,
                    withinShapeBounds(robot.bodies[k].bounds, randomLink(robot, k, random)));
  }
  scaleToTotalMass(robot, open, truth.parameters);
  const Load load = typicalLoad(robot, truth.parameters);
  truth.drive_gains.resize(robot.T.cols());
  bool gains = false;
  for (int a = 0; a < std::ssize(robot.drives); ++a) {
    RandomStream random(seed, 1'000'000 + static_cast<std::uint64_t>(a));
    appendDrive(robot, a, load, described_drives, random, truth);
    const Drive& drive = robot.drives[a];
    gains |= drive.drive_gain.has_value() || drive.identify_gain;
    truth.drive_gains(a) = drive.drive_gain.value_or(random.uniform(5.0, 20.0));
  }
  if (!gains) truth.drive_gains.resize(0);
  return truth;
}

SimulationTruth truthOf(const Model& model) {
  model.check();
  SimulationTruth truth;
  std::vector<double> values;
  for (int c = 0; c < model.layout.size(); ++c) {
    if (model.layout[c].kind == ColumnKind::kPayload) continue;
    truth.layout.append(model.layout[c]);
    values.push_back(model.parameters(c));
  }
  truth.parameters = Eigen::Map<Eigen::VectorXd>(values.data(), std::ssize(values));
  if (model.drive_gains.size() > 0 && model.drive_gains.allFinite())
    truth.drive_gains = model.drive_gains;
  truth.ramp_speed.resize(std::ssize(model.robot->drives));
  for (int a = 0; a < truth.ramp_speed.size(); ++a)
    truth.ramp_speed(a) = model.signals.rampSpeed(a);
  truth.effort_delay = model.signals.effort_delay;
  return truth;
}

}  // namespace dynid
