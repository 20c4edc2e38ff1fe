#include "dynid/diagnosis/consistent_score.h"

#include "dynid/consistency/physical_fit.h"
#include "dynid/diagnosis/prior_bodies.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

using Eigen::Index;

// Per row. Between 0.01 and 0.03 the fits of right logs keep their error, and those with the wrong
// direction of gravity lose it, with the inertials of a description and with capsules
// (experiments/mistakes).
constexpr double kPriorWeight = 0.02;
constexpr int kWeightings = 2;
constexpr double kUndetermined = 1e-9;  // eigenvalue over the largest, columns of unit norm
constexpr double kGap = 1e-5;

/// The weighted normal equations A x = b of all channels, over all columns of the plain model.
struct NormalEquations {
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
  double power = 0.0;  ///< weighted sum of the squared efforts
  double rows = 0.0;
};

/// Sums of one channel over the folds, with the effort that is assigned to it.
struct ChannelSums {
  Eigen::VectorXd moment;  ///< [active columns]
  double power = 0.0, variance = 0.0;

  ChannelSums(const EffortStatistics& effort, const EffortAssignment& assignment, Index c) {
    const Index from = assignment.source[c];
    const double factor = assignment.factor(c), square = factor * factor;
    moment = Eigen::VectorXd::Zero(effort.moments.front()[c].rows());
    for (size_t f = 0; f < effort.moments.size(); ++f) {
      moment += factor * effort.moments[f][c].col(from);
      power += square * effort.power[f](c, from);
    }
    variance = square * effort.variance(c, from);
  }
};

NormalEquations normalEquations(const ChannelColumns& columns,
                                const MotionStatistics& motion,
                                const EffortStatistics& effort,
                                const std::vector<ChannelSums>& sums,
                                const Eigen::VectorXd& unexplained) {
  NormalEquations equations;
  equations.A = Eigen::MatrixXd::Zero(columns.size(), columns.size());
  equations.b = Eigen::VectorXd::Zero(columns.size());
  for (Index c = 0; c < columns.channels(); ++c) {
    if (motion.moves(c) == 0.0) continue;
    const double weight = 1.0 / (sums[c].variance * std::max(unexplained(c), kLeastUnexplained));
    const std::vector<Index>& active = columns.active(c);
    for (Index k = 0; k < std::ssize(active); ++k)
      equations.A.col(active[k])(active) += weight * motion.total_gram[c].col(k);
    equations.b(active) += weight * sums[c].moment;
    equations.power += weight * sums[c].power;
    equations.rows += effort.rows(c);
  }
  return equations;
}

/// Replaces the rows of the problem by [R z] with R^T R = A and R^T z = b over the columns of
/// `order`. @returns the solution of least squares over these columns
Eigen::VectorXd setRows(const NormalEquations& equations,
                        const std::vector<Index>& order,
                        PhysicalFitProblem& problem) {
  const Eigen::MatrixXd A = equations.A(order, order);
  Eigen::VectorXd norm = A.diagonal().cwiseMax(0.0).cwiseSqrt();
  const double largest = norm.maxCoeff();
  Eigen::VectorXd inverse(norm.size());
  for (Index i = 0; i < norm.size(); ++i) {
    if (norm(i) <= kUndetermined * largest) norm(i) = 0.0;
    inverse(i) = norm(i) > 0.0 ? 1.0 / norm(i) : 0.0;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(inverse.asDiagonal() * A *
                                                             inverse.asDiagonal());
  std::vector<Index> kept;
  for (Index i = 0; i < norm.size(); ++i)
    if (eigen.eigenvalues()(i) > kUndetermined * eigen.eigenvalues().maxCoeff()) kept.push_back(i);
  const Eigen::MatrixXd V = eigen.eigenvectors()(Eigen::all, kept);
  const Eigen::VectorXd root = eigen.eigenvalues()(kept).cwiseSqrt();
  problem.R = root.asDiagonal() * V.transpose() * norm.asDiagonal();
  problem.z = (V.transpose() * equations.b(order).cwiseProduct(inverse)).cwiseQuotient(root);
  problem.residual_squared = std::max(0.0, equations.power - problem.z.squaredNorm());
  problem.rows = equations.rows;
  return inverse.cwiseProduct(V * problem.z.cwiseQuotient(root));
}

/// Bodies with mass, then viscous and Coulomb friction and drive inertia, then free columns.
PhysicalFitProblem emptyProblem(const ChannelColumns& columns, std::vector<Index>& order) {
  const Robot& robot = columns.robot();
  PhysicalFitProblem problem;
  std::vector<std::string> sources;
  const std::vector<InertialParameters> prior = priorBodies(robot, sources);
  for (int body = 0; body < robot.numBodies(); ++body) {
    if (robot.bodies[body].massless) continue;
    problem.prior.push_back(prior[body]);
    for (int i = 0; i < 10; ++i) order.push_back(10 * body + i);
  }
  for (Index column = columns.numInertial(); column < columns.size(); ++column)
    order.push_back(column);
  problem.bodies = static_cast<int>(std::ssize(problem.prior));
  problem.nonnegative = static_cast<int>(3 * columns.channels());
  problem.free = static_cast<int>(std::ssize(order)) - 10 * problem.bodies - problem.nonnegative;
  problem.trust_prior_scale = true;
  problem.C.resize(0, 10 * problem.bodies + problem.nonnegative);
  return problem;
}

}  // namespace

ConsistentScore scoreConsistently(const ChannelColumns& columns,
                                  const MotionStatistics& motion,
                                  const EffortStatistics& effort,
                                  const EffortAssignment& assignment,
                                  Eigen::VectorXd unexplained) {
  ConsistentScore score;
  std::vector<Index> order;
  PhysicalFitProblem problem = emptyProblem(columns, order);
  if (problem.bodies == 0 || motion.moves.maxCoeff() == 0.0) return score;
  std::vector<ChannelSums> sums;
  for (Index c = 0; c < columns.channels(); ++c) sums.emplace_back(effort, assignment, c);
  // Sets `unexplained` by the parameters of `order`. @returns J
  const auto judge = [&](const Eigen::VectorXd& ordered) {
    Eigen::VectorXd all = Eigen::VectorXd::Zero(columns.size());
    all(order) = ordered;
    double objective = 0.0;
    for (Index c = 0; c < columns.channels(); ++c) {
      unexplained(c) = 0.0;
      if (motion.moves(c) == 0.0) continue;
      const Eigen::VectorXd x = all(columns.active(c));
      const double squared =
          sums[c].power - 2.0 * sums[c].moment.dot(x) + x.dot(motion.total_gram[c] * x);
      unexplained(c) = std::clamp(squared / effort.rows(c) / sums[c].variance, 1e-6, 1.0);
      objective += std::log(std::max(unexplained(c), kLeastUnexplained));
    }
    return objective;
  };
  for (int round = 0; round < kWeightings; ++round) {
    const NormalEquations equations = normalEquations(columns, motion, effort, sums, unexplained);
    score.free_objective = judge(setRows(equations, order, problem));
    PhysicalFitOptions options;
    options.margin = 0.0;
    options.widen_tau = false;  // the links resemble the prior
    options.prior_weight = kPriorWeight * equations.rows;
    options.gap_tolerance = kGap;
    const PhysicalFitResult fit = solvePhysicalFit(problem, options);
    score.solved = fit.feasible;
    if (!score.solved) return score;
    score.objective = judge(fit.x);
  }
  score.unexplained = unexplained;
  return score;
}

}  // namespace dynid
