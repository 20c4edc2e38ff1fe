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
  /// @param threads  for the blocks or channels of one window
  Accumulator(EquationRows equations, Shared& shared, int threads)
      : equations_(std::move(equations)), shared_(shared), threads_(threads) {}

  void updateState(const WindowTask& task, const ActuatorSignals& signals) override {
    presliding_ = shared_.presliding.advance(equations_.inverseDynamics(), task, signals);
  }

  void work(const WindowTask& task, const ActuatorSignals& signals) override {
    const LogRows& log = shared_.logs[task.log];
    const SignalPlan& plan = log.source->plan();
    std::optional<ActuatorSignals> split;
    if (equations_.equations().kind == EquationKind::kVariational)
      split = fromPositions(signals, plan.dt);
    const ActuatorSignals& motion = split ? *split : signals;
    pieces_.assign(equations_.numChannels(), {});
    if (plan.stride == 1 && plan.rowsLowpass().sections.empty() && direct()) {
      stream(log, motion);
      return;
    }
    std::vector<Eigen::Index> samples;  // empty: all
    for (Eigen::Index i = 0; plan.stride > 1 && i < signals.joint.time.size(); ++i)
      if (signals.joint.grid_index[i] % plan.stride == 0) samples.push_back(i);
    std::optional<ActuatorSignals> sampled;
    if (plan.stride > 1) sampled = atSamples(motion, samples);
    compressWindow(log, motion, samples, sampled);
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
  /// Samples of a window that belong to one block of the statistics.
  using Block = std::vector<Eigen::Index>;

  /// Working memory of a thread that compresses the rows of blocks.
  struct Streamer {
    Streamer(const RowBuilder& rows_of, int threads) : builder(rows_of.clone()), rows(threads) {}
    RowBuilder builder;
    RowStream rows;
    RowBlock few;           // rows of a block that are too few to be streamed
    ActuatorSignals batch;  // samples that are not consecutive
  };

  // Compresses rows that need no filter: every sample is a row.
  void stream(const LogRows& log, const ActuatorSignals& motion) {
    const std::vector<Block> blocks = blocksOf(
        log,
        motion,
        coreSamples(motion.joint, log.source->plan(), motion.place.begin, motion.place.end));
    const int workers = std::clamp(threads_, 1, std::max(1, static_cast<int>(blocks.size())));
    while (std::ssize(streamers_) < workers)
      streamers_.emplace_back(equations_.inverseDynamics(), std::max(1, threads_ / workers));
    parallelFor(workers, workers, [&](int worker) {
      for (size_t b = worker; b < blocks.size(); b += workers)
        streamBlock(log, motion, blocks[b], b, streamers_[worker]);
    });
  }

  // Sets the pieces of a block from its rows.
  void streamBlock(const LogRows& log,
                   const ActuatorSignals& motion,
                   const Block& block,
                   size_t place,
                   Streamer& streamer) {
    const PayloadPlacement* payload = log.payload ? &*log.payload : nullptr;
    const ActuatorSignals* source = &motion;
    Segment range;  // samples of `source` for which rows are built
    const auto build = [&](const std::vector<Eigen::Index>& samples, RowBlock& rows) {
      const auto count = std::ssize(samples);
      if (samples.back() - samples.front() + 1 == count) {
        source = &motion;
        range = {samples.front(), samples.back() + 1};
        streamer.builder.build(motion, range, payload, presliding_, rows);
      } else {
        streamer.batch = atSamples(motion, samples);
        source = &streamer.batch;
        range = {0, count};
        streamer.builder.build(
            streamer.batch, range, payload, atSamples(presliding_, samples), rows);
      }
      placeEfforts(source->effort.middleRows(range.begin, count), log.to_effort, rows);
    };
    const auto rests = [&](size_t channel, std::vector<size_t>& places) {
      restingSamples(*source, range, static_cast<Eigen::Index>(channel), places);
    };
    Eigen::Index widest = 0;
    for (int a = 0; a < equations_.numChannels(); ++a)
      widest = std::max(widest, static_cast<Eigen::Index>(equations_.columns(a).size()));
    if (RowStream::worth(block.size(), widest)) {
      std::vector<RowPiece*> pieces_of_channel;
      for (std::vector<RowPiece>& pieces : pieces_) pieces_of_channel.push_back(&pieces[place]);
      streamer.rows.compress(block, build, rests, pieces_of_channel);
      return;
    }
    build(block, streamer.few);
    for (int a = 0; a < equations_.numChannels(); ++a)
      setPiece(motion, block, a, false, streamer.few, pieces_[a][place]);
  }

  // The positions in `range` of the samples at which a channel rests.
  static void restingSamples(const ActuatorSignals& source,
                             Segment range,
                             Eigen::Index channel,
                             std::vector<size_t>& places) {
    const double* speed = source.dq().col(channel).data() + range.begin;
    const double standstill = source.still_speed(channel);
    const auto count = static_cast<size_t>(range.size());
    places.clear();
    // Most batches contain no samples at standstill.
    if (source.dq().col(channel).segment(range.begin, range.size()).cwiseAbs().minCoeff() >
        standstill)
      return;
    places.resize(count);
    size_t found = 0;
    for (size_t i = 0; i < count; ++i) {  // branch-free
      places[found] = i;
      found += std::abs(speed[i]) > standstill ? 0 : 1;
    }
    places.resize(found);
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

  // Filters, decimates and compresses the rows and efforts of the equations, of one part of the
  // actuators after the other.
  // @param sampled  `motion` at `samples`; empty: rows are built at all samples
  void compressWindow(const LogRows& log,
                      const ActuatorSignals& motion,
                      const std::vector<Eigen::Index>& samples,
                      std::optional<ActuatorSignals>& sampled) {
    const SignalPlan& plan = log.source->plan();
    const PayloadPlacement* payload = log.payload ? &*log.payload : nullptr;
    const ActuatorSignals& signals = sampled ? *sampled : motion;
    const std::vector<Block> blocks = blocksOf(
        log, signals, coreSamples(signals.joint, plan, signals.place.begin, signals.place.end));
    if (builders_.empty() && direct()) builders_ = equations_.inverseDynamics().divided();
    if (builders_.empty()) builders_.push_back(equations_.inverseDynamics().clone());
    for (RowBuilder& builder : builders_) {
      if (sampled)
        builder.buildSampled(
            motion, samples, plan.antiAlias(), payload, presliding_, *sampled, rows_);
      else
        builder.build(motion, payload, presliding_, rows_);
      const Segment channels =
          direct() ? builder.actuators() : Segment{0, equations_.numChannels()};
      const Eigen::MatrixXd efforts = filterRows(log, signals, payload, channels);
      placeEfforts(efforts, Eigen::VectorXd::Ones(efforts.cols()), rows_);
      parallelFor(static_cast<int>(channels.size()), threads_, [&](int k) {
        const auto a = static_cast<int>(channels.begin) + k;
        for (size_t b = 0; b < blocks.size(); ++b)
          setPiece(signals, blocks[b], a, true, rows_, pieces_[a][b]);
      });
    }
  }

  // Converts rows_ and the efforts, which are returned, to those of the equations and filters those
  // of some channels.
  Eigen::MatrixXd filterRows(const LogRows& log,
                             const ActuatorSignals& signals,
                             const PayloadPlacement* payload,
                             Segment channels) {
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
    for (Eigen::Index a = channels.begin; a < channels.end; ++a)
      filterSegments(signals.joint, lowpass, rows_[a], workspace_);
    filterSegments(
        signals.joint, lowpass, efforts.middleCols(channels.begin, channels.size()), workspace_);
    return efforts;
  }

  // The runs of samples that belong to one block, each with a new piece per channel.
  std::vector<Block> blocksOf(const LogRows& log,
                              const ActuatorSignals& signals,
                              const std::vector<Eigen::Index>& samples) {
    used_ = samples.size();
    std::vector<Block> blocks;
    for (auto begin = samples.begin(); begin != samples.end();) {
      RowPiece piece;
      piece.block = blockAt(*log.source, log.blocks, signals.joint.time(*begin));
      const auto end = std::partition_point(begin, samples.end(), [&](Eigen::Index sample) {
        return blockAt(*log.source, log.blocks, signals.joint.time(sample)) == piece.block;
      });
      for (std::vector<RowPiece>& pieces : pieces_) pieces.push_back(piece);
      blocks.emplace_back(begin, end);
      begin = end;
    }
    return blocks;
  }

  // Sets a piece from rows, which hold either the whole window or the samples of the block only.
  void setPiece(const ActuatorSignals& signals,
                const Block& block,
                int channel,
                bool whole_window,
                RowBlock& rows,
                RowPiece& piece) const {
    std::vector<Eigen::Index> moving, standstill;
    for (Eigen::Index i = 0; i < std::ssize(block); ++i)
      (equations_.moves(signals, block[i], channel) ? moving : standstill)
          .push_back(whole_window ? block[i] : i);
    piece.set(rows.withEffort(channel), moving, standstill);
  }

  EquationRows equations_;
  Shared& shared_;
  int threads_;
  PreslidingStates presliding_;
  RowBlock rows_;
  std::vector<RowBuilder> builders_;  // of the parts of the actuators
  std::vector<Streamer> streamers_;
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
