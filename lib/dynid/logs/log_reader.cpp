#include "dynid/logs/log_reader.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/logs/base_channels.h"
#include "dynid/logs/channel_units.h"
#include "dynid/logs/forked_worker.h"
#include "dynid/logs/log_file.h"
#include "dynid/logs/stored_rows.h"
#include "dynid/logs/unwrap_angles.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <system_error>

namespace dynid {
namespace {

WantedColumns findColumns(const LogInfo& info, const LogReaderOptions& options) {
  WantedColumns wanted;
  wanted.names = options.joints.empty() ? info.joint_names : options.joints;
  for (const std::string& name : wanted.names) {
    const auto found = std::find(info.joint_names.begin(), info.joint_names.end(), name);
    if (found == info.joint_names.end())
      throw InputError(
          info.path.string() + ":/joint_names: no column for the joint '" + name +
          "'; the log has " + join(info.joint_names) + didYouMean(name, info.joint_names) +
          "; name the columns as the robot description names its joints: in the import "
          "mapping, or with `joints` a,b,c of dynid import; a joint that was not logged: "
          "`exclude_joints` " +
          name + " (a model needs all its joints: identify it again without this one)");
    wanted.column.push_back(found - info.joint_names.begin());
    wanted.prismatic.push_back(std::find(options.prismatic.begin(),
                                         options.prismatic.end(),
                                         name) != options.prismatic.end());
  }
  for (const std::string& name : options.prismatic)
    if (std::find(wanted.names.begin(), wanted.names.end(), name) == wanted.names.end())
      throw std::invalid_argument("prismatic joint '" + name +
                                  "' is not among the joints; expected one of " +
                                  join(wanted.names));
  return wanted;
}

void noteUnusedColumns(const WantedColumns& wanted, LogInfo& info) {
  std::vector<std::string> unused;
  for (const std::string& name : info.joint_names)
    if (std::find(wanted.names.begin(), wanted.names.end(), name) == wanted.names.end())
      unused.push_back(name);
  if (!unused.empty()) info.notes.push_back("columns not used: " + join(unused));
}

/// Determines the kinds of the joints from the units of their positions.
void guessKinds(const LogInfo& info, WantedColumns& wanted) {
  for (size_t i = 0; i < wanted.column.size(); ++i) {
    const std::string& text = info.position.units[wanted.column[i]];
    const std::optional<Unit> unit = parseUnitPrefix(Quantity::kPosition, text);
    wanted.prismatic[i] = unit && unit->linear;
  }
}

/// Number of rows that are read together, and that are copied together: both fit the cache.
constexpr std::int64_t kRowsAtATime = 4096;
constexpr Eigen::Index kRowsToPick = 128;

/// Columns of a channel in the requested order, and their factors to SI.
struct Picking {
  std::vector<size_t> column;
  std::vector<double> scale;
};

/// Copies the requested columns of the rows, scaled, into `out`. Rows of `out` that `from` does not
/// contain are not changed.
void pick(const ChunkNumbers& from,
          const Picking& wanted,
          std::int64_t first,
          Eigen::Ref<Eigen::MatrixXd> out) {
  const Eigen::Index begin = std::max<Eigen::Index>(0, from.first_row - first);
  const Eigen::Index end = std::min<Eigen::Index>(out.rows(), from.first_row + from.rows - first);
  for (Eigen::Index block = begin; block < end; block += kRowsToPick) {
    const Eigen::Index count = std::min(end - block, kRowsToPick);
    const double* rows = from.numbers + (first + block - from.first_row) * from.stride;
    for (Eigen::Index j = 0; j < out.cols(); ++j) {
      const auto at = static_cast<std::int64_t>(wanted.column[j]) - from.first_column;
      if (at < 0 || at >= from.columns) continue;
      const double factor = wanted.scale[j];
      double* column = out.col(j).data() + block;
      for (Eigen::Index i = 0; i < count; ++i) column[i] = factor * rows[i * from.stride + at];
    }
  }
}

/// Shifts an angle by whole turns so that its mean lies within half a turn of zero: blocks of a log
/// that begin on different sides of a jump then agree, and angles keep within the joint's limits.
void centre(Eigen::Ref<Eigen::VectorXd> angle) {
  const auto finite = angle.array().isFinite();
  const double sum = finite.select(angle.array(), 0.0).sum();
  angle.array() -= kTurn * std::round(sum / static_cast<double>(finite.count()) / kTurn);
}

/// Size and modification time of a file, by which a change is detected.
struct FileState {
  std::uintmax_t size = 0;
  std::filesystem::file_time_type written;
  bool operator==(const FileState&) const = default;
};

FileState stateOf(const std::filesystem::path& path) {
  std::error_code gone;
  return {std::filesystem::file_size(path, gone), std::filesystem::last_write_time(path, gone)};
}

}  // namespace

struct LogReader::Impl {
  FileState state;
  bool accept_trajectory;
  std::optional<LogFile> open;  // empty while closed
  LogInfo info;
  WantedColumns wanted;
  LogCorrection correction;
  std::vector<bool> left_as_recorded;  // columns that are not unwrapped; empty: none is unwrapped
  Picking time, position, velocity, acceleration, effort;
  std::vector<double> raw;  // a block as stored

  Impl(const std::filesystem::path& path, const LogReaderOptions& options)
      : state(stateOf(path)),
        accept_trajectory(options.accept_trajectory),
        open(openLog(path, accept_trajectory)),
        info(open->info),
        wanted(findColumns(info, options)),
        correction(options.correction),
        left_as_recorded(options.unwrapped) {
    correction.check(std::ssize(wanted.names));
    if (!left_as_recorded.empty() && left_as_recorded.size() != wanted.names.size())
      throw std::invalid_argument(fmt::format("`unwrapped` has {} entries for {} columns",
                                              left_as_recorded.size(),
                                              wanted.names.size()));
    left_as_recorded.flip();
    const LogFile& log = *open;
    if (options.joints.empty() && options.prismatic.empty()) guessKinds(info, wanted);
    noteUnusedColumns(wanted, info);
    if (info.rows < options.min_rows)
      throw InputError(path.string() + ": has " + std::to_string(info.rows) +
                       (info.rows == 1 ? " row" : " rows") + " in every dataset; at least " +
                       std::to_string(options.min_rows) + " are needed");
    const auto scales =
        [&](Quantity quantity, const ChannelInfo& channel, const auto& dataset) -> Picking {
      if (!channel.present) return {};
      return {wanted.column,
              channelScales(quantity, channel, wanted, dataset->place(), info.notes)};
    };
    if (log.time)
      time = {{0}, {seriesScale(Quantity::kTime, info.time, log.time->place(), info.notes)}};
    position = scales(Quantity::kPosition, info.position, log.position);
    velocity = scales(Quantity::kVelocity, info.velocity, log.velocity);
    acceleration = scales(Quantity::kAcceleration, info.acceleration, log.acceleration);
    const Quantity kind =
        info.effort_kind == EffortKind::kCurrent ? Quantity::kCurrent : Quantity::kEffort;
    effort = scales(kind, info.effort, log.effort);
  }

  /// The open file; it is opened again if it was closed.
  const LogFile& file() {
    if (!open && stateOf(info.path) != state)
      throw InputError(info.path.string() +
                       ": was changed while it was in use; run again once nothing writes to it");
    if (!open) open = openLog(info.path, accept_trajectory);
    return *open;
  }

  void checkRange(std::int64_t first, std::int64_t count) const {
    if (first < 0 || count < 0 || first > info.rows - count)
      throw std::invalid_argument(fmt::format(
          "rows [{}, {}) are asked for; the log has {}", first, first + count, info.rows));
  }

  /// A channel as stored chunks, or in SI if HDF5 has to read it.
  StoredRows::Channel stored(const std::optional<H5Numbers>& dataset,
                             const Picking& picking,
                             std::int64_t first,
                             std::int64_t count) {
    StoredRows::Channel channel;
    if (!dataset) return channel;
    if (const ChunkReader* chunks = dataset->chunks(); chunks != nullptr && count > 0) {
      channel.chunks = chunks->read(first, count, picking.column);
      return channel;
    }
    channel.numbers.resize(count, std::ssize(picking.column));
    for (std::int64_t done = 0; done < count; done += kRowsAtATime) {
      const std::int64_t rows = std::min(kRowsAtATime, count - done);
      dataset->read(first + done, rows, raw);
      const std::int64_t columns = dataset->columns();
      pick({first + done, rows, 0, columns, raw.data(), columns}, picking, first, channel.numbers);
    }
    return channel;
  }

  static Eigen::MatrixXd decoded(StoredRows::Channel channel,
                                 const Picking& picking,
                                 std::int64_t first,
                                 std::int64_t count) {
    if (!channel.chunks.any()) return std::move(channel.numbers);
    Eigen::MatrixXd numbers(count, std::ssize(picking.column));
    channel.chunks.decode([&](const ChunkNumbers& chunk) { pick(chunk, picking, first, numbers); });
    return numbers;
  }

  Eigen::MatrixXd channel(const std::optional<H5Numbers>& dataset,
                          const Picking& picking,
                          std::int64_t first,
                          std::int64_t count) {
    return decoded(stored(dataset, picking, first, count), picking, first, count);
  }

  Eigen::VectorXd times(Eigen::MatrixXd stamps, std::int64_t first, std::int64_t count) const {
    if (info.hasTime()) return stamps.col(0);
    Eigen::VectorXd out(count);
    for (std::int64_t i = 0; i < count; ++i)
      out[i] = static_cast<double>(first + i) / *info.sample_rate_hz;
    return out;
  }

  RawBlock asStored(StoredRows rows) const {
    const auto channel = [&](StoredRows::Channel& stored, const Picking& picking) {
      return decoded(std::move(stored), picking, rows.first_, rows.count_);
    };
    RawBlock out;
    out.first_row = rows.first_;
    out.time = times(channel(rows.time_, time), rows.first_, rows.count_);
    out.position = channel(rows.position_, position);
    out.effort = channel(rows.effort_, effort);
    return out;
  }

  /// Removes jumps by a full turn. Must be called before the correction, which reorders columns.
  void unwrap(RawBlock& block) const {
    if (left_as_recorded.empty()) return;
    AngleUnwrapper unwrapper(left_as_recorded);
    unwrapper.apply(block.position);
    block.wraps = unwrapper.wraps();
    for (size_t j = 0; j < block.wraps.size(); ++j)
      if (block.wraps[j] > 0) centre(block.position.col(j));
  }
};

LogReader::LogReader(const std::filesystem::path& path, LogReaderOptions options) {
  const auto trial = [&] {
    Impl probe(path, options);
    if (probe.info.rows > 0)
      probe.channel(probe.open->position, probe.position, probe.info.rows - 1, 1);
    try {
      // BaseReader opens the file without a trial process, so this trial covers the base too.
      BaseReader(path, 0);
    } catch (const InputError&) {
      // Errors of the base channels are ignored here: BaseReader reports them when the base is
      // used.
    }
  };
  if (options.try_in_worker) checkInForkedWorker(path, trial);
  impl_ = std::make_unique<Impl>(path, options);
}

LogReader::~LogReader() = default;
LogReader::LogReader(LogReader&&) noexcept = default;
LogReader& LogReader::operator=(LogReader&&) noexcept = default;

const LogInfo& LogReader::info() const { return impl_->info; }
const std::vector<std::string>& LogReader::joints() const { return impl_->wanted.names; }
const std::vector<bool>& LogReader::prismatic() const { return impl_->wanted.prismatic; }
void LogReader::close() const { impl_->open.reset(); }

void LogReader::read(std::int64_t first, std::int64_t count, RawBlock& out) const {
  out = impl_->asStored(readStored(first, count));
  const LogFile& log = impl_->file();
  out.velocity = impl_->channel(log.velocity, impl_->velocity, first, count);
  out.acceleration = impl_->channel(log.acceleration, impl_->acceleration, first, count);
  impl_->unwrap(out);
  apply(impl_->correction, out);
}

StoredRows LogReader::readStored(std::int64_t first, std::int64_t count) const {
  impl_->checkRange(first, count);
  const LogFile& log = impl_->file();
  StoredRows rows;
  rows.first_ = first;
  rows.count_ = count;
  rows.time_ = impl_->stored(log.time, impl_->time, first, count);
  rows.position_ = impl_->stored(log.position, impl_->position, first, count);
  rows.effort_ = impl_->stored(log.effort, impl_->effort, first, count);
  return rows;
}

RawBlock LogReader::decoded(StoredRows rows) const {
  RawBlock out = impl_->asStored(std::move(rows));
  impl_->unwrap(out);
  apply(impl_->correction, out);
  return out;
}

Eigen::VectorXd LogReader::readTime(std::int64_t first, std::int64_t count) const {
  impl_->checkRange(first, count);
  return impl_->correction.time_factor *
         impl_->times(impl_->channel(impl_->file().time, impl_->time, first, count), first, count);
}

LogInfo readLogInfo(const std::filesystem::path& path) {
  checkInForkedWorker(path, [&] { openLog(path); });
  return openLog(path).info;
}

}  // namespace dynid
