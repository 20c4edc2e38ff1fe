#include "dynid/friction/select_effects.h"

#include "dynid/core/parallel.h"
#include "dynid/dynamics/friction_resistance.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

// Largest squared error in motion of a sign model, relative to that of the plain sign.
constexpr double kMotionLoss = 1.02;
// Relative to the squared friction effort (3 % of the friction): this much more may be left in
// motion by a sign model or a hysteresis that explains the rows at standstill.
constexpr double kSmallMotionLoss = 1e-3;
// Relative to the squared friction effort: a smaller squared residual (1e-4 of the friction) counts
// as zero.
constexpr double kNothingLeft = 1e-8;

// Whether the column determines the friction of its actuator at standstill.
bool determinesStandstill(const Column& column) {
  return column.isFriction(FrictionEffect::kCoulomb) && column.hasPreslidingState() &&
         !column.at_joint;
}

// Selection for one actuator.
class ActuatorSelection {
 public:
  ActuatorSelection(const Statistics& statistics,
                    const CandidateLayout& candidates,
                    const std::vector<int>& independent,
                    const Eigen::VectorXd& parameters,
                    const SelectionOptions& options,
                    const std::vector<int>& fold_of_block,
                    size_t actuator)
      : layout_(candidates.layout),
        sign_models_(candidates.sign_models[actuator]),
        optional_(candidates.optional[actuator]),
        options_(options),
        always_(alwaysThere(candidates, independent, actuator)),
        columns_(actuatorColumns()),
        validation_(statistics, static_cast<int>(actuator), parameters, columns_, fold_of_block),
        moving_rows_(statistics.movingRows(static_cast<int>(actuator))),
        rows_(moving_rows_ + standstillRows(statistics, actuator)),
        friction_(validation_.score({}, {}, false).total()),
        resistance_(resistanceOf(layout_, columns_, options.highest_speed, actuator)) {}

  void select(int& sign_model, std::vector<int>& optional) const {
    optional.clear();
    Eigen::VectorXd current_error = errors(sign_model, optional);
    // Simulated data without friction: the residual is rounding error of the rigid-body model.
    if (current_error.sum() < kNothingLeft * friction_) return;
    selectSignModel(optional, sign_model, current_error);
    addTerms(sign_model, optional, current_error);
    // Two terms may gain little one by one and much together. Terms are therefore added for a small
    // gain, and in the end each must be worth its place among the others.
    removeUnneeded(optional.size(), true, sign_model, optional, current_error);
  }

 private:
  // Selects the sign model beside the optional terms, starting from the first.
  // @param current_error  held-out error of the selection
  void selectSignModel(const std::vector<int>& optional,
                       int& sign_model,
                       Eigen::VectorXd& current_error) const {
    if (sign_models_.empty()) return;
    sign_model = 0;
    current_error = errors(sign_model, optional);
    // A sign model is judged on all samples, but a gain at standstill must not come with a larger
    // error in motion. The errors in motion are compared for fits to moving rows only: with
    // presliding, rows at standstill would affect the fit in motion.
    const Eigen::VectorXd plain_motion = motionErrors(sign_model, optional);
    for (int d = 0; d < std::ssize(sign_models_); ++d) {
      const ChannelValidation::Score now = score(d, optional);
      const Eigen::VectorXd motion = motionErrors(d, optional);
      // Presliding must be clearly better than the plain sign, on all samples or in motion: a joint
      // that rests in one fold only has no significant gain at standstill. Among several distances
      // the smallest error decides.
      const bool better =
          now.total() < current_error.sum() &&
          (sign_model != 0 || isBetter(now.squared, current_error, leastGain(rows_)) ||
           isBetter(motion, plain_motion, leastGain(moving_rows_)));
      if (!better || losesMotion(motion, plain_motion)) continue;
      sign_model = d;
      current_error = now.squared;
    }
  }

  // Whether a gain at standstill comes with a larger error in motion.
  bool losesMotion(const Eigen::VectorXd& now, const Eigen::VectorXd& before) const {
    return now.sum() >
           std::max(kMotionLoss * before.sum(), before.sum() + kSmallMotionLoss * friction_);
  }

  // Adds optional terms, the best first, as long as one reduces the error by its fraction.
  // @param current_error  held-out error of the selection
  void addTerms(int& sign_model, std::vector<int>& optional, Eigen::VectorXd& current_error) const {
    while (optional.size() < static_cast<size_t>(options_.max_optional)) {
      const int best = bestStep(sign_model, optional, current_error);
      if (best < 0) return;
      optional.push_back(best);
      current_error = errors(sign_model, optional);
      if (!determinesStandstill(layout_[optional_[best].columns.front()])) continue;
      // Before hysteresis was available, a short presliding distance or other terms may have been
      // selected in its place.
      if (sign_model >= 0 && layout_[sign_models_[sign_model]].hasPreslidingState())
        selectSignModel(optional, sign_model, current_error);
      removeUnneeded(optional.size() - 1, false, sign_model, optional, current_error);
    }
  }

  // Removes those of the first `count` optional terms without which the error is not clearly
  // larger, the last first.
  // @param in_the_end  all limits of SelectionOptions hold, not only the fraction of the error
  // @param current_error  held-out error of the selection
  void removeUnneeded(size_t count,
                      bool in_the_end,
                      int sign_model,
                      std::vector<int>& optional,
                      Eigen::VectorXd& current_error) const {
    for (size_t i = count; i-- > 0;) {
      std::vector<int> others = optional;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      const Eigen::VectorXd without = errors(sign_model, others);
      const CandidateLayout::Group& group = optional_[optional[i]];
      const double min_chi_squared = in_the_end ? options_.min_chi_squared : 0.0;
      const bool stribeck = layout_[group.columns.front()].isFriction(FrictionEffect::kStribeck);
      const double standard_errors =
          in_the_end && stribeck ? options_.stribeck_standard_errors : 1.0;
      if (isBetter(current_error,
                   without,
                   std::max(group.min_gain, min_chi_squared / rows_),
                   standard_errors))
        continue;
      optional = others;
      current_error = without;
    }
  }

  // Rows whose product with the parameters must not be negative: frictionResistance and
  // stribeckMargin of the actuator's own friction.
  static Eigen::MatrixXd resistanceOf(const ParameterLayout& layout,
                                      const std::vector<int>& columns,
                                      const Eigen::VectorXd& highest_speed,
                                      size_t actuator) {
    const auto a = static_cast<Eigen::Index>(actuator);
    if (a >= highest_speed.size()) return Eigen::MatrixXd::Zero(0, std::ssize(columns));
    std::vector<Eigen::Index> places;
    std::vector<Column> dissipative;
    for (Eigen::Index c = 0; c < std::ssize(columns); ++c) {
      if (!isDissipative(layout[columns[c]]) || layout[columns[c]].at_joint) continue;
      places.push_back(c);
      dissipative.push_back(layout[columns[c]]);
    }
    const Eigen::VectorXd speeds = frictionSpeeds(highest_speed(a));
    const Eigen::MatrixXd margin = stribeckMargin(dissipative);
    Eigen::MatrixXd rows =
        Eigen::MatrixXd::Zero(speeds.size() + margin.rows(), std::ssize(columns));
    rows.topRows(speeds.size())(Eigen::all, places) = frictionResistance(dissipative, speeds);
    rows.bottomRows(margin.rows())(Eigen::all, places) = margin;
    return rows;
  }

  static std::vector<int> alwaysThere(const CandidateLayout& candidates,
                                      const std::vector<int>& independent,
                                      size_t actuator) {
    std::vector<int> columns;
    for (int c : candidates.fixed[actuator])
      if (candidates.layout[c].isFriction() &&
          std::binary_search(independent.begin(), independent.end(), c))
        columns.push_back(c);
    return columns;
  }

  std::vector<int> actuatorColumns() const {
    std::vector<int> columns = always_;
    columns.insert(columns.end(), sign_models_.begin(), sign_models_.end());
    for (const CandidateLayout::Group& group : optional_)
      columns.insert(columns.end(), group.columns.begin(), group.columns.end());
    return columns;
  }

  Eigen::VectorXd errors(int sign_model, const std::vector<int>& optional) const {
    return score(sign_model, optional).squared;
  }

  Eigen::VectorXd motionErrors(int sign_model, const std::vector<int>& optional) const {
    return score(sign_model, optional, false).moving;
  }

  // The error of a selection. With a presliding state and `fit_standstill`, rows at standstill are
  // fitted too.
  ChannelValidation::Score score(int sign_model,
                                 const std::vector<int>& optional,
                                 bool fit_standstill = true) const {
    std::vector<int> chosen = always_;
    if (sign_model >= 0) chosen.push_back(sign_models_[sign_model]);
    for (int o : optional) {
      const std::vector<int>& group = optional_[o].columns;
      chosen.insert(chosen.end(), group.begin(), group.end());
    }
    std::vector<bool> nonnegative;
    for (int c : chosen) nonnegative.push_back(layout_[c].nonnegative);
    const bool with_state = std::any_of(
        chosen.begin(), chosen.end(), [&](int c) { return determinesStandstill(layout_[c]); });
    return validation_.score(chosen, nonnegative, with_state && fit_standstill, resistance(chosen));
  }

  // Constraints that keep friction passive. None if all dissipative columns are nonnegative, since
  // friction is then always passive.
  Eigen::MatrixXd resistance(const std::vector<int>& chosen) const {
    const bool may_push = std::any_of(chosen.begin(), chosen.end(), [&](int c) {
      return isDissipative(layout_[c]) && !layout_[c].nonnegative;
    });
    if (!may_push) return {};
    std::vector<Eigen::Index> places;
    for (int c : chosen)
      places.push_back(std::find(columns_.begin(), columns_.end(), c) - columns_.begin());
    return resistance_(Eigen::all, places);
  }

  int bestStep(int sign_model,
               const std::vector<int>& optional,
               const Eigen::VectorXd& current_error) const {
    int best = -1;
    double best_error = current_error.sum();
    for (int o = 0; o < std::ssize(optional_); ++o) {
      if (std::find(optional.begin(), optional.end(), o) != optional.end()) continue;
      if (sameKindTaken(o, optional)) continue;
      std::vector<int> candidate = optional;
      candidate.push_back(o);
      const Eigen::VectorXd now = errors(sign_model, candidate);
      if (!isBetter(now, current_error, optional_[o].min_gain) || now.sum() >= best_error) continue;
      if (determinesStandstill(layout_[optional_[o].columns.front()]) &&
          losesMotion(motionErrors(sign_model, candidate), motionErrors(sign_model, optional)))
        continue;
      best = o;
      best_error = now.sum();
    }
    return best;
  }

  // At most one Stribeck curve, and one of saturation and hysteresis: several of one kind would
  // approximate any function of the velocity.
  bool sameKindTaken(size_t candidate, const std::vector<int>& optional) const {
    const Column& candidate_column = layout_[optional_[candidate].columns.front()];
    return std::any_of(optional.begin(), optional.end(), [&](int o) {
      const Column& taken = layout_[optional_[o].columns.front()];
      return taken.effect == candidate_column.effect &&
             taken.at_joint == candidate_column.at_joint && taken.owner == candidate_column.owner;
    });
  }

  static double standstillRows(const Statistics& statistics, size_t actuator) {
    double rows = 0.0;
    for (const TriangularFactor& factor : statistics.channels[actuator].standstill)
      rows += factor.rows();
    return rows;
  }

  // Least gain of a sign model, as a fraction of the error.
  double leastGain(double rows) const {
    return std::max(options_.min_gain, options_.min_chi_squared / rows);
  }

  // The gain must exceed a fraction of the error and a number of its standard errors over the
  // folds.
  static bool isBetter(const Eigen::VectorXd& now,
                       const Eigen::VectorXd& before,
                       double min_gain,
                       double standard_errors = 1.0) {
    const Eigen::ArrayXd gain = before.array() - now.array();
    const double folds = static_cast<double>(gain.size());
    const double variance = (gain - gain.mean()).square().sum() / (folds - 1.0);
    return gain.sum() > min_gain * before.sum() &&
           gain.sum() > standard_errors * std::sqrt(folds * variance);
  }

  const ParameterLayout& layout_;
  const std::vector<int>& sign_models_;
  const std::vector<CandidateLayout::Group>& optional_;
  const SelectionOptions& options_;
  std::vector<int> always_, columns_;
  ChannelValidation validation_;
  double moving_rows_, rows_;  // moving rows, and those with rows at standstill
  double friction_;            // squared error without friction
  // [speeds and Stribeck curves x columns_]; not negative for parameters of passive friction
  Eigen::MatrixXd resistance_;
};

}  // namespace

EffectChoice plainChoice(const CandidateLayout& candidates) {
  EffectChoice choice;
  for (const std::vector<int>& sign_models : candidates.sign_models)
    choice.sign_model.push_back(sign_models.empty() ? -1 : 0);
  choice.optional.resize(candidates.sign_models.size());
  return choice;
}

std::vector<int> chosenColumns(const CandidateLayout& candidates,
                               const std::vector<int>& independent,
                               const EffectChoice& choice) {
  std::vector<int> columns = independent;
  for (size_t a = 0; a < candidates.sign_models.size(); ++a) {
    if (choice.sign_model[a] >= 0)
      columns.push_back(candidates.sign_models[a][choice.sign_model[a]]);
    for (int o : choice.optional[a]) {
      const std::vector<int>& group = candidates.optional[a][o].columns;
      columns.insert(columns.end(), group.begin(), group.end());
    }
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

bool hasCandidates(const CandidateLayout& candidates) {
  const auto any = [](const auto& of_actuator) { return !of_actuator.empty(); };
  return std::any_of(candidates.sign_models.begin(), candidates.sign_models.end(), any) ||
         std::any_of(candidates.optional.begin(), candidates.optional.end(), any);
}

Eigen::VectorXd standstillWeights(const ParameterLayout& layout,
                                  const std::vector<int>& columns,
                                  int actuators,
                                  int channels) {
  constexpr double kWeight = 0.03;  // a thousand rows at rest count as one row in motion
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(channels);
  for (int c : columns) {
    const Column& column = layout[c];
    if (determinesStandstill(column) && column.owner < actuators) weights(column.owner) = kWeight;
  }
  return weights;
}

EffectChoice selectEffects(const Statistics& statistics,
                           const CandidateLayout& candidates,
                           const std::vector<int>& independent,
                           const Eigen::VectorXd& parameters,
                           const SelectionOptions& options) {
  EffectChoice choice = plainChoice(candidates);
  if (statistics.numBlocks() < 2) return choice;
  const std::vector<int> fold_of_block = validationFolds(statistics, options.folds);
  parallelFor(static_cast<int>(candidates.sign_models.size()), options.threads, [&](int actuator) {
    const auto a = static_cast<size_t>(actuator);
    if (candidates.sign_models[a].size() < 2 && candidates.optional[a].empty()) return;
    const ActuatorSelection selection(
        statistics, candidates, independent, parameters, options, fold_of_block, a);
    selection.select(choice.sign_model[a], choice.optional[a]);
  });
  return choice;
}

}  // namespace dynid
