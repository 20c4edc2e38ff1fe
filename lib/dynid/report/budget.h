#pragma once

#include "dynid/model/json_text.h"
#include "dynid/validation/torque_budget.h"

#include <string>
#include <vector>

namespace dynid {

/// Joints by effects, the first row the head: RMS and, in brackets, share of the predicted effort.
/// Effects that are zero everywhere are left out.
std::vector<std::vector<std::string>> budgetRows(const TorqueBudget& budget);
/// For each joint a line with its largest parts: which link by which effect.
std::vector<std::string> largestParts(const TorqueBudget& budget);

std::string budgetText(const TorqueBudget& budget);
/// joint -> { unit, rms, effects: { EFFECT: { rms, share } }, links: { LINK: { rms, share, inertia,
/// coupling, gravity } } }, with the names of effects and links as keys.
Json budgetJson(const TorqueBudget& budget);

}  // namespace dynid
