#include "dynid/signals/rebuild.h"

#include "dynid/math/quantile.h"
#include "dynid/signals/held_rows.h"
#include "dynid/signals/row_order.h"
#include "dynid/signals/ticks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace dynid {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::size_t at(Index k) { return static_cast<std::size_t>(k); }

MatrixXd positionsOf(const RawSignals& window, const std::vector<Index>& rows) {
  MatrixXd Q(std::ssize(rows), window.joints());
  for (Index k = 0; k < Q.rows(); ++k) Q.row(k) = window.position.row(rows[at(k)]);
  return Q;
}

VectorXd stampsOf(const RawSignals& window, const std::vector<Index>& rows) {
  VectorXd time(std::ssize(rows));
  for (Index k = 0; k < time.size(); ++k) time(k) = window.time(rows[at(k)]);
  return time;
}

/// The rows without held rows and, if the stamps are taken as time, without rows whose stamp does
/// not advance.
std::vector<Index> freshRows(const RawSignals& window,
                             const ClockModel& model,
                             std::vector<Index> rows,
                             RowCounts& counts) {
  if (model.drop_repeated) {
    const std::vector<bool> held =
        heldRows(positionsOf(window, rows), model.resolution, model.usual_hold);
    std::vector<Index> fresh;
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (!held[k]) fresh.push_back(rows[k]);
    counts.repeated += static_cast<Index>(rows.size() - fresh.size());
    rows = std::move(fresh);
  }
  if (model.drop_duplicates || model.kind == ClockKind::kIrregular) {
    const double least = model.kind == ClockKind::kUniform ? 0.5 * model.step : 0.0;
    std::vector<Index> advancing;
    for (const Index row : rows)
      if (advancing.empty() || window.time(row) - window.time(advancing.back()) > least)
        advancing.push_back(row);
    counts.duplicate_time += static_cast<Index>(rows.size() - advancing.size());
    rows = std::move(advancing);
  }
  return rows;
}

/// Rebuilt times of the rows of one stretch.
VectorXd timesOf(const RawSignals& window,
                 const ClockModel& model,
                 const std::vector<Index>& rows) {
  VectorXd stamps = stampsOf(window, rows);
  if (model.kind == ClockKind::kIrregular) return stamps;
  const VectorXd ticks =
      model.kind == ClockKind::kQuantised
          ? ticksFromMotion(stamps, positionsOf(window, rows), model.noise, model.step)
          : ticksFromStamps(stamps, model.step, model.stamp_width);
  // Number of ticks between the origin and the first row of the stretch: the median over all rows,
  // or the mean over the rows that share stamps, which are all off by much.
  VectorXd offsets = (stamps - model.step * ticks).array() - model.origin;
  const auto whole = [&](double offset) { return std::round(offset / model.step); };
  double first = whole(offsets.minCoeff());
  if (first != whole(offsets.maxCoeff())) {
    first =
        whole(model.stamp_width > 0.0 ? offsets.mean() : median({offsets.begin(), offsets.end()}));
  }
  return model.origin + model.step * (ticks.array() + first);
}

/// Times of dropped rows: their distance in stamps from the kept row before (or the first one
/// after).
void fillRowTimes(const RawSignals& window, const ClockModel& model, RebuiltClock& clock) {
  if (std::ssize(clock.rows) == window.rows()) {
    clock.row_time = clock.time;
    return;
  }
  clock.row_time = VectorXd::Constant(window.rows(), std::numeric_limits<double>::quiet_NaN());
  if (clock.rows.empty()) return;
  std::size_t k = 0;
  for (Index row = 0; row < window.rows(); ++row) {
    while (k + 1 < clock.rows.size() && clock.rows[k + 1] <= row) ++k;
    const Index kept = clock.rows[k];
    if (!std::isfinite(window.time(row))) continue;
    double since = window.time(row) - window.time(kept);
    // With a quantised clock, a repeated row is the same packet received twice.
    if (model.kind == ClockKind::kQuantised && row > kept && since < model.max_gap &&
        window.position.row(row) == window.position.row(kept))
      since = 0.0;
    clock.row_time(row) = clock.time(k) + since;
  }
}

}  // namespace

RebuiltClock rebuildClock(const RawSignals& window, const ClockModel& model) {
  window.check();
  if (model.noise.size() != window.joints())
    throw std::invalid_argument("a window of " + std::to_string(window.joints()) +
                                " joints, clock of " + std::to_string(model.noise.size()) +
                                "; expected the same");
  RebuiltClock clock;
  OrderedRows ordered = orderRows(window);
  clock.counts = ordered.counts;
  std::vector<double> times;
  for (const Segment part : splitAtGaps(window, ordered.rows, model.max_gap)) {
    const std::vector<Index> rows =
        freshRows(window,
                  model,
                  {ordered.rows.begin() + part.begin, ordered.rows.begin() + part.end},
                  clock.counts);
    const VectorXd time = timesOf(window, model, rows);
    // If the ticks of two stretches overlap (stamps far off the clock), the start of the later
    // stretch is dropped.
    Index begin = 0;
    while (begin < time.size() && !times.empty() && time(begin) <= times.back()) ++begin;
    clock.counts.duplicate_time += begin;
    if (begin == time.size()) continue;
    clock.segments.push_back({std::ssize(times), std::ssize(times) + time.size() - begin});
    times.insert(times.end(), time.data() + begin, time.data() + time.size());
    clock.rows.insert(clock.rows.end(), rows.begin() + begin, rows.end());
  }
  clock.time = Eigen::Map<const VectorXd>(times.data(), std::ssize(times));
  clock.counts.kept = std::ssize(clock.rows);
  fillRowTimes(window, model, clock);
  return clock;
}

}  // namespace dynid
