#include "dynid/identification/tune_prediction.h"

#include "dynid/equations/batches.h"
#include "dynid/signals/condition.h"
#include "dynid/signals/cutoff.h"
#include "dynid/signals/filter.h"
#include "dynid/signals/noise_floor.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace dynid {
namespace {

// A pair of cut-offs replaces a pair nearer to the cut-off of the fit only if it lowers the squared
// error by more than this fraction.
constexpr double kMinCutoffGain = 0.005;
constexpr int kPredictionFolds = 5;
constexpr std::int64_t kTuneRows = std::int64_t{1}
                                   << 18;  // number of rows evaluated at every cut-off of the grid

// Second moments of one actuator: effort, rigid torque at every cut-off, friction at every cut-off.
struct Moments {
  Eigen::MatrixXd gram;
  Eigen::MatrixXd above_cutoff;   // the same of what is above the cut-off of the fit
  double sum = 0.0, count = 0.0;  // of the effort

  double energyAboutMean() const { return gram(0, 0) - sum * sum / std::max(count, 1.0); }

  static double residual(const Eigen::MatrixXd& gram, Eigen::Index rigid, Eigen::Index friction) {
    Eigen::VectorXd e = Eigen::VectorXd::Zero(gram.rows());
    e(0) = 1.0;
    e(rigid) = -1.0;
    e(friction) = -1.0;
    return std::max(0.0, e.dot(gram * e));
  }
};

// The torque of one actuator in two parts: rows times parameters of the rigid-body columns and of
// the friction columns.
Eigen::Matrix<double, Eigen::Dynamic, 2> torqueParts(const RowBuilder& builder,
                                                     int actuator,
                                                     const RowBlock::View& rows,
                                                     const Eigen::VectorXd& parameters) {
  Eigen::Matrix<double, Eigen::Dynamic, 2> parts(rows.rows(), 2);
  Eigen::VectorXd rigid = parameters(builder.columns(actuator)), friction = rigid;
  for (Eigen::Index c = 0; c < rigid.size(); ++c) {
    const int column = builder.columns(actuator)[c];
    (builder.layout()[column].isFriction() ? rigid : friction)(c) = 0.0;
  }
  parts.col(0) = rows * rigid;
  parts.col(1) = rows * friction;
  return parts;
}

/// The low-pass of the cut-off, also where nothing else is filtered.
Lowpass cutoffFilter(const SignalPlan& plan) {
  return designLowpass(plan.filter_order, plan.cutoff_hz, plan.rateHz());
}

/// Data that all threads of the pass share. Moments and presliding states are accessed in the
/// ordered steps only.
struct Gathering {
  const std::vector<LogRows>& logs;
  const std::vector<double>& grid;
  FoldFits fits;
  std::vector<Moments> moments;              // by actuator
  std::vector<PreslidingStates> presliding;  // by cut-off, at the end of the previous window
  int presliding_log = -1;
};

// Predicts every sample with the fit that has not used its fold.
class MomentGatherer : public WindowWorker {
 public:
  MomentGatherer(RowBuilder builder, Gathering& all) : builder_(std::move(builder)), all_(all) {}

  bool wantsRawRows() const override { return true; }

  void prepare(const WindowTask& task, const ActuatorSignals& window) override {
    const SignalPlan& plan = task.source->plan();
    core_.clear();  // every stride-th sample is sufficient to compare cut-offs
    for (Eigen::Index i = 0; i < window.joint.time.size(); i += plan.stride) {
      const double time = window.joint.time(i);
      if (time >= window.place.begin && time < window.place.end &&
          !isLeftOut(window.joint, plan, i))
        core_.push_back(i);
    }
    Eigen::MatrixXd slow = window.effort;
    filterSegments(window.joint, cutoffFilter(plan), slow, filter_workspace_);
    fast_effort_ = window.effort(core_, Eigen::all) - slow(core_, Eigen::all);
    core_filter_ = designLowpass(plan.filter_order, plan.cutoff_hz, plan.rateHz() / plan.stride);
    core_runs_ = runsOf(window, plan.stride);
    filtered_.clear();
    positions_.clear();
    for (double cutoff : all_.grid) {
      ActuatorSignals filtered = task.source->recondition(window, cutoff);
      filtered_.push_back(atSamples(filtered, core_));
      positions_.push_back(builder_.hasPresliding() ? positionsOf(std::move(filtered))
                                                    : ActuatorSignals{});
    }
  }

  void updateState(const WindowTask& task, const ActuatorSignals&) override {
    if (all_.presliding_log != task.log) all_.presliding.assign(filtered_.size(), {});
    all_.presliding_log = task.log;
    presliding_.clear();
    for (size_t g = 0; g < filtered_.size(); ++g) {
      all_.presliding[g] = builder_.advance(positions_[g], all_.presliding[g]);
      presliding_.push_back(atSamples(all_.presliding[g], core_));
    }
    positions_.clear();
  }

  void work(const WindowTask& task, const ActuatorSignals& window) override {
    const LogRows& log = all_.logs[task.log];
    const std::vector<size_t> folds = foldsOf(log, window);
    const auto k = std::ssize(filtered_);
    std::vector<Eigen::MatrixXd> parts(all_.moments.size(),
                                       Eigen::MatrixXd(std::ssize(core_), 1 + 2 * k));
    const PayloadPlacement* payload = log.payload ? &*log.payload : nullptr;
    for (Eigen::Index g = 0; g < k; ++g) {
      const auto cutoff = static_cast<size_t>(g);
      inBatches({0, std::ssize(core_)}, [&](Segment batch) {
        builder_.build(filtered_[cutoff], batch, payload, presliding_[cutoff], rows_);
        const auto first = folds.begin() + batch.begin, end = folds.begin() + batch.end;
        std::vector<size_t> folds_of_batch;
        std::unique_copy(first, end, std::back_inserter(folds_of_batch));
        for (size_t a = 0; a < parts.size(); ++a)
          for (size_t fold : folds_of_batch) predict(a, folds, fold, batch.begin, g, parts[a]);
      });
    }
    batch_moments_.assign(parts.size(), {});
    for (Eigen::Index a = 0; a < std::ssize(parts); ++a) {
      parts[a].col(0) = log.to_effort(a) * window.effort(core_, a);
      Moments& moments = batch_moments_[a];
      moments = {parts[a].transpose() * parts[a],
                 {},
                 parts[a].col(0).sum(),
                 static_cast<double>(core_.size())};
      for (const Segment run : core_runs_)
        keepAbove(core_filter_, parts[a].middleRows(run.begin, run.size()), filter_workspace_);
      parts[a].col(0) = log.to_effort(a) * fast_effort_.col(a);
      moments.above_cutoff = parts[a].transpose() * parts[a];
    }
  }

  void deliver(const WindowTask&, const ActuatorSignals&) override {
    for (size_t a = 0; a < batch_moments_.size(); ++a) {
      all_.moments[a].gram += batch_moments_[a].gram;
      all_.moments[a].sum += batch_moments_[a].sum;
      all_.moments[a].count += batch_moments_[a].count;
      all_.moments[a].above_cutoff += batch_moments_[a].above_cutoff;
    }
  }

 private:
  std::vector<size_t> foldsOf(const LogRows& log, const ActuatorSignals& window) const {
    std::vector<size_t> folds;
    for (Eigen::Index i : core_) {
      const int block = blockAt(*log.source, log.blocks, window.joint.time(i));
      folds.push_back(all_.fits.fold_of_block[block]);
    }
    return folds;
  }

  // Ranges of core samples without gaps.
  std::vector<Segment> runsOf(const ActuatorSignals& window, int stride) const {
    std::vector<Segment> runs;
    for (Eigen::Index k = 0; k < std::ssize(core_); ++k) {
      if (k == 0 || core_[k] - core_[k - 1] != stride ||
          window.joint.grid_index[core_[k]] - window.joint.grid_index[core_[k - 1]] != stride)
        runs.push_back({k, k});
      runs.back().end = k + 1;
    }
    return runs;
  }

  // Predicts the rows of one batch, starting at `begin`, that belong to one fold.
  void predict(size_t actuator,
               const std::vector<size_t>& folds,
               size_t fold,
               Eigen::Index begin,
               Eigen::Index g,
               Eigen::MatrixXd& parts) const {
    const auto k = std::ssize(filtered_);
    const RowBlock::View rows = rows_[actuator];
    const auto torques =
        torqueParts(builder_, static_cast<int>(actuator), rows, all_.fits.parameters[fold]);
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
      if (folds[begin + i] != fold) continue;
      parts(begin + i, 1 + g) = torques(i, 0);
      parts(begin + i, 1 + k + g) = torques(i, 1);
    }
  }

  RowBuilder builder_;
  Gathering& all_;
  std::vector<Eigen::Index> core_;
  std::vector<ActuatorSignals> filtered_;     // by cut-off, at the core's samples
  std::vector<ActuatorSignals> positions_;    // by cut-off, of the whole window
  std::vector<PreslidingStates> presliding_;  // by cut-off, at the core's samples
  RowBlock rows_;
  Eigen::MatrixXd fast_effort_;  // [core x actuators] effort above the cut-off of the fit
  Lowpass core_filter_;          // of the cut-off, at the rate of the core samples
  std::vector<Segment> core_runs_;
  FilterWorkspace filter_workspace_;
  std::vector<Moments> batch_moments_;
};

// Columns that the fit of at least one fold uses.
std::vector<int> usedColumns(const ParameterLayout& layout, const FoldFits& fits) {
  std::vector<int> columns;
  for (int c = 0; c < layout.size(); ++c)
    for (const Eigen::VectorXd& parameters : fits.parameters)
      if (parameters(c) != 0.0 && (columns.empty() || columns.back() != c)) columns.push_back(c);
  return columns;
}

void shareMoments(Team& team, std::vector<Moments>& moments) {
  const auto take = [&](const std::vector<double>& numbers, double keep) {
    const double* at = numbers.data();
    for (Moments& sums : moments) {
      for (Eigen::MatrixXd* gram : {&sums.gram, &sums.above_cutoff}) {
        *gram = keep * *gram + Eigen::Map<const Eigen::MatrixXd>(at, gram->rows(), gram->cols());
        at += gram->size();
      }
      sums.sum = keep * sums.sum + *at++;
      sums.count = keep * sums.count + *at++;
    }
  };
  combine(
      team,
      [&] {
        std::vector<double> numbers;
        for (const Moments& sums : moments) {
          for (const Eigen::MatrixXd* gram : {&sums.gram, &sums.above_cutoff})
            numbers.insert(numbers.end(), gram->data(), gram->data() + gram->size());
          numbers.push_back(sums.sum);
          numbers.push_back(sums.count);
        }
        return numbers;
      },
      [&](const std::vector<double>& other) { take(other, 1.0); },
      [&](const std::vector<double>& all) { take(all, 0.0); });
}

std::vector<Moments> gatherMoments(const Recordings& recordings,
                                   const Regression& regression,
                                   const Fit& fit,
                                   const std::vector<double>& grid,
                                   const GatherOptions& options,
                                   const FitOptions& fit_options) {
  const auto size = static_cast<Eigen::Index>(1 + 2 * grid.size());
  const std::vector<LogRows> logs = logRows(recordings, regression.payloads, options.drive_gains);
  Gathering all{
      logs, grid, fitFolds(recordings, regression, fit, kPredictionFolds, fit_options), {}, {}};
  const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(size, size);
  all.moments.assign(recordings.robot->drives.size(), Moments{zero, zero});
  const std::vector<int> columns = usedColumns(regression.layout(), all.fits);
  RowBuilder builder(recordings.robot, regression.layout(), columns, recordings.ramp_speed);
  builder.setTorqueModel(fit.parameters);
  WindowPass pass = options.pass;
  pass.max_rows = kTuneRows;
  pass.lowest_cutoff_hz = grid.front();
  runWindows(
      windowTasks(sourcesOf(logs), pass),
      pass.threads,
      [&] { return std::make_unique<MomentGatherer>(builder.clone(), all); },
      [&](const std::string& log, double fraction) {
        if (options.progress) options.progress("prediction, " + log, fraction);
      });
  if (pass.team != nullptr) shareMoments(*pass.team, all.moments);
  return std::move(all.moments);
}

}  // namespace

std::vector<double> cutoffGrid(const Recordings& recordings) {
  const double cutoff = sharedCutoff(recordings);
  double highest = kInfinity;
  bool filtered = false;
  for (const OpenedLog& log : recordings.logs) {
    highest = std::min(highest, highestCutoff(log.source->plan().rateHz()));
    filtered |= !log.source->plan().exact_motion;
  }
  if (!filtered) return {cutoff};
  std::vector<double> grid;
  for (int octave = -3; octave <= 2; ++octave)
    if (const double hz = std::ldexp(cutoff, octave); hz <= highest || octave <= 0)
      grid.push_back(hz);
  return grid;
}

CutoffPair nearestGoodCutoffs(const Eigen::MatrixXd& errors, Eigen::Index of_fit) {
  CutoffPair nearest;
  const double smallest = errors.minCoeff(&nearest.rigid, &nearest.friction);
  const auto octaves = [&](const CutoffPair& pair) {
    return std::abs(pair.rigid - of_fit) + std::abs(pair.friction - of_fit);
  };
  for (Eigen::Index r = 0; r < errors.rows(); ++r) {
    for (Eigen::Index f = 0; f < errors.cols(); ++f) {
      if ((1.0 - kMinCutoffGain) * errors(r, f) > smallest) continue;
      const CutoffPair pair{r, f};
      if (octaves(pair) < octaves(nearest) ||
          (octaves(pair) == octaves(nearest) &&
           errors(r, f) < errors(nearest.rigid, nearest.friction)))
        nearest = pair;
    }
  }
  return nearest;
}

PredictionCutoffs tunePrediction(const Recordings& recordings,
                                 const Regression& regression,
                                 const Fit& fit,
                                 const std::vector<double>& grid,
                                 const GatherOptions& options,
                                 const FitOptions& fit_options) {
  const std::vector<Moments> moments =
      gatherMoments(recordings, regression, fit, grid, options, fit_options);
  const auto k = std::ssize(grid);
  const double fit_cutoff = sharedCutoff(recordings);
  const Eigen::Index default_index =
      std::min_element(
          grid.begin(),
          grid.end(),
          [&](double x, double y) { return std::abs(x - fit_cutoff) < std::abs(y - fit_cutoff); }) -
      grid.begin();
  PredictionCutoffs cutoffs;
  cutoffs.rigid = cutoffs.friction =
      Eigen::VectorXd::Constant(std::ssize(moments), grid[default_index]);
  cutoffs.r2 = Eigen::VectorXd::Zero(cutoffs.rigid.size());
  cutoffs.squared_error = cutoffs.squared_effort = cutoffs.squared_noise = cutoffs.r2;
  Eigen::VectorXd effort_above = cutoffs.r2;
  for (Eigen::Index a = 0; a < std::ssize(moments); ++a) {
    Eigen::MatrixXd errors(k, k);
    for (Eigen::Index r = 0; r < k; ++r)
      for (Eigen::Index f = 0; f < k; ++f)
        errors(r, f) = Moments::residual(moments[a].gram, 1 + r, 1 + k + f);
    const CutoffPair found = nearestGoodCutoffs(errors, default_index);
    cutoffs.rigid(a) = grid[found.rigid];
    cutoffs.friction(a) = grid[found.friction];
    const double reached = errors(found.rigid, found.friction);
    const double energy = moments[a].energyAboutMean();
    cutoffs.r2(a) = energy > 0.0 ? 1.0 - reached / energy : 0.0;
    cutoffs.squared_error(a) = reached;
    cutoffs.squared_effort(a) = moments[a].gram(0, 0);
    cutoffs.squared_noise(a) =
        Moments::residual(moments[a].above_cutoff, 1 + found.rigid, 1 + k + found.friction);
    effort_above(a) = moments[a].above_cutoff(0, 0);
  }
  cutoffs.squared_noise =
      squaredNoiseFloor(cutoffs.squared_noise, cutoffs.squared_error, effort_above);
  return cutoffs;
}

}  // namespace dynid
