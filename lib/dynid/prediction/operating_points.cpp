#include "dynid/prediction/operating_points.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/prediction/predict.h"
#include "dynid/recordings/log_source.h"

#include <algorithm>

namespace dynid {
namespace {

// Enough to distinguish errors of 1 and 2 %; 60 kB for seven joints
constexpr Eigen::Index kPoints = 200;
constexpr size_t kLogs = 8;             // bounds the time for large numbers of logs
constexpr std::int64_t kRows = 16'000;  // read per model, in whole windows

/// `count` evenly distributed indices below `size`.
std::vector<Eigen::Index> evenly(Eigen::Index size, Eigen::Index count) {
  std::vector<Eigen::Index> chosen;
  count = std::min(count, size);
  for (Eigen::Index i = 0; i < count; ++i) chosen.push_back((2 * i + 1) * size / (2 * count));
  return chosen;
}

/// Rounded to seven digits, so that the file contains the same number.
double rounded(double value) { return parseFinite(toText(value, 7)).value_or(value); }

/// One row per sample: q, dq, ddq, measured, predicted side by side.
using PointTable = std::vector<Eigen::RowVectorXd>;

void append(const PredictionBlock& block, PointTable& table) {
  if (block.measured.size() == 0) return;
  Eigen::MatrixXd rows(block.q.rows(), 5 * block.q.cols());
  rows << block.q, block.dq, block.ddq, block.measured, block.predicted;
  for (const auto& row : rows.rowwise())
    if (row.allFinite()) table.push_back(row);
}

OperatingPoints asPoints(const PointTable& table, Eigen::Index joints) {
  const std::vector<Eigen::Index> chosen = evenly(std::ssize(table), kPoints);
  Eigen::MatrixXd all(std::ssize(chosen), 5 * joints);
  for (Eigen::Index i = 0; i < all.rows(); ++i) all.row(i) = table[chosen[i]].unaryExpr(&rounded);
  const auto part = [&](Eigen::Index k) { return all.middleCols(k * joints, joints); };
  return {part(0), part(1), part(2), part(3), part(4)};
}

}  // namespace

OperatingPoints operatingPoints(const Model& model,
                                const std::vector<std::shared_ptr<const LogSource>>& logs,
                                int threads) {
  if (!model.status.usable || !model.scale_known) return {};
  std::vector<std::shared_ptr<const LogSource>> usable;
  for (const std::shared_ptr<const LogSource>& log : logs)
    if (log->input().payload.empty()) usable.push_back(log);
  const std::vector<Eigen::Index> chosen =
      evenly(std::ssize(usable), static_cast<Eigen::Index>(kLogs));
  PointTable table;
  PredictionExtras extras;
  extras.at_effort_time = true;
  extras.max_rows = kRows / std::max<std::int64_t>(1, std::ssize(chosen));
  const auto sink = [&](const PredictionBlock& block) { append(block, table); };
  try {
    for (const Eigen::Index i : chosen) predictSource(model, *usable[i], threads, sink, {}, extras);
  } catch (const InputError&) {
    return {};  // the log is suitable for identification but not for predictions
  }
  return asPoints(table, model.robot->numJoints());
}

void addOperatingPoints(Identification& result, int threads) {
  result.model.operating_points = operatingPoints(result.model, result.sources, threads);
}

}  // namespace dynid
