#pragma once

#include "dynid/model/model.h"
#include "dynid/robot/load_robot.h"
#include "dynid/spatial/pseudo_inertia.h"

#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>

namespace dynid::testing {

inline constexpr const char* kUrdf = R"(<?xml version="1.0"?>
<robot name="threelink">
  <link name="base"/>
  <link name="upper">
    <inertial><origin xyz="0.1 0 0.02"/><mass value="3"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.05" iyz="0" izz="0.05"/></inertial>
  </link>
  <link name="fore">
    <inertial><origin xyz="0.12 0.01 0"/><mass value="2"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.03"/></inertial>
  </link>
  <link name="hand">
    <inertial><origin xyz="0.02 0 0.03"/><mass value="0.7"/>
      <inertia ixx="0.002" ixy="0" ixz="0" iyy="0.002" iyz="0" izz="0.002"/></inertial>
  </link>
  <link name="finger"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <axis xyz="0 1 0"/><limit lower="-3" upper="3" velocity="2" effort="80"/>
    <dynamics damping="1.5" friction="0.7"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="fore"/>
    <origin xyz="0.3 0 0"/><axis xyz="0 1 0"/><limit lower="-2.5" upper="2.5" velocity="2" effort="40"/></joint>
  <joint name="wrist" type="continuous"><parent link="fore"/><child link="hand"/>
    <origin xyz="0.25 0 0"/><axis xyz="1 0 0"/></joint>
  <joint name="grip" type="prismatic"><parent link="hand"/><child link="finger"/>
    <axis xyz="0 0 1"/><limit lower="0" upper="0.04" velocity="0.1" effort="20"/></joint>
</robot>
)";

/// Elbow and wrist are coupled; the gripper is held.
inline constexpr const char* kToml = R"(urdf = "threelink.urdf"
gravity = [0.0, 0.0, -9.81]

[ignore]
grip = 0.02

[joint.elbow]
position_effects = [{ type = "fourier", harmonics = 2 }, { type = "spring" }]

[[transmission]]
joints = ["elbow", "wrist"]
actuators = ["m5", "m6"]
matrix = [[1.0, 0.0], [-1.0, 1.0]]
)";

inline std::shared_ptr<const Robot> threeLink() {
  return std::make_shared<Robot>(parseRobot(kToml, kUrdf));
}

/// A physically possible body, different for each seed.
inline InertialParameters someBody(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  Eigen::Matrix4d C;
  for (int i = 0; i < 16; ++i) C(i / 4, i % 4) = 0.3 * normal(random);
  C(3, 3) += 1.0;
  return inertialFromPseudo(C * C.transpose() + 1e-3 * Eigen::Matrix4d::Identity());
}

inline Certificate someCertificate(std::mt19937_64& random, int bodies, int scalars) {
  std::normal_distribution<double> normal;
  const auto draw = [&](Eigen::Index rows, Eigen::Index cols) {
    return Eigen::MatrixXd::NullaryExpr(rows, cols, [&] { return normal(random); });
  };
  const Eigen::Index unknowns = 10 * bodies + scalars;
  Certificate c;
  c.bodies = bodies;
  c.A = draw(7, unknowns);
  c.b = draw(7, 1);
  c.c0 = 0.1;
  for (int k = 0; k < bodies; ++k)
    c.whitening.emplace_back(Eigen::Matrix4d(draw(4, 4).triangularView<Eigen::Lower>()));
  c.scalar_scales = draw(scalars, 1).cwiseAbs();
  c.margin = 1e-3;
  c.a = draw(unknowns, 1);
  c.T = 123.0 / 7.0;
  c.C = draw(0, unknowns);
  c.d = draw(0, 1);
  c.x = draw(unknowns, 1);
  c.u = draw(7, 1);
  c.nu = draw(0, 1);
  c.z_squared = 1.0 / 3.0;
  return c;
}

inline void appendEffect(Model& model, Column column, double value) {
  model.layout.append(std::move(column));
  model.parameters.conservativeResize(model.parameters.size() + 1);
  model.parameters(model.parameters.size() - 1) = value;
}

inline void addEffects(Model& model, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(0.1, 3.0);
  const Robot& robot = *model.robot;
  for (int i = 0; i < robot.numJoints(); ++i) {
    for (const FrictionEffect effect :
         {FrictionEffect::kViscous, FrictionEffect::kCoulomb, FrictionEffect::kOffset}) {
      Column column = frictionColumn(robot, i, effect);
      if (i == 1 && effect == FrictionEffect::kCoulomb) {
        column.presliding = 0.002;
        column.name += "@0.002";
      }
      appendEffect(model, column, uniform(random));
    }
    appendEffect(model, driveInertiaColumn(robot, i), 0.1 * uniform(random));
  }
  appendEffect(model, frictionColumn(robot, 0, FrictionEffect::kStribeck, 0.07), uniform(random));
  Column second = frictionColumn(robot, 0, FrictionEffect::kStribeck, 0.3);
  second.name += "@0.3";
  appendEffect(model, second, uniform(random));
  Column load = frictionColumn(robot, 1, FrictionEffect::kLoad);
  load.presliding = 0.002;
  load.smoothing = 0.01;
  appendEffect(model, load, uniform(random));
  Column at_joint = frictionColumn(robot, 2, FrictionEffect::kViscous);
  at_joint.name = "wrist.viscous";
  at_joint.at_joint = true;
  appendEffect(model, at_joint, uniform(random));
  Column spring;
  spring.kind = ColumnKind::kPosition;
  spring.owner = 1;
  spring.name = "elbow.spring";
  spring.unit = "N m/rad";
  spring.position_effect = 1;
  appendEffect(model, spring, -2.0 / 3.0);
}

/// Adds a payload with its ten columns.
inline void addPayload(Model& model, std::mt19937_64& random) {
  model.payloads.push_back({"plate", "hand", someBody(random)});
  for (int c = 0; c < 10; ++c) {
    Column column;
    column.kind = ColumnKind::kPayload;
    column.owner = 0;
    column.component = c;
    column.carrier = 2;
    column.name = "plate." + std::string(kInertialNames[c]);
    column.unit = std::string(kInertialUnits[c]);
    appendEffect(model, column, model.payloads[0].parameters(c) / (c < 5 ? 1.0 : 3.0));
  }
}

/// Adds a verdict on every column of the layout.
inline void addVerdicts(Model& model) {
  for (int i = 0; i < model.layout.size(); ++i) {
    ParameterVerdict verdict;
    verdict.identifiability = static_cast<Identifiability>(i % 3);
    verdict.excitation = static_cast<Excitation>((i / 3) % 3);
    verdict.seen_in = i % 3 == 2 ? "" : "upper.Iyy";
    model.verdicts.push_back(verdict);
  }
}

/// Adds drive gains, base parameters and the quality of the fit.
inline void addEstimates(Model& model) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  model.drive_gains = Eigen::Vector3d(10.7, -1.0 / 3.0, std::numeric_limits<double>::quiet_NaN());
  model.drive_gain_std_dev =
      Eigen::Vector3d(0.1 / 3.0, std::numeric_limits<double>::quiet_NaN(), 0.5);
  model.base_parameters = {{"upper.Iyy",
                            "upper.Iyy + 0.09 fore.m",
                            {{7, 1.0}, {10, 0.09}},
                            0.3 / 0.7,
                            0.01 / 3.0,
                            0.4,
                            0.45,
                            "kg m^2"},
                           {"hand.Ixx", "hand.Ixx", {{24, 1.0}}, 0.0, kInf, -kInf, kInf, "kg m^2"}};
  model.base_covariance = (Eigen::Matrix2d() << 1e-4 / 9.0, 1e-7, 1e-7, kInf).finished();
  model.fit.samples = 12345;
  model.fit.rows = 37035;
  model.fit.condition_number = 57.123456789012345;
  model.fit.relative_error = 0.0789;
  model.fit.objective_unconstrained = 1.0 / 7.0;
  model.fit.per_joint = {{0.5, 0.05, 0.3, 12345}, {0.25, 0.08, 0.2, 12000}, {0.1, 0.3, 0.1, 11000}};
  for (ChannelFit& channel : model.fit.per_joint) channel.cross_validated_r2 = 0.95;
}

/// A physically consistent fit of the first 30 parameters, with a certificate.
inline PhysicalFitResult someFit(const Eigen::VectorXd& parameters, std::mt19937_64& random) {
  PhysicalFitResult fit;
  fit.feasible = fit.converged = true;
  fit.reason = "the bound upper.mass is active";
  fit.x = parameters.head(30) / 3.0;
  fit.x_first_stage = parameters.head(30) / 7.0;
  fit.objective_optimal = 17.123 / 3.0;
  fit.objective = 17.2 / 3.0;
  fit.relative_duality_gap = 3.1e-10;
  fit.margin = 1e-3;
  fit.margin_cost = 1.1e-5;
  fit.second_stage_cost = 2e-4;
  fit.min_eigenvalue = 1.0 / 300.0;
  fit.prior_scale = 1.01;
  fit.rank = 21;
  fit.iterations = 22;
  fit.fallback_steps = 1;
  fit.seconds = 0.0022;
  fit.bounds = {{"upper.mass >= 2", -2.0, -2.0, true, 0.123456789},
                {"tau", 12.0, 100.0, false, 0.0}};
  fit.certificate = someCertificate(random, 3, 4);
  return fit;
}

/// Adds the conditioning of signals, operating points and the provenance.
inline void addOrigin(Model& model) {
  model.signals.cutoff_hz = 7.5;
  model.signals.ramp_speed = Eigen::Vector3d(0.02, 0.0, 0.005);
  model.signals.effort_delay = Eigen::Vector3d(0.004, 0.0, -0.0011);
  model.signals.rigid_cutoff_hz = Eigen::Vector3d(7.5, 5.0, 10.0 / 3.0);
  model.signals.friction_cutoff_hz = Eigen::Vector3d(20.0, 15.0, 12.5);
  model.operating_points = {Eigen::MatrixXd::Constant(2, 3, 0.25),
                            Eigen::MatrixXd::Constant(2, 3, -1.5),
                            Eigen::MatrixXd::Constant(2, 3, 3.125),
                            Eigen::MatrixXd::Constant(2, 3, 7.0),
                            Eigen::MatrixXd::Constant(2, 3, 6.875)};
  model.provenance = {"0.1.0",
                      "dynid identify a.h5 <b>.h5",
                      {{"a.h5",
                        std::string(64, 'a'),
                        20000,
                        12345,
                        17,
                        1,
                        19999,
                        0.004,
                        0.001,
                        Eigen::Vector3d(std::nan(""), 0.012, std::nan("")),
                        {"17 rows repeated a stamp"}}},
                      {{"margin", "0.001"}, {"second-stage", "on"}}};
}

/// A model with content in every field, numbers with many digits, and infinities where they are
/// allowed.
inline Model syntheticModel(unsigned seed = 7) {
  std::mt19937_64 random(seed);
  Model model;
  model.robot = threeLink();
  model.status = {true, "good on \"all\" counts"};
  model.layout = inertialLayout(*model.robot);
  model.parameters.resize(model.layout.size());
  for (int k = 0; k < model.robot->numBodies(); ++k)
    model.parameters.segment<10>(10 * k) = someBody(random);
  addEffects(model, random);
  addPayload(model, random);
  addVerdicts(model);
  addEstimates(model);
  model.consistency = someFit(model.parameters, random);
  model.prior_source = {"urdf", "urdf", "capsule"};
  addOrigin(model);
  return model;
}

}  // namespace dynid::testing
