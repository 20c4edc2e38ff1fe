#include "dynid/identification/find_gains.h"

#include "dynid/core/errors.h"
#include "dynid/estimation/drive_gains.h"
#include "dynid/estimation/least_squares.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

constexpr int kGroups = 8;  // of the jackknife

/// What the search for gains needs of a stage.
struct GainSearch {
  const Run* run = nullptr;
  const Stage* stage = nullptr;
  std::vector<int> columns;        // that are fitted
  std::vector<int> own, positive;  // see identifyDriveGains
  Eigen::VectorXd known;           // [actuators] NaN: to be found
};

// What must be multiplied onto the gains so that a load weighs what it is known to weigh; 0 where
// nothing tells.
double scaleFromLoad(const GainSearch& search, const Statistics& statistics) {
  const std::vector<int>& columns = search.columns;
  const Estimate estimate = weightedLeastSquares(statistics, columns);
  for (const Payload& payload : search.run->payloads.payloads) {
    const auto found =
        std::lower_bound(columns.begin(), columns.end(), payload.placement.first_column);
    if (found == columns.end() || *found != payload.placement.first_column) continue;
    const double mass = estimate.beta(found - columns.begin());
    if (std::isfinite(payload.known(0)) && mass > 0.0) return payload.known(0) / mass;
  }
  return 0.0;
}

DriveGains gainsFrom(const GainSearch& search, Statistics statistics) {
  DriveGains found =
      identifyDriveGains(statistics, search.columns, search.own, search.positive, search.known);
  if (found.scale_known) return found;
  for (size_t a = 0; a < statistics.channels.size(); ++a)  // torque in place of current
    for (auto* factors : {&statistics.channels[a].moving, &statistics.channels[a].still})
      for (TriangularFactor& factor : *factors)
        factor.scaleLastColumn(found.gains(static_cast<Eigen::Index>(a)));
  if (const double scale = scaleFromLoad(search, statistics); scale > 0.0) {
    found.gains *= scale;
    found.scale_known = true;
  }
  return found;
}

// Var(ln k) = (G - 1) / G sum over groups of (ln k without the group - mean)^2.
Eigen::VectorXd jackknife(const GainSearch& search, const DriveGains& all) {
  const Eigen::Index n = all.gains.size();
  const int blocks = search.stage->statistics->numBlocks();
  const int groups = std::min(kGroups, blocks);
  Eigen::VectorXd spread = Eigen::VectorXd::Constant(n, std::nan(""));
  if (groups < 4) return spread;
  Eigen::MatrixXd logarithms(groups, n);
  for (int group = 0; group < groups; ++group) {
    Statistics without = *search.stage->statistics;
    for (ChannelStatistics& channel : without.channels)
      for (int b = 0; b < blocks; ++b)
        if (b * groups / blocks == group)
          for (auto* factors : {&channel.moving, &channel.still}) {
            TriangularFactor& factor = (*factors)[static_cast<size_t>(b)];
            factor = TriangularFactor(factor.columns());
          }
    const DriveGains own = gainsFrom(search, std::move(without));
    if (own.scale_known != all.scale_known) return spread;
    logarithms.row(group) = own.gains.cwiseAbs().array().log().transpose();
  }
  const Eigen::MatrixXd deviation = logarithms.rowwise() - logarithms.colwise().mean();
  spread = ((groups - 1.0) / groups * deviation.colwise().squaredNorm())
               .cwiseSqrt()
               .cwiseProduct(all.gains.cwiseAbs().transpose())
               .transpose();
  for (Eigen::Index a = 0; a < n; ++a)  // what the description says has no spread of ours
    if (std::isfinite(search.known(a)) || !std::isfinite(spread(a))) spread(a) = std::nan("");
  return spread;
}

}  // namespace

void findDriveGains(Run& run, const std::vector<ActuatorEffects>& effects) {
  const Eigen::Index n = run.robot->numJoints();
  Eigen::VectorXd described = Eigen::VectorXd::Ones(n);
  GainSearch search;
  search.run = &run;
  search.known = Eigen::VectorXd::Constant(n, std::nan(""));
  for (Eigen::Index a = 0; a < n; ++a) {
    const Drive& drive = run.robot->drives[static_cast<size_t>(a)];
    if (drive.drive_gain && !drive.identify_gain)
      search.known(a) = described(a) = *drive.drive_gain;
  }
  bool currents = false, efforts = false;
  const auto as_described = [&](bool current, Eigen::VectorXd& to_effort) {
    (current ? currents : efforts) = true;
    to_effort = current ? described : Eigen::VectorXd::Ones(n);
  };
  for (LogRun& log : run.logs)
    as_described(log.source->info().effort_kind == EffortKind::kCurrent, log.to_effort);
  for (GatheredRun& gathered : run.gathered)
    as_described(gathered.data->currents, gathered.to_effort);
  if (!currents || search.known.allFinite()) return;
  if (efforts)
    throw InputError(
        "some logs hold efforts and some currents, and not every drive has a gain; give drive_gain "
        "for every joint or identify from logs of one kind");
  const Stage stage = gatherStage(run, effects, nullptr, run.look(), "drive gains");
  search.stage = &stage;
  search.columns = fittedColumns(stage);
  for (int c : search.columns) {
    const Column& column = stage.candidates.layout[c];
    if (column.kind != ColumnKind::kFriction && column.kind != ColumnKind::kDriveInertia) continue;
    search.own.push_back(c);
    if (column.nonnegative) search.positive.push_back(c);
  }
  const DriveGains found = gainsFrom(search, *stage.statistics);
  for (LogRun& log : run.logs) log.to_effort = found.gains;
  for (GatheredRun& gathered : run.gathered) gathered.to_effort = found.gains;
  run.scale_known = found.scale_known;
  run.gains_identified = true;
  run.gains_converged = found.converged;
  run.gain_std_dev = jackknife(search, found);
}

}  // namespace dynid
