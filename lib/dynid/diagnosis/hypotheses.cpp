#include "dynid/diagnosis/hypotheses.h"

#include "dynid/core/errors.h"
#include "dynid/core/parallel.h"
#include "dynid/diagnosis/cheapest_assignment.h"
#include "dynid/diagnosis/diagnosis.h"
#include "dynid/diagnosis/effort_delay.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

namespace dynid {
namespace {

using Eigen::Index;
using Kind = Mistake::Kind;

constexpr double kWorthRefining = 0.3;
constexpr double kSmallTilt = 0.5;  // cosine
// A tilt must explain the efforts better than the axis of the root link next to it: a robot stands,
// hangs or is on a wall more often than not.
constexpr double kTiltGain = 0.1;
constexpr int kSecondLooks = 3;
constexpr double kWorthASecondLook = 0.5;
// With more joints, pairs of joints are tried only where one of the two is not explained to this
// share: wrong columns leave more, and pairs would take most of the time.
constexpr Index kJointsForAllPairs = 12;
constexpr double kPairExplained = 0.03;
constexpr double kShortestLongDelay = 0.08, kLongestDelay = 0.5;  // [s]

/// A motion hypothesis after its pass.
struct MotionPass {
  MotionStatistics motion;
  EffortStatistics effort;
};

std::shared_ptr<const Robot> withGravity(const Robot& robot, const Eigen::Vector3d& gravity) {
  auto changed = std::make_shared<Robot>(robot);
  changed->gravity = gravity;
  return changed;
}

int movedPlaces(const std::vector<int>& order) {
  int moved = 0;
  for (int i = 0; i < std::ssize(order); ++i) moved += order[i] != i;
  return moved;
}

/// Computes some hypotheses; several threads may do so at a time.
using Task = std::function<std::vector<TriedHypothesis>()>;

class HypothesisSearch {
 public:
  HypothesisSearch(std::shared_ptr<const Robot> robot,
                   const LogExcerpt& excerpt,
                   const Eigen::VectorXd& gains,
                   int threads)
      : robot_(std::move(robot)),
        excerpt_(excerpt),
        threads_(threads),
        scale_(gains.allFinite() ? EffortScale::kKnown : EffortScale::kUnknown),
        gains_(gains),
        columns_(robot_),
        weightless_(withGravity(*robot_, Eigen::Vector3d::Zero())),
        n_(columns_.channels()),
        effort_(excerpt.effort) {}

  HypothesisResults run() {
    for (Index c = 0; c < n_; ++c) results_.coarse |= excerpt_.isCoarse(c);
    rows_ = columns_.rows(motion());
    const std::vector<Eigen::MatrixXd>& rows = rows_;
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
    results_.as_logged = score(base_, columns_, asLogged(n_), true);
    if (results_.as_logged.objective - smallestObjective(n_) < kSmallestGain) return finished();
    std::vector<Task> tasks = effortTasks();
    tasks.push_back([this] { return tryLongDelays(); });
    for (Task& task : motionTasks()) tasks.push_back(std::move(task));
    runAll(tasks);
    sortTried();
    lookAgain();
    sortTried();
    refineZero();
    return finished();
  }

 private:
  HypothesisResults finished() {
    results_.passes = passes_;
    results_.loops_not_closed = loops_not_closed_;
    return std::move(results_);
  }

  void runAll(const std::vector<Task>& tasks) {
    std::vector<std::vector<TriedHypothesis>> found(tasks.size());
    parallelFor(static_cast<int>(tasks.size()), threads_, [&](int i) { found[i] = tasks[i](); });
    for (std::vector<TriedHypothesis>& some : found)
      for (TriedHypothesis& hypothesis : some) results_.tried.push_back(std::move(hypothesis));
  }

  void sortTried() {
    std::stable_sort(
        results_.tried.begin(), results_.tried.end(), [](const auto& a, const auto& b) {
          return a.certainty() != b.certainty() ? a.certainty() > b.certainty() : a.gain > b.gain;
        });
  }

  /// The corrected delays were estimated from the log as it is, and a mistake changes these
  /// estimates. The best hypotheses are therefore fitted again with delays that are estimated with
  /// their mistake undone.
  void lookAgain() {
    std::vector<TriedHypothesis*> best;
    for (TriedHypothesis& tried : results_.tried)
      if (tried.mistake.kind != Kind::kGravity && tried.mistake.kind != Kind::kNoGravity &&
          tried.mistake.kind != Kind::kEffortDelay)
        best.push_back(&tried);
    std::stable_sort(
        best.begin(), best.end(), [](const auto* a, const auto* b) { return a->gain > b->gain; });
    best.resize(std::min<size_t>(best.size(), kSecondLooks));
    for (TriedHypothesis* own : best) {
      if (own->gain < kWorthASecondLook) break;
      const EffortAssignment assignment = undoneEfforts(own->mistake, *robot_, gains_);
      const ColumnMotion changed = undone(own->mistake);
      const std::vector<Eigen::MatrixXd> rows = columns_.rows(changed);
      ++passes_;
      MotionPass pass{motionStatistics(columns_, weightless_, changed, rows, excerpt_.fold), {}};
      const ChannelDelay delay =
          findEffortDelay(columns_, pass.motion, rows, excerpt_, assignment, scale_, threads_);
      pass.effort = effortStatistics(
          rows, effortLaterBy(excerpt_, ofSources(delay.of_channel, assignment)), excerpt_.fold);
      const TriedHypothesis again = tried(own->mistake, pass, columns_, assignment);
      if (again.gain > own->gain) *own = again;
    }
  }

  /// The zero position that is named, to half a degree: it may be undone (findAssumptions).
  void refineZero() {
    if (results_.tried.empty() || results_.tried.front().mistake.kind != Kind::kPositionZero ||
        results_.tried.front().certainty() == 0.0)
      return;
    for (const double step : {3.5, 1.7, 0.9, 0.45}) {
      const Mistake centre = results_.tried.front().mistake;
      for (const double sign : {1.0, -1.0}) {
        Mistake beside = centre;
        beside.value += sign * step * kDegree;
        const auto hypothesis = triedMotion(beside);
        if (hypothesis && hypothesis->gain > results_.tried.front().gain)
          results_.tried.front() = *hypothesis;
      }
    }
  }

  ColumnMotion motion() const { return {excerpt_.q, excerpt_.dq, excerpt_.ddq}; }

  HypothesisScore score(const MotionPass& pass,
                        const ChannelColumns& columns,
                        const EffortAssignment& assignment,
                        bool constrained) const {
    return scoreHypothesis(columns, pass.motion, pass.effort, assignment, scale_, constrained);
  }

  MotionPass passOf(const ChannelColumns& columns, const ColumnMotion& motion) {
    ++passes_;
    const std::vector<Eigen::MatrixXd> rows = columns.rows(motion);
    return {motionStatistics(columns, weightless_, motion, rows, excerpt_.fold),
            effortStatistics(rows, effort_, excerpt_.fold)};
  }

  /// Scores a hypothesis. The inequalities are imposed only if the fit without them gains, because
  /// they hardly change the residual and cost most of the time.
  TriedHypothesis tried(const Mistake& mistake,
                        const MotionPass& pass,
                        const ChannelColumns& columns,
                        const EffortAssignment& assignment) const {
    TriedHypothesis hypothesis{mistake, 0.0, 0.0, {}, 0};
    for (const bool constrained : {false, true}) {
      const HypothesisScore own = score(pass, columns, assignment, constrained);
      hypothesis.gain = results_.as_logged.objective - own.objective;
      hypothesis.gravity_gain = results_.as_logged.gravity_prior - own.gravity_prior;
      hypothesis.unexplained = own.unexplained;
      hypothesis.folds = foldsThatGain(results_.as_logged, own);
      if (hypothesis.gain < kWorthRefining) break;
    }
    return hypothesis;
  }

  bool worthAPair(Index i, Index j) const {
    const Eigen::VectorXd& unexplained = results_.as_logged.unexplained;
    return n_ <= kJointsForAllPairs || std::max(unexplained(i), unexplained(j)) > kPairExplained;
  }

  ColumnMotion undone(const Mistake& mistake) const {
    return undoneMotion(mistake, motion(), *robot_);
  }

  TriedHypothesis triedEffort(const Mistake& mistake) const {
    return tried(mistake, base_, columns_, undoneEfforts(mistake, *robot_, gains_));
  }

  std::optional<TriedHypothesis> triedMotion(const Mistake& mistake) {
    try {
      return tried(mistake, passOf(columns_, undone(mistake)), columns_, asLogged(n_));
    } catch (const InputError&) {  // the loops of the robot do not close in this motion
      ++loops_not_closed_;
      return std::nullopt;
    }
  }

  std::vector<Task> effortTasks() const {
    std::vector<Task> tasks;
    const auto one = [&](Mistake mistake) {
      tasks.push_back(
          [this, mistake = std::move(mistake)] { return std::vector{triedEffort(mistake)}; });
    };
    for (int j = 0; j < static_cast<int>(n_); ++j) {
      one({Kind::kEffortSign, {j}});
      if (scale_ == EffortScale::kKnown)
        tasks.push_back([this, j] { return std::vector{triedScales(j)}; });
      for (int i = 0; i < j; ++i) {
        if (!worthAPair(i, j)) continue;
        one({Kind::kEffortSwap, {i, j}});
        // With one of two reversed efforts undone the log need not be explained any better.
        if (n_ > 2) one({Kind::kEffortSign, {i, j}});
      }
    }
    one({Kind::kEffortSign});
    const std::vector<int> order =
        cheapestAssignment(separateScores(columns_, base_.motion, base_.effort));
    if (movedPlaces(order) <= 2) return tasks;
    Mistake mistake{Kind::kEffortOrder};
    mistake.order = order;
    one(mistake);
    return tasks;
  }

  /// Decades, thirds of them and steps of 1.4 about 1 (the efforts of the other joints explain a
  /// factor of 2 only if it is met within about 1.5); then finer around the best.
  TriedHypothesis triedScales(int j) const {
    TriedHypothesis best;
    best.gain = -kInfinity;
    const auto one = [&](double factor) {
      const Mistake mistake{Kind::kEffortScale, {j}, factor};
      const HypothesisScore own =
          score(base_, columns_, undoneEfforts(mistake, *robot_, gains_), false);
      const double gain = results_.as_logged.objective - own.objective;
      if (gain > best.gain) best = {mistake, gain, 0.0, own.unexplained, 0};
    };
    for (const double factor :
         {1e-3, 1e-2, 0.03, 0.1, 0.3, 0.5, 0.7, 1.4, 2.0, 3.0, 10.0, 30.0, 1e2, 1e3})
      one(factor);
    if (best.gain < kWorthRefining) return best;
    for (const double finer : {1.8, 1.35, 1.15, 1.07, 1.035, 1.017}) {
      const double centre = best.mistake.value;
      one(centre * finer);
      one(centre / finer);
    }
    return triedEffort(best.mistake);
  }

  /// Delays beyond those that are corrected without being asked (up to 160 ms), of all efforts and
  /// of single ones; without this hypothesis efforts that are 160 ms late look like positions in
  /// degrees.
  std::vector<TriedHypothesis> tryLongDelays() const {
    std::optional<TriedHypothesis> best;
    // Of every channel the delay with which it is explained best where all efforts are delayed.
    Eigen::VectorXd least = results_.as_logged.unexplained, at = Eigen::VectorXd::Zero(n_);
    const auto one = [&](double seconds) {
      const Eigen::VectorXd delay = Eigen::VectorXd::Constant(n_, seconds);
      TriedHypothesis hypothesis = triedDelay({Kind::kEffortDelay, {}, seconds}, delay);
      for (Index c = 0; c < n_; ++c)
        if (hypothesis.unexplained(c) < least(c)) {
          least(c) = hypothesis.unexplained(c);
          at(c) = seconds;
        }
      if (!best || hypothesis.gain > best->gain) best = std::move(hypothesis);
    };
    for (double seconds = kShortestLongDelay; seconds <= kLongestDelay; seconds += 0.04)
      for (const double sign : {1.0, -1.0}) one(sign * seconds);
    if (best->gain >= kWorthRefining)
      for (const double step : {0.02, 0.01}) {
        const double centre = best->mistake.value;
        one(centre + step);
        one(centre - step);
      }
    std::vector<TriedHypothesis> delays{std::move(*best)};
    for (Index c = 0; c < n_; ++c)
      if (std::log(results_.as_logged.unexplained(c) / least(c)) >= kWorthRefining)
        delays.push_back(triedDelayOf(c, at(c)));
    return delays;
  }

  /// A long delay of one effort, about `seconds`.
  TriedHypothesis triedDelayOf(Index c, double seconds) const {
    std::optional<TriedHypothesis> best;
    const auto one = [&](double own) {
      Eigen::VectorXd delay = results_.effort_delay;
      delay(c) = own;
      TriedHypothesis hypothesis =
          triedDelay({Kind::kEffortDelay, {static_cast<int>(c)}, own}, delay);
      if (!best || hypothesis.gain > best->gain) best = std::move(hypothesis);
    };
    one(seconds);
    for (const double step : {0.02, 0.01}) {
      const double centre = best->mistake.value;
      one(centre + step);
      one(centre - step);
    }
    return std::move(*best);
  }

  TriedHypothesis triedDelay(const Mistake& mistake, const Eigen::VectorXd& delay) const {
    const MotionPass pass{base_.motion,
                          effortStatistics(rows_, effortLaterBy(excerpt_, delay), excerpt_.fold)};
    return tried(mistake, pass, columns_, asLogged(n_));
  }

  std::vector<Task> motionTasks() {
    std::vector<Task> tasks;
    for (Index j = 0; j < n_; ++j) {
      tasks.push_back([this, j] { return trySigns(j); });
      tasks.push_back([this, j] { return tryZeros(j); });
    }
    addOrders(tasks);
    addUnits(tasks);
    tasks.push_back([this] { return tryGravity(); });
    return tasks;
  }

  std::vector<TriedHypothesis> trySigns(Index j) {
    const Mistake position{Kind::kPositionSign, {static_cast<int>(j)}};
    const Mistake axis{Kind::kAxisSign, {static_cast<int>(j)}};
    try {
      const MotionPass pass = passOf(columns_, undone(position));
      return {tried(position, pass, columns_, asLogged(n_)),
              tried(axis, pass, columns_, undoneEfforts(axis, *robot_, gains_))};
    } catch (const InputError&) {
      loops_not_closed_ += 2;
      return {};
    }
  }

  std::vector<TriedHypothesis> tryZeros(Index j) {
    if (robot_->joints[j].prismatic) return {};
    std::optional<TriedHypothesis> best;
    double at = 0.0;
    const auto one = [&](double degrees) {
      auto hypothesis =
          triedMotion({Kind::kPositionZero, {static_cast<int>(j)}, degrees * kDegree});
      if (!hypothesis || (best && best->gain >= hypothesis->gain)) return;
      best = std::move(hypothesis);
      at = degrees;
    };
    for (const double degrees : {90.0, 180.0, -90.0, 30.0, -30.0}) one(degrees);
    if (best && best->gain >= kSmallestGain)
      for (const double finer : {15.0, 7.0}) {
        const double centre = at;
        one(centre + finer);
        one(centre - finer);
      }
    if (!best) return {};
    return {std::move(*best)};
  }

  /// Columns of the log dealt out to the joints in another order.
  std::vector<TriedHypothesis> tryOrder(const std::vector<int>& order, bool swap) {
    for (size_t c = 0; c < order.size(); ++c)
      if (robot_->joints[c].prismatic != robot_->joints[order[c]].prismatic) return {};
    Mistake mistake;
    if (swap) {
      for (int c = 0; c < std::ssize(order); ++c)
        if (order[c] != c) mistake.joints.push_back(c);
    } else {
      mistake.order = order;
    }
    mistake.kind = swap ? Kind::kPositionSwap : Kind::kPositionOrder;
    Mistake whole = mistake;
    whole.kind = swap ? Kind::kColumnSwap : Kind::kColumnOrder;
    try {
      const MotionPass pass = passOf(columns_, undone(mistake));
      return {tried(mistake, pass, columns_, asLogged(n_)),
              tried(whole, pass, columns_, undoneEfforts(whole, *robot_, gains_))};
    } catch (const InputError&) {
      loops_not_closed_ += 2;
      return {};
    }
  }

  void addOrders(std::vector<Task>& tasks) {
    std::vector<int> order(n_);
    std::iota(order.begin(), order.end(), 0);
    const auto one = [&](bool swap) {
      tasks.push_back([this, order, swap] { return tryOrder(order, swap); });
    };
    for (size_t i = 0; i < order.size(); ++i)
      for (size_t j = i + 1; j < order.size(); ++j) {
        if (!worthAPair(static_cast<Index>(i), static_cast<Index>(j))) continue;
        std::swap(order[i], order[j]);
        one(true);
        std::swap(order[i], order[j]);
      }
    if (n_ < 3) return;
    std::reverse(order.begin(), order.end());
    one(false);
    std::reverse(order.begin(), order.end());
    std::rotate(order.begin(), order.begin() + 1, order.end());
    one(false);
    std::rotate(order.begin(), order.end() - 2, order.end());
    one(false);
  }

  void addUnits(std::vector<Task>& tasks) {
    const auto one = [&](Mistake mistake) {
      tasks.push_back([this, mistake = std::move(mistake)]() -> std::vector<TriedHypothesis> {
        auto hypothesis = triedMotion(mistake);
        if (!hypothesis) return {};
        return {std::move(*hypothesis)};
      });
    };
    for (const double factor : {2.0, 0.5}) one({Kind::kTimeScale, {}, factor});
    for (int j = 0; j < static_cast<int>(n_); ++j)
      if (!robot_->joints[j].prismatic) one({Kind::kPositionUnit, {j}, kDegree});
    for (const double factor : {kDegree, 1.0 / kDegree}) one({Kind::kPositionUnit, {}, factor});
  }

  TriedHypothesis towards(const Eigen::Vector3d& gravity) {
    Mistake mistake{Kind::kGravity};
    mistake.direction = gravity;
    const ChannelColumns columns(withGravity(*robot_, gravity));
    return tried(mistake, passOf(columns, motion()), columns, asLogged(n_));
  }

  /// The six axes of the root link; then tilts of the best of them, smaller and smaller. Of a
  /// description without gravity: that of the Earth.
  std::vector<TriedHypothesis> tryGravity() {
    if (robot_->floating_base) return {};
    std::vector<TriedHypothesis> directions;
    const bool weightless = robot_->gravity.norm() == 0.0;
    if (!weightless)
      directions.push_back(
          tried({Kind::kNoGravity}, passOf(weightless_, motion()), weightless_, asLogged(n_)));
    std::optional<TriedHypothesis> best;
    const Eigen::Vector3d described = weightless ? Robot().gravity : robot_->gravity;
    const double g = described.norm();
    Eigen::Vector3d at = described;
    double needed = 0.0;  // gain beyond the best
    const auto one = [&](const Eigen::Vector3d& gravity) {
      if ((gravity - robot_->gravity).norm() < 1e-6 * g) return;
      TriedHypothesis hypothesis = towards(gravity);
      // Gravity torques of a small tilt are as similar to those of rods as without it: only the
      // gain of the fit counts.
      if (gravity.dot(robot_->gravity) > kSmallTilt * g * g)
        hypothesis.gravity_gain = std::min(hypothesis.gravity_gain, 0.0);
      if (best &&
          best->gain + best->gravity_gain + needed >= hypothesis.gain + hypothesis.gravity_gain)
        return;
      needed = 0.0;
      best = std::move(hypothesis);
      at = gravity;
    };
    for (int axis = 0; axis < 3; ++axis)
      for (const double sign : {1.0, -1.0}) one(sign * g * Eigen::Vector3d::Unit(axis));
    double step = 20.0;
    needed = kTiltGain;
    if (!best || best->gain < kSmallestGain) at = described;
    for (int round = 0; round < 8 && step > 4.0; ++round) {
      // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): `one` changes `at`
      const Eigen::Vector3d centre = at;
      const Eigen::Vector3d u = centre.unitOrthogonal(), v = centre.normalized().cross(u);
      const double before = best ? best->gain : 0.0;
      for (const Eigen::Vector3d& axis : {u, v})
        for (const double sign : {1.0, -1.0})
          one(Eigen::AngleAxisd(sign * step * kDegree, axis) * centre);
      if (best->gain < kWorthRefining) break;
      if (best->gain < before + 0.05) step *= 0.5;
    }
    directions.push_back(std::move(*best));
    return directions;
  }

  std::shared_ptr<const Robot> robot_;
  const LogExcerpt& excerpt_;
  int threads_;
  EffortScale scale_;
  Eigen::VectorXd gains_;
  ChannelColumns columns_, weightless_;
  Index n_;
  Eigen::MatrixXd effort_;
  std::vector<Eigen::MatrixXd> rows_;  // of the motion as logged
  MotionPass base_;
  std::atomic<int> passes_ = 0, loops_not_closed_ = 0;
  HypothesisResults results_;
};

}  // namespace

HypothesisResults tryHypotheses(std::shared_ptr<const Robot> robot,
                                const LogExcerpt& excerpt,
                                const Eigen::VectorXd& gains,
                                int threads) {
  return HypothesisSearch(std::move(robot), excerpt, gains, threads).run();
}

}  // namespace dynid
