#include "dynid/diagnosis/described_score.h"

#include "dynid/diagnosis/nonnegative_fit.h"
#include "dynid/diagnosis/prior_bodies.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace dynid {
namespace {

using Eigen::Index;

constexpr double kDescribedRidge = 1e-9;  // on columns scaled to unit norm
// An offset of kUsualOffset times the rms effort counts as an error of this share of the variance.
constexpr double kUsualOffset = 0.25, kPriceOfOffset = 0.05;
constexpr double kLeastDescribed = 1e-6;
constexpr double kLeastPower = 1e-30;  // of efforts that are all zero

/// Normal equations of one channel: first the torque of the described links, then what is fitted
/// beside it.
struct DescribedEquations {
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
  double power = 0.0, variance = 0.0;
  std::vector<bool> nonnegative;

  DescribedEquations(const ChannelColumns& columns,
                     const MotionStatistics& motion,
                     const EffortStatistics& effort,
                     const EffortAssignment& assignment,
                     const Eigen::VectorXd& inertials,
                     Index c) {
    const std::vector<Index>& active = columns.active(c);
    const Index inertial = columns.numActiveInertial(c), beside = std::ssize(active) - inertial;
    Eigen::VectorXd described(inertial);
    for (Index k = 0; k < inertial; ++k) described(k) = inertials(active[k]);
    const Eigen::MatrixXd& gram = motion.total_gram[c];
    const Eigen::VectorXd product = gram.leftCols(inertial) * described;
    A.resize(beside + 1, beside + 1);
    A(0, 0) = product.head(inertial).dot(described);
    A.row(0).tail(beside) = product.tail(beside).transpose();
    A.col(0).tail(beside) = product.tail(beside);
    A.bottomRightCorner(beside, beside) = gram.bottomRightCorner(beside, beside);
    const Index from = assignment.source[c];
    const double factor = assignment.factor(c);
    b = Eigen::VectorXd::Zero(beside + 1);
    for (size_t f = 0; f < effort.moments.size(); ++f) {
      const auto moment = effort.moments[f][c].col(from);
      b(0) += factor * moment.head(inertial).dot(described);
      b.tail(beside) += factor * moment.tail(beside);
      power += factor * factor * effort.power[f](c, from);
    }
    const Index drives = columns.numInertial() + 3 * columns.channels();
    nonnegative.assign(1, false);
    for (Index k = inertial; k < std::ssize(active); ++k) nonnegative.push_back(active[k] < drives);
    variance = factor * factor * effort.variance(c, from);
    const auto offset = std::lower_bound(active.begin(), active.end(), drives + c);
    const Index place = offset - active.begin() - inertial + 1;
    A(place, place) += kPriceOfOffset * variance * effort.rows(c) * effort.rows(c) /
                       (kUsualOffset * kUsualOffset * std::max(power, kLeastPower));
  }

  /// Least squares with a free factor on the described torque.
  Eigen::VectorXd solveFree() const { return solve(A, b, nonnegative); }

  /// The same with a factor of 1, or of 0 without the described torque.
  Eigen::VectorXd solveWith(double factor) const {
    const Index beside = b.size() - 1;
    Eigen::VectorXd x = Eigen::VectorXd::Constant(b.size(), factor);
    x.tail(beside) = solve(A.bottomRightCorner(beside, beside),
                           b.tail(beside) - factor * A.col(0).tail(beside),
                           {nonnegative.begin() + 1, nonnegative.end()});
    return x;
  }

  double residual(const Eigen::VectorXd& x) const {
    return std::max(0.0, power - 2.0 * b.dot(x) + x.dot(A * x));
  }

 private:
  static Eigen::VectorXd solve(const Eigen::MatrixXd& A,
                               const Eigen::VectorXd& b,
                               const std::vector<bool>& nonnegative) {
    Eigen::VectorXd scale = A.diagonal().cwiseMax(0.0).cwiseSqrt();
    for (double& value : scale) value = value > 0.0 ? 1.0 / value : 0.0;
    Eigen::MatrixXd scaled = scale.asDiagonal() * A * scale.asDiagonal();
    scaled.diagonal().array() += kDescribedRidge;
    Eigen::MatrixXd C = Eigen::MatrixXd::Identity(A.rows(), A.rows());
    std::vector<Index> rows;
    for (Index k = 0; k < C.rows(); ++k)
      if (nonnegative[k]) rows.push_back(k);
    C = C(rows, Eigen::all).eval();
    return nonnegativeFit(scaled, b.cwiseProduct(scale), C).cwiseProduct(scale);
  }
};

}  // namespace

DescribedScore scoreDescribed(const ChannelColumns& columns,
                              const MotionStatistics& motion,
                              const EffortStatistics& effort,
                              const EffortAssignment& assignment) {
  DescribedScore score;
  const Eigen::VectorXd inertials = describedInertials(columns.robot());
  if (inertials.size() == 0) return score;
  score.unexplained = Eigen::VectorXd::Zero(columns.channels());
  score.slope = Eigen::VectorXd::Ones(columns.channels());
  for (Index c = 0; c < columns.channels(); ++c) {
    if (motion.moves(c) == 0.0) continue;
    const DescribedEquations equations(columns, motion, effort, assignment, inertials, c);
    score.slope(c) = equations.solveFree()(0);
    const double residual = equations.residual(equations.solveWith(1.0));
    score.unexplained(c) =
        std::clamp(residual / effort.rows(c) / equations.variance, kLeastDescribed, 1.0);
    score.objective += std::log(std::max(score.unexplained(c), kDescribedFloor));
    const double without = equations.residual(equations.solveWith(0.0));
    score.beside_friction += std::log(std::clamp(residual / without, score.unexplained(c), 1.0));
  }
  return score;
}

double describedGain(const DescribedScore& logged, const DescribedScore& corrected) {
  const double gain = logged.objective - corrected.objective;
  if (gain <= 0.0) return gain;
  return std::clamp(logged.beside_friction - corrected.beside_friction, 0.0, gain);
}

}  // namespace dynid
