#include "dynid/identification/find_gains.h"

#include "dynid/core/errors.h"
#include "dynid/estimation/drive_gains.h"
#include "dynid/estimation/least_squares.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

constexpr int kGroups = 8;  // of the jackknife

/// Inputs of the search for gains.
struct GainSearch {
  const Regression& regression;
  DriveGainProblem problem;
};

// The common factor on the gains with which a payload has its known mass; 0 if no payload
// determines it.
double scaleFromPayload(const GainSearch& search, const Statistics& statistics) {
  const std::vector<int>& columns = search.problem.columns;
  const Estimate estimate = weightedLeastSquares(statistics, columns);
  for (const Payload& payload : search.regression.payloads) {
    const auto found =
        std::lower_bound(columns.begin(), columns.end(), payload.placement.first_column);
    if (found == columns.end() || *found != payload.placement.first_column) continue;
    const double mass = estimate.beta(found - columns.begin());
    if (std::isfinite(payload.known(0)) && mass > 0.0) return payload.known(0) / mass;
  }
  return 0.0;
}

DriveGains gainsFrom(const GainSearch& search, Statistics statistics) {
  DriveGains found = identifyDriveGains(statistics, search.problem);
  if (found.scale_known) return found;
  for (Eigen::Index a = 0; a < found.gains.size(); ++a)  // torque in place of current
    for (auto* factors : {&statistics.channels[a].moving, &statistics.channels[a].standstill})
      for (TriangularFactor& factor : *factors) factor.scaleLastColumn(found.gains(a));
  if (const double scale = scaleFromPayload(search, statistics); scale > 0.0) {
    found.gains *= scale;
    found.scale_known = true;
  }
  return found;
}

// Variance of ln k: that due to the spread of gains among drives, and the noise of the logs by a
// delete-a-group jackknife, (G - 1) / G sum over groups of (ln k without the group - mean)^2.
Eigen::VectorXd standardDeviations(const GainSearch& search, const DriveGains& all) {
  const Eigen::Index n = all.gains.size();
  const int blocks = search.regression.statistics->numBlocks();
  const int groups = std::min(kGroups, blocks);
  Eigen::VectorXd spread = Eigen::VectorXd::Constant(n, std::nan(""));
  if (groups < 4) return spread;
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
    if (all_but_group.scale_known != all.scale_known) return spread;
    logarithms.row(group) = all_but_group.gains.cwiseAbs().array().log().transpose();
  }
  const Eigen::MatrixXd deviation = logarithms.rowwise() - logarithms.colwise().mean();
  spread = ((groups - 1.0) / groups * deviation.colwise().squaredNorm().transpose() +
            all.log_std_dev.cwiseAbs2())
               .cwiseSqrt()
               .cwiseProduct(all.gains.cwiseAbs());
  for (Eigen::Index a = 0; a < n; ++a)  // described gains have no standard deviation
    if (std::isfinite(search.problem.known(a)) || !std::isfinite(spread(a)))
      spread(a) = std::nan("");
  return spread;
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
  if (!currents || known.allFinite()) return {described, true, true, {}};
  if (efforts)
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
  const DriveGains found = gainsFrom(search, *regression.statistics);
  return {found.gains, found.scale_known, found.converged, standardDeviations(search, found)};
}

}  // namespace dynid
