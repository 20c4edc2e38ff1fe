#include "dynid/model/c_writer.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/model/expression_graph.h"
#include "dynid/model/model_efforts.h"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <functional>
#include <random>
#include <regex>

namespace dynid {
namespace {

using TracedVector = Eigen::Matrix<Traced, Eigen::Dynamic, 1>;
using Traced3 = Eigen::Matrix<Traced, 3, 1>;
using Traced33 = Eigen::Matrix<Traced, 3, 3>;

/// zz^T + cos (1 - zz^T) + sin [z]x: constant entries stay constants.
Traced33 tracedRotation(const Eigen::Vector3d& z, const Traced& angle) {
  const Eigen::Matrix3d along = z * z.transpose(), across = Eigen::Matrix3d::Identity() - along;
  const Traced c = apply("cos", angle), s = apply("sin", angle);
  const Traced33 turn = skew<double>(z).cast<Traced>() * s;
  return along.cast<Traced>() + across.cast<Traced>() * c + turn;
}

/// Motion of a body in its frame, and the wrench on it: names as in dynamics/newton_euler.h.
struct TracedBody {
  Traced33 R;
  Traced3 p, w, wd, a, f, n;
};

/// The outward recursion for one body. The wrench is that of the body alone.
/// @param parent  nullptr: the root link, with the proper acceleration `up`
TracedBody tracedBody(const Body& body,
                      const InertialParameters& pi,
                      const TracedBody* parent,
                      const Traced3& up,
                      const Traced& q,
                      const Traced& dq,
                      const Traced& ddq) {
  const Traced3 zero = Traced3::Zero();
  const Traced u = body.multiplier * q + body.offset;
  const Traced3 z = body.axis.cast<Traced>();
  const Traced3 rate = z * (body.multiplier * dq);
  const Traced3 acceleration = z * (body.multiplier * ddq);
  TracedBody s;
  s.R = body.X_PJ.R.cast<Traced>();
  s.p = body.X_PJ.p.cast<Traced>();
  if (body.prismatic)
    s.p += s.R * Traced3(z * u);
  else
    s.R = Traced33(s.R * tracedRotation(body.axis, u));
  const Traced3 &w_P = parent ? parent->w : zero, &wd_P = parent ? parent->wd : zero;
  const Traced33 R_BP = s.R.transpose();
  s.w = R_BP * w_P;
  s.wd = R_BP * wd_P;
  s.a = R_BP *
        Traced3((parent ? parent->a : up) + wd_P.cross(s.p) + w_P.cross(Traced3(w_P.cross(s.p))));
  if (body.prismatic) {
    s.a += acceleration + Traced3(s.w.cross(rate)) * Traced(2.0);
  } else {
    s.wd += acceleration + Traced3(s.w.cross(rate));
    s.w += rate;
  }
  const Traced3 h = pi.segment<3>(1).cast<Traced>();
  const Traced33 I = inertiaTensor(pi).cast<Traced>();
  s.f = s.a * Traced(pi(0)) + Traced3(s.wd.cross(h)) + Traced3(s.w.cross(Traced3(s.w.cross(h))));
  s.n = I * s.wd + Traced3(s.w.cross(Traced3(I * s.w))) + Traced3(h.cross(s.a));
  return s;
}

/// Newton-Euler recursion (dynamics/newton_euler.h) with traced numbers.
TracedVector tracedRigidEffort(const Robot& robot,
                               const Eigen::VectorXd& pi,
                               const Eigen::Vector3d& gravity,
                               const TracedVector& q,
                               const TracedVector& dq,
                               const TracedVector& ddq) {
  std::vector<TracedBody> bodies;
  const Traced3 up = (-gravity).cast<Traced>();
  for (Eigen::Index k = 0; k < std::ssize(robot.bodies); ++k) {
    const Body& body = robot.bodies[k];
    bodies.push_back(tracedBody(body,
                                pi.segment<10>(10 * k),
                                body.parent < 0 ? nullptr : &bodies[body.parent],
                                up,
                                q(body.joint),
                                dq(body.joint),
                                ddq(body.joint)));
  }
  TracedVector tau = TracedVector::Zero(robot.numJoints());
  for (size_t k = robot.bodies.size(); k-- > 0;) {
    const Body& body = robot.bodies[k];
    const TracedBody& s = bodies[k];
    tau(body.joint) += body.multiplier * body.axis.cast<Traced>().dot(body.prismatic ? s.f : s.n);
    if (body.parent < 0) continue;
    TracedBody& parent = bodies[body.parent];
    const Traced3 f = s.R * s.f;
    parent.f += f;
    parent.n += Traced3(s.R * s.n) + Traced3(s.p.cross(f));
  }
  return tau;
}

Traced sign(const Traced& v) { return apply("sign", v); }
Traced absolute(const Traced& v) { return apply("fabs", v); }

/// Effort per parameter of a friction column (dynamics/joint_effects.h), without presliding state.
Traced frictionValue(const Column& column,
                     const Traced& u,
                     const Traced& v,
                     const Traced& transmitted,
                     double ramp) {
  Traced s = sign(v);
  if (column.smoothing > 0.0)
    s = apply("tanh", v * Traced(1.0 / column.smoothing));
  else if (ramp > 0.0)
    s = clamped(v * Traced(1.0 / ramp));
  switch (column.effect) {
    case FrictionEffect::kViscous:
      return v;
    case FrictionEffect::kCoulomb:
    case FrictionEffect::kPresliding:
      return s;
    case FrictionEffect::kOffset:
      return 1.0;
    case FrictionEffect::kAsymmetric:
      return absolute(v);
    case FrictionEffect::kSqrtViscous:
      return sign(v) * apply("sqrt", absolute(v));
    case FrictionEffect::kQuadraticViscous:
      return v * absolute(v);
    case FrictionEffect::kLoad:
      return s * absolute(transmitted);
    case FrictionEffect::kStribeck: {
      const Traced x = v * Traced(1.0 / column.shape);
      return s * apply("exp", -(x * x));
    }
    case FrictionEffect::kRipple:
      return apply(column.component == 0 ? "sin" : "cos", u * Traced(column.shape));
  }
  return 0.0;
}

/// Effort per parameter of a term of a position effect.
Traced positionValue(const PositionEffect& effect, int component, const Traced& u) {
  switch (effect.kind) {
    case PositionEffect::Kind::kSpring:
      return u;
    case PositionEffect::Kind::kPolynomial: {
      Traced power = u;
      for (int k = 0; k < component; ++k) power = power * u;
      return power;
    }
    case PositionEffect::Kind::kFourier: {
      const int harmonic = component / 2 + 1;
      return apply(component % 2 == 0 ? "sin" : "cos", u * Traced(harmonic));
    }
    case PositionEffect::Kind::kCounterbalance: {
      const double r = effect.radius, d = effect.distance;
      const Traced angle = u + effect.angle, half = apply("sin", angle * Traced(0.5));
      const Traced length = apply("sqrt", half * half * Traced(4.0 * r * d) + (r - d) * (r - d));
      const Traced slope = apply("sin", angle) * Traced(r * d) / length;
      return component == 0 ? slope : length * slope;
    }
  }
  return 0.0;
}

/// The joint effects of a kind, joint side.
TracedVector tracedEffects(const Model& model,
                           ColumnKind kind,
                           const TracedVector& q,
                           const TracedVector& dq,
                           const TracedVector& rigid) {
  const Robot& robot = *model.robot;
  const Eigen::MatrixXd to_actuator = robot.T.inverse();
  const auto side = [&](const TracedVector& x, int owner, bool at_joint) {
    if (at_joint) return x(owner);
    Traced sum = 0.0;
    for (Eigen::Index j = 0; j < x.size(); ++j) sum += to_actuator(owner, j) * x(j);
    return sum;
  };
  const TracedVector shifted = q - TracedVector(robot.transmission_offset.cast<Traced>());
  TracedVector tau = TracedVector::Zero(q.size());
  for (int i = 10 * robot.numBodies(); i < model.layout.size(); ++i) {
    const Column& column = model.layout[i];
    if (column.kind != kind || model.parameters(i) == 0.0) continue;
    bool at_joint = column.at_joint;
    Traced value;
    if (kind == ColumnKind::kPosition) {
      const PositionEffect effect = positionEffect(robot, column);
      at_joint = !effect.at_actuator;
      value = positionValue(
          effect, column.component, side(at_joint ? q : shifted, column.owner, at_joint));
    } else {
      Traced transmitted = 0.0;
      for (Eigen::Index j = 0; j < q.size(); ++j)
        transmitted += robot.T(j, column.owner) * rigid(j);
      value = frictionValue(column,
                            side(at_joint ? q : shifted, column.owner, at_joint),
                            side(dq, column.owner, at_joint),
                            transmitted,
                            model.signals.rampSpeed(column.owner));
    }
    value = value * Traced(model.parameters(i));
    for (Eigen::Index j = 0; j < q.size(); ++j)
      if (at_joint ? j == column.owner : to_actuator(column.owner, j) != 0.0)
        tau(j) += at_joint ? value : value * Traced(to_actuator(column.owner, j));
  }
  return tau;
}

/// A function of the generated library: its input vectors and one output vector.
struct CFunction {
  std::string name, comment;
  std::vector<std::string> arguments;  ///< of q, dq, ddq
  std::string result;                  ///< "tau" or "M"
  std::function<std::vector<Traced>(const TracedVector&, const TracedVector&, const TracedVector&)>
      body;
};

std::vector<Traced> listed(const TracedVector& v) { return {v.begin(), v.end()}; }

std::vector<Traced> tracedMassMatrix(const Model& model, const TracedVector& q) {
  const Robot& robot = *model.robot;
  const Eigen::Index n = robot.numJoints();
  const Eigen::MatrixXd drives = jointDriveInertia(model);
  const TracedVector zero = TracedVector::Zero(n);
  std::vector<Traced> M(n * n);
  for (Eigen::Index j = 0; j < n; ++j) {
    TracedVector unit = zero;
    unit(j) = 1.0;
    const TracedVector column = tracedRigidEffort(robot,
                                                  model.parameters.head(10 * robot.numBodies()),
                                                  Eigen::Vector3d::Zero(),
                                                  q,
                                                  zero,
                                                  unit);
    for (Eigen::Index i = 0; i <= j; ++i)  // only the upper triangle is computed and mirrored
      M[n * i + j] = M[n * j + i] = column(i) + drives(i, j);
  }
  return M;
}

std::vector<CFunction> functionsOf(const Model& model) {
  const Robot& robot = *model.robot;
  const Eigen::VectorXd pi = model.parameters.head(10 * robot.numBodies());
  const TracedVector zero = TracedVector::Zero(robot.numJoints());
  const auto rigid = [&robot, pi](const auto& q, const auto& dq, const auto& ddq) {
    return tracedRigidEffort(robot, pi, robot.gravity, q, dq, ddq);
  };
  const auto friction = [&model, rigid](const auto& q, const auto& dq, const auto& ddq) {
    return tracedEffects(model, ColumnKind::kFriction, q, dq, rigid(q, dq, ddq));
  };
  const auto springs = [&model, zero](const auto& q) {
    return tracedEffects(model, ColumnKind::kPosition, q, zero, zero);
  };
  const auto drive = [&model](const auto& ddq) {
    return TracedVector(jointDriveInertia(model).template cast<Traced>() * ddq);
  };
  using V = const TracedVector&;
  return {{"inverse_dynamics",
           "Effort for a motion: links, drive inertia, friction and springs.",
           {"q", "dq", "ddq"},
           "tau",
           [=](V q, V dq, V ddq) {
             return listed(rigid(q, dq, ddq) + drive(ddq) + friction(q, dq, ddq) + springs(q));
           }},
          {"mass_matrix",
           "Mass matrix of links and drives, row by row (it is symmetric).",
           {"q"},
           "M",
           [&model](V q, V, V) { return tracedMassMatrix(model, q); }},
          {"coriolis",
           "Velocity coupling C(q, dq) dq.",
           {"q", "dq"},
           "tau",
           [&robot, pi, zero](V q, V dq, V) {
             return listed(tracedRigidEffort(robot, pi, Eigen::Vector3d::Zero(), q, dq, zero));
           }},
          {"gravity",
           "Effort that holds the links at rest.",
           {"q"},
           "tau",
           [rigid, zero](V q, V, V) { return listed(rigid(q, zero, zero)); }},
          {"friction",
           "Friction, constant offset and ripple. ddq counts for friction that depends on the "
           "transmitted effort.",
           {"q", "dq", "ddq"},
           "tau",
           [friction](V q, V dq, V ddq) { return listed(friction(q, dq, ddq)); }},
          {"springs", "Springs and other effects of position.", {"q"}, "tau", [springs](V q, V, V) {
             return listed(springs(q));
           }}};
}

std::string identifierOf(const std::string& stem) {
  std::string name;
  for (const char c : stem) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0)
    name = "robot_" + name;
  return name;
}

/// Removes the text that would end a C comment.
std::string commentSafe(std::string text) {
  for (size_t at = text.find("*/"); at != std::string::npos; at = text.find("*/"))
    text.replace(at, 2, "* /");
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string signature(const CFunction& function,
                      const std::string& prefix,
                      const std::string& size) {
  std::string text = "void " + prefix + "_" + function.name + "(";
  for (const std::string& argument : function.arguments)
    text += fmt::format("const double {}[{}], ", argument, size);
  return text + fmt::format("double {}[{}])",
                            function.result,
                            function.result == "M" ? size + " * " + size : size);
}

std::string introduction(const Model& model, const std::string& sha256) {
  const Robot& robot = *model.robot;
  std::string text = fmt::format(
      "/* Dynamics of the robot \"{}\", identified by dynid.\n *\n * Model: sha256 {}\n"
      " * All quantities are SI, on the joint side. Joints, in the order of all vectors:\n *\n",
      commentSafe(robot.name),
      sha256);
  for (size_t j = 0; j < robot.joints.size(); ++j)
    text += fmt::format(" *   {:3}  {}  [{}]\n",
                        j,
                        commentSafe(robot.joints[j].name),
                        robot.joints[j].prismatic ? "m, N" : "rad, N m");
  text += fmt::format(
      " *\n * Gravity in the root link's frame: {}, {}, {} m/s^2.\n"
      " * Friction is the effort that the drive must deliver against it.\n */\n",
      toText(robot.gravity.x(), 9),
      toText(robot.gravity.y(), 9),
      toText(robot.gravity.z(), 9));
  return text;
}

void refuseUnsupported(const Robot& robot) {
  if (!robot.loops.empty())
    throw InputError(
        "no C file is written: closed loops are solved iteratively, which straight-line code "
        "cannot do (loop " +
        robot.loops.front().name + ")");
  if (robot.floating_base)
    throw InputError(
        "no C file is written: the base floats, and the functions would need its motion; write an "
        "MJCF or SDF file for a simulator instead");
}

/// Inputs of a function's graph, in the order of q, dq, ddq.
TracedVector inputs(ExpressionGraph& graph, const std::string& name, Eigen::Index n) {
  TracedVector v(n);
  for (Eigen::Index i = 0; i < n; ++i) v(i) = graph.input(fmt::format("{}[{}]", name, i));
  return v;
}

/// Evaluates the recorded inverse dynamics at random states.
double disagreement(const Model& model,
                    const ExpressionGraph& graph,
                    const std::vector<Traced>& outputs) {
  constexpr Eigen::Index kStates = 50;
  const Eigen::Index n = model.robot->numJoints();
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const Eigen::MatrixXd x =
      Eigen::MatrixXd::NullaryExpr(kStates, 3 * n, [&] { return unit(random); });
  const Eigen::MatrixXd q = 3.0 * x.leftCols(n), dq = 2.0 * x.middleCols(n, n),
                        ddq = 5.0 * x.rightCols(n);
  const Eigen::MatrixXd expected = effortsByCause(model, q, dq, ddq).total();
  double difference = 0.0;
  for (Eigen::Index i = 0; i < kStates; ++i) {
    std::vector<double> values;
    for (const Eigen::MatrixXd& part : {q, dq, ddq})
      for (Eigen::Index j = 0; j < n; ++j) values.push_back(part(i, j));
    const std::vector<double> got = graph.evaluate(values, outputs);
    for (Eigen::Index j = 0; j < n; ++j)
      difference = std::max(difference, std::abs(got[j] - expected(i, j)));
  }
  return difference / std::max(expected.cwiseAbs().maxCoeff(), 1e-300);
}

std::string helpers(const std::string& code) {
  std::string text;
  if (code.find("sign(") != std::string::npos)
    text += "static double sign(double a) { return (double)((a > 0.0) - (a < 0.0)); }\n";
  if (code.find("clamp(") != std::string::npos)
    text += "static double clamp(double a) { return a < -1.0 ? -1.0 : (a > 1.0 ? 1.0 : a); }\n";
  return text;
}

}  // namespace

CFiles writeC(const Model& model, const std::string& stem, const std::string& model_sha256) {
  refuseUnsupported(*model.robot);
  const std::string name = identifierOf(stem);
  std::string capital = name;
  std::transform(capital.begin(), capital.end(), capital.begin(), [](unsigned char c) {
    return static_cast<char>(std::toupper(c));
  });
  const Eigen::Index n = model.robot->numJoints();
  CFiles files;
  std::string prototypes, code;
  for (const CFunction& function : functionsOf(model)) {
    ExpressionGraph graph;
    const TracedVector q = inputs(graph, "q", n), dq = inputs(graph, "dq", n),
                       ddq = inputs(graph, "ddq", n);
    const std::vector<Traced> outputs = function.body(q, dq, ddq);
    std::vector<std::string> names;
    for (size_t i = 0; i < outputs.size(); ++i)
      names.push_back(fmt::format("{}[{}]", function.result, i));
    const std::string statements = graph.statements(outputs, names);
    prototypes += fmt::format(
        "/** {} */\n{};\n\n", function.comment, signature(function, name, capital + "_JOINTS"));
    code += "\n" + signature(function, name, capital + "_JOINTS") + " {\n";
    for (const std::string& argument : function.arguments)
      if (!std::regex_search(statements, std::regex("\\b" + argument + "\\[")))
        code += "  (void)" + argument + ";\n";
    code += statements + "}\n";
    if (function.name != "inverse_dynamics") continue;
    files.operations = graph.countOperations(outputs);
    files.max_relative_disagreement = disagreement(model, graph, outputs);
  }
  files.header = introduction(model, model_sha256) +
                 fmt::format(
                     "#ifndef {0}_H\n#define {0}_H\n\n#define {0}_JOINTS {1}\n\n"
                     "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n{2}"
                     "#ifdef __cplusplus\n}}\n#endif\n\n#endif\n",
                     capital,
                     n,
                     prototypes);
  const std::string helping = helpers(code);
  files.source = introduction(model, model_sha256) +
                 fmt::format("#include \"{}.h\"\n\n#include <math.h>\n{}{}{}",
                             stem,
                             helping.empty() ? "" : "\n",
                             helping,
                             code);
  return files;
}

}  // namespace dynid
