#include "dynid/identification/signal_tuning.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

// A pair of cut-offs other than the fit's own must lower the squared error by this fraction.
constexpr double kMinGain = 0.005;
constexpr int kFolds = 5;

// Second moments of one actuator: effort, rigid torque at every cut-off, friction at every cut-off.
struct Moments {
  Eigen::MatrixXd gram;
  double sum = 0.0, count = 0.0;  // of the effort

  double energyAboutMean() const { return gram(0, 0) - sum * sum / std::max(count, 1.0); }

  double error(Eigen::Index rigid, Eigen::Index friction) const {
    Eigen::VectorXd e = Eigen::VectorXd::Zero(gram.rows());
    e(0) = 1.0;
    e(rigid) = -1.0;
    e(friction) = -1.0;
    return std::max(0.0, e.dot(gram * e));
  }
};

bool isFriction(const Column& column) { return column.kind == ColumnKind::kFriction; }

// The torque of one actuator in two parts: rows times parameters of the rigid body's and of
// friction's columns.
Eigen::Matrix<double, Eigen::Dynamic, 2> torqueParts(const RowBuilder& builder,
                                                     int actuator,
                                                     const Eigen::MatrixXd& rows,
                                                     const Eigen::VectorXd& parameters) {
  Eigen::Matrix<double, Eigen::Dynamic, 2> parts(rows.rows(), 2);
  Eigen::VectorXd rigid = parameters(builder.columns(actuator)), friction = rigid;
  for (Eigen::Index c = 0; c < rigid.size(); ++c) {
    const int column = builder.columns(actuator)[static_cast<size_t>(c)];
    (isFriction(builder.layout()[column]) ? rigid : friction)(c) = 0.0;
  }
  parts.col(0) = rows * rigid;
  parts.col(1) = rows * friction;
  return parts;
}

// Gathers the moments of a stage's logs, every sample predicted by the fit that has not seen its
// fold.
class MomentGatherer {
 public:
  MomentGatherer(const Run& run,
                 const Stage& stage,
                 const PhysicalFitOptions& options,
                 const std::vector<double>& grid)
      : grid_(grid),
        fits_(fitFolds(run, stage, kFolds, options)),
        builder_(run.robot, stage.candidates.layout, usedColumns(stage), run.still_speed),
        moments_(static_cast<size_t>(run.robot->numJoints()),
                 Moments{Eigen::MatrixXd::Zero(1 + 2 * size(), 1 + 2 * size())}) {
    builder_.setLoadParameters(stage.parameters);
  }

  std::vector<Moments> gather(const Run& run) {
    for (const LogRun& log : run.logs) {
      std::vector<PreslidingCarry> carries(grid_.size());
      log.source->forEachWindow(
          [&](const ActuatorSignals& window) { add(log, window, carries); }, {}, grid_.front());
    }
    return moments_;
  }

 private:
  Eigen::Index size() const { return static_cast<Eigen::Index>(grid_.size()); }

  std::vector<int> usedColumns(const Stage& stage) const {
    std::vector<int> columns;
    for (int c = 0; c < stage.candidates.layout.size(); ++c)
      for (const Eigen::VectorXd& parameters : fits_.parameters)
        if (parameters(c) != 0.0 && (columns.empty() || columns.back() != c)) columns.push_back(c);
    return columns;
  }

  void add(const LogRun& log,
           const ActuatorSignals& window,
           std::vector<PreslidingCarry>& carries) {
    std::vector<std::vector<Eigen::Index>> samples(fits_.parameters.size());  // by fold
    for (Eigen::Index i = 0; i < window.joint.time.size(); ++i) {
      const double time = window.joint.time(i);
      if (time < window.begin || time >= window.end) continue;
      const int block = blockAt(log, time);
      samples[static_cast<size_t>(fits_.fold_of_block[static_cast<size_t>(block)])].push_back(i);
    }
    const Eigen::Index k = size();
    std::vector<Eigen::MatrixXd> parts(moments_.size(),
                                       Eigen::MatrixXd(window.q.rows(), 1 + 2 * k));
    for (Eigen::Index g = 0; g < k; ++g) {
      const auto cutoff = static_cast<size_t>(g);
      const PayloadPlacement* payload = log.payload ? &*log.payload : nullptr;
      builder_.build(
          log.source->recondition(window, grid_[cutoff]), payload, carries[cutoff], rows_);
      for (size_t a = 0; a < moments_.size(); ++a) {
        for (size_t fold = 0; fold < samples.size(); ++fold) {
          const auto own =
              torqueParts(builder_, static_cast<int>(a), rows_[a], fits_.parameters[fold]);
          for (Eigen::Index i : samples[fold]) {
            parts[a](i, 1 + g) = own(i, 0);
            parts[a](i, 1 + k + g) = own(i, 1);
          }
        }
      }
    }
    std::vector<Eigen::Index> core;
    for (const std::vector<Eigen::Index>& fold : samples)
      core.insert(core.end(), fold.begin(), fold.end());
    for (size_t a = 0; a < moments_.size(); ++a) {
      const auto actuator = static_cast<Eigen::Index>(a);
      parts[a].col(0) = log.to_effort(actuator) * window.effort.col(actuator);
      const Eigen::MatrixXd used = parts[a](core, Eigen::all);
      moments_[a].gram += used.transpose() * used;
      moments_[a].sum += used.col(0).sum();
      moments_[a].count += static_cast<double>(core.size());
    }
  }

  const std::vector<double>& grid_;
  FoldFits fits_;
  RowBuilder builder_;
  std::vector<Moments> moments_;
  std::vector<Eigen::MatrixXd> rows_;
};

double fitCutoff(const Run& run) { return run.logs.front().source->plan().cutoff_hz; }

}  // namespace

std::vector<double> cutoffGrid(const Run& run, double cutoff) {
  double highest = kInfinity;
  for (const LogRun& log : run.logs) highest = std::min(highest, 0.2 * log.source->plan().rateHz());
  std::vector<double> grid;
  for (int octave = -3; octave <= 2; ++octave)
    if (const double hz = std::ldexp(cutoff, octave); hz <= highest || octave <= 0)
      grid.push_back(hz);
  return grid;
}

PredictionCutoffs tunePrediction(Run& run,
                                 const Stage& stage,
                                 const PhysicalFitOptions& options,
                                 const std::vector<double>& grid) {
  const std::vector<Moments> moments = MomentGatherer(run, stage, options, grid).gather(run);
  const auto k = static_cast<Eigen::Index>(grid.size());
  const double own = fitCutoff(run);
  const Eigen::Index standing =
      std::min_element(grid.begin(),
                       grid.end(),
                       [&](double x, double y) { return std::abs(x - own) < std::abs(y - own); }) -
      grid.begin();
  PredictionCutoffs cutoffs;
  cutoffs.rigid = cutoffs.friction = Eigen::VectorXd::Constant(
      static_cast<Eigen::Index>(moments.size()), grid[static_cast<size_t>(standing)]);
  cutoffs.r2 = Eigen::VectorXd::Zero(cutoffs.rigid.size());
  for (size_t a = 0; a < moments.size(); ++a) {
    const auto actuator = static_cast<Eigen::Index>(a);
    double reached = moments[a].error(1 + standing, 1 + k + standing);
    double best = (1.0 - kMinGain) * reached;
    for (Eigen::Index r = 0; r < k; ++r) {
      for (Eigen::Index f = 0; f < k; ++f) {
        const double error = moments[a].error(1 + r, 1 + k + f);
        if (error >= best) continue;
        best = reached = error;
        cutoffs.rigid(actuator) = grid[static_cast<size_t>(r)];
        cutoffs.friction(actuator) = grid[static_cast<size_t>(f)];
      }
    }
    const double energy = moments[a].energyAboutMean();
    cutoffs.r2(actuator) = energy > 0.0 ? 1.0 - reached / energy : 0.0;
  }
  return cutoffs;
}

}  // namespace dynid
