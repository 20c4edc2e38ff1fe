#include "dynid/report/budget.h"

#include "dynid/core/text.h"
#include "dynid/report/numbers.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

constexpr size_t kLargest = 4;
constexpr double kRounding = 1e-9;
constexpr double kWorthALine = 0.05;  // of the joint's effort: smaller parts get no line

BudgetEffect effectAt(size_t e) { return static_cast<BudgetEffect>(e); }

bool isZero(const TorqueBudget& budget, size_t effect) {
  return !(budget.effect[effect].rms.array() > kRounding * budget.total.array()).any();
}

// "3.61 (1.2 %)"; "" for values at the level of rounding errors.
std::string partText(const BudgetPart& part, Eigen::Index joint, double total) {
  if (!(part.rms(joint) > kRounding * total)) return "-";
  const double percent = 0.1 * std::round(1000.0 * part.share(joint)) + 0.0;  // no "-0"
  return shown(part.rms(joint), 3) + " (" + toText(percent, 3) + " %)";
}

Json partJson(const BudgetPart& part, Eigen::Index joint) {
  return {{"rms", jsonNumber(part.rms(joint))}, {"share", jsonNumber(part.share(joint))}};
}

}  // namespace

std::vector<std::vector<std::string>> budgetRows(const TorqueBudget& budget) {
  std::vector<std::vector<std::string>> rows = {{"joint", "unit", "total"}};
  std::vector<size_t> present;
  for (size_t e = 0; e < budget.effect.size(); ++e) {
    if (isZero(budget, e)) continue;
    present.push_back(e);
    rows.front().emplace_back(toString(effectAt(e)));
  }
  for (size_t j = 0; j < budget.joints.size(); ++j) {
    rows.push_back({budget.joints[j], budget.units[j], shown(budget.total(j), 3)});
    for (const size_t e : present)
      rows.back().push_back(partText(budget.effect[e], j, budget.total(j)));
  }
  return rows;
}

std::vector<std::string> largestParts(const TorqueBudget& budget) {
  std::vector<std::string> lines;
  for (size_t j = 0; j < budget.joints.size(); ++j) {
    std::vector<std::pair<double, std::string>> parts;
    for (size_t k = 0; k < budget.links.size(); ++k)
      for (size_t e = 0; e < kLinkEffects; ++e)
        parts.emplace_back(budget.link_effect[k][e].rms(j),
                           std::string(toString(effectAt(e))) + " of " + budget.links[k]);
    for (size_t e = kLinkEffects; e < budget.effect.size(); ++e)
      parts.emplace_back(budget.effect[e].rms(j), toString(effectAt(e)));
    std::stable_sort(
        parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    parts.resize(std::min(parts.size(), kLargest));
    std::vector<std::string> words;
    for (const auto& [rms, name] : parts)
      if (rms > kWorthALine * budget.total(j))
        words.push_back(name + " " + shown(rms, 3) + " " + budget.units[j]);
    lines.push_back(budget.joints[j] + ": " + (words.empty() ? "no effort" : join(words)));
  }
  return lines;
}

std::string budgetText(const TorqueBudget& budget) {
  std::string text =
      "Torque budget: RMS of each effect, in brackets its share of the predicted effort\n" +
      alignedTable(budgetRows(budget)) + "  largest parts\n";
  for (const std::string& line : largestParts(budget)) text += wrappedText(line, 4, 4);
  return text;
}

Json budgetJson(const TorqueBudget& budget) {
  Json json = Json::object();
  for (size_t j = 0; j < budget.joints.size(); ++j) {
    Json& joint = json[budget.joints[j]];
    joint = {{"unit", budget.units[j]}, {"rms", jsonNumber(budget.total(j))}};
    for (size_t e = 0; e < budget.effect.size(); ++e)
      joint["effects"][toString(effectAt(e))] = partJson(budget.effect[e], j);
    for (size_t k = 0; k < budget.links.size(); ++k) {
      Json link = partJson(budget.link[k], j);
      for (size_t e = 0; e < kLinkEffects; ++e)
        link[toString(effectAt(e))] = partJson(budget.link_effect[k][e], j);
      joint["links"][budget.links[k]] = link;
    }
  }
  return json;
}

}  // namespace dynid
