#include "dynid/statistics/accumulate.h"

#include "dynid/core/parallel.h"
#include "dynid/equations/row_stream.h"
#include "dynid/statistics/presliding_chain.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

/// Data that all threads of a pass share. It is accessed in the ordered steps only.
struct Shared {
  const std::vector<LogRows>& logs;
  Statistics& sum;
  std::vector<LogUse> use;  // per log
  PreslidingChain presliding;
};

class Accumulator : public WindowWorker {
 public:
  /// @param threads  for the channels of one window
  Accumulator(EquationRows equations, Shared& shared, int threads)
      : equations_(std::move(equations)), shared_(shared), threads_(threads), stream_(threads) {}

  void updateState(const WindowTask& task, const ActuatorSignals& signals) override {
    presliding_ = shared_.presliding.advance(equations_.inverseDynamics(), task, signals);
  }

  void work(const WindowTask& task, const ActuatorSignals& signals) override {
    const LogRows& log = shared_.logs[task.log];
    const SignalPlan& plan = log.source->plan();
    const PayloadPlacement* payload = log.payload ? &*log.payload : nullptr;
    RowBuilder& builder = equations_.inverseDynamics();
    std::optional<ActuatorSignals> split;
    if (equations_.equations().kind == EquationKind::kVariational)
      split = fromPositions(signals, plan.dt);
    const ActuatorSignals& motion = split ? *split : signals;
    pieces_.assign(equations_.numChannels(), {});
    used_ = 0;
    if (plan.stride == 1 && plan.rowsLowpass().sections.empty() && direct()) {
      stream(log, motion, payload);
      return;
    }
    if (plan.stride == 1) {
      builder.build(motion, payload, presliding_, rows_);
      compressWindow(log, motion, payload);
      return;
    }
    std::vector<Eigen::Index> samples;
    for (Eigen::Index i = 0; i < signals.joint.time.size(); ++i)
      if (signals.joint.grid_index[i] % plan.stride == 0) samples.push_back(i);
    ActuatorSignals sampled = atSamples(motion, samples);
    builder.buildSampled(motion, samples, plan.antiAlias(), payload, presliding_, sampled, rows_);
    compressWindow(log, sampled, payload);
  }

  void deliver(const WindowTask& task, const ActuatorSignals& signals) override {
    LogUse& use = shared_.use[task.log];
    use.counts += signals.counts;
    use.used += static_cast<double>(used_);
    parallelFor(static_cast<int>(pieces_.size()), threads_, [&](int a) {
      for (RowPiece& piece : pieces_[a]) piece.moveTo(shared_.sum.channels[a]);
    });
  }

 private:
  // Compresses rows that need no filter: every sample is a row.
  void stream(const LogRows& log, const ActuatorSignals& motion, const PayloadPlacement* payload) {
    const ActuatorSignals* source = &motion;
    Segment range;  // samples of `source` for which rows are built
    const auto build = [&](const std::vector<Eigen::Index>& samples, RowBlock& rows) {
      RowBuilder& builder = equations_.inverseDynamics();
      const auto count = std::ssize(samples);
      if (samples.back() - samples.front() + 1 == count) {
        source = &motion;
        range = {samples.front(), samples.back() + 1};
        builder.build(motion, range, payload, presliding_, rows);
      } else {
        batch_ = atSamples(motion, samples);
        source = &batch_;
        range = {0, count};
        builder.build(batch_, range, payload, atSamples(presliding_, samples), rows);
      }
      placeEfforts(source->effort.middleRows(range.begin, count), log.to_effort, rows);
    };
    const auto rests = [&](size_t channel, std::vector<size_t>& places) {
      const auto a = static_cast<Eigen::Index>(channel);
      const double* speed = source->dq().col(a).data() + range.begin;
      const double standstill = source->still_speed(a);
      const auto count = static_cast<size_t>(range.size());
      places.clear();
      // Most batches contain no samples at standstill.
      if (source->dq().col(a).segment(range.begin, range.size()).cwiseAbs().minCoeff() > standstill)
        return;
      places.resize(count);
      size_t found = 0;
      for (size_t i = 0; i < count; ++i) {  // branch-free
        places[found] = i;
        found += std::abs(speed[i]) > standstill ? 0 : 1;
      }
      places.resize(found);
    };
    Eigen::Index widest = 0;
    for (int a = 0; a < equations_.numChannels(); ++a)
      widest = std::max(widest, static_cast<Eigen::Index>(equations_.columns(a).size()));
    const std::vector<Eigen::Index> core =
        coreSamples(motion.joint, log.source->plan(), motion.place.begin, motion.place.end);
    inBlocks(log, motion, core, [&](const std::vector<Eigen::Index>& samples) {
      if (RowStream::worth(samples.size(), widest)) {
        std::vector<RowPiece*> pieces_of_channel;
        for (std::vector<RowPiece>& pieces : pieces_) pieces_of_channel.push_back(&pieces.back());
        stream_.compress(samples, build, rests, pieces_of_channel);
        return;
      }
      build(samples, rows_);
      setPieces(motion, samples, false);
    });
  }

  // Sets the effort column of every channel, multiplied by the factor of the channel.
  static void placeEfforts(const Eigen::Ref<const Eigen::MatrixXd>& efforts,
                           const Eigen::VectorXd& factor,
                           RowBlock& rows) {
    for (size_t a = 0; a < rows.numChannels(); ++a) {
      const auto channel = static_cast<Eigen::Index>(a);
      rows.withEffort(a).rightCols<1>() = factor(channel) * efforts.col(channel);
    }
  }

  /// Whether the rows of inverse dynamics are used directly.
  bool direct() const { return equations_.equations().kind == EquationKind::kInverseDynamics; }

  // Filters and decimates the rows and efforts of the equations.
  void compressWindow(const LogRows& log,
                      const ActuatorSignals& signals,
                      const PayloadPlacement* payload) {
    const SignalPlan& plan = log.source->plan();
    Eigen::MatrixXd efforts = signals.effort * log.to_effort.asDiagonal();
    if (!direct()) {
      const double window = equations_.equations().window_s;
      std::vector<Eigen::MatrixXd> rows = rows_.copy();
      equations_.transform(signals,
                           payload,
                           plan.dt * plan.stride,
                           std::isnan(window) ? 1.0 / plan.cutoff_hz : window,
                           rows,
                           efforts);
      rows_.assign(rows);
    }
    const Lowpass lowpass = plan.rowsLowpass();
    for (size_t a = 0; a < rows_.numChannels(); ++a)
      filterSegments(signals.joint, lowpass, rows_[a], workspace_);
    filterSegments(signals.joint, lowpass, efforts, workspace_);
    placeEfforts(efforts, Eigen::VectorXd::Ones(efforts.cols()), rows_);
    inBlocks(log,
             signals,
             coreSamples(signals.joint, plan, signals.place.begin, signals.place.end),
             [&](const std::vector<Eigen::Index>& samples) { setPieces(signals, samples, true); });
  }

  // Starts a new piece per channel for each run of samples that belong to one block.
  void inBlocks(const LogRows& log,
                const ActuatorSignals& signals,
                const std::vector<Eigen::Index>& samples,
                const std::function<void(const std::vector<Eigen::Index>&)>& work) {
    used_ += samples.size();
    for (size_t first = 0, end = 0; first < samples.size(); first = end) {
      RowPiece piece;
      const auto begin = samples.begin() + first;
      piece.block = blockAt(*log.source, log.blocks, signals.joint.time(*begin));
      const auto last = std::partition_point(begin, samples.end(), [&](Eigen::Index sample) {
        return blockAt(*log.source, log.blocks, signals.joint.time(sample)) == piece.block;
      });
      end = static_cast<size_t>(last - samples.begin());
      for (std::vector<RowPiece>& pieces : pieces_) pieces.push_back(piece);
      work({begin, last});
    }
  }

  // Sets the latest pieces from rows_, which hold either the whole window or these samples only.
  void setPieces(const ActuatorSignals& signals,
                 const std::vector<Eigen::Index>& samples,
                 bool whole_window) {
    parallelFor(static_cast<int>(pieces_.size()), threads_, [&](int a) {
      std::vector<Eigen::Index> moving, standstill;
      for (Eigen::Index i = 0; i < std::ssize(samples); ++i)
        (equations_.moves(signals, samples[i], a) ? moving : standstill)
            .push_back(whole_window ? samples[i] : i);
      pieces_[a].back().set(rows_.withEffort(a), moving, standstill);
    });
  }

  EquationRows equations_;
  Shared& shared_;
  int threads_;
  PreslidingStates presliding_;
  RowBlock rows_;
  RowStream stream_;
  ActuatorSignals batch_;                      // samples of a stream that are not consecutive
  std::vector<std::vector<RowPiece>> pieces_;  // per channel
  size_t used_ = 0;                            // number of samples of the window
  FilterWorkspace workspace_;
};

// Converts the statistics and sample counts to a list of numbers and back, for exchange between
// processes.
class Numbers {
 public:
  Numbers(std::vector<LogUse>& use, Statistics& sum) : use_(use), sum_(sum) {}

  std::vector<double> pack() const {
    std::vector<double> numbers;
    for (const LogUse& log : use_) {
      numbers.push_back(log.used);
      for (Eigen::Index RowCounts::*count : kCounts)
        numbers.push_back(static_cast<double>(log.counts.*count));
    }
    for (const ChannelStatistics& channel : sum_.channels)
      for (const auto* factors : {&channel.moving, &channel.standstill})
        for (const TriangularFactor& factor : *factors) {
          numbers.push_back(factor.rows());
          if (factor.rows() == 0.0) continue;
          const Eigen::MatrixXd R = factor.squareR();
          numbers.insert(numbers.end(), R.data(), R.data() + R.size());
        }
    return numbers;
  }

  /// Adds the numbers to the present values, or replaces them.
  void take(const std::vector<double>& numbers, bool replace) {
    const double* at = numbers.data();
    for (LogUse& log : use_) {
      log.used = *at++ + (replace ? 0.0 : log.used);
      for (Eigen::Index RowCounts::*count : kCounts)
        log.counts.*count = static_cast<Eigen::Index>(*at++) + (replace ? 0 : log.counts.*count);
    }
    for (ChannelStatistics& channel : sum_.channels)
      for (auto* factors : {&channel.moving, &channel.standstill})
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
  std::vector<LogUse>& use_;
  Statistics& sum_;
};

}  // namespace

int blockAt(const LogSource& source, const LogBlocks& blocks, double time) {
  // Block boundaries lie between samples
  const double since = source.recordedTime(time) + 0.5 * source.plan().dt;
  const double block = std::floor(since / blocks.length_s);
  return blocks.first +
         static_cast<int>(std::clamp(block, 0.0, static_cast<double>(blocks.count - 1)));
}

std::vector<std::string> logNotes(const LogSource& source, const LogUse& use) {
  const RowCounts& counts = use.counts;
  std::vector<std::string> notes = source.info().notes;
  const std::vector<std::string>& repaired = source.plan().repaired;
  notes.insert(notes.end(), repaired.begin(), repaired.end());
  for (const Finding& finding : source.findings())
    if (finding.code == "motion-estimated" || finding.code == "motion-not-estimated")
      notes.push_back(finding.message);
  const auto dropped = [&](Eigen::Index rows, const std::string& why) {
    if (rows > 0) notes.push_back(std::to_string(rows) + " rows dropped: " + why);
  };
  dropped(counts.not_finite, "NaN or Inf");
  dropped(counts.backward, "time stamp out of order");
  dropped(counts.duplicate_time, "time stamp repeated");
  dropped(counts.repeated, "row repeated while the robot moves");
  dropped(counts.short_segment, "between two gaps, too short to filter");
  notes.insert(notes.end(), use.sensor_notes.begin(), use.sensor_notes.end());
  return notes;
}

std::vector<const LogSource*> sourcesOf(const std::vector<LogRows>& logs) {
  std::vector<const LogSource*> sources;
  for (const LogRows& log : logs) sources.push_back(log.source.get());
  return sources;
}

Statistics emptyStatistics(const EquationRows& equations, const std::vector<int>& block_log) {
  Statistics statistics;
  statistics.layout_size = equations.layout().size();
  statistics.block_log = block_log;
  for (int a = 0; a < equations.numChannels(); ++a) {
    ChannelStatistics channel;
    channel.columns = equations.columns(a);
    const TriangularFactor empty(std::ssize(channel.columns) + 1);
    channel.moving.assign(block_log.size(), empty);
    channel.standstill = channel.moving;
    statistics.channels.push_back(std::move(channel));
  }
  return statistics;
}

std::vector<LogUse> accumulate(const std::vector<LogRows>& logs,
                               const EquationRows& equations,
                               const WindowPass& pass,
                               Statistics& sum,
                               const Progress& progress) {
  Shared shared{logs, sum, std::vector<LogUse>(logs.size()), {}};
  const std::vector<WindowTask> tasks = windowTasks(sourcesOf(logs), pass);
  const int threads_of_window = tasks.size() == 1 ? pass.threads : 1;
  runWindows(
      tasks,
      pass.threads,
      [&] { return std::make_unique<Accumulator>(equations.clone(), shared, threads_of_window); },
      progress);
  if (pass.team == nullptr) return std::move(shared.use);
  Numbers numbers(shared.use, sum);
  combine(
      *pass.team,
      [&] { return numbers.pack(); },
      [&](const std::vector<double>& other) { numbers.take(other, false); },
      [&](const std::vector<double>& all) { numbers.take(all, true); });
  return std::move(shared.use);
}

}  // namespace dynid
