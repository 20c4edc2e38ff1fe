// De Luca: any S with S dq = c gives the energy balance; dM/dt - 2 S is skew symmetric for the
// Christoffel factorisation only.
#include "dynid/dynamics/mass_matrix.h"
#include "dynid/formulations/christoffel.h"
#include "dynid/formulations/hamilton.h"

#include <gtest/gtest.h>

#include "support/random_robot.h"

namespace dynid {
namespace {

TEST(Factorisation, EnergyBalanceHoldsForAllSkewSymmetryForOne) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Robot robot = randomRobot(seed);
    const Eigen::VectorXd pi = priorParameters(robot);
    std::mt19937_64 rng(seed);
    const int n = robot.numJoints();
    const Eigen::VectorXd q = support::vectorX(rng, n, 2.0), dq = support::vectorX(rng, n, 2.0);
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(n);
    const Eigen::VectorXd c = biasForces(robot, pi, q, dq) - biasForces(robot, pi, q, zero);
    const Eigen::MatrixXd dM = massMatrixAlong(robot, pi, q, dq).dM;

    const Eigen::MatrixXd christoffel = christoffelMatrix(robot, pi, q, dq);
    Eigen::MatrixXd other = christoffel;  // plus any matrix with dq in its kernel
    const Eigen::VectorXd side = support::vectorX(rng, n, 5.0);
    const Eigen::VectorXd blind = support::vectorX(rng, n, 1.0);
    other += side * (blind - dq * (blind.dot(dq) / dq.squaredNorm())).transpose();
    const auto asymmetry = [&](const Eigen::MatrixXd& S) {
      const Eigen::MatrixXd N = dM - 2.0 * S;
      return (N + N.transpose()).norm() / N.norm();
    };
    for (const Eigen::MatrixXd& S : {christoffel, other}) {
      EXPECT_LT((S * dq - c).norm(), 1e-11 * c.norm());
      EXPECT_NEAR(dq.dot((dM - 2.0 * S) * dq), 0.0, 1e-10 * (1.0 + dM.norm()));
    }
    EXPECT_LT(asymmetry(christoffel), 1e-13);
    EXPECT_GT(asymmetry(other), 1e-2);
    const SkewSymmetry measured = skewSymmetry(robot, pi, q, dq);
    EXPECT_LT(measured.asymmetry, 1e-13);
    EXPECT_LT(measured.coupling_error, 1e-12);
  }
}

}  // namespace
}  // namespace dynid
