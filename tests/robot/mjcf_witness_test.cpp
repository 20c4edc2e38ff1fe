// Compares our reading of an MJCF with libmujoco's: bodies, limits, passive forces and inverse
// dynamics, for random models with every feature and for public models.
#include "dynid/robot/load_robot.h"
#include "dynid/robot/mjcf_element.h"

#include <gtest/gtest.h>

#include "test_texts.h"
#include <string>

#ifdef DYNID_HAVE_MUJOCO

#include "dynid/core/files.h"
#include "dynid/formulations/base_joints.h"
#include "dynid/formulations/projection_method.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "robot/random_mjcf.h"
#include "support/mujoco_model.h"
#include <algorithm>
#include <fmt/format.h>
#include <random>

namespace dynid {
namespace {

constexpr double kWitnessTolerance = 1e-9;

Eigen::VectorXd priors(const Robot& robot) {
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(Eigen::Index{10} * robot.numBodies());
  for (int k = 0; k < robot.numBodies(); ++k)
    if (!robot.bodies[k].links.empty())
      pi.segment<10>(Eigen::Index{10} * k) = robot.bodies[k].prior.value();
  return pi;
}

struct Motion {
  Eigen::VectorXd q, dq, ddq;
};

Motion randomMotion(std::mt19937_64& rng, Eigen::Index n) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Motion m{Eigen::VectorXd(n), Eigen::VectorXd(n), Eigen::VectorXd(n)};
  for (Eigen::Index i = 0; i < n; ++i) {
    m.q(i) = uniform(rng);
    m.dq(i) = 2.0 * uniform(rng);
    m.ddq(i) = 5.0 * uniform(rng);
  }
  return m;
}

// Rigid bodies, armature, damping and springs of the description.
Eigen::VectorXd ourEfforts(const Robot& robot, const Motion& m) {
  Eigen::VectorXd tau = projectionRegressor(robot, m.q, m.dq, m.ddq) * priors(robot);
  for (Eigen::Index j = 0; j < tau.size(); ++j) {
    const Joint& joint = robot.joints[j];
    tau(j) += joint.drive_inertia * m.ddq(j) + joint.damping * m.dq(j) +
              joint.stiffness * (m.q(j) - joint.spring_reference);
  }
  return tau;
}

// Sets the base of MuJoCo's model from our six base coordinates: x y z yaw pitch roll.
Eigen::Matrix3d setBase(const Motion& m, mjData& data) {
  const Eigen::Matrix3d Rz = rotationFromRpy({0, 0, m.q(3)}), Ry = rotationFromRpy({0, m.q(4), 0}),
                        Rx = rotationFromRpy({m.q(5), 0, 0});
  const Eigen::Quaterniond quaternion(Rz * Ry * Rx);
  // w = E (yaw, pitch, roll)' in the base's axes, and its derivative.
  const Eigen::Matrix3d to_base = (Ry * Rx).transpose();
  Eigen::Matrix3d E;
  E.col(0) = to_base.col(2);
  E.col(1) = Rx.transpose().col(1);
  E.col(2) = Eigen::Vector3d::UnitX();
  const Eigen::Vector3d rates = m.dq.segment<3>(3);
  const Eigen::Vector3d of_pitch = rates(1) * E.col(1), of_roll = rates(2) * E.col(2);
  const Eigen::Vector3d drift =
      rates(0) * E.col(0).cross(of_pitch + of_roll) + rates(1) * E.col(1).cross(of_roll);
  const Eigen::Vector3d w = E * rates, dw = E * m.ddq.segment<3>(3) + drift;
  for (int i = 0; i < 3; ++i) {
    data.qpos[i] = m.q(i);
    data.qvel[i] = m.dq(i);
    data.qacc[i] = m.ddq(i);
    data.qvel[3 + i] = w(i);
    data.qacc[3 + i] = dw(i);
  }
  data.qpos[3] = quaternion.w();
  data.qpos[4] = quaternion.x();
  data.qpos[5] = quaternion.y();
  data.qpos[6] = quaternion.z();
  return E;
}

void expectSameEfforts(const Robot& given, MujocoModel& witness, std::uint64_t seed) {
  const Robot robot = given.floating_base ? withBaseJoints(given) : given;
  const Eigen::Index first = given.floating_base ? kBaseJoints : 0;
  std::mt19937_64 rng(seed);
  for (int repeat = 0; repeat < 5; ++repeat) {
    const Motion m = randomMotion(rng, robot.numJoints());
    mjData& data = witness.data();
    Eigen::Matrix3d E;
    if (given.floating_base) E = setBase(m, data);
    for (Eigen::Index j = first; j < m.q.size(); ++j) {
      const int id = witness.jointId(robot.joints[j].name);
      ASSERT_GE(id, 0) << robot.joints[j].name;
      data.qpos[witness.model().jnt_qposadr[id]] = m.q(j);
      data.qvel[witness.model().jnt_dofadr[id]] = m.dq(j);
      data.qacc[witness.model().jnt_dofadr[id]] = m.ddq(j);
    }
    mj_inverse(&witness.model(), &data);
    const Eigen::VectorXd ours = ourEfforts(robot, m);
    Eigen::VectorXd theirs(ours.size());
    for (Eigen::Index j = first; j < ours.size(); ++j)
      theirs(j) =
          data.qfrc_inverse[witness.model().jnt_dofadr[witness.jointId(robot.joints[j].name)]];
    if (given.floating_base) {
      theirs.head<3>() = Eigen::Map<Eigen::Vector3d>(data.qfrc_inverse);
      theirs.segment<3>(3) = E.transpose() * Eigen::Map<Eigen::Vector3d>(data.qfrc_inverse + 3);
    }
    const double scale = std::max(1.0, theirs.cwiseAbs().maxCoeff());
    ASSERT_LT((ours - theirs).cwiseAbs().maxCoeff(), kWitnessTolerance * scale)
        << "ours " << ours.transpose() << "\ntheirs " << theirs.transpose();
  }
}

// MuJoCo 2.2 computes the principal axes of a full inertia only to about 1e-6 rad. Its moments must
// agree with ours to 1e-9, its tensor up to that rotation. Our tensor then replaces MuJoCo's, so
// that efforts can be compared to 1e-9 too.
void expectSameInertia(const std::string& name,
                       const InertialParameters& pi,
                       MujocoModel& witness) {
  constexpr double kAxes = 2e-6;  // rad
  const mjModel& model = witness.model();
  const int id = witness.bodyId(name);
  ASSERT_GE(id, 0) << name;
  const CenterOfMassInertia ours = centerOfMassInertia(pi);
  EXPECT_NEAR(ours.mass, model.body_mass[id], kWitnessTolerance) << name;
  const Eigen::Vector3d com(model.body_ipos + 3 * id);
  EXPECT_LT((ours.com - com).norm(), kWitnessTolerance) << name;
  double* q = model.body_iquat + 4 * id;
  Eigen::Map<Eigen::Vector3d> moments(model.body_inertia + 3 * id);
  const Eigen::Matrix3d R = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
  const Eigen::Matrix3d I = R * moments.asDiagonal() * R.transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(ours.inertia_about_com);
  Eigen::Vector3d sorted = moments;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_LT((eigen.eigenvalues() - sorted).cwiseAbs().maxCoeff(), kWitnessTolerance) << name;
  const double difference = (ours.inertia_about_com - I).cwiseAbs().maxCoeff();
  EXPECT_LT(difference, kWitnessTolerance + kAxes * sorted(2)) << name;
  if (difference < 1e-3 * kWitnessTolerance) return;
  Eigen::Matrix3d axes = eigen.eigenvectors();
  if (axes.determinant() < 0.0) axes.col(0) = -axes.col(0);
  const Eigen::Quaterniond exact(axes);
  q[0] = exact.w();
  q[1] = exact.x();
  q[2] = exact.y();
  q[3] = exact.z();
  moments = eigen.eigenvalues();
}

void expectSameModel(const Robot& robot, MujocoModel& witness) {
  const mjModel& model = witness.model();
  const auto check = [&](const std::vector<Body::FixedLink>& links) {
    for (const Body::FixedLink& link : links)
      if (link.inertial && !link.inertial->isZero(0.0))
        expectSameInertia(link.name, *link.inertial, witness);
  };
  check(robot.root_links);
  for (const Body& body : robot.bodies) check(body.links);
  for (const Joint& joint : robot.joints) {
    const int id = witness.jointId(joint.name);
    ASSERT_GE(id, 0) << joint.name;
    const int dof = model.jnt_dofadr[id];
    EXPECT_EQ(joint.prismatic, model.jnt_type[id] == mjJNT_SLIDE) << joint.name;
    EXPECT_NEAR(joint.damping, model.dof_damping[dof], kWitnessTolerance) << joint.name;
    EXPECT_NEAR(joint.friction, model.dof_frictionloss[dof], kWitnessTolerance) << joint.name;
    EXPECT_NEAR(joint.drive_inertia, model.dof_armature[dof], kWitnessTolerance) << joint.name;
    EXPECT_NEAR(joint.stiffness, model.jnt_stiffness[id], kWitnessTolerance) << joint.name;
    if (model.jnt_limited[id] != 0) {
      EXPECT_NEAR(joint.limits.lower, model.jnt_range[2 * id], kWitnessTolerance) << joint.name;
      EXPECT_NEAR(joint.limits.upper, model.jnt_range[2 * id + 1], kWitnessTolerance) << joint.name;
    }
  }
  EXPECT_LT((robot.gravity - Eigen::Vector3d(model.opt.gravity)).norm(), kWitnessTolerance);
}

TEST(MjcfWitness, RandomModelsAreReadAsMujocoReadsThem) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const std::string text = randomMjcf(seed);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, text));
    const Robot robot = parseRobot("", text);
    MujocoModel witness(text);
    expectSameModel(robot, witness);
    expectSameEfforts(robot, witness, seed);
    if (::testing::Test::HasFailure()) return;
  }
}

// ------------------------------------------------------------------------------ public models

// Removes elements that MuJoCo cannot read without meshes, and those that version 2.2 does not
// support.
void strip(MjcfElement& element) {
  const auto needless = [](const MjcfElement& e) {
    for (const char* name :
         {"asset",     "contact", "sensor",   "keyframe", "visual",   "statistic",
          "actuator",  "tendon",  "equality", "geom",     "site",     "camera",
          "light",     "mesh",    "material", "general",  "position", "motor",
          "extension", "custom",  "size",     "flag"})
      if (e.name == name) return true;
    return false;
  };
  std::erase_if(element.children, needless);
  std::erase_if(element.attributes,
                [&](const auto& a) { return element.name == "option" && a.first != "gravity"; });
  std::erase_if(element.attributes, [&](const auto& a) {
    return element.name == "joint" && a.first.starts_with("actuatorfrc");
  });
  if (element.name == "compiler") element.attributes["autolimits"] = "true";  // MuJoCo 3's default
  for (MjcfElement& child : element.children) strip(child);
}

class MjcfPublicModels : public ::testing::TestWithParam<const char*> {};

TEST_P(MjcfPublicModels, HaveMujocosInverseDynamics) {
  const std::string folder = DYNID_FORMATS_DIR;
  if (folder.empty()) GTEST_SKIP() << "DYNID_FORMATS_DIR is not set";
  const std::filesystem::path file = folder + "/mjcf/" + GetParam();
  Robot robot = loadRobot(file);
  MjcfElement root = parseMjcfElements(robot.mjcf_text, file.string(), nullptr);
  strip(root);
  MujocoModel witness(mjcfText(root));
  // Couplings are constraints in MuJoCo and were removed; those of our robot are removed too.
  Robot free = parseRobot("", mjcfText(root));
  EXPECT_EQ(free.floating_base, robot.floating_base);
  for (size_t j = 0; j < robot.joints.size(); ++j) {
    const auto moved =
        std::count_if(robot.bodies.begin(), robot.bodies.end(), [&](const Body& body) {
          return body.joint == static_cast<int>(j);
        });
    if (moved > 1) continue;  // the values of joints that follow it are added
    const Joint &a = robot.joints[j], &b = free.joints[free.jointIndex(a.name)];
    EXPECT_EQ(a.damping, b.damping);
    EXPECT_EQ(a.drive_inertia, b.drive_inertia);
  }
  expectSameModel(free, witness);
  expectSameEfforts(free, witness, 1);
}

INSTANTIATE_TEST_SUITE_P(Formats,
                         MjcfPublicModels,
                         ::testing::Values("franka_emika_panda/panda.xml",
                                           "franka_emika_panda/scene.xml",
                                           "franka_emika_panda/panda_nohand.xml",
                                           "universal_robots_ur5e/ur5e.xml",
                                           "kuka_iiwa_14/iiwa14.xml",
                                           "unitree_go2/go2.xml",
                                           "unitree_a1/a1.xml",
                                           "robotis_op3/op3.xml",
                                           "rethink_robotics_sawyer/sawyer.xml",
                                           "low_cost_robot_arm/low_cost_robot_arm.xml"));

}  // namespace
}  // namespace dynid

#else

TEST(MjcfWitness, NeedsLibmujoco) { GTEST_SKIP() << "built without libmujoco-dev"; }

#endif
