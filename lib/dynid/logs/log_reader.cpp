#include "dynid/logs/log_reader.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/logs/channel_units.h"
#include "dynid/logs/forked_worker.h"
#include "dynid/logs/log_file.h"

#include <algorithm>
#include <stdexcept>

namespace dynid {
namespace {

WantedColumns findColumns(const LogInfo& info, const LogReaderOptions& options) {
  WantedColumns wanted;
  wanted.names = options.joints.empty() ? info.joint_names : options.joints;
  for (const std::string& name : wanted.names) {
    const auto found = std::find(info.joint_names.begin(), info.joint_names.end(), name);
    if (found == info.joint_names.end())
      throw InputError(info.path.string() + ":/joint_names: no column for the joint '" + name +
                       "'; the log has " + join(info.joint_names) +
                       didYouMean(name, info.joint_names));
    wanted.column.push_back(static_cast<size_t>(found - info.joint_names.begin()));
    wanted.prismatic.push_back(std::find(options.prismatic.begin(),
                                         options.prismatic.end(),
                                         name) != options.prismatic.end());
  }
  for (const std::string& name : options.prismatic)
    if (std::find(wanted.names.begin(), wanted.names.end(), name) == wanted.names.end())
      throw std::invalid_argument("LogReader: prismatic joint '" + name +
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

/// Where nobody says which joints are prismatic, the units of their positions do.
void guessKinds(const LogInfo& info, WantedColumns& wanted) {
  for (size_t i = 0; i < wanted.column.size(); ++i) {
    const std::string& text = info.position.units[wanted.column[i]];
    const std::optional<Unit> unit = parseUnitPrefix(Quantity::kPosition, text);
    wanted.prismatic[i] = unit && unit->linear;
  }
}

/// Rows that are read and picked apart at a time: as stored they stay in the cache.
constexpr std::int64_t kRowsAtATime = 4096;
constexpr Eigen::Index kRowsToPick = 128;

/// Picks and scales the wanted columns of rows of `stride` numbers; `out` has as many rows.
void pick(const double* raw,
          std::int64_t stride,
          const WantedColumns& wanted,
          const std::vector<double>& scale,
          Eigen::Ref<Eigen::MatrixXd> out) {  // NOLINT(performance-unnecessary-value-param): a view
  for (Eigen::Index first = 0; first < out.rows(); first += kRowsToPick) {
    const Eigen::Index end = std::min(out.rows(), first + kRowsToPick);
    for (Eigen::Index j = 0; j < out.cols(); ++j) {
      const double* value = raw + wanted.column[static_cast<size_t>(j)];
      const double factor = scale[static_cast<size_t>(j)];
      double* column = out.col(j).data();
      for (Eigen::Index i = first; i < end; ++i) column[i] = factor * value[i * stride];
    }
  }
}

}  // namespace

struct LogReader::Impl {
  LogFile log;
  WantedColumns wanted;
  double time_scale = 1.0;
  std::vector<double> position, velocity, acceleration, effort;  // scales
  std::vector<double> raw;                                       // a block as stored

  Impl(const std::filesystem::path& path, const LogReaderOptions& options)
      : log(openLog(path, options.accept_trajectory)), wanted(findColumns(log.info, options)) {
    LogInfo& info = log.info;
    if (options.joints.empty() && options.prismatic.empty()) guessKinds(info, wanted);
    noteUnusedColumns(wanted, info);
    if (info.rows < options.min_rows)
      throw InputError(path.string() + ": has " + std::to_string(info.rows) +
                       (info.rows == 1 ? " row" : " rows") + " in every dataset; at least " +
                       std::to_string(options.min_rows) + " are needed");
    const auto scales = [&](Quantity quantity, const ChannelInfo& channel, const auto& dataset) {
      return channel.present
                 ? channelScales(quantity, channel, wanted, dataset->place(), info.notes)
                 : std::vector<double>();
    };
    if (log.time)
      time_scale = seriesScale(Quantity::kTime, info.time, log.time->place(), info.notes);
    position = scales(Quantity::kPosition, info.position, log.position);
    velocity = scales(Quantity::kVelocity, info.velocity, log.velocity);
    acceleration = scales(Quantity::kAcceleration, info.acceleration, log.acceleration);
    const Quantity kind =
        info.effort_kind == EffortKind::kCurrent ? Quantity::kCurrent : Quantity::kEffort;
    effort = scales(kind, info.effort, log.effort);
  }

  void checkRange(std::int64_t first, std::int64_t count) const {
    if (first < 0 || count < 0 || first > log.info.rows - count)
      throw std::invalid_argument("LogReader::read: rows [" + std::to_string(first) + ", " +
                                  std::to_string(first + count) + "); the log has " +
                                  std::to_string(log.info.rows));
  }

  void readTime(std::int64_t first, std::int64_t count, Eigen::VectorXd& out) {
    out.resize(count);
    if (!log.time) {
      for (std::int64_t i = 0; i < count; ++i)
        out[i] = static_cast<double>(first + i) / *log.info.sample_rate_hz;
      return;
    }
    log.time->read(first, count, raw);
    out = time_scale * Eigen::VectorXd::Map(raw.data(), count);
  }

  void readChannel(const std::optional<H5Numbers>& dataset,
                   const std::vector<double>& scale,
                   std::int64_t first,
                   std::int64_t count,
                   Eigen::MatrixXd& out) {
    if (!dataset) {
      out.resize(0, 0);
      return;
    }
    out.resize(count, static_cast<Eigen::Index>(wanted.column.size()));
    for (std::int64_t done = 0; done < count; done += kRowsAtATime) {
      const std::int64_t rows = std::min(kRowsAtATime, count - done);
      dataset->read(first + done, rows, raw);
      pick(raw.data(), dataset->columns(), wanted, scale, out.middleRows(done, rows));
    }
  }
};

LogReader::LogReader(const std::filesystem::path& path, LogReaderOptions options) {
  const auto trial = [&] {
    Impl probe(path, options);
    RawBlock last;
    if (probe.log.info.rows > 0)
      probe.readChannel(
          probe.log.position, probe.position, probe.log.info.rows - 1, 1, last.position);
  };
  if (options.try_in_worker) checkInForkedWorker(path, trial);
  impl_ = std::make_unique<Impl>(path, options);
}

LogReader::~LogReader() = default;
LogReader::LogReader(LogReader&&) noexcept = default;
LogReader& LogReader::operator=(LogReader&&) noexcept = default;

const LogInfo& LogReader::info() const { return impl_->log.info; }
const std::vector<std::string>& LogReader::joints() const { return impl_->wanted.names; }
const std::vector<bool>& LogReader::prismatic() const { return impl_->wanted.prismatic; }

void LogReader::read(std::int64_t first, std::int64_t count, RawBlock& out) const {
  readPositionAndEffort(first, count, out);
  const LogFile& log = impl_->log;
  impl_->readChannel(log.velocity, impl_->velocity, first, count, out.velocity);
  impl_->readChannel(log.acceleration, impl_->acceleration, first, count, out.acceleration);
}

void LogReader::readPositionAndEffort(std::int64_t first, std::int64_t count, RawBlock& out) const {
  impl_->checkRange(first, count);
  const LogFile& log = impl_->log;
  out.first_row = first;
  impl_->readTime(first, count, out.time);
  impl_->readChannel(log.position, impl_->position, first, count, out.position);
  impl_->readChannel(log.effort, impl_->effort, first, count, out.effort);
  out.velocity.resize(0, 0);
  out.acceleration.resize(0, 0);
}

Eigen::VectorXd LogReader::readTime(std::int64_t first, std::int64_t count) const {
  impl_->checkRange(first, count);
  Eigen::VectorXd time;
  impl_->readTime(first, count, time);
  return time;
}

LogInfo readLogInfo(const std::filesystem::path& path) {
  checkInForkedWorker(path, [&] { openLog(path); });
  return openLog(path).info;
}

}  // namespace dynid
