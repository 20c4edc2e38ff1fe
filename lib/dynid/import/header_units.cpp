#include "dynid/import/header_units.h"

#include "dynid/core/errors.h"
#include "dynid/import/csv_mapping.h"
#include "dynid/import/header_names.h"
#include "dynid/import/header_time.h"

#include <fmt/format.h>
#include <utility>

namespace dynid {
namespace {

/// Takes the unit of the times from the name of their column, if a mapping file leaves it open.
void takeTimeUnitOfHeader(const HeaderName& name, ImportMapping& mapping) {
  const auto in_brackets = name.unit.empty() ? std::nullopt : parseUnit(Quantity::kTime, name.unit);
  ImportMapping of_name;
  recogniseTime({name}, of_name);
  mapping.time_unit_known = in_brackets || of_name.time_unit_known;
  if (mapping.time_unit_known)
    mapping.time_factor = in_brackets ? in_brackets->to_si : of_name.time_factor;
}

/// The unit of a column whose quantity is known: "Moment_A1_mNm" has one for efforts.
std::string unitOfColumn(const HeaderName& name, Quantity quantity) {
  if (!name.unit.empty()) return name.unit;
  const std::string plain = lowerCase(name.text);
  for (const auto& [suffix, unit] : kUnitSuffixes)
    if (suffix.size() > 2 && plain.size() > suffix.size() && plain.ends_with(suffix) &&
        parseUnit(quantity, unit))
      return std::string(unit);
  return "";
}

/// Takes the units of a channel from the header, if a mapping file leaves them open.
void takeUnitsOfHeader(const std::vector<HeaderName>& names,
                       const CsvReader& csv,
                       const std::string& path,
                       Quantity quantity,
                       ChannelMapping& channel,
                       ImportMapping& mapping) {
  std::string unknown;
  for (size_t j = 0; j < channel.columns.size() && !channel.scaled && !names.empty(); ++j) {
    const HeaderName& name = names[findColumn(channel.columns[j], csv, path)];
    const std::string text = unitOfColumn(name, quantity);
    if (text.empty()) continue;
    const std::optional<Unit> unit = parseUnit(quantity, text);
    if (!unit && unknown.empty()) unknown = fmt::format("'{}' of '{}'", text, name.text);
    if (!unit) continue;
    if (quantity == Quantity::kPosition && mapping.prismatic[j] && !unit->linear)
      throwAngleOfPrismatic(fmt::format("{} [{}]", name.text, text), mapping.joints[j], path);
    if (quantity == Quantity::kPosition && unit->linear) mapping.prismatic[j] = true;
    channel.factors[j] *= unit->to_si;
    channel.unit_known = true;
  }
  const char* table = tableOfQuantity(quantity);
  if (!unknown.empty())
    mapping.warnings.push_back(
        fmt::format("{}: the unit {} in the header is not known, and the mapping has none: taken "
                    "as SI; give `unit`, and `scale` where one is needed, under [{}]",
                    table,
                    unknown,
                    table));
  else if (!channel.unit_known)
    mapping.notes.push_back(fmt::format("{}: no unit in the mapping, taken as SI", table));
}

}  // namespace

std::vector<std::string> namesWithUnits(const CsvReader& csv) {
  std::vector<std::string> names = csv.names();
  for (size_t i = 0; i < csv.units().size(); ++i)
    if (!csv.units()[i].empty() && separateUnit(names[i]).unit.empty())
      names[i] += " [" + csv.units()[i] + "]";
  return names;
}

void throwAngleOfPrismatic(const std::string& column,
                           const std::string& joint,
                           const std::string& path) {
  throw InputError(
      fmt::format("{}: '{}' is prismatic in the mapping file, but the unit of column '{}' is that "
                  "of an angle; correct one of them",
                  path,
                  joint,
                  column));
}

void takeOpenUnits(const CsvReader& csv, const std::string& path, ImportMapping& mapping) {
  std::vector<HeaderName> names;
  for (const std::string& name : namesWithUnits(csv)) {
    names.push_back(separateUnit(name));
    // One letter without brackets is no unit: q_m may have been measured.
    if (names.back().unit.size() == 1 && !name.ends_with(']') && !name.ends_with(')'))
      names.back().unit.clear();
  }
  if (mapping.time && !mapping.time_unit_known && !mapping.time_nanoseconds && !names.empty())
    takeTimeUnitOfHeader(names[findColumn(*mapping.time, csv, path)], mapping);
  const std::pair<std::optional<ChannelMapping>*, Quantity> channels[] = {
      {&mapping.position, Quantity::kPosition},
      {&mapping.velocity, Quantity::kVelocity},
      {&mapping.acceleration, Quantity::kAcceleration},
      {&mapping.effort, Quantity::kEffort},
      {&mapping.current, Quantity::kCurrent}};
  for (const auto& [channel, quantity] : channels)
    if (*channel && (*channel)->unit_open)
      takeUnitsOfHeader(names, csv, path, quantity, **channel, mapping);
}

}  // namespace dynid
