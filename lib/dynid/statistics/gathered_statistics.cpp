#include "dynid/statistics/gathered_statistics.h"

#include "dynid/equations/structure.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

bool close(double x, double y) {
  return std::abs(x - y) <= 1e-12 * std::max(std::abs(x), std::abs(y));
}

void addMapped(const TriangularFactor& recorded,
               const Eigen::MatrixXd& map,
               TriangularFactor& sum) {
  if (recorded.rows() == 0.0) return;
  sum.merge(TriangularFactor::fromRows(recorded.R() * map, recorded.rows()));
}

// Calls `add(block, target)` for every recorded block and the block of the sum to which it belongs,
// where stretch s has count[s] blocks starting at first[s]. Block lengths are powers of two, so
// each block of the sum consists of whole recorded blocks.
template <class Add>
void forBlocks(const GatheredStatistics& gathered,
               const std::vector<int>& first,
               const std::vector<int>& count,
               const Add& add) {
  size_t block = 0;
  for (size_t s = 0; s < first.size(); ++s) {
    const int of_stretch = blocksOf(gathered.stretch_durations[s], gathered.block_s);
    for (int b = 0; b < of_stretch; ++b, ++block) {
      int to = b;
      for (int n = of_stretch; n > count[s] && n > 1; n /= 2) to /= 2;
      add(block, first[s] + std::min(to, count[s] - 1));
    }
  }
}

}  // namespace

int blocksOf(double duration, double block_s) {
  // Limit of the conversion to int; planBlocks starts with blocks of a microsecond
  constexpr double kMost = 1e9;
  return static_cast<int>(std::clamp(std::floor(duration / block_s), 1.0, kMost));
}

BlockPlan planBlocks(const std::vector<double>& durations,
                     int blocks,
                     double at_least_s,
                     double piece_s) {
  constexpr int kFiner = 4;
  double longest = 0.0;
  for (double duration : durations) longest = std::max(longest, duration);
  const auto total = [&](double block_s) {
    std::int64_t count = 0;
    for (double duration : durations) count += blocksOf(duration, block_s);
    return count;
  };
  BlockPlan plan;
  plan.block_s = std::ldexp(1.0, -20);  // shorter than the sample period of any log
  while (plan.block_s < at_least_s || (total(plan.block_s) > blocks && plan.block_s <= longest))
    plan.block_s *= 2.0;
  while (plan.block_s > piece_s && plan.block_s >= 2.0 * at_least_s &&
         total(0.5 * plan.block_s) <= std::int64_t{kFiner} * blocks)
    plan.block_s *= 0.5;
  const auto stretches = static_cast<int>(durations.size());
  const int sharing = (stretches + blocks - 1) / blocks;
  for (int i = 0; i < stretches; ++i) {
    plan.count.push_back(blocksOf(durations[i], plan.block_s));
    plan.first.push_back(sharing > 1 ? i / sharing : plan.blocks);
    plan.blocks = plan.first.back() + plan.count.back();
  }
  return plan;
}

bool sameColumn(const Column& x, const Column& y) {
  if (x.kind != y.kind || x.component != y.component) return false;
  if (x.kind == ColumnKind::kPayload) return x.name == y.name && x.carrier == y.carrier;
  if (x.owner != y.owner || x.at_joint != y.at_joint) return false;
  if (x.kind == ColumnKind::kPosition) return x.position_effect == y.position_effect;
  if (!x.isFriction()) return true;
  return x.effect == y.effect && close(x.shape, y.shape) && close(x.presliding, y.presliding) &&
         close(x.smoothing, y.smoothing);
}

bool someLogWithoutPayload(const GatheredStatistics& gathered) {
  return std::any_of(gathered.logs.begin(), gathered.logs.end(), [](const GatheredLog& log) {
    return log.payload < 0;
  });
}

bool sameRecording(const GatheredStatistics& a, const GatheredStatistics& b) {
  const auto same_columns = [&](const ChannelStatistics& x, const ChannelStatistics& y) {
    return x.columns == y.columns;
  };
  bool same = a.layout.size() == b.layout.size() && a.payloads.empty() && b.payloads.empty() &&
              a.currents == b.currents && a.filter_order == b.filter_order &&
              a.still_speed == b.still_speed &&
              std::equal(a.statistics.channels.begin(),
                         a.statistics.channels.end(),
                         b.statistics.channels.begin(),
                         b.statistics.channels.end(),
                         same_columns);
  for (int c = 0; same && c < a.layout.size(); ++c) same = sameColumn(a.layout[c], b.layout[c]);
  return same;
}

void addFactors(const GatheredStatistics& gathered,
                const std::vector<int>& first,
                const std::vector<int>& count,
                Statistics& sum) {
  for (size_t a = 0; a < sum.channels.size(); ++a) {
    const ChannelStatistics& recorded = gathered.statistics.channels[a];
    ChannelStatistics& channel = sum.channels[a];
    forBlocks(gathered, first, count, [&](size_t block, size_t target) {
      channel.moving[target].merge(recorded.moving[block]);
      channel.standstill[target].merge(recorded.standstill[block]);
    });
  }
}

StatisticsView::StatisticsView(const std::shared_ptr<const Robot>& robot,
                               const GatheredStatistics& gathered)
    : gathered_(gathered) {
  const auto use = [&](const BaseKnowledge& knowledge) {
    const BaseParameters base =
        structuralBase(robot,
                       gathered.layout,
                       distinctPlacements(gathered.payloads, someLogWithoutPayload(gathered)),
                       {},
                       knowledge);
    independent_ = base.independent;
    combination_ = base.combination();
  };
  use({});
  if (!robot->floating_base || columnOfAnotherBase().empty()) return;
  base_moves_ = true;
  use({.moves = true});
}

std::string StatisticsView::columnOfAnotherBase() const {
  for (const ChannelStatistics& channel : gathered_.statistics.channels)
    for (const int column : channel.columns) {
      const bool inertial = gathered_.layout[column].kind == ColumnKind::kInertial;
      if (inertial &&
          std::find(independent_.begin(), independent_.end(), column) == independent_.end())
        return gathered_.layout[column].name;
    }
  return "";
}

int StatisticsView::find(const Column& column) const {
  for (int c = 0; c < gathered_.layout.size(); ++c)
    if (sameColumn(gathered_.layout[c], column)) return c;
  return -1;
}

bool StatisticsView::has(const Column& column, const Eigen::VectorXd& still_speed) const {
  const int found = find(column);
  if (found < 0) return column.kind == ColumnKind::kPayload;
  return !column.hasRamp() || close(gathered_.still_speed(column.owner), still_speed(column.owner));
}

Eigen::MatrixXd StatisticsView::mapOf(const ChannelStatistics& recorded,
                                      const std::vector<int>& columns,
                                      const ParameterLayout& layout) const {
  const auto rows = std::ssize(recorded.columns);
  const auto cols = std::ssize(columns);
  Eigen::MatrixXd map = Eigen::MatrixXd::Zero(rows + 1, cols + 1);
  map(rows, cols) = 1.0;
  const auto position = [&](int column) {
    const auto at = std::lower_bound(recorded.columns.begin(), recorded.columns.end(), column);
    const bool there = at != recorded.columns.end() && *at == column;
    return there ? at - recorded.columns.begin() : Eigen::Index{-1};
  };
  for (Eigen::Index c = 0; c < cols; ++c) {
    const int wanted = find(layout[columns[c]]);
    if (wanted < 0) continue;  // payload of another log: zero here
    if (const Eigen::Index at = position(wanted); at >= 0) {
      map(at, c) = 1.0;
      continue;
    }
    for (size_t i = 0; i < independent_.size(); ++i)
      if (const Eigen::Index at = position(independent_[i]); at >= 0)
        map(at, c) = combination_(i, wanted);
  }
  return map;
}

void StatisticsView::addTo(Statistics& sum,
                           const ParameterLayout& layout,
                           const Eigen::VectorXd& to_effort,
                           const std::vector<int>& first,
                           const std::vector<int>& count) const {
  for (size_t a = 0; a < sum.channels.size(); ++a) {
    const ChannelStatistics& recorded = gathered_.statistics.channels[a];
    ChannelStatistics& channel = sum.channels[a];
    Eigen::MatrixXd map = mapOf(recorded, channel.columns, layout);
    map.rightCols<1>() *= to_effort(a);
    forBlocks(gathered_, first, count, [&](size_t block, size_t target) {
      addMapped(recorded.moving[block], map, channel.moving[target]);
      addMapped(recorded.standstill[block], map, channel.standstill[target]);
    });
  }
}

}  // namespace dynid
