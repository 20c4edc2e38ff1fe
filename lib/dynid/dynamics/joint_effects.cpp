#include "dynid/dynamics/joint_effects.h"

#include "dynid/core/text.h"
#include "dynid/dynamics/inner_numbers.h"
#include "dynid/kernels/instruction_set.h"

#include <cmath>
#include <stdexcept>

namespace dynid {
namespace {

[[noreturn]] void fail(const std::string& what, const std::string& expected) {
  throw std::invalid_argument("the effect " + what + "; expected " + expected);
}

void needs(FrictionEffect effect,
           const char* name,
           const Eigen::VectorXd& given,
           Eigen::Index samples) {
  if (given.size() != samples || samples == 0)
    fail(std::string(toString(effect)) + " got " + std::to_string(given.size()) + " samples of " +
             name,
         samples == 0 ? "at least one" : std::to_string(samples));
}

void needsShape(FrictionEffect effect, double shape) {
  if (!isUsableShape(effect, shape))
    fail(std::string(toString(effect)) + " got the shape " + toText(shape), "a positive number");
}

// The effects that are odd in a sign s: the sign of the velocity, or Dahl's state in its place.
Eigen::VectorXd alongDirection(FrictionEffect effect,
                               double shape,
                               const EffectBlock& block,
                               const Eigen::VectorXd& s) {
  if (effect == FrictionEffect::kLoad) {
    needs(effect, "tau_model", block.tau_model, s.size());
    return s.cwiseProduct(block.tau_model.cwiseAbs());
  }
  if (effect == FrictionEffect::kStribeck) {
    needsShape(effect, shape);
    return s.array() * (-(block.dq.array() / shape).square()).exp();
  }
  return s;
}

// Length of a counterbalance's strut, and its derivative with respect to the joint angle.
struct Strut {
  Eigen::ArrayXd length, slope;
};

Strut strut(const PositionEffect& effect, const Eigen::Ref<const Eigen::VectorXd>& q) {
  const double r = effect.radius, d = effect.distance;
  if (!(r > 0.0) || !(d > 0.0))
    throw std::invalid_argument("a counterbalance has the radius " + toText(r) +
                                " and the distance " + toText(d) +
                                "; expected positive lengths [m]");
  const Eigen::ArrayXd angle = q.array() + effect.angle;
  Strut result;
  // Equal to r^2 + d^2 - 2 r d cos, written without cancellation near the dead centre.
  result.length = ((r - d) * (r - d) + 4.0 * r * d * (0.5 * angle).sin().square()).sqrt();
  result.slope = (result.length > 0.0).select(r * d * angle.sin() / result.length, 0.0);
  return result;
}

}  // namespace

Eigen::VectorXd velocitySign(const Eigen::Ref<const Eigen::VectorXd>& dq, double deadband) {
  if (deadband > 0.0) return (dq.array() * (1.0 / deadband)).max(-1.0).min(1.0);
  Eigen::VectorXd sign(dq.size());
  const double* v = dq.data();
  double* s = sign.data();
  for (Eigen::Index i = 0; i < dq.size(); ++i)  // branch-free, so that the compiler vectorises it
    s[i] = (v[i] > 0.0 ? 1.0 : 0.0) - (v[i] < 0.0 ? 1.0 : 0.0);
  return sign;
}

Eigen::VectorXd velocitySign(const Column& column, const EffectBlock& block) {
  if (column.smoothing > 0.0) return (block.dq.array() / column.smoothing).tanh();
  return velocitySign(block.dq, block.deadband);
}

Eigen::VectorXd preslidingColumn(const Eigen::Ref<const Eigen::VectorXd>& q,
                                 double delta,
                                 PreslidingState& state) {
  if (!(delta > 0.0))
    throw std::invalid_argument("the presliding distance is " + toText(delta) +
                                "; expected a positive travel");
  static const FunctionKernel exponential = chosenInstructionSet().exponential;
  const Eigen::Index samples = q.size();
  if (samples == 0) return {};
  Eigen::VectorXd step(samples), decay(samples), z(samples);
  step(0) = state.started ? q(0) - state.q : 0.0;
  step.tail(samples - 1) = q.tail(samples - 1) - q.head(samples - 1);
  z = step.cwiseAbs();
  exponential(z.data(), -1.0 / delta, samples, decay.data());
  for (Eigen::Index i = 0; i < samples; ++i) {
    const double s = step(i) > 0.0 ? 1.0 : -1.0;
    if (step(i) != 0.0) state.z = s + (state.z - s) * decay(i);
    z(i) = state.z;
  }
  state.q = q(samples - 1);
  state.started = true;
  return z;
}

int componentsOf(FrictionEffect effect) { return effect == FrictionEffect::kRipple ? 2 : 1; }

Eigen::VectorXd effectColumn(FrictionEffect effect,
                             double shape,
                             int component,
                             const EffectBlock& block,
                             PreslidingState* state) {
  const Eigen::VectorXd& v = block.dq;
  if (effect == FrictionEffect::kPresliding || effect == FrictionEffect::kRipple) {
    needs(effect, "q", block.q, block.q.size());
    needsShape(effect, shape);
  } else {
    needs(effect, "dq", v, v.size());
  }
  switch (effect) {
    case FrictionEffect::kViscous:
      return v;
    case FrictionEffect::kCoulomb:
    case FrictionEffect::kLoad:
    case FrictionEffect::kStribeck:
      return alongDirection(effect, shape, block, velocitySign(v, block.deadband));
    case FrictionEffect::kOffset:
      return Eigen::VectorXd::Ones(v.size());
    case FrictionEffect::kAsymmetric:
      return v.cwiseAbs();
    case FrictionEffect::kSqrtViscous:
      return v.array().sign() * v.array().abs().sqrt();
    case FrictionEffect::kQuadraticViscous:
      return v.array() * v.array().abs();
    case FrictionEffect::kPresliding:
      if (state == nullptr) fail("presliding got no state", "the state of the block before");
      return preslidingColumn(block.q, shape, *state);
    case FrictionEffect::kRipple:
      if (component == 0) return (shape * block.q.array()).sin();
      return (shape * block.q.array()).cos();
  }
  fail("is unknown", "one of FrictionEffect");
}

Eigen::VectorXd effectColumn(const Column& column,
                             const EffectBlock& block,
                             PreslidingState* state) {
  if (column.kind == ColumnKind::kDriveInertia) {
    if (block.ddq.size() == 0) fail("drive_inertia got 0 samples of ddq", "at least one");
    return block.ddq;
  }
  if (column.kind != ColumnKind::kFriction)
    fail("of column \"" + column.name + "\" is neither friction nor drive inertia", "one of them");
  if (column.isFriction(FrictionEffect::kPresliding) && state == nullptr) {
    needs(column.effect, "dq", block.dq, block.dq.size());
    return velocitySign(column, block);
  }
  const bool signed_effect = column.effect == FrictionEffect::kCoulomb ||
                             column.effect == FrictionEffect::kLoad ||
                             column.effect == FrictionEffect::kStribeck;
  if (!signed_effect)
    return effectColumn(column.effect, column.shape, column.component, block, state);
  needs(column.effect, "dq", block.dq, block.dq.size());
  if (!column.hasPreslidingState() || state == nullptr)
    return alongDirection(column.effect, column.shape, block, velocitySign(column, block));
  needs(column.effect, "q", block.q, block.dq.size());
  return alongDirection(
      column.effect, column.shape, block, preslidingColumn(block.q, column.presliding, *state));
}

std::vector<PositionTerm> positionTerms(const PositionEffect& effect, bool prismatic) {
  const std::string force = prismatic ? "N" : "N m";
  const std::string stiffness = prismatic ? "N/m" : "N m/rad";
  std::vector<PositionTerm> terms;
  switch (effect.kind) {
    case PositionEffect::Kind::kSpring:
      return {{"spring", stiffness}};
    case PositionEffect::Kind::kPolynomial:
      for (int k = 1; k <= effect.degree; ++k)
        terms.push_back(
            {"poly" + std::to_string(k), stiffness + (k > 1 ? "^" + std::to_string(k) : "")});
      return terms;
    case PositionEffect::Kind::kFourier:
      for (int k = 1; k <= effect.harmonics; ++k) {
        terms.push_back({"sin" + std::to_string(k), force});
        terms.push_back({"cos" + std::to_string(k), force});
      }
      return terms;
    case PositionEffect::Kind::kCounterbalance:
      return {{"counterbalance_force", "N"}, {"counterbalance_stiffness", "N/m"}};
  }
  return terms;
}

std::vector<Column> positionEffectColumns(const Robot& robot, int actuator, int index) {
  const PositionEffect& effect = robot.drives[actuator].position_effects[index];
  const std::vector<PositionTerm> terms = positionTerms(effect, robot.joints[actuator].prismatic);
  const std::string& owner =
      effect.at_actuator ? robot.drives[actuator].name : robot.joints[actuator].name;
  std::vector<Column> columns;
  for (size_t t = 0; t < terms.size(); ++t) {
    Column column;
    column.kind = ColumnKind::kPosition;
    column.owner = actuator;
    column.component = static_cast<int>(t);
    column.position_effect = index;
    column.name = owner + "." + terms[t].name + (index > 0 ? std::to_string(index + 1) : "");
    column.unit = terms[t].unit;
    columns.push_back(column);
  }
  return columns;
}

Eigen::MatrixXd positionColumns(const PositionEffect& effect,
                                const Eigen::Ref<const Eigen::VectorXd>& q) {
  const auto terms = static_cast<Eigen::Index>(positionTerms(effect, false).size());
  if (terms == 0)
    throw std::invalid_argument("a position effect has the degree " +
                                std::to_string(effect.degree) + " and the harmonics " +
                                std::to_string(effect.harmonics) + "; expected at least 1");
  Eigen::MatrixXd columns(q.size(), terms);
  switch (effect.kind) {
    case PositionEffect::Kind::kSpring:
      columns.col(0) = q;
      break;
    case PositionEffect::Kind::kPolynomial:
      columns.col(0) = q;
      for (Eigen::Index k = 1; k < terms; ++k) columns.col(k) = columns.col(k - 1).cwiseProduct(q);
      break;
    case PositionEffect::Kind::kFourier:
      for (Eigen::Index k = 0; k < terms / 2; ++k) {
        columns.col(2 * k) = (static_cast<double>(k + 1) * q.array()).sin();
        columns.col(2 * k + 1) = (static_cast<double>(k + 1) * q.array()).cos();
      }
      break;
    case PositionEffect::Kind::kCounterbalance: {
      const Strut s = strut(effect, q);
      columns.col(0) = s.slope;
      columns.col(1) = s.length * s.slope;
      break;
    }
  }
  return columns;
}

}  // namespace dynid
