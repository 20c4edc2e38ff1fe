#include "dynid/diagnosis/hypothesis_score.h"

#include "dynid/diagnosis/nonnegative_fit.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace dynid {
namespace {

using Eigen::Index;

constexpr double kRidge = 1e-4;  // on columns scaled to unit norm
constexpr double kEmptyColumn = 1e-9;
constexpr int kReweightings = 3;
constexpr double kGainsFound = 1e-3;  // the largest change of a round, logarithm
constexpr double kGravityShare = 0.25;
constexpr double kRodGravityShare = 0.02;  // of the largest channel: less is no gravity to compare
// [nat] A quarter of the largest gain that wrong hypotheses have on untouched logs (6).
constexpr double kClearGainOfFold = 1.5;
// [nat] Enough in a fold of which the better fit leaves nothing: what was left before bounds the
// gain.
constexpr double kGainOfExplainedFold = 0.6;
constexpr double kLargestGravityGain = 0.1;  // of the variance left

/// The right-hand sides of one assignment, scaled.
struct Sides {
  std::vector<std::vector<Eigen::VectorXd>> moments;  // [fold][channel]
  Eigen::MatrixXd power;                              // [fold x channel]
  Eigen::VectorXd variance;                           // [channel]

  void scale(const Eigen::VectorXd& factor) {
    for (auto& fold : moments)
      for (size_t c = 0; c < fold.size(); ++c) fold[c] *= factor(c);
    power.array().rowwise() *= factor.array().square().transpose();
    variance.array() *= factor.array().square();
  }
};

Sides sidesOf(const EffortStatistics& effort, const EffortAssignment& assignment) {
  const auto n = std::ssize(assignment.source);
  Sides sides;
  sides.power.resize(std::ssize(effort.power), n);
  sides.variance.resize(n);
  sides.moments.resize(effort.power.size());
  for (Index c = 0; c < n; ++c) {
    const Index from = assignment.source[c];
    sides.variance(c) = effort.variance(c, from);
    for (size_t f = 0; f < effort.power.size(); ++f) {
      sides.moments[f].emplace_back(effort.moments[f][c].col(from));
      sides.power(f, c) = effort.power[f](c, from);
    }
  }
  sides.scale(assignment.factor);
  return sides;
}

/// Channels and columns that have none in common with the others: the limbs of a fixed base, each
/// fitted by itself.
struct Limb {
  std::vector<Index> channels, columns;
};

std::vector<Limb> limbsOf(const ChannelColumns& columns) {
  std::vector<Limb> limbs;
  for (Index c = 0; c < columns.channels(); ++c) {
    Limb limb{{c}, columns.active(c)};
    // Takes in the limbs that already have one of its columns.
    for (Limb& other : limbs) {
      const bool shares = std::any_of(limb.columns.begin(), limb.columns.end(), [&](Index k) {
        return std::binary_search(other.columns.begin(), other.columns.end(), k);
      });
      if (!shares) continue;
      limb.channels.insert(limb.channels.end(), other.channels.begin(), other.channels.end());
      limb.columns.insert(limb.columns.end(), other.columns.begin(), other.columns.end());
      other.channels.clear();
    }
    std::erase_if(limbs, [](const Limb& other) { return other.channels.empty(); });
    std::sort(limb.channels.begin(), limb.channels.end());
    std::sort(limb.columns.begin(), limb.columns.end());
    limb.columns.erase(std::unique(limb.columns.begin(), limb.columns.end()), limb.columns.end());
    limbs.push_back(std::move(limb));
  }
  return limbs;
}

/// Fits and residuals of one motion hypothesis.
class FoldFit {
 public:
  FoldFit(const ChannelColumns& columns, const MotionStatistics& motion, bool constrained)
      : columns_(columns), motion_(motion), limbs_(limbsOf(columns)) {
    for (const Limb& limb : limbs_)
      constraints_.push_back(constrained ? constraintsOf(limb) : Eigen::MatrixXd());
  }

  /// Parameters of the folds without `left_out` (-1: all).
  Eigen::VectorXd solve(const Sides& sides, const Eigen::VectorXd& weight, int left_out) const {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(columns_.size());
    for (size_t l = 0; l < limbs_.size(); ++l)
      x(limbs_[l].columns) = solve(l, sides, weight, left_out);
    return x;
  }

  /// Squared residual of one channel in one fold.
  double residual(const Sides& sides, const Eigen::VectorXd& x, int fold, Index channel) const {
    const auto f = static_cast<size_t>(fold);
    const auto c = static_cast<size_t>(channel);
    const Eigen::VectorXd active = activePart(x, channel);
    return std::max(0.0,
                    sides.power(fold, channel) - 2.0 * sides.moments[f][c].dot(active) +
                        active.dot(motion_.gram[f][c] * active));
  }

  Eigen::VectorXd activePart(const Eigen::VectorXd& x, Index channel) const {
    const std::vector<Index>& active = columns_.active(channel);
    return x(active);
  }

  /// Predicted power and its product with the effort, summed over the folds.
  std::pair<double, double> powers(const Sides& sides, const Eigen::VectorXd& x, Index c) const {
    const Eigen::VectorXd active = activePart(x, c);
    double product = 0.0;
    for (const auto& fold : sides.moments) product += fold[c].dot(active);
    return {active.dot(motion_.total_gram[c] * active), product};
  }

  /// Squared residual of one channel, summed over the folds.
  double residual(const Sides& sides, const Eigen::VectorXd& x, Index c) const {
    const auto [power, product] = powers(sides, x, c);
    return std::max(0.0, sides.power.col(c).sum() - 2.0 * product + power);
  }

 private:
  /// The rows of motion_.constraints that contain a column of the limb, restricted to its columns.
  Eigen::MatrixXd constraintsOf(const Limb& limb) const {
    const Eigen::MatrixXd constraints = motion_.constraints(Eigen::all, limb.columns);
    std::vector<Index> rows;
    for (Index i = 0; i < constraints.rows(); ++i)
      if (!constraints.row(i).isZero(0.0)) rows.push_back(i);
    return constraints(rows, Eigen::all);
  }

  Eigen::VectorXd solve(size_t l,
                        const Sides& sides,
                        const Eigen::VectorXd& weight,
                        int left_out) const {
    const Limb& limb = limbs_[l];
    const auto size = std::ssize(limb.columns);
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(size);
    for (const Index c : limb.channels) {
      // The effort of a joint at rest (on its brake) is almost constant and would get a large
      // weight.
      if (motion_.moves(c) == 0.0) continue;
      const auto channel = static_cast<size_t>(c);
      std::vector<Index> places;
      for (const Index column : columns_.active(c))
        places.push_back(std::lower_bound(limb.columns.begin(), limb.columns.end(), column) -
                         limb.columns.begin());
      const Eigen::MatrixXd& all = motion_.total_gram[channel];
      const Eigen::MatrixXd* without = left_out >= 0 ? &motion_.gram[left_out][channel] : nullptr;
      for (Index k = 0; k < std::ssize(places); ++k) {
        Eigen::VectorXd column = all.col(k);
        if (without != nullptr) column -= without->col(k);
        A.col(places[k])(places) += weight(c) * column;
      }
      for (int f = 0; f < std::ssize(sides.moments); ++f)
        if (f != left_out) b(places) += weight(c) * sides.moments[f][channel];
    }
    return scaledSolution(A, b, constraints_[l]);
  }

  static Eigen::VectorXd scaledSolution(Eigen::MatrixXd& A,
                                        const Eigen::VectorXd& b,
                                        const Eigen::MatrixXd& constraints) {
    Eigen::VectorXd scale = A.diagonal().cwiseMax(0.0).cwiseSqrt();
    const double largest = scale.maxCoeff();
    for (double& value : scale) value = value > kEmptyColumn * largest ? 1.0 / value : 0.0;
    A.array().colwise() *= scale.array();
    A.array().rowwise() *= scale.transpose().array();
    A.diagonal().array() += kRidge;
    Eigen::MatrixXd C(0, A.cols());
    if (constraints.size() > 0) {
      C = constraints.array().rowwise() * scale.transpose().array();
      const Eigen::VectorXd length = C.rowwise().norm();
      std::vector<Index> kept;
      for (Index i = 0; i < length.size(); ++i)
        if (length(i) > 0.0) kept.push_back(i);
      C = C(kept, Eigen::all).eval();
      C.array().colwise() /= length(kept).array();
    }
    return nonnegativeFit(A, b.cwiseProduct(scale), C).cwiseProduct(scale);
  }

  const ChannelColumns& columns_;
  const MotionStatistics& motion_;
  std::vector<Limb> limbs_;
  std::vector<Eigen::MatrixXd> constraints_;  // of the limbs
};

Eigen::VectorXd weightsOf(const Sides& sides, const Eigen::VectorXd& unexplained) {
  return (sides.variance.array() * unexplained.array().max(kLeastUnexplained)).inverse();
}

Eigen::VectorXd unexplainedBy(const FoldFit& fit,
                              const Sides& sides,
                              const Eigen::VectorXd& x,
                              const Eigen::VectorXd& rows) {
  Eigen::VectorXd unexplained(sides.variance.size());
  for (Index c = 0; c < unexplained.size(); ++c)
    unexplained(c) = fit.residual(sides, x, c) / rows(c) / sides.variance(c);
  return unexplained;
}

/// Estimates drive gains and parameters in turn, until no gain changes by more than 0.1 %. Each
/// round changes a gain by a factor of 0.6 to 1.6 and keeps the geometric mean of the gains, which
/// the log does not determine.
void findGains(const FoldFit& fit,
               const MotionStatistics& motion,
               const Eigen::VectorXd& rows,
               int rounds,
               Sides& sides,
               Eigen::VectorXd& unexplained) {
  const Eigen::VectorXd rms =
      sides.power.colwise().sum().transpose().cwiseQuotient(rows).cwiseSqrt();
  sides.scale(motion.rod_rms.cwiseQuotient((rms.array() + 1e-30).matrix()));
  double largest = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds && largest > kGainsFound; ++round) {
    const Eigen::VectorXd x = fit.solve(sides, weightsOf(sides, unexplained), -1);
    unexplained = unexplainedBy(fit, sides, x, rows);
    Eigen::VectorXd change = Eigen::VectorXd::Ones(sides.variance.size());
    for (Index c = 0; c < change.size(); ++c) {
      const auto [power, product] = fit.powers(sides, x, c);
      if (product > 0.0 && motion.moves(c) > 0.0) change(c) = std::clamp(power / product, 0.6, 1.6);
    }
    change /= std::exp(change.array().log().mean());
    largest = change.array().log().abs().maxCoeff();
    sides.scale(change);
  }
}

/// Gravity torques at the postures of the log: fitted against uniform rods.
void compareGravity(const ChannelColumns& columns,
                    const MotionStatistics& motion,
                    const Sides& sides,
                    HypothesisScore& score) {
  const Index n = columns.channels();
  const auto postures = static_cast<double>(motion.rod_gravity.rows());
  const Eigen::VectorXd rods =
      (motion.rod_gravity.colwise().squaredNorm().transpose() / postures).cwiseSqrt();
  score.gravity_share = score.gravity_correlation = score.gravity_slope = Eigen::VectorXd::Zero(n);
  score.prior_correlation = score.prior_slope = Eigen::VectorXd::Zero(n);
  for (Index c = 0; c < n; ++c) {
    if (motion.moves(c) == 0.0) continue;  // nothing is fitted to its effort
    const Eigen::MatrixXd& rows = motion.gravity_rows[c];
    const std::vector<Index>& active = columns.active(c);
    Eigen::VectorXd of_active(rows.cols());
    for (Index k = 0; k < of_active.size(); ++k) of_active(k) = score.parameters(active[k]);
    Eigen::VectorXd fitted = rows * of_active;
    fitted.array() -= fitted.mean();
    const double product = fitted.dot(motion.rod_gravity.col(c));
    score.gravity_share(c) = fitted.norm() / std::sqrt(postures * sides.variance(c));
    score.gravity_slope(c) = product / std::max(motion.rod_gravity.col(c).squaredNorm(), 1e-12);
    if (motion.prior_gravity.size() > 0) {
      const auto prior = motion.prior_gravity.col(c);
      const double of_prior = fitted.dot(prior);
      score.prior_slope(c) = of_prior / std::max(prior.squaredNorm(), 1e-12);
      score.prior_correlation(c) = of_prior / std::max(fitted.norm() * prior.norm(), 1e-12);
    }
    if (rods(c) <= kRodGravityShare * rods.maxCoeff() + 1e-12) continue;
    score.gravity_correlation(c) =
        product / std::max(fitted.norm() * motion.rod_gravity.col(c).norm(), 1e-12);
    if (score.gravity_share(c) <= kGravityShare) continue;
    const double positive = std::max(score.gravity_correlation(c), 0.0);
    score.gravity_prior += 0.5 * std::log(std::max(1.0 - positive * positive, kLargestGravityGain));
  }
}

}  // namespace

EffortAssignment asLogged(Index channels) {
  EffortAssignment assignment;
  assignment.source.resize(channels);
  std::iota(assignment.source.begin(), assignment.source.end(), Index{0});
  assignment.factor = Eigen::VectorXd::Ones(channels);
  return assignment;
}

double smallestObjective(Index channels) {
  return static_cast<double>(channels) * std::log(kLeastUnexplained);
}

int foldsThatGain(const HypothesisScore& worse, const HypothesisScore& better, double floor) {
  const auto objective = [floor](const HypothesisScore& score) {
    return Eigen::VectorXd(
        score.unexplained_in_fold.array().max(floor).min(1.0).log().rowwise().sum());
  };
  const Eigen::VectorXd gain = objective(worse) - objective(better);
  const double least = std::min(0.25 * (worse.objective - better.objective), kClearGainOfFold);
  const double of_explained = std::min(least, kGainOfExplainedFold);
  const auto explained = [&](Index f) {
    const Eigen::ArrayXd left = better.unexplained_in_fold.row(f).transpose();
    return (left <= kLeastUnexplained || left == 1.0).all();  // 1: at rest
  };
  int folds = 0;
  for (Index f = 0; f < gain.size(); ++f) folds += gain(f) >= (explained(f) ? of_explained : least);
  return folds;
}

HypothesisScore scoreHypothesis(const ChannelColumns& columns,
                                const MotionStatistics& motion,
                                const EffortStatistics& effort,
                                const EffortAssignment& assignment,
                                EffortScale scale,
                                bool constrained,
                                int gain_rounds) {
  const FoldFit fit(columns, motion, constrained);
  Sides sides = sidesOf(effort, assignment);
  const Index n = columns.channels();
  Eigen::VectorXd unexplained = Eigen::VectorXd::Ones(n), weight;
  if (scale == EffortScale::kUnknown)
    findGains(fit, motion, effort.rows, gain_rounds, sides, unexplained);
  HypothesisScore score;
  for (int k = 0; k < kReweightings; ++k) {
    weight = weightsOf(sides, unexplained);
    score.parameters = fit.solve(sides, weight, -1);
    unexplained = unexplainedBy(fit, sides, score.parameters, effort.rows);
  }
  score.unexplained_in_fold.resize(kDiagnosisFolds, n);
  for (int f = 0; f < kDiagnosisFolds; ++f) {
    const Eigen::VectorXd x = fit.solve(sides, weight, f);
    for (Index c = 0; c < n; ++c) score.unexplained_in_fold(f, c) = fit.residual(sides, x, f, c);
  }
  score.unexplained = score.unexplained_in_fold.colwise().sum().transpose();
  score.unexplained_in_fold.array().rowwise() *=
      kDiagnosisFolds / effort.rows.cwiseProduct(sides.variance).transpose().array();
  score.unexplained = (score.unexplained.array() / effort.rows.cwiseProduct(sides.variance).array())
                          .max(1e-6)
                          .min(1.0);
  for (Index c = 0; c < n; ++c) {
    if (motion.moves(c) > 0.0) continue;
    score.unexplained_in_fold.col(c).setOnes();
    score.unexplained(c) = 0.0;
  }
  score.objective = (motion.moves * score.unexplained.array().max(kLeastUnexplained).log()).sum();
  compareGravity(columns, motion, sides, score);
  score.rigid_ratio = sides.power.colwise()
                          .sum()
                          .transpose()
                          .cwiseQuotient(effort.rows)
                          .cwiseSqrt()
                          .cwiseQuotient(motion.rod_rms);
  return score;
}

Eigen::MatrixXd separateScores(const ChannelColumns& columns,
                               const MotionStatistics& motion,
                               const EffortStatistics& effort) {
  const Index n = columns.channels();
  Eigen::MatrixXd residual = Eigen::MatrixXd::Zero(n, n);
  for (Index c = 0; c < n; ++c) {
    const auto channel = static_cast<size_t>(c);
    for (size_t left_out = 0; left_out < motion.gram.size(); ++left_out) {
      const Index size = motion.gram.front()[channel].cols();
      Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
      Eigen::MatrixXd b = Eigen::MatrixXd::Zero(size, n);
      for (size_t f = 0; f < motion.gram.size(); ++f) {
        if (f == left_out) continue;
        A += motion.gram[f][channel];
        b += effort.moments[f][channel];
      }
      Eigen::VectorXd scale = A.diagonal().cwiseMax(0.0).cwiseSqrt();
      const double largest = scale.maxCoeff();
      for (double& value : scale) value = value > kEmptyColumn * largest ? 1.0 / value : 0.0;
      A = scale.asDiagonal() * A * scale.asDiagonal();
      A.diagonal().array() += kRidge;
      const Eigen::MatrixXd x = scale.asDiagonal() * A.llt().solve(scale.asDiagonal() * b);
      const Eigen::MatrixXd predicted = motion.gram[left_out][channel] * x;
      for (Index e = 0; e < n; ++e)
        residual(c, e) += effort.power[left_out](c, e) -
                          2.0 * effort.moments[left_out][channel].col(e).dot(x.col(e)) +
                          x.col(e).dot(predicted.col(e));
    }
  }
  residual.array() /= effort.variance.array().colwise() * effort.rows.array();
  return residual.array().max(kLeastUnexplained).min(1.0).log();
}

}  // namespace dynid
