#include "dynid/signals/row_order.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

namespace dynid {

namespace {

using Eigen::Index;

constexpr double kCorrupt = 1e12;

/// Rows whose time, position, effort and required channels are usable, checked column by column.
std::vector<Index> usableRows(const RawSignals& window) {
  const Index n = window.rows();
  std::vector<const double*> columns = {window.time.data()};
  for (const Eigen::MatrixXd* channel : {&window.position, &window.effort, &window.required})
    for (Index c = 0; c < channel->cols(); ++c) columns.push_back(channel->col(c).data());
  // The magnitudes of doubles, read as integers, are ordered like the numbers, with Inf and NaN
  // above all others. The result is negative for NaN, Inf and corrupt values. Unlike comparisons of
  // doubles, this vectorises on every processor.
  const auto left = [](double x) {
    constexpr auto kMagnitude = std::numeric_limits<std::int64_t>::max();
    return std::bit_cast<std::int64_t>(kCorrupt) - 1 -
           (std::bit_cast<std::int64_t>(x) & kMagnitude);
  };
  std::erase_if(columns, [&](const double* x) {  // the column is usable in every row
    std::int64_t signs = 0;
    for (Index k = 0; k < n; ++k) signs |= left(x[k]);
    return signs >= 0;
  });
  std::vector<Index> rows(n);
  std::iota(rows.begin(), rows.end(), 0);
  if (columns.empty()) return rows;
  std::erase_if(rows, [&](Index k) {
    return !std::all_of(
        columns.begin(), columns.end(), [&](const double* x) { return left(x[k]) >= 0; });
  });
  return rows;
}

/// Longest nondecreasing subsequence of the stamps (patience sorting, O(N log N)).
std::vector<Index> longestOrdered(const RawSignals& window, std::vector<Index> rows) {
  if (std::is_sorted(rows.begin(), rows.end(), [&](Index a, Index b) {
        return window.time(a) < window.time(b);
      }))
    return rows;
  std::vector<std::size_t> tails, before(rows.size());
  const auto stamp = [&](std::size_t i) { return window.time(rows[i]); };
  constexpr auto kNone = static_cast<std::size_t>(-1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto place =
        tails.empty() || stamp(tails.back()) <= stamp(i)
            ? tails.end()
            : std::upper_bound(tails.begin(), tails.end(), stamp(i), [&](double t, std::size_t j) {
                return t < stamp(j);
              });
    before[i] = place == tails.begin() ? kNone : *(place - 1);
    if (place == tails.end())
      tails.push_back(i);
    else
      *place = i;
  }
  std::vector<Index> ordered(tails.size());
  std::size_t i = tails.empty() ? kNone : tails.back();
  for (std::size_t k = tails.size(); k-- > 0; i = before[i]) ordered[k] = rows[i];
  return ordered;
}

}  // namespace

bool isUsable(double value) { return std::abs(value) < kCorrupt; }

std::vector<Index> unusableRows(const Eigen::Ref<const Eigen::MatrixXd>& channel) {
  std::vector<Index> rows;
  for (Index k = 0; k < channel.rows(); ++k)
    if (!channel.row(k).unaryExpr(&isUsable).all()) rows.push_back(k);
  return rows;
}

OrderedRows orderRows(const RawSignals& window) {
  OrderedRows result;
  result.counts.read = window.rows();
  std::vector<Index> usable = usableRows(window);
  const auto count = std::ssize(usable);
  result.counts.not_finite = window.rows() - count;
  result.rows = longestOrdered(window, std::move(usable));
  result.counts.backward = count - std::ssize(result.rows);
  return result;
}

std::vector<Segment> splitAtGaps(const RawSignals& window,
                                 const std::vector<Index>& rows,
                                 double max_gap) {
  std::vector<Segment> segments;
  const auto n = std::ssize(rows);
  Index begin = 0;
  for (Index k = 1; k <= n; ++k) {
    if (k == n || window.time(rows[k]) - window.time(rows[k - 1]) > max_gap) {
      if (k > begin) segments.push_back({begin, k});
      begin = k;
    }
  }
  return segments;
}

std::string stampUnitRemedy(double stamp) {
  if (!(stamp >= 1e11) || !(stamp < 1e20)) return "";
  const std::string unit = stamp < 1e14 ? "ms" : stamp < 1e17 ? "us" : "ns";
  const std::string name = stamp < 1e14 ? "milli" : stamp < 1e17 ? "micro" : "nano";
  return name + "seconds since 1970? give the attribute unit = \"" + unit +
         "\" of /time, or [time] unit in the import mapping";
}

}  // namespace dynid
