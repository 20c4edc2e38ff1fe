#include "dynid/dynamics/closed_motion.h"

#include "dynid/core/errors.h"
#include "dynid/dynamics/inverse_dynamics.h"
#include "dynid/dynamics/mass_matrix.h"
#include "dynid/dynamics/projection.h"
#include "dynid/robot/apply_loops.h"

#include <gmock/gmock.h>

#include "support/closed_chains.h"
#include <functional>

namespace dynid {
namespace {

using ::testing::HasSubstr;

/// Derivative by central differences with two Richardson extrapolations: truncation h^6.
template <typename Function>
Eigen::VectorXd slopeOf(const Function& f, double h) {
  const auto central = [&](double step) {
    return Eigen::VectorXd((f(step) - f(-step)) / (2.0 * step));
  };
  const Eigen::VectorXd d1 = central(h), d2 = central(h / 2), d4 = central(h / 4);
  const Eigen::VectorXd e1 = (4.0 * d2 - d1) / 3.0, e2 = (4.0 * d4 - d2) / 3.0;
  return (16.0 * e2 - e1) / 15.0;
}

/// Random closed robots with every type of cut joint, whose assembly position is not close to a
/// singular one.
std::vector<Robot> closedRobots(int driven) {
  std::vector<Robot> robots;
  for (Loop::Type type : support::kLoopTypes)
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      Robot robot = support::randomClosedRobot(seed, type, driven, seed % 2 == 0);
      const ClosedPosition start = closeLoopsNear(robot, robot.assembly);
      if (!start.closed) continue;
      if (start.pivot_ratio > 0.02) robots.push_back(std::move(robot));
    }
  robots.push_back(support::fourBar());
  return robots;
}

TEST(ClosedMotion, ProjectorAndAccelerationAreTheDerivativesOfTheClosedPosition) {
  for (const Robot& robot : closedRobots(2)) {
    const Eigen::Index n = robot.numJoints();
    std::mt19937_64 rng(7);
    const Eigen::VectorXd u = robot.assembly.head(n), du = support::vectorX(rng, n, 1.0),
                          ddu = support::vectorX(rng, n, 2.0);
    const ClosedPosition here = requireClosed(robot, u);
    Eigen::VectorXd q = u, dq = du, ddq = ddu;
    closedMotion<double>(robot, here, q, dq, ddq);
    EXPECT_LT((loopProjector(robot, here) * du - dq).norm(), 1e-11 * dq.norm()) << robot.name;
    const auto along = [&](double t) {
      return followLoops(robot, here, u + t * du + 0.5 * t * t * ddu).q;
    };
    EXPECT_LT((slopeOf(along, 1e-3) - dq).norm(), 1e-8 * dq.norm()) << robot.name;
    const auto rates = [&](double t) {
      const ClosedPosition then = followLoops(robot, here, u + t * du + 0.5 * t * t * ddu);
      return Eigen::VectorXd(loopProjector(robot, then) * (du + t * ddu));
    };
    EXPECT_LT((slopeOf(rates, 1e-3) - ddq).norm(), 1e-7 * ddq.norm()) << robot.name;
  }
}

TEST(ClosedMotion, TheDriftIsWhatClosingAcceleratesByItself) {
  for (const Robot& robot : closedRobots(2)) {
    const Eigen::Index n = robot.numJoints();
    std::mt19937_64 rng(9);
    const ClosedPosition here = requireClosed(robot, robot.assembly.head(n));
    Eigen::VectorXd q = robot.assembly.head(n), dq = support::vectorX(rng, n, 1.0),
                    ddq = support::vectorX(rng, n, 2.0);
    closedMotion<double>(robot, here, q, dq, ddq);
    const double size = here.A.norm() * ddq.norm();
    EXPECT_LT((here.A * dq).norm(), 1e-11 * here.A.norm() * dq.norm()) << robot.name;
    EXPECT_LT((here.A * ddq + loopDrift(robot, q, dq)).norm(), 1e-11 * size) << robot.name;
  }
}

TEST(ClosedMotion, DualNumbersCarryExactDerivatives) {
  for (const Robot& robot : closedRobots(2)) {
    const Eigen::Index n = robot.numJoints(), all = robot.numTreeJoints();
    std::mt19937_64 rng(8);
    const Eigen::VectorXd u = robot.assembly.head(n), du = support::vectorX(rng, n, 1.0),
                          ddu = support::vectorX(rng, n, 2.0);
    const ClosedPosition here = requireClosed(robot, u);
    Eigen::VectorXd q = u, dq = du, ddq = ddu;
    closedMotion<double>(robot, here, q, dq, ddq);
    // u(t) = u + t du + t^2/2 ddu in numbers with a first and a mixed second derivative by t.
    VectorX<Dual2> dual_q(n), dual_dq(n), dual_ddq(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      dual_q(i) = Dual2(Dual1(u(i), du(i)), Dual1(du(i), ddu(i)));
      dual_dq(i) = Dual2(Dual1(du(i), ddu(i)), Dual1(ddu(i), 0.0));
      dual_ddq(i) = Dual2(Dual1(ddu(i), 0.0), Dual1(0.0, 0.0));
    }
    closedMotion<Dual2>(robot, here, dual_q, dual_dq, dual_ddq);
    const double scale = 1.0 + ddq.cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < all; ++i) {
      EXPECT_NEAR(dual_q(i).value.slope, dq(i), 1e-11 * scale) << robot.name;
      EXPECT_NEAR(dual_q(i).slope.slope, ddq(i), 1e-10 * scale) << robot.name;
      EXPECT_NEAR(dual_dq(i).value.value, dq(i), 1e-11 * scale);
      EXPECT_NEAR(dual_dq(i).value.slope, ddq(i), 1e-10 * scale);
      EXPECT_NEAR(dual_ddq(i).value.value, ddq(i), 1e-10 * scale);
    }
  }
}

TEST(ClosedMotion, RegressorRecursionAndMassMatrixAgreeOnClosedRobots) {
  for (const Robot& robot : closedRobots(3)) {
    const Eigen::Index n = robot.numJoints();
    std::mt19937_64 rng(10);
    const auto shared = std::make_shared<const Robot>(robot);
    const Eigen::VectorXd pi = priorParameters(robot), u = robot.assembly.head(n),
                          du = support::vectorX(rng, n, 1.0), ddu = support::vectorX(rng, n, 3.0);
    const Eigen::VectorXd tau = inverseDynamics(robot, pi, u, du, ddu);
    const ProjectionRegressor regressor(shared);
    const Eigen::VectorXd from_regressor = regressor.dense(u, du, ddu) * pi;
    const double size = tau.norm();
    EXPECT_LT((from_regressor - tau).norm(), 1e-11 * size) << robot.name;
    const Eigen::VectorXd summed =
        regressor.efforts(pi, u.transpose(), du.transpose(), ddu.transpose()).transpose();
    EXPECT_LT((summed - tau).norm(), 1e-11 * size) << robot.name;
    const Eigen::VectorXd composed = massMatrix(robot, pi, u) * ddu + biasForces(robot, pi, u, du);
    EXPECT_LT((composed - tau).norm(), 1e-11 * size) << robot.name;
  }
}

TEST(ClosedMotion, TheFourBarsTorqueIsThatOfLagrangeWithOneCoordinate) {
  const Robot robot = support::fourBar();
  const support::FourBar links;
  const Eigen::VectorXd pi = priorParameters(robot);
  const double g = 9.80665;
  // Kinetic energy M(u)/2 du^2 and potential energy in closed form; planar bodies in x-z, turning
  // about -y, parameters about their origins.
  struct Planar {
    double angle, rate;     // of the body, and its derivative by u
    Eigen::Vector2d p, dp;  // of the origin, and its derivative by u
  };
  const auto bodies = [&](double u) {
    const Eigen::Vector2d tip = links.crank * Eigen::Vector2d(std::cos(u), std::sin(u)),
                          dtip = links.crank * Eigen::Vector2d(-std::sin(u), std::cos(u)),
                          zero = Eigen::Vector2d::Zero();
    return std::vector<Planar>{
        {u, 1.0, zero, zero},
        {links.couplerAngle(u), links.couplerRate(u), tip, dtip},
        {links.rockerAngle(u), links.rockerRate(u), {links.ground, 0}, zero}};
  };
  const auto energies = [&](double u) {  // M, V
    Eigen::VectorXd result = Eigen::VectorXd::Zero(2);
    const std::vector<Planar> at = bodies(u);
    for (size_t k = 0; k < at.size(); ++k) {
      const auto p = pi.segment<10>(static_cast<Eigen::Index>(10 * k));
      const double c = std::cos(at[k].angle), s = std::sin(at[k].angle);
      const Eigen::Vector2d h(c * p(1) - s * p(3), s * p(1) + c * p(3));
      const Eigen::Vector2d turned(-h.y(), h.x());
      result(0) += p(0) * at[k].dp.squaredNorm() + 2.0 * at[k].rate * at[k].dp.dot(turned) +
                   at[k].rate * at[k].rate * p(7);
      result(1) += g * (p(0) * at[k].p.y() + h.y());
    }
    return result;
  };
  for (double u = -3.0; u < 3.1; u += 0.37) {
    const double du = 2.3, ddu = -7.1;
    const Eigen::VectorXd slope = slopeOf([&](double h) { return energies(u + h); }, 8e-3);
    const double expected = energies(u)(0) * ddu + 0.5 * slope(0) * du * du + slope(1);
    const double tau = inverseDynamics(robot,
                                       pi,
                                       Eigen::VectorXd::Constant(1, u),
                                       Eigen::VectorXd::Constant(1, du),
                                       Eigen::VectorXd::Constant(1, ddu))(0);
    // Tolerance of the finite differences
    EXPECT_NEAR(tau, expected, 1e-9 * (1.0 + std::abs(expected)));
  }
}

constexpr const char* kParallelogram = R"(<robot name="p">
  <link name="base"/><link name="column"/><link name="crank"/><link name="rod"/><link name="arm"/>
  <joint name="turn" type="revolute"><parent link="base"/><child link="column"/>
    <origin xyz="0 0 0.4"/><axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="0" velocity="2"/></joint>
  <joint name="lift" type="revolute"><parent link="column"/><child link="crank"/>
    <origin xyz="0.1 0 0.2"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="0" velocity="2"/></joint>
  <joint name="rod_joint" type="revolute"><parent link="crank"/><child link="rod"/>
    <origin xyz="0 0 0.3"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="0" velocity="2"/>MIMIC_ROD</joint>
  <joint name="arm_joint" type="revolute"><parent link="column"/><child link="arm"/>
    <origin xyz="0.5 0 0.2"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="0" velocity="2"/>MIMIC_ARM</joint>
</robot>)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(ClosedMotion, AParallelogramAsLoopIsTheSameAsByMimicJoints) {
  const std::string mimic =
      replaced(replaced(kParallelogram, "MIMIC_ROD", "<mimic joint=\"lift\" multiplier=\"-1\"/>"),
               "MIMIC_ARM",
               "<mimic joint=\"lift\"/>");
  const std::string open = replaced(replaced(kParallelogram, "MIMIC_ROD", ""), "MIMIC_ARM", "");
  Robot linear = parseRobot("", mimic);
  Robot closed = parseRobot(R"([[loop]]
link_a = "rod"
link_b = "arm"
type = "revolute"
origin_a = { xyz = [0.4, 0.0, 0.0] }
origin_b = { xyz = [0.0, 0.0, 0.3] }
axis = [0.0, 1.0, 0.0]
[joint.rod_joint]
passive = true
[joint.arm_joint]
passive = true
)",
                            open);
  ASSERT_EQ(linear.numJoints(), 2);
  ASSERT_EQ(closed.jointNames(), linear.jointNames());
  std::mt19937_64 rng(3);
  const ProjectionRegressor a(std::make_shared<const Robot>(linear)),
      b(std::make_shared<const Robot>(closed));
  EXPECT_EQ(a.bodies(0), b.bodies(0));
  EXPECT_EQ(a.bodies(1), b.bodies(1));
  for (int i = 0; i < 20; ++i) {
    const Eigen::VectorXd q = support::vectorX(rng, 2, 0.9), dq = support::vectorX(rng, 2, 3.0),
                          ddq = support::vectorX(rng, 2, 9.0);
    const Eigen::MatrixXd Y = a.dense(q, dq, ddq);
    EXPECT_LT((Y - b.dense(q, dq, ddq)).cwiseAbs().maxCoeff(), 1e-11 * Y.cwiseAbs().maxCoeff());
  }
}

TEST(ClosedMotion, PositionsThatDoNotCloseAreRefusedInWords) {
  Robot robot = support::fourBar();
  robot.loops[0].X_A.p.x() = 0.2;  // crank and coupler no longer reach the rocker's tip all around
  try {
    inverseDynamics(robot,
                    priorParameters(robot),
                    Eigen::VectorXd::Constant(1, 3.0),
                    Eigen::VectorXd::Zero(1),
                    Eigen::VectorXd::Zero(1));
    FAIL() << "closed what cannot be closed";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("robot \"four_bar\""));
    EXPECT_THAT(error.what(), HasSubstr("crank_joint"));
  }
}

TEST(ClosedMotion, TheCutOpenTreeHasAllJoints) {
  const Robot robot = support::fourBar(), tree = cutOpen(robot);
  EXPECT_THAT(tree.jointNames(),
              ::testing::ElementsAre("crank_joint", "coupler_joint", "rocker_joint"));
  EXPECT_TRUE(tree.loops.empty());
  // N^T tau_tree = tau
  const Eigen::VectorXd u = Eigen::VectorXd::Constant(1, 0.7), du = 2.0 * u, ddu = -3.0 * u,
                        pi = priorParameters(robot);
  const ClosedPosition here = requireClosed(robot, u);
  Eigen::VectorXd q = u, dq = du, ddq = ddu;
  closedMotion<double>(robot, here, q, dq, ddq);
  const Eigen::VectorXd tau =
      loopProjector(robot, here).transpose() * inverseDynamics(tree, pi, q, dq, ddq);
  EXPECT_NEAR(tau(0), inverseDynamics(robot, pi, u, du, ddu)(0), 1e-12);
}

}  // namespace
}  // namespace dynid
