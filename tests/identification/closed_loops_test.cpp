// Mechanisms with closed loops: which parameters are identifiable, and whether the true ones are
// found.
#include <Eigen/SVD>
#include <gmock/gmock.h>

#include "equations/exact_rows.h"
#include "identification/recovered.h"
#include "support/closed_chains.h"
#include <unistd.h>

namespace dynid {
namespace {

std::shared_ptr<const Robot> mechanism(const std::string& name) {
  return std::make_shared<const Robot>(
      loadRobot(std::string(DYNID_DATASETS_DIR) + "/" + name + "/" + name + ".toml"));
}

/// Torque of the crank of a four-bar linkage by Lagrange's equation in one coordinate: one column
/// per planar parameter (m, mx, mz, Iyy of crank, coupler, rocker), from energies in closed form.
Eigen::RowVectorXd freudensteinRow(double u, double du, double ddu) {
  const support::FourBar links;
  const auto energies = [&](double x) {  // 2 K/du^2 and V for every parameter
    const Eigen::Vector2d tip = links.crank * Eigen::Vector2d(std::cos(x), std::sin(x)),
                          dtip = links.crank * Eigen::Vector2d(-std::sin(x), std::cos(x));
    const double angles[] = {x, links.couplerAngle(x), links.rockerAngle(x)},
                 rates[] = {1.0, links.couplerRate(x), links.rockerRate(x)};
    const Eigen::Vector2d origins[] = {{0, 0}, tip, {links.ground, 0}},
                          speeds[] = {{0, 0}, dtip, {0, 0}};
    Eigen::Matrix<double, 2, 12> rows;
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector2d ex(std::cos(angles[k]), std::sin(angles[k])), ez(-ex.y(), ex.x());
      const auto lever = [&](const Eigen::Vector2d& h) {  // 2 dp.(w x h), g h_z
        return Eigen::Vector2d(2.0 * rates[k] * speeds[k].dot(Eigen::Vector2d(-h.y(), h.x())),
                               9.80665 * h.y());
      };
      rows.col(4 * k) << speeds[k].squaredNorm(), 9.80665 * origins[k].y();
      rows.col(4 * k + 1) = lever(ex);
      rows.col(4 * k + 2) = lever(ez);
      rows.col(4 * k + 3) << rates[k] * rates[k], 0.0;
    }
    return rows;
  };
  const auto central = [&](double h) {
    return Eigen::Matrix<double, 2, 12>((energies(u + h) - energies(u - h)) / (2.0 * h));
  };
  const double h = 4e-3;
  const Eigen::Matrix<double, 2, 12> e1 = (4.0 * central(h / 2) - central(h)) / 3.0,
                                     e2 = (4.0 * central(h / 4) - central(h / 2)) / 3.0;
  const Eigen::Matrix<double, 2, 12> slope = (16.0 * e2 - e1) / 15.0;
  return energies(u).row(0) * ddu + 0.5 * du * du * slope.row(0) + slope.row(1);
}

TEST(ClosedLoops, TheFourBarHasAsManyBaseParametersAsItsClosedFormSees) {
  Eigen::MatrixXd rows(300, 12);
  std::mt19937_64 rng(1);
  for (Eigen::Index i = 0; i < rows.rows(); ++i)
    rows.row(i) = freudensteinRow(support::uniform(rng, -3.1, 3.1),
                                  support::uniform(rng, -3.0, 3.0),
                                  support::uniform(rng, -10.0, 10.0));
  const Eigen::VectorXd norms = rows.colwise().norm().transpose();
  rows *= norms.cwiseMax(1e-9).cwiseInverse().asDiagonal();
  const Eigen::VectorXd s = Eigen::JacobiSVD<Eigen::MatrixXd>(rows).singularValues();
  // Finite differences have errors of 1e-9; the smallest relevant singular values are about 1e-3.
  const auto count = (s.array() > 1e-6 * s(0)).count();
  const std::shared_ptr<const Robot> robot = mechanism("four_bar");
  const ParameterLayout layout = inertialLayout(*robot);
  const BaseParameters base = structuralBase(robot, layout, {std::nullopt});
  EXPECT_EQ(base.rank, count);
  EXPECT_EQ(base.rank, 8);
  EXPECT_GT(base.gap, 1e4) << "kept " << base.smallest_kept << ", rejected "
                           << base.largest_rejected;
  for (int c : base.independent)
    EXPECT_THAT(layout[c].name,
                ::testing::Not(::testing::MatchesRegex(".*(my|Ixx|Ixy|Ixz|Iyz|Izz)")));
}

TEST(ClosedLoops, TheParallelogramsOfThePalletizerMergeItsLinks) {
  const std::shared_ptr<const Robot> robot = mechanism("palletizer");
  const BaseParameters base = structuralBase(robot, inertialLayout(*robot), {std::nullopt});
  EXPECT_EQ(base.rank, 25);
  EXPECT_GT(base.gap, 1e4);
}

TEST(ClosedLoops, ExactRowsGiveTheTruthBack) {
  for (const char* name : {"four_bar", "palletizer"}) {
    const std::shared_ptr<const Robot> robot = mechanism(name);
    const SimulationTruth truth = randomTruth(*robot, 3);
    const ExactRows exact = exactRows(robot, truth, {}, 50.0);
    Eigen::VectorXd beta(exact.truth.size());
    // The rows of all joints in one least-squares problem.
    Eigen::Index samples = exact.samples(), actuators = exact.effort.cols();
    Eigen::MatrixXd stack = Eigen::MatrixXd::Zero(samples * actuators, beta.size());
    for (Eigen::Index a = 0; a < actuators; ++a)
      for (size_t c = 0; c < exact.columns[a].size(); ++c) {
        const auto& independent = exact.base.independent;
        const int column = exact.columns[a][c];
        const auto place = std::find(independent.begin(), independent.end(), column);
        stack.block(a * samples, place - independent.begin(), samples, 1) = exact.Y[a].col(c);
      }
    Eigen::VectorXd effort = exact.effort.reshaped();
    // Within the standstill band the rows have a ramp through zero and the truth a step.
    for (Eigen::Index a = 0; a < actuators; ++a)
      for (Eigen::Index i = 0; i < samples; ++i)
        if (!exact.moving(i, a)) {
          stack.row(a * samples + i).setZero();
          effort(a * samples + i) = 0.0;
        }
    beta = stack.colPivHouseholderQr().solve(effort);
    EXPECT_LT((stack * beta - effort).norm(), 1e-11 * effort.norm()) << name;
    EXPECT_LT((beta - exact.truth).norm(), 1e-8 * exact.truth.norm()) << name;
  }
}

TEST(ClosedLoops, ALogWithoutNoiseGivesTheTruthBack) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                     ("dynid_closed_loops_" + std::to_string(getpid()) + ".h5");
  for (const char* name : {"four_bar", "palletizer"}) {
    const std::shared_ptr<const Robot> robot = mechanism(name);
    SimulationOptions simulation;
    simulation.motion.fundamental_hz = 0.2;
    const Recovery recovery = recover(robot, randomTruth(*robot, 3), simulation, file);
    EXPECT_TRUE(recovery.usable) << name << ": " << recovery.reason;
    // Derivatives are computed from the positions of a log at 200 Hz.
    EXPECT_LT(recovery.norm_error, 1e-6) << name << ", worst " << recovery.worst;
    // The consistent fit stops at a certified gap, not at the least value of the error.
    EXPECT_LT(recovery.fit_error, 2e-6) << name;
  }
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace dynid
