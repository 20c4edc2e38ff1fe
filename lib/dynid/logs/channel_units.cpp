#include "dynid/logs/channel_units.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"

#include <algorithm>

namespace dynid {
namespace {

std::string datasetOf(const std::string& place) { return place.substr(place.rfind('/') + 1); }

[[noreturn]] void refuseUnknown(Quantity quantity,
                                const std::string& place,
                                const std::string& unit,
                                const std::string& whose) {
  std::string message =
      place + ": unknown unit '" + unit + "'" + whose + "; known are " + knownUnits(quantity);
  if (quantity == Quantity::kEffort && parseUnitPrefix(Quantity::kCurrent, unit))
    message += ". A motor current belongs into a dataset 'current'";
  else if (whose.empty() && quantity != Quantity::kTime)
    message += ". Where joints differ, add an attribute 'unit_per_joint'";
  throw InputError(message);
}

/// Factors for one unit that applies to all columns.
std::vector<double> scalesOfOneUnit(Quantity quantity,
                                    const std::string& text,
                                    const WantedColumns& wanted,
                                    const std::string& place,
                                    std::vector<std::string>& notes) {
  const size_t n = wanted.column.size();
  const auto any_prismatic =
      std::find(wanted.prismatic.begin(), wanted.prismatic.end(), true) != wanted.prismatic.end();
  const auto all_prismatic =
      std::find(wanted.prismatic.begin(), wanted.prismatic.end(), false) == wanted.prismatic.end();
  if (text.empty()) {
    notes.push_back(datasetOf(place) + ": no unit attribute, taken as " +
                    siUnit(quantity, all_prismatic));
    return std::vector<double>(n, 1.0);
  }
  const std::optional<Unit> unit = parseUnit(quantity, text);
  if (!unit) refuseUnknown(quantity, place, text, "");
  const bool fits_all =
      quantity == Quantity::kCurrent || (unit->linear ? all_prismatic : !any_prismatic);
  const bool fits_some = unit->linear ? any_prismatic : !all_prismatic;
  if (!fits_all && !(fits_some && unit->to_si == 1.0)) {
    const auto misfit = std::find(wanted.prismatic.begin(), wanted.prismatic.end(), !unit->linear);
    const auto i = static_cast<size_t>(misfit - wanted.prismatic.begin());
    throw InputError(
        place + ": unit '" + text + "' does not fit the " +
        (wanted.prismatic[i] ? "prismatic" : "revolute") + " joint '" + wanted.names[i] +
        "'; add an attribute 'unit_per_joint', or name the joint under `prismatic` in the "
        "mapping of `dynid import`");
  }
  if (!fits_all)
    notes.push_back(datasetOf(place) + ": unit '" + text + "' for all, taken as " +
                    siUnit(quantity, !unit->linear) + " for the " +
                    (unit->linear ? "revolute" : "prismatic") + " joints");
  return std::vector<double>(n, unit->to_si);
}

double scaleOfJoint(Quantity quantity,
                    const std::string& text,
                    const std::string& name,
                    bool prismatic,
                    const std::string& place,
                    std::vector<std::string>& notes) {
  if (text.empty()) {
    notes.push_back(datasetOf(place) + ": no unit for '" + name + "', taken as " +
                    siUnit(quantity, prismatic));
    return 1.0;
  }
  std::optional<Unit> unit = parseUnit(quantity, text);
  if (!unit) {
    unit = parseUnitPrefix(quantity, text);
    if (!unit) refuseUnknown(quantity, place, text, " of joint '" + name + "'");
    notes.push_back(datasetOf(place) + ": unit of '" + name + "' is \"" + text +
                    "\"; the words after the unit are ignored");
  }
  if (quantity != Quantity::kCurrent && unit->linear != prismatic)
    throw InputError(place + ": unit '" + text + "' does not fit the " +
                     (prismatic ? "prismatic" : "revolute") + " joint '" + name + "'; expected " +
                     siUnit(quantity, prismatic) + " or the like");
  return unit->to_si;
}

}  // namespace

std::vector<std::string> unitAttribute(const H5Input& input, const std::string& dataset) {
  constexpr const char* kNetcdf = "units";
  std::vector<std::string> unit = input.textAttribute(dataset, "unit");
  if (!unit.empty() || !input.attributeIsText(dataset, kNetcdf).value_or(false)) return unit;
  unit = input.textAttribute(dataset, kNetcdf);
  for (std::string& text : unit) text.resize(std::min(text.size(), text.find(" since ")));
  return unit;
}

std::vector<double> channelScales(Quantity quantity,
                                  const ChannelInfo& channel,
                                  const WantedColumns& wanted,
                                  const std::string& place,
                                  std::vector<std::string>& notes) {
  if (!channel.unit_per_joint)
    return scalesOfOneUnit(quantity, channel.units.front(), wanted, place, notes);
  std::vector<double> scales;
  for (size_t i = 0; i < wanted.column.size(); ++i)
    scales.push_back(scaleOfJoint(quantity,
                                  channel.units[wanted.column[i]],
                                  wanted.names[i],
                                  wanted.prismatic[i],
                                  place,
                                  notes));
  return scales;
}

double seriesScale(Quantity quantity,
                   const ChannelInfo& channel,
                   const std::string& place,
                   std::vector<std::string>& notes) {
  if (channel.units.empty() || channel.units.front().empty()) {
    notes.push_back(datasetOf(place) + ": no unit attribute, taken as " + siUnit(quantity, false));
    return 1.0;
  }
  const std::optional<Unit> unit = parseUnit(quantity, channel.units.front());
  if (!unit) refuseUnknown(quantity, place, channel.units.front(), "");
  return unit->to_si;
}

}  // namespace dynid
