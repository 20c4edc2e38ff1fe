#include "dynid/statistics/delay_moments.h"

#include "dynid/kernels/dense.h"
#include "dynid/signals/decimate.h"
#include "dynid/statistics/presliding_chain.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

// Shifts per period of the cut-off; efforts between them are interpolated.
constexpr double kShiftsPerPeriod = 16.0;
constexpr Index kMostShiftsPerSide = 128;
constexpr int kMostChannelsOfHalves = 12;  // those of more take too much memory

/// How the shifts of one log lie on its samples.
struct ShiftPlan {
  Index stride = 1;   // samples of the clock per row that is built
  Index between = 1;  // rows between two shifts
  Index per_side = 3;
  Index keep_every = 1;  // rows between two rows that enter the moments
  double step = 0.0;     // s
};

ShiftPlan planShifts(const SignalPlan& plan, double range) {
  ShiftPlan shifts;
  shifts.stride = plan.stride;
  const double row_step = plan.dt * static_cast<double>(plan.stride);
  shifts.between =
      std::max<Index>(1, std::llround(1.0 / (kShiftsPerPeriod * plan.cutoff_hz * row_step)));
  shifts.step = row_step * static_cast<double>(shifts.between);
  shifts.per_side =
      std::clamp<Index>(std::llround(std::ceil(range / shifts.step)), 3, kMostShiftsPerSide);
  shifts.keep_every = std::max<Index>(1, decimationFactor(1.0 / row_step, plan.cutoff_hz));
  return shifts;
}

/// Places of the Coulomb friction in the rows of a channel.
std::vector<Index> coulombPlaces(const EquationRows& rows, int channel) {
  const std::vector<int>& columns = rows.columns(channel);
  std::vector<Index> places;
  for (Index c = 0; c < std::ssize(columns); ++c)
    if (rows.layout()[columns[c]].isFriction(FrictionEffect::kCoulomb)) places.push_back(c);
  return places;
}

/// The period of the motion [s], or the duration of a log whose motion does not repeat.
double periodOf(const LogSource& source) {
  const double period = source.motionPeriodS();
  return period > 0.0 ? std::min(period, source.duration()) : source.duration();
}

/// The part in which a time of the log lies: a stretch of the log or, if the motion repeats, of its
/// period, so that no other part repeats the motion of this one. Parts do not depend on the blocks
/// of the cross-validation: one of many logs, or a short one, may have a single block.
size_t partAt(const LogSource& source, int parts, double time) {
  const double period = periodOf(source);
  double since = source.recordedTime(time);
  if (period < source.duration()) since -= period * std::floor(since / period);
  return static_cast<size_t>(std::clamp(parts * since / period, 0.0, parts - 1.0));
}

/// What all threads share; touched in the ordered steps only.
struct DelayShared {
  const std::vector<LogRows>* logs = nullptr;
  std::vector<ShiftPlan> plans;
  std::vector<DelayMoments>* sums = nullptr;
  int parts = 1;
  PreslidingChain presliding;
};

class DelayGatherer : public WindowWorker {
 public:
  DelayGatherer(EquationRows rows, DelayShared& shared)
      : equations_(std::move(rows)),
        builders_(equations_.inverseDynamics().divided()),
        shared_(shared) {
    for (int a = 0; a < equations_.numChannels(); ++a)
      coulomb_.push_back(coulombPlaces(equations_, a));
  }

  void updateState(const WindowTask& task, const ActuatorSignals& signals) override {
    presliding_ = shared_.presliding.advance(equations_.inverseDynamics(), task, signals);
  }

  void work(const WindowTask& task, const ActuatorSignals& signals) override {
    const LogRows& log = (*shared_.logs)[task.log];
    const ShiftPlan& shifts = shared_.plans[task.log];
    const SignalPlan& plan = log.source->plan();
    const PayloadPlacement* payload = log.payload ? &*log.payload : nullptr;
    increments_.clear();
    std::vector<Index> samples;
    for (Index i = 0; i < signals.joint.time.size(); ++i)
      if (signals.joint.grid_index[i] % shifts.stride == 0) samples.push_back(i);
    if (samples.empty()) return;
    ActuatorSignals rows_at = atSamples(signals, samples);
    const Lowpass lowpass = plan.rowsLowpass();
    for (RowBuilder& builder : builders_) {
      if (shifts.stride == 1)
        builder.build(rows_at, payload, presliding_, rows_);
      else
        builder.buildSampled(
            signals, samples, plan.antiAlias(), payload, presliding_, rows_at, rows_);
      const Segment actuators = builder.actuators();
      MatrixXd efforts = rows_at.effort * log.to_effort.asDiagonal();
      for (Index a = actuators.begin; a < actuators.end; ++a)
        filterSegments(rows_at.joint, lowpass, rows_[a], workspace_);
      filterSegments(rows_at.joint,
                     lowpass,
                     efforts.middleCols(actuators.begin, actuators.size()),
                     workspace_);
      for (const Segment& segment : rows_at.joint.segments)
        gather(log, shifts, rows_at, segment, actuators, efforts);
    }
  }

  void deliver(const WindowTask& task, const ActuatorSignals&) override {
    DelayMoments& sum = (*shared_.sums)[task.log];
    for (const Increment& increment : increments_) {
      sum.channels[increment.channel][increment.part] += increment.moments;
      if (increment.later && !sum.later.empty())
        sum.later[increment.channel][increment.part] += increment.moments;
    }
  }

 private:
  struct Increment {
    size_t channel = 0, part = 0;
    bool later = false;
    ShiftMoments moments;
  };

  /// Rows of one segment with all their shifts inside it, in the window's core, in motion.
  void gather(const LogRows& log,
              const ShiftPlan& shifts,
              const ActuatorSignals& rows_at,
              const Segment& segment,
              const Segment& actuators,
              const MatrixXd& efforts) {
    const Index reach = shifts.between * shifts.per_side;
    const auto parts = static_cast<size_t>(shared_.parts);
    std::vector<std::vector<Index>> by_part(2 * parts);  // of the first half, then of the second
    for (Index i = segment.begin + reach; i + reach < segment.end; ++i) {
      const double time = rows_at.joint.time(i);
      const std::int64_t row = rows_at.joint.grid_index[i] / shifts.stride;
      if (row % shifts.keep_every != 0 || time < rows_at.place.begin || time >= rows_at.place.end ||
          isLeftOut(rows_at.joint, log.source->plan(), i))
        continue;
      const bool later = log.source->recordedTime(time) > 0.5 * log.source->duration();
      by_part[partAt(*log.source, shared_.parts, time) + (later ? parts : 0)].push_back(i);
    }
    for (size_t part = 0; part < by_part.size(); ++part)
      for (Index a = actuators.begin; a < actuators.end; ++a) {
        const auto channel = static_cast<size_t>(a);
        std::vector<Index> moving;
        for (const Index i : by_part[part])
          if (rows_at.moves(i, a)) moving.push_back(i);
        if (!moving.empty())
          increments_.push_back(
              {channel, part % parts, part >= parts, momentsOf(shifts, channel, moving, efforts)});
      }
  }

  ShiftMoments momentsOf(const ShiftPlan& shifts,
                         size_t channel,
                         const std::vector<Index>& samples,
                         const MatrixXd& efforts) const {
    const auto rows = rows_[channel];
    const std::vector<Index>& coulomb = coulomb_[channel];
    const Index count = 2 * shifts.per_side + 1, p = rows.cols() + std::ssize(coulomb);
    MatrixXd both(std::ssize(samples), p + count);
    both.leftCols(rows.cols()) = rows(samples, Eigen::all);
    for (Index c = 0; c < std::ssize(coulomb); ++c)
      for (Index i = 0; i < both.rows(); ++i)
        both(i, rows.cols() + c) =
            rows(samples[i] + 1, coulomb[c]) - rows(samples[i] - 1, coulomb[c]);
    const auto effort = efforts.col(channel);
    for (Index k = 0; k < count; ++k) {
      const Index shift = (k - shifts.per_side) * shifts.between;
      for (Index i = 0; i < both.rows(); ++i) both(i, p + k) = effort(samples[i] + shift);
    }
    return {denseGram(both), static_cast<double>(both.rows())};
  }

  EquationRows equations_;
  std::vector<RowBuilder> builders_;
  std::vector<std::vector<Index>> coulomb_;
  DelayShared& shared_;
  PreslidingStates presliding_;
  RowBlock rows_;
  std::vector<Increment> increments_;
  FilterWorkspace workspace_;
};

/// All numbers, for a team that shares the windows out.
template <typename Visit>
void visitMoments(std::vector<DelayMoments>& logs, const Visit& visit) {
  for (DelayMoments& log : logs)
    for (auto* channels : {&log.channels, &log.later})
      for (std::vector<ShiftMoments>& channel : *channels)
        for (ShiftMoments& part : channel) visit(part);
}

void share(Team& team, std::vector<DelayMoments>& logs) {
  const auto take = [&](const std::vector<double>& numbers, double keep) {
    const double* at = numbers.data();
    visitMoments(logs, [&](ShiftMoments& part) {
      part.gram =
          keep * part.gram + Eigen::Map<const MatrixXd>(at, part.gram.rows(), part.gram.cols());
      at += part.gram.size();
      part.rows = keep * part.rows + *at++;
    });
  };
  combine(
      team,
      [&] {
        std::vector<double> numbers;
        visitMoments(logs, [&](ShiftMoments& part) {
          numbers.insert(numbers.end(), part.gram.data(), part.gram.data() + part.gram.size());
          numbers.push_back(part.rows);
        });
        return numbers;
      },
      [&](const std::vector<double>& other) { take(other, 1.0); },
      [&](const std::vector<double>& all) { take(all, 0.0); });
}

}  // namespace

std::vector<DelayMoments> gatherDelayMoments(const std::vector<LogRows>& logs,
                                             const EquationRows& rows,
                                             const WindowPass& pass,
                                             double range,
                                             int parts,
                                             const Progress& progress) {
  std::vector<DelayMoments> sums;
  DelayShared shared;
  shared.logs = &logs;
  shared.parts = parts;
  for (const LogRows& log : logs) {
    const ShiftPlan shifts = planShifts(log.source->plan(), range);
    DelayMoments moments;
    moments.shifts = 2 * shifts.per_side + 1;
    moments.step = shifts.step;
    moments.unrepeated = periodOf(*log.source) / log.source->duration();
    for (int a = 0; a < rows.numChannels(); ++a) {
      const Index size =
          std::ssize(rows.columns(a)) + std::ssize(coulombPlaces(rows, a)) + moments.shifts;
      moments.channels.emplace_back(parts, ShiftMoments{MatrixXd::Zero(size, size), 0.0});
      moments.parameters.push_back(rows.columns(a));
    }
    if (moments.unrepeated < 1.0 && rows.numChannels() <= kMostChannelsOfHalves)
      moments.later = moments.channels;
    shared.plans.push_back(shifts);
    sums.push_back(std::move(moments));
  }
  shared.sums = &sums;
  runWindows(
      windowTasks(sourcesOf(logs), pass),
      pass.threads,
      [&] { return std::make_unique<DelayGatherer>(rows.clone(), shared); },
      progress);
  if (pass.team != nullptr) share(*pass.team, sums);
  return sums;
}

}  // namespace dynid
