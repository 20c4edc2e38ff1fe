#include "dynid/identification/find_gains.h"

#include "dynid/core/errors.h"
#include "dynid/estimation/drive_gains.h"
#include "dynid/estimation/least_squares.h"

#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <vector>

namespace dynid {
namespace {

constexpr int kGroups = 8;  // of the jackknife
// In standard deviations: a scale that is not further from zero is not known.
constexpr double kSignificantScale = 3.0;

/// Inputs of the search for gains.
struct GainSearch {
  const Regression& regression;
  DriveGainProblem problem;
};

// Known combinations of the base parameters of payloads: rows * beta = known for efforts in N m.
struct KnownCombinations {
  Eigen::MatrixXd rows;   // [combinations x fitted columns]
  Eigen::VectorXd known;  // [combinations]
};

// A base parameter of a payload may combine parameters of which only some are known, for example
// m - 4 Iyy. Sums of base parameters from which the unknown ones cancel out are known.
KnownCombinations knownCombinations(const GainSearch& search, const Estimate& estimate) {
  const Regression& regression = search.regression;
  Eigen::VectorXd known = Eigen::VectorXd::Constant(regression.layout().size(), std::nan(""));
  for (const Payload& payload : regression.payloads)
    known.segment<10>(payload.placement.first_column) = payload.known;
  const Eigen::MatrixXd combination = regression.base.combination();
  std::vector<Eigen::Index> base, fitted;  // places of the same parameters
  for (Eigen::Index i = 0; i < std::ssize(regression.base.independent); ++i) {
    const int column = regression.base.independent[i];
    if (regression.layout()[column].kind != ColumnKind::kPayload) continue;
    const auto found = std::lower_bound(estimate.columns.begin(), estimate.columns.end(), column);
    if (found == estimate.columns.end() || *found != column) continue;
    const auto place = static_cast<int>(found - estimate.columns.begin());
    if (std::binary_search(estimate.unexcited.begin(), estimate.unexcited.end(), place)) continue;
    base.push_back(i);
    fitted.push_back(place);
  }
  std::vector<Eigen::Index> unknown;
  for (Eigen::Index c = 0; c < known.size(); ++c) {
    if (std::isfinite(known(c))) continue;
    known(c) = 0.0;
    if (!combination(base, c).isZero(0.0)) unknown.push_back(c);
  }
  KnownCombinations found;
  Eigen::MatrixXd cancelling = Eigen::MatrixXd::Identity(std::ssize(base), std::ssize(base));
  if (!unknown.empty() && !base.empty()) {
    Eigen::FullPivLU<Eigen::MatrixXd> lu(combination(base, unknown).transpose());
    lu.setThreshold(kStructuralTolerance);
    cancelling = lu.kernel().transpose();
    if (lu.dimensionOfKernel() == 0) cancelling.resize(0, std::ssize(base));
  }
  found.rows.setZero(cancelling.rows(), std::ssize(estimate.columns));
  found.rows(Eigen::all, fitted) = cancelling;
  found.known = cancelling * (combination(base, Eigen::all) * known);
  return found;
}

// The common factor on the gains with which the payloads have their known parameters; 0 if they do
// not determine it.
//
// A fit without the factor gives beta / factor. With known combinations N beta = c and the
// covariance V of N beta,
//
//     1 / factor = (c^T V^-1 N beta) / (c^T V^-1 c)
double scaleFromPayloads(const GainSearch& search, const Statistics& statistics) {
  const Estimate estimate = weightedLeastSquares(statistics, search.problem.columns);
  const KnownCombinations combinations = knownCombinations(search, estimate);
  if (combinations.known.size() == 0) return 0.0;
  std::vector<Eigen::Index> excited;
  for (int c = 0; c < std::ssize(estimate.columns); ++c)
    if (!std::binary_search(estimate.unexcited.begin(), estimate.unexcited.end(), c))
      excited.push_back(c);
  // V = X^T X with R^T X = N^T
  const Eigen::MatrixXd R = Eigen::HouseholderQR<Eigen::MatrixXd>(estimate.R(Eigen::all, excited))
                                .matrixQR()
                                .topRows(std::ssize(excited))
                                .triangularView<Eigen::Upper>();
  const Eigen::MatrixXd X = R.transpose().triangularView<Eigen::Lower>().solve(
      combinations.rows(Eigen::all, excited).transpose());
  const Eigen::VectorXd weighted =
      (X.transpose() * X).completeOrthogonalDecomposition().solve(combinations.known);
  const double inverse_variance = weighted.dot(combinations.known);
  const double inverse = weighted.dot(combinations.rows * estimate.beta) / inverse_variance;
  if (!(inverse * std::sqrt(inverse_variance) > kSignificantScale)) return 0.0;
  return 1.0 / inverse;
}

DriveGains gainsFrom(const GainSearch& search, Statistics statistics) {
  DriveGains found = identifyDriveGains(statistics, search.problem);
  if (found.scale_known) return found;
  for (Eigen::Index a = 0; a < found.gains.size(); ++a)  // torque in place of current
    for (auto* factors : {&statistics.channels[a].moving, &statistics.channels[a].standstill})
      for (TriangularFactor& factor : *factors) factor.scaleLastColumn(found.gains(a));
  if (const double scale = scaleFromPayloads(search, statistics); scale > 0.0) {
    found.gains *= scale;
    found.scale_known = true;
  }
  return found;
}

// Covariance of ln k: that due to the spread of gains among drives, and the noise of the logs by a
// delete-a-group jackknife,
//     (G - 1) / G sum over groups of (ln k without the group - mean) (the same)^T.
std::optional<EffortFactors> uncertaintyOf(const GainSearch& search, const DriveGains& all) {
  const Eigen::Index n = all.gains.size();
  const int blocks = search.regression.statistics->numBlocks();
  const int groups = std::min(kGroups, blocks);
  if (groups < 4) return std::nullopt;
  const std::vector<int> group_of_block = foldsOfBlocks(*search.regression.statistics, groups);
  Eigen::MatrixXd logarithms(groups, n);
  for (int group = 0; group < groups; ++group) {
    Statistics without = *search.regression.statistics;
    for (ChannelStatistics& channel : without.channels)
      for (int b = 0; b < blocks; ++b)
        if (group_of_block[b] == group)
          for (auto* factors : {&channel.moving, &channel.standstill}) {
            TriangularFactor& factor = (*factors)[b];
            factor = TriangularFactor(factor.columns());
          }
    const DriveGains all_but_group = gainsFrom(search, std::move(without));
    if (all_but_group.scale_known != all.scale_known) return std::nullopt;
    logarithms.row(group) = all_but_group.gains.cwiseAbs().array().log().transpose();
  }
  const Eigen::MatrixXd deviation = logarithms.rowwise() - logarithms.colwise().mean();
  EffortFactors factors{(groups - 1.0) / groups * deviation.transpose() * deviation, groups - 1.0};
  factors.log_covariance.diagonal() += all.log_std_dev.cwiseAbs2();
  for (Eigen::Index a = 0; a < n; ++a)  // described gains are certain
    if (std::isfinite(search.problem.known(a))) {
      factors.log_covariance.row(a).setZero();
      factors.log_covariance.col(a).setZero();
    }
  if (!factors.log_covariance.allFinite()) return std::nullopt;
  return factors;
}

// NaN for described gains and where the uncertainty is not known.
Eigen::VectorXd standardDeviations(const GainSearch& search,
                                   const DriveGains& found,
                                   const std::optional<EffortFactors>& uncertainty) {
  Eigen::VectorXd std_dev = Eigen::VectorXd::Constant(found.gains.size(), std::nan(""));
  if (!uncertainty) return std_dev;
  for (Eigen::Index a = 0; a < std_dev.size(); ++a)
    if (!std::isfinite(search.problem.known(a)))
      std_dev(a) = std::sqrt(uncertainty->log_covariance(a, a)) * std::abs(found.gains(a));
  return std_dev;
}

// The search without the stated gain of an actuator, whose effort is a current again.
Regression withoutGain(const Regression& regression, Eigen::Index actuator, double gain) {
  Statistics statistics = *regression.statistics;
  ChannelStatistics& channel = statistics.channels[actuator];
  for (auto* factors : {&channel.moving, &channel.standstill})
    for (TriangularFactor& factor : *factors) factor.scaleLastColumn(1.0 / gain);
  Regression without = regression;
  without.statistics = std::make_shared<const Statistics>(std::move(statistics));
  return without;
}

// See FoundGains::doubtful.
std::vector<DoubtfulGain> doubtfulGains(const GainSearch& search) {
  // Efforts of real robots that are right contradict each other by up to 18 %.
  constexpr double kLeastRatio = 1.2, kStandardDeviations = 5.0;
  const Eigen::VectorXd& known = search.problem.known;
  std::vector<DoubtfulGain> doubtful;
  if (known.array().isFinite().count() < 2) return doubtful;
  for (Eigen::Index a = 0; a < known.size(); ++a) {
    if (!std::isfinite(known(a))) continue;
    const Regression regression = withoutGain(search.regression, a, known(a));
    GainSearch without{regression, search.problem};
    without.problem.known(a) = std::nan("");
    const DriveGains found = gainsFrom(without, *regression.statistics);
    const double difference = std::abs(std::log(std::abs(found.gains(a) / known(a))));
    if (!found.converged || !(difference > std::log(kLeastRatio))) continue;
    const std::optional<EffortFactors> uncertainty = uncertaintyOf(without, found);
    if (!uncertainty) continue;
    const double std_dev = std::sqrt(uncertainty->log_covariance(a, a));
    if (!(difference > kStandardDeviations * std_dev)) continue;
    const double of_others = std::copysign(found.gains(a), known(a));
    doubtful.push_back({a, known(a), of_others, std::abs(of_others) * std_dev});
  }
  // A wrong gain makes right ones doubtful too, which contradict the others less clearly.
  std::sort(doubtful.begin(), doubtful.end(), [](const DoubtfulGain& x, const DoubtfulGain& y) {
    return x.significance() > y.significance();
  });
  return doubtful;
}

}  // namespace

FoundGains findDriveGains(const Recordings& recordings,
                          const std::vector<ActuatorEffects>& effects,
                          const GatherOptions& options) {
  const Eigen::Index n = recordings.robot->numJoints();
  Eigen::VectorXd described = Eigen::VectorXd::Ones(n);
  Eigen::VectorXd known = Eigen::VectorXd::Constant(n, std::nan(""));
  for (Eigen::Index a = 0; a < n; ++a) {
    const Drive& drive = recordings.robot->drives[a];
    if (drive.drive_gain && !drive.identify_gain) known(a) = described(a) = *drive.drive_gain;
  }
  bool currents = false, efforts = false;
  const auto count = [&](bool current) { (current ? currents : efforts) = true; };
  for (const OpenedLog& log : recordings.logs) count(log.holdsCurrents());
  for (const PooledStatistics& pool : recordings.pools) count(pool.data->currents);
  if (!currents) return {.of_currents = described};
  if (efforts && !known.allFinite())
    throw InputError(
        "some logs hold efforts and some currents, and not every drive has a gain; give drive_gain "
        "for every joint or identify from logs of one kind");
  GatherOptions as_described = options;
  as_described.drive_gains = described;
  const Regression regression = gather(recordings, effects, as_described);
  GainSearch search{regression, {}};
  DriveGainProblem& problem = search.problem;
  problem.columns = fittedColumns(regression, plainChoice(regression.candidates));
  problem.known = std::move(known);
  for (const Joint& joint : recordings.robot->joints) problem.prismatic.push_back(joint.prismatic);
  for (int c : problem.columns) {
    const Column& column = regression.layout()[c];
    if (!column.isFriction() && column.kind != ColumnKind::kDriveInertia) continue;
    problem.channel_columns.push_back(c);
    if (column.isFriction() && column.nonnegative) problem.positive.push_back(c);
  }
  if (problem.known.allFinite())
    return {.of_currents = described, .doubtful = doubtfulGains(search)};
  const DriveGains found = gainsFrom(search, *regression.statistics);
  const std::optional<EffortFactors> uncertainty = uncertaintyOf(search, found);
  return {found.gains,
          found.scale_known,
          found.converged,
          standardDeviations(search, found, uncertainty),
          uncertainty,
          doubtfulGains(search)};
}

void widen(const FoundGains& other, FoundGains& gains) {
  if (!gains.uncertainty || !other.uncertainty) return;
  Eigen::MatrixXd& covariance = gains.uncertainty->log_covariance;
  const Eigen::ArrayXd own = covariance.diagonal().array();
  const Eigen::ArrayXd wider = other.uncertainty->log_covariance.diagonal().array().max(own);
  const Eigen::ArrayXd factor = (own > 0.0).select((wider / own).sqrt(), 1.0);
  covariance = factor.matrix().asDiagonal() * covariance * factor.matrix().asDiagonal();
  gains.std_dev.array() *= factor;
}

}  // namespace dynid
