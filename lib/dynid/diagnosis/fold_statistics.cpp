#include "dynid/diagnosis/fold_statistics.h"

#include "dynid/diagnosis/channel_columns.h"
#include "dynid/diagnosis/prior_bodies.h"
#include "dynid/diagnosis/uniform_rods.h"
#include "dynid/kernels/dense.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace dynid {
namespace {

using Eigen::Index;

constexpr Index kPostures = 6;          // at which M_cc >= 0 is required
constexpr Index kGravityPostures = 60;  // at which gravity torques are compared

/// Consecutive rows of the same fold.
struct FoldRun {
  int fold = 0;
  Index begin = 0, size = 0;
};

std::vector<FoldRun> runsOfFolds(const std::vector<int>& fold) {
  std::vector<FoldRun> runs;
  for (Index r = 0; r < std::ssize(fold); ++r) {
    if (runs.empty() || runs.back().fold != fold[r]) runs.push_back({fold[r], r, 0});
    ++runs.back().size;
  }
  return runs;
}

std::vector<Index> evenly(Index rows, Index wanted) {
  std::vector<Index> chosen;
  const Index count = std::min(rows, wanted);
  for (Index i = 0; i < count; ++i)
    chosen.push_back(i * (rows - 1) / std::max<Index>(count - 1, 1));
  return chosen;
}

/// M_cc(q) as rows of parameters, one channel after the other.
Eigen::MatrixXd inertiaRows(const ChannelColumns& columns,
                            const ChannelColumns& weightless,
                            const Eigen::MatrixXd& postures) {
  const Index n = columns.channels(), count = postures.rows();
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(n * count, columns.size());
  ColumnMotion motion{postures.replicate(n, 1), Eigen::MatrixXd::Zero(n * count, n), {}};
  motion.ddq = motion.dq;
  for (Index c = 0; c < n; ++c)
    motion.ddq.middleRows(c * count, count).rowwise() = columns.motionOfEffort().col(c).transpose();
  const std::vector<Eigen::MatrixXd> rows = weightless.inertialRows(motion);
  for (Index c = 0; c < n; ++c) {
    const Eigen::MatrixXd& of_channel = rows[c];
    for (Index k = 0; k < of_channel.cols(); ++k)
      all.col(columns.active(c)[k]).segment(c * count, count) =
          of_channel.col(k).segment(c * count, count);
    for (Index a = 0; a < n; ++a)
      all.col(columns.driveInertiaColumn(a))
          .segment(c * count, count)
          .setConstant(std::pow(columns.actuatorShare()(a, c), 2));
  }
  return all;
}

}  // namespace

MotionStatistics motionStatistics(const ChannelColumns& columns,
                                  const ChannelColumns& weightless,
                                  const ColumnMotion& motion,
                                  const ChannelRows& rows,
                                  const std::vector<int>& fold) {
  MotionStatistics statistics;
  const Index n = columns.channels();
  for (const Eigen::MatrixXd& all : rows.columns)
    statistics.total_gram.push_back(Eigen::MatrixXd::Zero(all.cols(), all.cols()));
  statistics.gram.assign(kDiagnosisFolds, statistics.total_gram);
  for (const FoldRun& run : runsOfFolds(fold))
    for (size_t c = 0; c < rows.columns.size(); ++c)
      statistics.gram[run.fold][c] += denseGram(rows.columns[c].middleRows(run.begin, run.size));
  for (const std::vector<Eigen::MatrixXd>& of_fold : statistics.gram)
    for (size_t c = 0; c < of_fold.size(); ++c) statistics.total_gram[c] += of_fold[c];

  const std::vector<Index> friction = columns.frictionColumns();
  const Eigen::MatrixXd inertia =
      inertiaRows(columns, weightless, motion.q(evenly(motion.q.rows(), kPostures), Eigen::all));
  statistics.constraints =
      Eigen::MatrixXd::Zero(std::ssize(friction) + inertia.rows(), columns.size());
  for (size_t i = 0; i < friction.size(); ++i) statistics.constraints(i, friction[i]) = 1.0;
  statistics.constraints.bottomRows(inertia.rows()) = inertia;

  const Eigen::VectorXd rods = uniformRods(columns.robot());
  const Eigen::VectorXd prior = describedInertials(columns.robot());
  ColumnMotion still{motion.q(evenly(motion.q.rows(), kGravityPostures), Eigen::all), {}, {}};
  still.dq = still.ddq = Eigen::MatrixXd::Zero(still.q.rows(), n);
  statistics.gravity_rows = columns.inertialRows(still);
  statistics.rod_gravity.resize(still.q.rows(), n);
  if (prior.size() > 0) statistics.prior_gravity.resize(still.q.rows(), n);
  statistics.rod_rms.resize(n);
  for (Index c = 0; c < n; ++c) {
    const Index inertial = columns.numActiveInertial(c);
    const std::vector<Index> inertial_columns(columns.active(c).begin(),
                                              columns.active(c).begin() + inertial);
    const Eigen::VectorXd rods_of_channel = rods(inertial_columns);
    const auto channel = static_cast<size_t>(c);
    if (prior.size() > 0)
      statistics.prior_gravity.col(c) = statistics.gravity_rows[channel] * prior(inertial_columns);
    statistics.rod_gravity.col(c) = statistics.gravity_rows[channel] * rods_of_channel;
    const Eigen::VectorXd torque = rows.columns[channel].leftCols(inertial) * rods_of_channel;
    statistics.rod_rms(c) = std::sqrt(torque.squaredNorm() / rows.used.col(c).sum()) + 1e-9;
  }
  statistics.moves = movingChannels(motion.q);
  for (Eigen::MatrixXd* gravity : {&statistics.rod_gravity, &statistics.prior_gravity}) {
    if (gravity->size() == 0) continue;
    const Eigen::RowVectorXd mean = gravity->colwise().mean();
    gravity->rowwise() -= mean;
  }
  return statistics;
}

ChannelProducts channelProducts(const ChannelRows& rows,
                                Index channel,
                                const Eigen::MatrixXd& efforts,
                                const std::vector<int>& fold) {
  const Eigen::MatrixXd& columns = rows.columns[static_cast<size_t>(channel)];
  const Eigen::VectorXd used = rows.used.col(channel).matrix();
  const Eigen::MatrixXd squares = efforts.array().square(), across = efforts.transpose();
  ChannelProducts products;
  products.moments.assign(kDiagnosisFolds, Eigen::MatrixXd::Zero(columns.cols(), efforts.cols()));
  products.power = Eigen::MatrixXd::Zero(kDiagnosisFolds, efforts.cols());
  for (const FoldRun& run : runsOfFolds(fold)) {
    products.moments[run.fold] += denseProduct(across.middleCols(run.begin, run.size),
                                               columns.middleRows(run.begin, run.size))
                                      .transpose();
    products.power.row(run.fold) +=
        used.segment(run.begin, run.size).transpose() * squares.middleRows(run.begin, run.size);
  }
  const double count = used.sum();
  const Eigen::RowVectorXd mean = used.transpose() * efforts / count;
  products.variance = used.transpose() * (efforts.rowwise() - mean).cwiseAbs2() / count;
  products.variance.array() += 1e-30;
  return products;
}

EffortStatistics noEfforts(const ChannelRows& rows) {
  const Index n = rows.used.cols();
  EffortStatistics statistics;
  std::vector<Eigen::MatrixXd> moments;
  for (const Eigen::MatrixXd& all : rows.columns)
    moments.push_back(Eigen::MatrixXd::Zero(all.cols(), n));
  statistics.moments.assign(kDiagnosisFolds, moments);
  statistics.power.assign(kDiagnosisFolds, Eigen::MatrixXd::Zero(n, n));
  statistics.rows = rows.used.matrix().colwise().sum().transpose();
  statistics.variance = Eigen::MatrixXd::Ones(n, n);
  return statistics;
}

EffortStatistics effortStatistics(const ChannelRows& rows,
                                  const Eigen::MatrixXd& effort,
                                  const std::vector<int>& fold) {
  EffortStatistics statistics = noEfforts(rows);
  for (Index c = 0; c < rows.used.cols(); ++c) {
    ChannelProducts products = channelProducts(rows, c, effort, fold);
    for (size_t f = 0; f < products.moments.size(); ++f) {
      statistics.moments[f][static_cast<size_t>(c)] = std::move(products.moments[f]);
      statistics.power[f].row(c) = products.power.row(static_cast<Index>(f));
    }
    statistics.variance.row(c) = products.variance;
  }
  return statistics;
}

}  // namespace dynid
