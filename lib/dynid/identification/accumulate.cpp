#include "dynid/identification/accumulate.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

/// The rows of one window for one channel and block: compressed where they are many.
struct Piece {
  int block = 0;
  TriangularFactor moving, still;
  Eigen::MatrixXd moving_rows, still_rows;
};

// Long stretches are compressed by their thread; a few rows are cheaper to add in order. The choice
// depends on the rows alone, so the result does not depend on the threads.
void compressOrKeep(const Eigen::MatrixXd& rows,
                    const std::vector<Eigen::Index>& samples,
                    TriangularFactor& factor,
                    Eigen::MatrixXd& kept) {
  if (samples.empty()) return;
  const auto count = static_cast<Eigen::Index>(samples.size());
  const bool neighbours = samples.back() - samples.front() + 1 == count;
  if (count > 2 * rows.cols()) factor = TriangularFactor(rows.cols());
  if (count > 2 * rows.cols() && neighbours) {
    factor.add(rows.middleRows(samples.front(), count));
  } else {
    kept = rows(samples, Eigen::all);
    if (count <= 2 * rows.cols()) return;
    factor.add(kept);
    kept.resize(0, 0);
  }
}

void addPiece(const TriangularFactor& factor, const Eigen::MatrixXd& kept, TriangularFactor& sum) {
  if (factor.rows() > 0.0) sum.merge(factor);
  if (kept.rows() > 0) sum.add(kept);
}

/// What all threads of a pass share; touched in the ordered steps only.
struct Shared {
  std::vector<LogRun>* logs = nullptr;
  Statistics* sum = nullptr;
  PreslidingCarry carry;
  int carry_log = -1;
};

class Accumulator : public WindowWorker {
 public:
  Accumulator(EquationRows equations, Shared& shared)
      : equations_(std::move(equations)), shared_(shared) {}

  void carry(const WindowTask& task, const ActuatorSignals& signals) override {
    if (shared_.carry_log != task.log) shared_.carry = {};
    shared_.carry_log = task.log;
    presliding_ = equations_.inverseDynamics().advance(signals, shared_.carry);
    shared_.carry = presliding_;
  }

  void work(const WindowTask& task, const ActuatorSignals& signals) override {
    const LogRun& log = (*shared_.logs)[static_cast<size_t>(task.log)];
    const SignalPlan& plan = log.source->plan();
    const PayloadPlacement* payload = log.payload ? &*log.payload : nullptr;
    RowBuilder& builder = equations_.inverseDynamics();
    std::optional<ActuatorSignals> own;
    if (equations_.equations().kind == EquationKind::kVariational)
      own = fromPositions(signals, plan.dt);
    const ActuatorSignals& motion = own ? *own : signals;
    if (plan.stride == 1) {
      builder.build(motion, payload, presliding_, rows_);
      compress(log, motion, payload);
      return;
    }
    std::vector<Eigen::Index> samples;
    for (Eigen::Index i = 0; i < signals.joint.time.size(); ++i)
      if (signals.joint.grid_index[static_cast<size_t>(i)] % plan.stride == 0) samples.push_back(i);
    const Lowpass anti_alias = plan.antiAlias();
    ActuatorSignals sampled = atSamples(motion, samples);
    builder.buildSampled(motion, sampled, samples, anti_alias, payload, presliding_, rows_);
    Eigen::MatrixXd effort = signals.effort;
    filterSegments(signals.joint, anti_alias, effort, workspace_);
    sampled.effort = effort(samples, Eigen::all);
    compress(log, sampled, payload);
  }

  void deliver(const WindowTask& task, const ActuatorSignals& signals) override {
    LogRun& log = (*shared_.logs)[static_cast<size_t>(task.log)];
    log.counts += signals.counts;
    log.used += static_cast<double>(samples_.size());
    for (size_t a = 0; a < pieces_.size(); ++a) {
      ChannelStatistics& channel = shared_.sum->channels[a];
      for (const Piece& piece : pieces_[a]) {
        const auto b = static_cast<size_t>(piece.block);
        addPiece(piece.moving, piece.moving_rows, channel.moving[b]);
        addPiece(piece.still, piece.still_rows, channel.still[b]);
      }
    }
  }

 private:
  // Rows and efforts of the equations, filtered and decimated, in pieces by channel and block.
  void compress(const LogRun& log,
                const ActuatorSignals& signals,
                const PayloadPlacement* payload) {
    const SignalPlan& plan = log.source->plan();
    Eigen::MatrixXd efforts = signals.effort * log.to_effort.asDiagonal();
    const double window = equations_.equations().window_s;
    equations_.transform(signals,
                         payload,
                         plan.dt * plan.stride,
                         std::isnan(window) ? 1.0 / plan.cutoff_hz : window,
                         rows_,
                         efforts);
    samples_ = coreSamples(signals.joint, plan, signals.begin, signals.end);
    blocks_.clear();
    for (Eigen::Index sample : samples_)
      blocks_.push_back(blockAt(log, signals.joint.time(sample)));
    const Lowpass lowpass = plan.rowsLowpass();
    pieces_.assign(rows_.size(), {});
    for (size_t a = 0; a < rows_.size(); ++a) {
      const auto column = static_cast<Eigen::Index>(a);
      rows_[a].conservativeResize(Eigen::NoChange, rows_[a].cols() + 1);
      rows_[a].rightCols<1>() = efforts.col(column);
      filterSegments(signals.joint, lowpass, rows_[a], workspace_);
      sort(signals, column);
    }
  }

  // Runs of samples in one block, moving and still rows apart.
  void sort(const ActuatorSignals& signals, Eigen::Index channel) {
    const auto a = static_cast<size_t>(channel);
    size_t i = 0;
    while (i < samples_.size()) {
      std::vector<Eigen::Index> moving, still;
      Piece piece;
      piece.block = blocks_[i];
      for (; i < samples_.size() && blocks_[i] == piece.block; ++i)
        (equations_.moves(signals, samples_[i], static_cast<int>(channel)) ? moving : still)
            .push_back(samples_[i]);
      compressOrKeep(rows_[a], moving, piece.moving, piece.moving_rows);
      compressOrKeep(rows_[a], still, piece.still, piece.still_rows);
      pieces_[a].push_back(std::move(piece));
    }
  }

  EquationRows equations_;
  Shared& shared_;
  PreslidingCarry presliding_;
  std::vector<Eigen::MatrixXd> rows_;
  std::vector<Eigen::Index> samples_;
  std::vector<int> blocks_;
  std::vector<std::vector<Piece>> pieces_;  // by channel
  FilterWorkspace workspace_;
};

// All numbers of the statistics and of what became of the logs.
class Numbers {
 public:
  Numbers(std::vector<LogRun>& logs, Statistics& sum) : logs_(logs), sum_(sum) {}

  std::vector<double> pack() const {
    std::vector<double> numbers;
    for (const LogRun& log : logs_) {
      numbers.push_back(log.used);
      for (Eigen::Index RowCounts::*count : kCounts)
        numbers.push_back(static_cast<double>(log.counts.*count));
    }
    for (const ChannelStatistics& channel : sum_.channels)
      for (const auto* factors : {&channel.moving, &channel.still})
        for (const TriangularFactor& factor : *factors) {
          numbers.push_back(factor.rows());
          if (factor.rows() == 0.0) continue;
          const double* data = factor.R().data();
          numbers.insert(numbers.end(), data, data + factor.R().size());
        }
    return numbers;
  }

  /// Adds the numbers to what is there, or puts them in its place.
  void take(const std::vector<double>& numbers, bool replace) {
    const double* at = numbers.data();
    for (LogRun& log : logs_) {
      log.used = *at++ + (replace ? 0.0 : log.used);
      for (Eigen::Index RowCounts::*count : kCounts)
        log.counts.*count = static_cast<Eigen::Index>(*at++) + (replace ? 0 : log.counts.*count);
    }
    for (ChannelStatistics& channel : sum_.channels)
      for (auto* factors : {&channel.moving, &channel.still})
        for (TriangularFactor& factor : *factors) {
          const double rows = *at++;
          const Eigen::Index p = factor.columns();
          if (replace) factor = TriangularFactor(p);
          if (rows == 0.0) continue;
          const TriangularFactor other =
              TriangularFactor::fromUpper(Eigen::Map<const Eigen::MatrixXd>(at, p, p), rows);
          at += p * p;
          if (replace) {
            factor = other;
          } else {
            factor.merge(other);
          }
        }
  }

 private:
  static constexpr Eigen::Index RowCounts::*kCounts[] = {&RowCounts::read,
                                                         &RowCounts::kept,
                                                         &RowCounts::not_finite,
                                                         &RowCounts::backward,
                                                         &RowCounts::duplicate_time,
                                                         &RowCounts::repeated,
                                                         &RowCounts::short_segment};
  std::vector<LogRun>& logs_;
  Statistics& sum_;
};

}  // namespace

int blockAt(const LogRun& log, double time) {
  const double since = time - log.source->plan().clock.origin;
  const double block = std::floor(since / log.block_s);
  return log.first_block +
         static_cast<int>(std::clamp(block, 0.0, static_cast<double>(log.num_blocks - 1)));
}

std::vector<std::string> logNotes(const LogRun& log) {
  std::vector<std::string> notes = log.source->info().notes;
  const std::vector<std::string>& repaired = log.source->plan().repaired;
  notes.insert(notes.end(), repaired.begin(), repaired.end());
  const RowCounts& counts = log.counts;
  const auto dropped = [&](Eigen::Index rows, const std::string& why) {
    if (rows > 0) notes.push_back(std::to_string(rows) + " rows dropped: " + why);
  };
  dropped(counts.not_finite, "NaN or Inf");
  dropped(counts.backward, "time stamp out of order");
  dropped(counts.duplicate_time, "time stamp repeated");
  dropped(counts.repeated, "row repeated while the robot moves");
  dropped(counts.short_segment, "between two gaps, too short to filter");
  return notes;
}

std::vector<const LogSource*> sourcesOf(const std::vector<LogRun>& logs) {
  std::vector<const LogSource*> sources;
  for (const LogRun& log : logs) sources.push_back(log.source.get());
  return sources;
}

Statistics emptyStatistics(const EquationRows& equations, const std::vector<int>& block_log) {
  Statistics statistics;
  statistics.layout_size = equations.layout().size();
  statistics.block_log = block_log;
  for (int a = 0; a < equations.numChannels(); ++a) {
    ChannelStatistics channel;
    channel.columns = equations.columns(a);
    const TriangularFactor empty(static_cast<Eigen::Index>(channel.columns.size()) + 1);
    channel.moving.assign(block_log.size(), empty);
    channel.still = channel.moving;
    statistics.channels.push_back(std::move(channel));
  }
  return statistics;
}

void accumulate(std::vector<LogRun>& logs,
                const EquationRows& equations,
                const WindowPass& pass,
                Statistics& sum,
                const Progress& progress) {
  Shared shared;
  shared.logs = &logs;
  shared.sum = &sum;
  for (LogRun& log : logs) {
    log.counts = {};
    log.used = 0.0;
  }
  runWindows(
      windowTasks(sourcesOf(logs), pass),
      pass.threads,
      [&] { return std::make_unique<Accumulator>(equations.clone(), shared); },
      progress);
  if (pass.team == nullptr) return;
  Numbers numbers(logs, sum);
  combine(
      *pass.team,
      [&] { return numbers.pack(); },
      [&](const std::vector<double>& other) { numbers.take(other, false); },
      [&](const std::vector<double>& all) { numbers.take(all, true); });
}

}  // namespace dynid
