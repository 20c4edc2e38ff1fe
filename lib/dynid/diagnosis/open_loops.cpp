#include "dynid/diagnosis/open_loops.h"

#include "dynid/core/errors.h"
#include "dynid/diagnosis/hypothesis_score.h"
#include "dynid/diagnosis/hypothesis_search.h"
#include "dynid/diagnosis/mistake_text.h"
#include "dynid/recordings/closing_positions.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace dynid {
namespace {

using Eigen::Index;
using Kind = Mistake::Kind;

constexpr Index kClosedRows = 200;  // of the excerpt, at which loops are closed

/// A mistake of the positions, and the score with it undone.
struct OpeningMistake {
  Mistake mistake;
  double objective = 0.0;
  Eigen::VectorXd unexplained;
};

/// Rows of the excerpt, evenly spread.
Eigen::MatrixXd someRows(const Eigen::MatrixXd& rows) {
  const Index count = std::min(kClosedRows, rows.rows());
  Eigen::MatrixXd some(count, rows.cols());
  for (Index i = 0; i < count; ++i) some.row(i) = rows.row(i * rows.rows() / count);
  return some;
}

/// The mistakes that change the positions so, with and without the efforts of the same joints.
std::vector<Mistake> mistakesOf(const PositionChange& change) {
  switch (change.kind) {
    case PositionChange::Kind::kSign:
      return {{Kind::kPositionSign, change.joints}, {Kind::kAxisSign, change.joints}};
    case PositionChange::Kind::kExchange:
      return {{Kind::kPositionSwap, change.joints}, {Kind::kColumnSwap, change.joints}};
    case PositionChange::Kind::kTurn:
      break;
  }
  return {{Kind::kPositionZero, change.joints, change.angle}};
}

/// Empty where the loops do not close in a row of the excerpt.
std::optional<OpeningMistake> scored(const Mistake& mistake,
                                     const ChannelColumns& columns,
                                     const ChannelColumns& weightless,
                                     const LogExcerpt& excerpt,
                                     const Eigen::VectorXd& gains) {
  const Robot& robot = columns.robot();
  const ColumnMotion motion = undoneMotion(mistake, {excerpt.q, excerpt.dq, excerpt.ddq}, robot);
  try {
    const ChannelRows rows = columns.rows(motion);
    HypothesisScore score =
        scoreHypothesis(columns,
                        motionStatistics(columns, weightless, motion, rows, excerpt.fold),
                        effortStatistics(rows, excerpt.effort, excerpt.fold),
                        undoneEfforts(mistake, robot, gains),
                        gains.allFinite() ? EffortScale::kKnown : EffortScale::kUnknown,
                        true,
                        kMostRounds);
    return OpeningMistake{mistake, score.objective, std::move(score.unexplained)};
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// The mistakes with which undone the loops close at the positions, the best first.
std::vector<OpeningMistake> bestMistakes(const std::shared_ptr<const Robot>& robot,
                                         const Eigen::MatrixXd& positions,
                                         const LogExcerpt& excerpt,
                                         const Eigen::VectorXd& gains) {
  const ChannelColumns columns(robot, excerpt.efforts_of_drives);
  const ChannelColumns weightless(withGravity(*robot, Eigen::Vector3d::Zero()),
                                  excerpt.efforts_of_drives);
  std::vector<OpeningMistake> found;
  for (const PositionChange& change : changesThatClose(*robot, positions))
    for (const Mistake& mistake : mistakesOf(change))
      if (auto one = scored(mistake, columns, weightless, excerpt, gains))
        found.push_back(std::move(*one));
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.objective < b.objective;
  });
  if (!found.empty())
    std::erase_if(found, [least = found.front().objective](const OpeningMistake& one) {
      return one.objective > least + kTiedCertainty;
    });
  return found;
}

}  // namespace

bool explainOpenLoops(const std::shared_ptr<const Robot>& robot,
                      const LogExcerpt& excerpt,
                      const Eigen::VectorXd& gains,
                      Diagnosis& diagnosis) {
  if (robot->loops.empty()) return false;
  const Eigen::MatrixXd positions = someRows(excerpt.q);
  if (loopsCloseAt(*robot, positions)) return false;
  const std::vector<OpeningMistake> best = bestMistakes(robot, positions, excerpt, gains);
  if (best.empty()) return false;
  const std::vector<std::string> names = robot->logColumnNames();
  std::string statements, remedies;
  for (const OpeningMistake& one : best) {
    const std::string separator = statements.empty() ? "" : "; or ";
    statements += separator + statementOf(one.mistake, names);
    remedies += separator + remedyOf(one.mistake, names);
    diagnosis.correctable.push_back(one.mistake);
  }
  Index worst = 0;
  const double left = best.front().unexplained.maxCoeff(&worst);
  const Mistake& mistake = best.front().mistake;
  diagnosis.findings.push_back(
      {Finding::Severity::kRefuse,
       "diagnosis-" + codeOf(mistake.kind),
       mistake.joints.size() == 1 ? mistake.joints.front() : -1,
       fmt::format("it seems that {}: the loops of the robot do not close at the logged positions, "
                   "and close with that undone (the model then leaves at most {:.2g} % of the "
                   "variance of an effort unexplained, that of {})",
                   statements,
                   100.0 * left,
                   names[worst]),
       left,
       remedies});
  return true;
}

}  // namespace dynid
