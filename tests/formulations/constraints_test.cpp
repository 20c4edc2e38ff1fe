#include "dynid/formulations/constraints.h"

#include "dynid/formulations/augmented.h"
#include "dynid/formulations/direct.h"
#include "dynid/formulations/embedded.h"
#include "dynid/formulations/maggi.h"
#include "dynid/formulations/projected.h"
#include "dynid/formulations/udwadia_kalaba.h"

#include <gtest/gtest.h>

#include "support/random_robot.h"

namespace dynid {
namespace {

struct Solver {
  const char* name;
  ConstrainedMotion (*solve)(const ConstrainedSystem&);
};
constexpr Solver kSolvers[] = {{"augmented", augmented},
                               {"direct", direct},
                               {"projected", projected},
                               {"embedded", embedded},
                               {"udwadia-kalaba", udwadiaKalaba},
                               {"maggi", maggi}};

Eigen::MatrixXd randomMatrix(std::mt19937_64& rng, int rows, int cols) {
  Eigen::MatrixXd A(rows, cols);
  for (double& x : A.reshaped()) x = support::uniform(rng, -1.0, 1.0);
  return A;
}

/// A system whose solution is known: accelerations and multipliers are chosen first.
struct KnownSystem {
  ConstrainedSystem system;
  Eigen::VectorXd ddq, lambda;
};
KnownSystem knownSystem(std::uint64_t seed, int joints, int constraints) {
  std::mt19937_64 rng(seed);
  KnownSystem known;
  const Eigen::MatrixXd root = randomMatrix(rng, joints, joints);
  known.system.M = root * root.transpose() + 0.1 * Eigen::MatrixXd::Identity(joints, joints);
  known.system.bias = support::vectorX(rng, joints, 5.0);
  known.system.A = randomMatrix(rng, constraints, joints);
  known.ddq = support::vectorX(rng, joints, 3.0);
  known.lambda = support::vectorX(rng, constraints, 3.0);
  known.system.b = known.system.A * known.ddq;
  known.system.tau =
      known.system.M * known.ddq + known.system.bias - known.system.A.transpose() * known.lambda;
  return known;
}

TEST(ConstrainedSolvers, FindKnownAccelerationsAndMultipliers) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const int joints = static_cast<int>(seed % 7 + 1);
    const KnownSystem known =
        knownSystem(seed, joints, static_cast<int>(seed % static_cast<size_t>(joints + 1)));
    for (const Solver& solver : kSolvers) {
      const ConstrainedMotion motion = solver.solve(known.system);
      ASSERT_TRUE(motion.solved) << solver.name << ": " << motion.reason;
      EXPECT_EQ(motion.reason, "");
      EXPECT_EQ(motion.rank, known.system.A.rows()) << solver.name;
      EXPECT_LT((motion.ddq - known.ddq).norm(), 1e-9) << solver.name << " seed " << seed;
      EXPECT_LT((motion.lambda - known.lambda).norm(), 1e-9) << solver.name << " seed " << seed;
    }
  }
}

TEST(ConstrainedSolvers, TakeDependentConstraints) {
  KnownSystem known = knownSystem(5, 6, 2);
  const Eigen::VectorXd force = known.system.A.transpose() * known.lambda;
  Eigen::MatrixXd A(4, 6);
  A << known.system.A, known.system.A.row(0) - 2.0 * known.system.A.row(1),
      Eigen::RowVectorXd::Zero(6);
  known.system.A = A;
  known.system.b = A * known.ddq;
  for (const Solver& solver : kSolvers) {
    const ConstrainedMotion motion = solver.solve(known.system);
    ASSERT_TRUE(motion.solved) << solver.name << ": " << motion.reason;
    EXPECT_NE(motion.reason.find("follows from the others"), std::string::npos);
    EXPECT_EQ(motion.rank, 2) << solver.name;
    EXPECT_LT((motion.ddq - known.ddq).norm(), 1e-9) << solver.name;
    EXPECT_LT((A.transpose() * motion.lambda - force).norm(), 1e-9) << solver.name;
  }
}

TEST(ConstrainedSolvers, RefuseConstraintsThatContradict) {
  KnownSystem known = knownSystem(5, 6, 3);
  known.system.A.row(2) = known.system.A.row(0) + known.system.A.row(1);
  known.system.b(2) = known.system.b(0) + known.system.b(1) + 0.5;
  for (const Solver& solver : kSolvers) {
    const ConstrainedMotion motion = solver.solve(known.system);
    EXPECT_FALSE(motion.solved) << solver.name;
    EXPECT_NE(motion.reason.find("contradicts the others"), std::string::npos) << motion.reason;
    EXPECT_TRUE(motion.ddq.array().isNaN().all());
    EXPECT_EQ(motion.lambda.size(), 3);
  }
}

TEST(ConstrainedSolvers, RefuseAMassMatrixOfNoRobot) {
  KnownSystem known = knownSystem(5, 4, 1);
  known.system.M = -Eigen::MatrixXd::Identity(4, 4);
  for (const Solver& solver : kSolvers) {
    if (solver.solve == augmented) continue;  // solves any system with a unique solution
    const ConstrainedMotion motion = solver.solve(known.system);
    EXPECT_FALSE(motion.solved) << solver.name;
    EXPECT_EQ(motion.reason, kMassMatrixReason);
  }
  known.system.M.setZero();
  EXPECT_EQ(augmented(known.system).reason, kMassMatrixReason);
}

TEST(ConstrainedSolvers, NameTheMemberOfWrongSize) {
  KnownSystem known = knownSystem(5, 4, 1);
  known.system.b = Eigen::VectorXd::Zero(3);
  for (const Solver& solver : kSolvers) {
    try {
      solver.solve(known.system);
      FAIL() << solver.name;
    } catch (const std::invalid_argument& error) {
      EXPECT_STREQ(error.what(), "b has 3 entries; expected 1");
    }
  }
}

TEST(MaggiProjector, SplitsVelocitiesIntoFixedAndFree) {
  std::mt19937_64 rng(3);
  const Eigen::MatrixXd A = randomMatrix(rng, 3, 7);
  const MaggiProjector P = maggiProjector(A, 7);
  EXPECT_LT((A * P.N).norm(), 1e-12);
  EXPECT_LT((A * P.Q - Eigen::Matrix3d::Identity()).norm(), 1e-12);
  ASSERT_EQ(P.free_joints.size(), 4U);
  for (size_t i = 0; i < 4; ++i)  // u are joint rates
    EXPECT_LT(
        (P.N.row(P.free_joints[i]) - Eigen::RowVectorXd::Unit(4, static_cast<Eigen::Index>(i)))
            .norm(),
        1e-12);
  EXPECT_EQ(maggiProjector(Eigen::MatrixXd(0, 3), 3).N, Eigen::MatrixXd::Identity(3, 3));
  EXPECT_THROW(maggiProjector(Eigen::MatrixXd::Identity(3, 2), 2), std::invalid_argument);
}

}  // namespace
}  // namespace dynid
