#include "dynid/identification/effect_ladder.h"

#include <algorithm>

namespace dynid {
namespace {

// Judges choices for one actuator, the others held.
class Judge {
 public:
  Judge(const CrossValidation& validation,
        const CandidateLayout& candidates,
        const std::vector<int>& independent,
        const LadderOptions& options)
      : validation_(validation),
        candidates_(candidates),
        independent_(independent),
        options_(options) {}

  Eigen::VectorXd errors(const EffectChoice& choice, int actuator) const {
    return validation_.heldOutError(chosenColumns(candidates_, independent_, choice),
                                    actuator,
                                    usesStillRows(candidates_, choice),
                                    true);
  }

  bool isBetter(const Eigen::VectorXd& now, const Eigen::VectorXd& before) const {
    const double share =
        static_cast<double>((now.array() < before.array()).count()) / static_cast<double>(now.size());
    return now.sum() < (1.0 - options_.min_gain) * before.sum() && share >= options_.min_share;
  }

 private:
  const CrossValidation& validation_;
  const CandidateLayout& candidates_;
  const std::vector<int>& independent_;
  const LadderOptions& options_;
};

void chooseDirection(const Judge& judge, size_t actuator, size_t directions, EffectChoice& choice) {
  Eigen::VectorXd best = judge.errors(choice, static_cast<int>(actuator));
  EffectChoice candidate = choice;
  for (size_t d = 0; d < directions; ++d) {
    candidate.direction[actuator] = static_cast<int>(d);
    const Eigen::VectorXd errors = judge.errors(candidate, static_cast<int>(actuator));
    // Any presliding must beat the plain sign clearly; among distances the smaller error decides.
    const bool better = choice.direction[actuator] == 0 ? judge.isBetter(errors, best)
                                                        : errors.sum() < best.sum();
    if (better) {
      best = errors;
      choice.direction[actuator] = static_cast<int>(d);
    }
  }
}

void chooseOptional(const Judge& judge,
                    size_t actuator,
                    size_t available,
                    const LadderOptions& options,
                    EffectChoice& choice) {
  choice.optional[actuator].clear();
  Eigen::VectorXd standing = judge.errors(choice, static_cast<int>(actuator));
  while (choice.optional[actuator].size() < static_cast<size_t>(options.max_optional)) {
    int best = -1;
    Eigen::VectorXd best_errors = standing;
    for (size_t o = 0; o < available; ++o) {
      const std::vector<int>& taken = choice.optional[actuator];
      if (std::find(taken.begin(), taken.end(), static_cast<int>(o)) != taken.end()) continue;
      EffectChoice candidate = choice;
      candidate.optional[actuator].push_back(static_cast<int>(o));
      const Eigen::VectorXd errors = judge.errors(candidate, static_cast<int>(actuator));
      if (judge.isBetter(errors, standing) && errors.sum() < best_errors.sum()) {
        best = static_cast<int>(o);
        best_errors = errors;
      }
    }
    if (best < 0) break;
    choice.optional[actuator].push_back(best);
    standing = best_errors;
  }
}

}  // namespace

std::vector<int> chosenColumns(const CandidateLayout& candidates,
                               const std::vector<int>& independent,
                               const EffectChoice& choice) {
  std::vector<int> columns = independent;
  for (size_t a = 0; a < candidates.directions.size(); ++a) {
    if (choice.direction[a] >= 0)
      columns.push_back(candidates.directions[a][static_cast<size_t>(choice.direction[a])]);
    for (int o : choice.optional[a])
      columns.push_back(candidates.optional[a][static_cast<size_t>(o)]);
  }
  std::sort(columns.begin(), columns.end());
  return columns;
}

std::vector<bool> usesStillRows(const CandidateLayout& candidates, const EffectChoice& choice) {
  std::vector<bool> uses;
  for (size_t a = 0; a < candidates.directions.size(); ++a) {
    const int d = choice.direction[a];
    uses.push_back(
        d >= 0 &&
        candidates.layout[candidates.directions[a][static_cast<size_t>(d)]].presliding > 0.0);
  }
  return uses;
}

EffectChoice climbLadder(const Statistics& statistics,
                         const Eigen::VectorXd& sigma,
                         const CandidateLayout& candidates,
                         const std::vector<int>& independent,
                         const LadderOptions& options) {
  const size_t actuators = candidates.directions.size();
  EffectChoice choice;
  for (size_t a = 0; a < actuators; ++a)
    choice.direction.push_back(candidates.directions[a].empty() ? -1 : 0);
  choice.optional.resize(actuators);
  if (statistics.numBlocks() < 2) return choice;
  const CrossValidation validation(statistics, sigma, options.folds);
  const Judge judge(validation, candidates, independent, options);
  for (int sweep = 0; sweep < options.sweeps; ++sweep) {
    for (size_t a = 0; a < actuators; ++a) {
      if (candidates.directions[a].size() > 1)
        chooseDirection(judge, a, candidates.directions[a].size(), choice);
      if (!candidates.optional[a].empty())
        chooseOptional(judge, a, candidates.optional[a].size(), options, choice);
    }
  }
  return choice;
}

}  // namespace dynid
