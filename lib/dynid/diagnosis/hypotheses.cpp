#include "dynid/diagnosis/hypotheses.h"

#include "dynid/core/errors.h"
#include "dynid/core/parallel.h"
#include "dynid/diagnosis/diagnosis.h"
#include "dynid/diagnosis/effort_delay.h"
#include "dynid/diagnosis/hypothesis_search.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

using Eigen::Index;
using Kind = Mistake::Kind;

constexpr int kRetried = 3;
constexpr double kWorthRetrying = 0.5;
// Robots with more joints: a pair of joints is tried only if more than a share of the variance of
// one of them is unexplained. Exchanged columns leave more than that, and trying all pairs would
// take most of the time.
constexpr Index kJointsForAllPairs = 12;
constexpr double kPairExplained = 0.03;

// Where the plain model explains every effort, mistakes that only the description contradicts are
// looked for if the description explains this share of the joints that move (rounded down, one at
// least), fewer than are needed to name one (TriedHypothesis::certainty), because a mistake hides
// some: else it is wrong.
constexpr double kMostlyDescribed = 0.4;

}  // namespace

HypothesisSearch::HypothesisSearch(std::shared_ptr<const Robot> robot,
                                   const LogExcerpt& excerpt,
                                   const Eigen::VectorXd& gains,
                                   int threads)
    : robot_(std::move(robot)),
      excerpt_(excerpt),
      threads_(threads),
      scale_(gains.allFinite() ? EffortScale::kKnown : EffortScale::kUnknown),
      gains_(gains),
      columns_(robot_, excerpt.efforts_of_drives),
      weightless_(withGravity(*robot_, Eigen::Vector3d::Zero()), excerpt.efforts_of_drives),
      n_(columns_.channels()),
      effort_(excerpt.effort) {}

HypothesisResults HypothesisSearch::run() {
  results_.coarse = excerpt_.anyCoarse();
  rows_ = columns_.rows(motion());
  const ChannelRows& rows = rows_;
  ++passes_;
  base_.motion = motionStatistics(columns_, weightless_, motion(), rows, excerpt_.fold);
  const ChannelDelay delay =
      findEffortDelay(columns_, base_.motion, rows, excerpt_, asLogged(n_), scale_, threads_);
  results_.effort_delay = delay.of_channel;
  results_.effort_delay_gain = delay.channel_gain;
  results_.delay_gain = delay.gain;
  results_.common_delay = delay.common;
  if (!delay.of_channel.isZero(0.0)) effort_ = effortLaterBy(excerpt_, delay.of_channel);
  base_.effort = effortStatistics(rows, effort_, excerpt_.fold);
  results_.as_logged = score(base_, columns_, asLogged(n_), true, kMostRounds);
  screened_ = scale_ == EffortScale::kKnown
                  ? results_.as_logged
                  : score(base_, columns_, asLogged(n_), true, kFewRounds);
  if (scale_ == EffortScale::kKnown)
    described_ = scoreDescribed(columns_, base_.motion, base_.effort, asLogged(n_));
  if (results_.as_logged.objective - smallestObjective(n_) < kSmallestGain &&
      !descriptionContradicts()) {
    tryPhysics();
    return finished();
  }
  std::vector<Task> tasks = effortTasks();
  tasks.push_back([this] { return tryLongDelays(-1); });
  // An effort that leaves less cannot gain what a delay needs to be named.
  for (int c = 0; c < static_cast<int>(n_); ++c)
    if (std::log(results_.as_logged.unexplained(c) / kLeastUnexplained) > kPlainCertainty)
      tasks.push_back([this, c] { return tryLongDelays(c); });
  for (Task& task : motionTasks()) tasks.push_back(std::move(task));
  for (Task& task : descriptionTasks()) tasks.push_back(std::move(task));
  runAll(tasks);
  sortTried();
  retryBest();
  sortTried();
  refineZero();
  tryPhysics();
  return finished();
}

HypothesisResults HypothesisSearch::finished() {
  results_.passes = passes_;
  results_.loops_not_closed = loops_not_closed_;
  return std::move(results_);
}

void HypothesisSearch::runAll(const std::vector<Task>& tasks) {
  std::vector<std::vector<TriedHypothesis>> found(tasks.size());
  parallelFor(static_cast<int>(tasks.size()), threads_, [&](int i) { found[i] = tasks[i](); });
  for (std::vector<TriedHypothesis>& some : found)
    for (TriedHypothesis& hypothesis : some) results_.tried.push_back(std::move(hypothesis));
}

void HypothesisSearch::sortTried() {
  std::stable_sort(results_.tried.begin(), results_.tried.end(), [](const auto& a, const auto& b) {
    return a.certainty() != b.certainty() ? a.certainty() > b.certainty() : a.gain > b.gain;
  });
}

HypothesisSearch::DelayedPass HypothesisSearch::passWithOwnDelays(
    const ColumnMotion& motion, const EffortAssignment& assignment, int threads) {
  ++passes_;
  const ChannelRows rows = columns_.rows(motion);
  DelayedPass found{{motionStatistics(columns_, weightless_, motion, rows, excerpt_.fold), {}}, {}};
  const ChannelDelay delay =
      findEffortDelay(columns_, found.pass.motion, rows, excerpt_, assignment, scale_, threads);
  found.delay = ofSources(delay.of_channel, assignment);
  found.pass.effort = effortStatistics(rows, effortLaterBy(excerpt_, found.delay), excerpt_.fold);
  return found;
}

void HypothesisSearch::retryBest() {
  std::vector<TriedHypothesis*> best;
  for (TriedHypothesis& tried : results_.tried)
    if (!isOfDescription(tried.mistake) && tried.mistake.kind != Kind::kNoGravity &&
        tried.mistake.kind != Kind::kEffortDelay && tried.mistake.kind != Kind::kPositionDelay)
      best.push_back(&tried);
  std::stable_sort(
      best.begin(), best.end(), [](const auto* a, const auto* b) { return a->gain > b->gain; });
  best.resize(std::min<size_t>(best.size(), kRetried));
  for (TriedHypothesis* first_try : best) {
    if (first_try->gain < kWorthRetrying) break;
    const EffortAssignment assignment = undoneEfforts(first_try->mistake, *robot_, gains_);
    const DelayedPass found = passWithOwnDelays(undone(first_try->mistake), assignment, threads_);
    const TriedHypothesis again = tried(first_try->mistake, found.pass, columns_, assignment);
    if (again.gain > first_try->gain) *first_try = again;
  }
}

void HypothesisSearch::refineZero() {
  if (results_.tried.empty() || results_.tried.front().mistake.kind != Kind::kPositionZero ||
      results_.tried.front().certainty() == 0.0)
    return;
  for (const double step : {3.5, 1.7, 0.9, 0.45}) {
    const Mistake centre = results_.tried.front().mistake;
    for (const double sign : {1.0, -1.0}) {
      Mistake beside = centre;
      beside.value += sign * step * kDegree;
      const auto hypothesis = triedMotion(beside);
      if (hypothesis && explainsMore(*hypothesis, results_.tried.front()))
        results_.tried.front() = *hypothesis;
    }
  }
}

ColumnMotion HypothesisSearch::motion() const { return {excerpt_.q, excerpt_.dq, excerpt_.ddq}; }

HypothesisScore HypothesisSearch::score(const MotionPass& pass,
                                        const ChannelColumns& columns,
                                        const EffortAssignment& assignment,
                                        bool constrained,
                                        int gain_rounds) const {
  return scoreHypothesis(
      columns, pass.motion, pass.effort, assignment, scale_, constrained, gain_rounds);
}

MotionPass HypothesisSearch::passOf(const ChannelColumns& columns, const ColumnMotion& motion) {
  return passOf(columns, weightless_, motion);
}

MotionPass HypothesisSearch::passOf(const ChannelColumns& columns,
                                    const ChannelColumns& weightless,
                                    const ColumnMotion& motion) {
  ++passes_;
  const ChannelRows rows = columns.rows(motion);
  return {motionStatistics(columns, weightless, motion, rows, excerpt_.fold),
          effortStatistics(rows, effort_, excerpt_.fold)};
}

TriedHypothesis HypothesisSearch::tried(const Mistake& mistake,
                                        const MotionPass& pass,
                                        const ChannelColumns& columns,
                                        const EffortAssignment& assignment) const {
  TriedHypothesis hypothesis{mistake, 0.0, 0.0, {}, 0};
  for (const bool refined : {false, true}) {
    const HypothesisScore& logged = refined ? results_.as_logged : screened_;
    const HypothesisScore corrected =
        score(pass, columns, assignment, refined, refined ? kMostRounds : kFewRounds);
    hypothesis.gain = logged.objective - corrected.objective;
    hypothesis.gravity_gain = logged.gravity_prior - corrected.gravity_prior;
    hypothesis.unexplained = corrected.unexplained;
    // What a delay leaves shows in every part of the log, if only a little in some.
    hypothesis.folds =
        foldsThatGain(logged,
                      corrected,
                      mistake.kind == Kind::kPositionDelay ? kLeastOfDelays : kLeastUnexplained);
    if (hypothesis.gain < kWorthRefining) break;
  }
  if (described_.known()) {
    const DescribedScore corrected = scoreDescribed(columns, pass.motion, pass.effort, assignment);
    hypothesis.described_gain = describedGain(described_, corrected);
    hypothesis.described_before = described_.unexplained;
    hypothesis.described_after = corrected.unexplained;
  }
  return hypothesis;
}

bool HypothesisSearch::worthAWarning() const {
  return results_.as_logged.objective - smallestObjective(n_) >= kWarnCertainty;
}

bool HypothesisSearch::descriptionContradicts() const {
  if (!described_.known()) return false;
  const double moving = base_.motion.moves.sum();
  const auto explained = static_cast<double>(
      ((base_.motion.moves > 0.0) && (described_.unexplained.array() < kExplainedByDescription))
          .count());
  const double gain = described_.objective - moving * std::log(kDescribedFloor);
  return gain > kDescribedCertainty &&
         explained >= std::max(1.0, std::floor(kMostlyDescribed * moving));
}

bool HypothesisSearch::worthAPair(Index i, Index j) const {
  const Eigen::VectorXd& unexplained = results_.as_logged.unexplained;
  return n_ <= kJointsForAllPairs || std::max(unexplained(i), unexplained(j)) > kPairExplained;
}

ColumnMotion HypothesisSearch::undone(const Mistake& mistake) const {
  return undoneMotion(mistake, motion(), *robot_);
}

TriedHypothesis HypothesisSearch::triedEffort(const Mistake& mistake) const {
  return tried(mistake, base_, columns_, undoneEfforts(mistake, *robot_, gains_));
}

std::optional<TriedHypothesis> HypothesisSearch::triedMotion(const Mistake& mistake) {
  try {
    return tried(mistake, passOf(columns_, undone(mistake)), columns_, asLogged(n_));
  } catch (const InputError&) {  // the loops of the robot do not close in this motion
    ++loops_not_closed_;
    return std::nullopt;
  }
}

std::shared_ptr<const Robot> withGravity(const Robot& robot, const Eigen::Vector3d& gravity) {
  auto changed = std::make_shared<Robot>(robot);
  changed->gravity = gravity;
  return changed;
}

HypothesisResults tryHypotheses(const std::shared_ptr<const Robot>& robot,
                                const LogExcerpt& excerpt,
                                const Eigen::VectorXd& gains,
                                int threads) {
  HypothesisResults results = HypothesisSearch(robot, excerpt, gains, threads).run();
  const Index named = namedHypothesis(results);
  if (excerpt.second_fold.empty() || named < 0) return results;
  LogExcerpt other = excerpt;
  other.fold = excerpt.second_fold;
  const HypothesisResults again = HypothesisSearch(robot, other, gains, threads).run();
  const Index named_again = namedHypothesis(again);
  const Mistake& mistake = results.tried[named].mistake;
  results.confirmed = named_again >= 0 && again.tried[named_again].mistake.kind == mistake.kind &&
                      again.tried[named_again].mistake.joints == mistake.joints;
  return results;
}

}  // namespace dynid
