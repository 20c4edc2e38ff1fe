#pragma once

#include "dynid/model/json_text.h"
#include "dynid/validation/torque_budget.h"

#include <string>
#include <vector>

namespace dynid {

/// Table rows, joints by effects, the first row being the header: RMS and, in brackets, the share
/// of the predicted effort. Effects that are zero everywhere are left out.
std::vector<std::vector<std::string>> budgetRows(const TorqueBudget& budget);
/// One line per joint with its largest parts: link and effect.
std::vector<std::string> largestParts(const TorqueBudget& budget);

std::string budgetText(const TorqueBudget& budget);
/// JSON object, with the names of effects and links as keys: joint -> { unit, rms, effects: {
/// EFFECT: { rms, share } }, links: { LINK: { rms, share, inertia, coupling, gravity } } }
Json budgetJson(const TorqueBudget& budget);

}  // namespace dynid
