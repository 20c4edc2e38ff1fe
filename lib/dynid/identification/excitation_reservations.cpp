#include "dynid/identification/excitation_reservations.h"

#include "dynid/core/few_words.h"
#include "dynid/core/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

// Nine real robots have condition numbers of 11 to 19000. Those above 1000 are known for poor
// excitation.
constexpr double kLargestCondition = 1000.0;
constexpr double kFewestSeconds = 0.1, kEnoughSeconds = 0.3;  // per base parameter
constexpr double kFewestMovingSamples = 10.0;

/// False only where that is known.
bool actuatorMoves(const Model& model, int actuator) {
  return actuator >= std::ssize(model.fit.per_joint) || movesInLogs(model.fit.per_joint[actuator]);
}

/// True if all columns of the combination are friction or drive inertia of joints that do not move.
bool isOfStillDrives(const Model& model, const BaseParameterEstimate& estimate) {
  return std::all_of(
      estimate.combination.begin(), estimate.combination.end(), [&](const CombinationTerm& term) {
        const Column& column = model.layout[term.column];
        const bool of_drive =
            column.kind == ColumnKind::kDriveInertia || (column.isFriction() && !column.at_joint);
        return of_drive && !actuatorMoves(model, column.owner);
      });
}

void addStill(const Model& model, std::vector<std::string>& found) {
  std::vector<std::string> still;
  for (int a = 0; a < std::ssize(model.fit.per_joint); ++a)
    if (!actuatorMoves(model, a)) still.push_back(model.robot->drives[a].name);
  if (!still.empty())
    found.push_back(
        fmt::format("{} {} not move in these logs: friction and drive inertia there are unknown",
                    join(still),
                    still.size() == 1 ? "does" : "do"));
}

void addSilent(const Model& model, std::vector<std::string>& found) {
  std::vector<std::string> silent;
  for (const BaseParameterEstimate& estimate : model.base_parameters)
    if (!std::isfinite(estimate.std_dev) && !isOfStillDrives(model, estimate))
      silent.push_back(estimate.name);
  if (!silent.empty())
    found.push_back(fmt::format("the logs say nothing about {}; their values come from the prior",
                                joinFew(silent)));
}

void addShort(const Model& model,
              const std::vector<Diagnosis>& diagnoses,
              std::vector<std::string>& found) {
  // The logs of saved statistics are not diagnosed.
  if (std::ssize(diagnoses) < std::ssize(model.provenance.logs)) return;
  double seconds = 0.0;
  int turns = 0;
  for (const Diagnosis& diagnosis : diagnoses) {
    if (diagnosis.duration_s <= 0.0) return;  // of many logs only some are diagnosed
    seconds += diagnosis.duration_s;
    turns += diagnosis.turning_points;
  }
  const auto base = static_cast<double>(model.base_parameters.size());
  if (seconds > 0.0 && seconds < kFewestSeconds * base)
    found.push_back(
        fmt::format("the logs hold {:.3g} s of motion with {} turning points for {} combinations "
                    "of parameters; record at least {:.0f} s",
                    seconds,
                    turns,
                    base,
                    std::max(10.0, std::ceil(base * kEnoughSeconds))));
}

}  // namespace

bool movesInLogs(const ChannelFit& channel) { return channel.samples >= kFewestMovingSamples; }

std::vector<std::string> excitationReservations(const Model& model,
                                                const std::vector<Diagnosis>& diagnoses) {
  std::vector<std::string> found;
  addStill(model, found);
  addSilent(model, found);
  const double condition = model.fit.condition_number;  // infinite with silent parameters
  if (std::isfinite(condition) && condition > kLargestCondition)
    found.push_back(fmt::format(
        "the motion excites some combinations of parameters poorly (condition number {:.3g}, good "
        "motions have below 100): predictions of other motions may be worse; record a richer one "
        "(dynid excite)",
        condition));
  addShort(model, diagnoses, found);
  return found;
}

}  // namespace dynid
