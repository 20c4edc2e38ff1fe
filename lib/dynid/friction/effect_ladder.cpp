#include "dynid/friction/effect_ladder.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

constexpr double kMotionLoss = 1.02;   // squared error in motion, relative to the plain sign's
constexpr double kNothingLeft = 1e-8;  // of the squared friction: a ten-thousandth of it

// The ladder of one actuator: what stands, what a change would do to the held-out error.
class ActuatorLadder {
 public:
  ActuatorLadder(const Statistics& statistics,
                 const CandidateLayout& candidates,
                 const std::vector<int>& independent,
                 const Eigen::VectorXd& parameters,
                 const LadderOptions& options,
                 size_t actuator)
      : layout_(candidates.layout),
        directions_(candidates.directions[actuator]),
        optional_(candidates.optional[actuator]),
        options_(options),
        always_(alwaysThere(candidates, independent, actuator)),
        validation_(statistics, static_cast<int>(actuator), parameters, allOwn(), options.folds) {}

  void climb(int& direction, std::vector<int>& optional) const {
    optional.clear();
    Eigen::VectorXd standing = errors(direction, optional);
    // Simulated truth: what is left is the rigid body's rounding, not friction.
    if (standing.sum() < kNothingLeft * validation_.score({}, {}, false).total()) return;
    // A direction is judged on all samples, but what it wins at rest it must not lose in motion.
    const double in_motion = kMotionLoss * score(direction, optional).moving;
    for (size_t d = 0; d < directions_.size(); ++d) {
      const ChannelValidation::Score now = score(static_cast<int>(d), optional);
      // Presliding must beat the plain sign clearly; among distances the smaller error decides.
      const bool better = direction == 0 ? isBetter(now.squared, standing, options_.min_gain)
                                         : now.total() < standing.sum();
      if (!better || now.moving > in_motion) continue;
      direction = static_cast<int>(d);
      standing = now.squared;
    }
    while (optional.size() < static_cast<size_t>(options_.max_optional)) {
      const int best = bestStep(direction, optional, standing);
      if (best < 0) return;
      optional.push_back(best);
      standing = errors(direction, optional);
    }
  }

 private:
  static std::vector<int> alwaysThere(const CandidateLayout& candidates,
                                      const std::vector<int>& independent,
                                      size_t actuator) {
    std::vector<int> columns;
    for (int c : candidates.fixed[actuator])
      if (candidates.layout[c].kind == ColumnKind::kFriction &&
          std::binary_search(independent.begin(), independent.end(), c))
        columns.push_back(c);
    return columns;
  }

  std::vector<int> allOwn() const {
    std::vector<int> own = always_;
    own.insert(own.end(), directions_.begin(), directions_.end());
    for (const CandidateLayout::Group& group : optional_)
      own.insert(own.end(), group.columns.begin(), group.columns.end());
    return own;
  }

  Eigen::VectorXd errors(int direction, const std::vector<int>& optional) const {
    return score(direction, optional).squared;
  }

  ChannelValidation::Score score(int direction, const std::vector<int>& optional) const {
    std::vector<int> chosen = always_;
    bool presliding = false;
    if (direction >= 0) {
      chosen.push_back(directions_[static_cast<size_t>(direction)]);
      presliding = layout_[chosen.back()].presliding > 0.0;
    }
    for (int o : optional) {
      const std::vector<int>& group = optional_[static_cast<size_t>(o)].columns;
      chosen.insert(chosen.end(), group.begin(), group.end());
    }
    std::vector<bool> nonnegative;
    for (int c : chosen) nonnegative.push_back(layout_[c].nonnegative);
    return validation_.score(chosen, nonnegative, presliding);
  }

  int bestStep(int direction,
               const std::vector<int>& optional,
               const Eigen::VectorXd& standing) const {
    int best = -1;
    double best_error = standing.sum();
    for (size_t o = 0; o < optional_.size(); ++o) {
      if (std::find(optional.begin(), optional.end(), static_cast<int>(o)) != optional.end())
        continue;
      if (sameKindTaken(o, optional)) continue;
      std::vector<int> candidate = optional;
      candidate.push_back(static_cast<int>(o));
      const Eigen::VectorXd now = errors(direction, candidate);
      if (!isBetter(now, standing, optional_[o].min_gain) || now.sum() >= best_error) continue;
      best = static_cast<int>(o);
      best_error = now.sum();
    }
    return best;
  }

  // One Stribeck curve, one saturation: a second one of a kind is a spline in disguise.
  bool sameKindTaken(size_t candidate, const std::vector<int>& optional) const {
    const Column& own = layout_[optional_[candidate].columns.front()];
    return std::any_of(optional.begin(), optional.end(), [&](int o) {
      const Column& taken = layout_[optional_[static_cast<size_t>(o)].columns.front()];
      return taken.effect == own.effect && taken.at_joint == own.at_joint &&
             taken.owner == own.owner;
    });
  }

  // Better by a fraction of the error and by more than one standard error of the gain over the
  // folds.
  static bool isBetter(const Eigen::VectorXd& now, const Eigen::VectorXd& before, double min_gain) {
    const Eigen::ArrayXd gain = before.array() - now.array();
    const double folds = static_cast<double>(gain.size());
    const double variance = (gain - gain.mean()).square().sum() / (folds - 1.0);
    return gain.sum() > min_gain * before.sum() && gain.sum() > std::sqrt(folds * variance);
  }

  const ParameterLayout& layout_;
  const std::vector<int>& directions_;
  const std::vector<CandidateLayout::Group>& optional_;
  const LadderOptions& options_;
  std::vector<int> always_;
  ChannelValidation validation_;
};

}  // namespace

EffectChoice plainChoice(const CandidateLayout& candidates) {
  EffectChoice choice;
  for (const std::vector<int>& directions : candidates.directions)
    choice.direction.push_back(directions.empty() ? -1 : 0);
  choice.optional.resize(candidates.directions.size());
  return choice;
}

std::vector<int> chosenColumns(const CandidateLayout& candidates,
                               const std::vector<int>& independent,
                               const EffectChoice& choice) {
  std::vector<int> columns = independent;
  for (size_t a = 0; a < candidates.directions.size(); ++a) {
    if (choice.direction[a] >= 0)
      columns.push_back(candidates.directions[a][static_cast<size_t>(choice.direction[a])]);
    for (int o : choice.optional[a]) {
      const std::vector<int>& group = candidates.optional[a][static_cast<size_t>(o)].columns;
      columns.insert(columns.end(), group.begin(), group.end());
    }
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

std::vector<bool> usesStillRows(const CandidateLayout& candidates, const EffectChoice& choice) {
  std::vector<bool> uses;
  for (size_t a = 0; a < candidates.directions.size(); ++a) {
    const int d = choice.direction[a];
    uses.push_back(d >= 0 &&
                   candidates.layout[candidates.directions[a][static_cast<size_t>(d)]].presliding >
                       0.0);
  }
  return uses;
}

EffectChoice climbLadder(const Statistics& statistics,
                         const CandidateLayout& candidates,
                         const std::vector<int>& independent,
                         const Eigen::VectorXd& parameters,
                         const LadderOptions& options) {
  EffectChoice choice = plainChoice(candidates);
  if (statistics.numBlocks() < 2) return choice;
  for (size_t a = 0; a < candidates.directions.size(); ++a) {
    if (candidates.directions[a].size() < 2 && candidates.optional[a].empty()) continue;
    const ActuatorLadder ladder(statistics, candidates, independent, parameters, options, a);
    ladder.climb(choice.direction[a], choice.optional[a]);
  }
  return choice;
}

}  // namespace dynid
