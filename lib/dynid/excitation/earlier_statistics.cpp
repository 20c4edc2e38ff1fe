#include "dynid/excitation/earlier_statistics.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/estimation/covariance.h"
#include "dynid/statistics/same_description.h"
#include "dynid/statistics/statistics_file.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dynid {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

void requireUsable(const Robot& robot,
                   const GatheredStatistics& gathered,
                   const std::string& file) {
  requireSameTexts(robot, gathered, file, "give the files that it was made with");
  requireSameGravity(robot, gathered, file);
  for (const GatheredLog& log : gathered.logs)
    if (log.payload >= 0)
      throw InputError(file + ":/payloads: log " + log.file +
                       " carries a load; a motion is designed for the robot alone: gather "
                       "statistics of the logs without a load");
}

// Factors from the recorded channels to efforts, as in `identify`.
Eigen::VectorXd toEffort(const Robot& robot,
                         const GatheredStatistics& gathered,
                         const std::string& file) {
  Eigen::VectorXd factor = Eigen::VectorXd::Ones(robot.numJoints());
  if (!gathered.currents) return factor;
  for (Eigen::Index a = 0; a < factor.size(); ++a) {
    const Drive& drive = robot.drives[a];
    if (!drive.drive_gain || drive.identify_gain)
      throw InputError(file + ":/channels: holds currents, and drive " + drive.name +
                       " has no drive_gain; give the identified one in the robot description");
    factor(a) = *drive.drive_gain;
  }
  return factor;
}

// The factors of all files over the sought columns; each file has its own blocks.
struct Gathering {
  Statistics statistics;
  double samples = 0.0, duration_s = 0.0;
  int stretches = 0;
};

// Reads a file, checks that it contains all sought columns, and appends its blocks.
void append(const std::shared_ptr<const Robot>& robot,
            const SoughtParameters& sought,
            const std::filesystem::path& file,
            Gathering& all) {
  const GatheredStatistics gathered = readStatistics(file, *robot);
  requireUsable(*robot, gathered, file.string());
  const StatisticsView view(robot, gathered);
  for (int column : sought.base.independent)
    if (!view.has(sought.layout[column], gathered.still_speed))
      throw InputError(file.string() + ":/columns: " + sought.layout[column].name +
                       " is not recorded; gather the statistics again with this program");
  std::vector<int> first, count;
  for (double duration : gathered.stretch_durations) {
    first.push_back(all.statistics.numBlocks());
    count.push_back(blocksOf(duration, gathered.block_s));
    all.statistics.block_log.resize(
        static_cast<size_t>(first.back()) + static_cast<size_t>(count.back()), all.stretches++);
    all.duration_s += duration;
  }
  const auto width = std::ssize(sought.base.independent) + 1;
  for (ChannelStatistics& channel : all.statistics.channels)
    for (auto* factors : {&channel.moving, &channel.standstill})
      factors->resize(all.statistics.block_log.size(), TriangularFactor(width));
  view.addTo(
      all.statistics, sought.layout, toEffort(*robot, gathered, file.string()), first, count);
  for (const GatheredLog& log : gathered.logs) all.samples += log.used;
}

// See EarlierStatistics::correlation; 0 if there are too few blocks.
double correlationOf(const Statistics& statistics, const Estimate& estimate) {
  const Covariance jackknife = jackknifeCovariance(statistics, estimate);
  std::vector<int> excited;
  for (int i = 0; i < std::ssize(estimate.columns); ++i)
    if (std::find(estimate.unexcited.begin(), estimate.unexcited.end(), i) ==
        estimate.unexcited.end())
      excited.push_back(i);
  const Eigen::MatrixXd R = triangularize(estimate.R(Eigen::all, excited));
  const Eigen::MatrixXd inverse = R.topRows(R.cols()).triangularView<Eigen::Upper>().solve(
      Eigen::MatrixXd::Identity(R.cols(), R.cols()));
  double sum = 0.0;
  int count = 0;
  for (size_t k = 0; k < excited.size(); ++k) {
    const double found = jackknife.std_dev(excited[k]);
    const double white = inverse.row(k).norm();
    if (!std::isfinite(found) || !(found > 0.0) || !(white > 0.0)) continue;
    sum += found / white;
    ++count;
  }
  return count > 0 ? (sum / count) * (sum / count) : 0.0;
}

}  // namespace

Eigen::VectorXd EarlierStatistics::whiteNoise(double rows_per_second) const {
  return std::sqrt(correlation * rows_per_second / rate_hz) * sigma;
}

EarlierStatistics readEarlierStatistics(const std::shared_ptr<const Robot>& robot,
                                        const SoughtParameters& sought,
                                        const std::vector<std::filesystem::path>& files) {
  Gathering all;
  all.statistics.layout_size = sought.layout.size();
  all.statistics.channels.resize(robot->drives.size());
  for (ChannelStatistics& channel : all.statistics.channels)
    channel.columns = sought.base.independent;
  for (const std::filesystem::path& file : files) append(robot, sought, file, all);

  EarlierStatistics result;
  result.duration_s = all.duration_s;
  result.rate_hz = all.samples / std::max(all.duration_s, 1e-300);
  const Estimate estimate = weightedLeastSquares(all.statistics, sought.base.independent);
  if (!(estimate.rows > 0.0))
    throw InputError(files.front().string() + ":/channels: no joint moves in these logs");
  result.sigma = estimate.sigma;
  result.correlation = correlationOf(all.statistics, estimate);
  if (!(result.correlation > 0.0)) {
    result.correlation = 1.0;
    result.notes.emplace_back(
        "the statistics have too few blocks to estimate the correlation of their residuals, which "
        "are taken as white");
  }
  const auto p = std::ssize(sought.base.independent);
  for (Eigen::Index a = 0; a < std::ssize(all.statistics.channels); ++a) {
    const ChannelStatistics& channel = all.statistics.channels[a];
    Eigen::MatrixXd& sum = result.information.emplace_back(Eigen::MatrixXd::Zero(p, p));
    for (Eigen::Index b = 0; b < std::ssize(channel.moving); ++b) {
      const double weight = estimate.block_weights(a, b);
      const auto X = channel.moving[b].R().leftCols(p);
      sum += weight * weight * X.transpose() * X;
    }
    sum /= estimate.sigma(a) * estimate.sigma(a) * result.correlation;
  }
  result.parameters = estimate.beta;
  for (const auto* unknown : {&estimate.unexcited, &estimate.combined})
    for (int i : *unknown) result.parameters(i) = kNotANumber;
  return result;
}

}  // namespace dynid
