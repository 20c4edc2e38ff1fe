#include "dynid/import/csv_joints.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/import/csv.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace dynid {
namespace {

/// Joint names in separate columns of the first row that has them.
std::vector<std::string> namesInRows(const std::filesystem::path& path,
                                     const CsvFormat& format,
                                     const std::vector<size_t>& columns) {
  CsvReader csv(path, format);
  std::vector<std::string_view> fields;
  for (size_t i = 0; !columns.empty() && i < kRowsToLookAt && csv.next(fields); ++i) {
    std::vector<std::string> names;
    for (const size_t column : columns)
      if (column < fields.size() && !fields[column].empty()) names.emplace_back(fields[column]);
    if (names.size() == columns.size()) return names;
  }
  return {};
}

/// Leaves the joints with these numbers, in this order.
void takeJoints(const std::vector<size_t>& numbers, ImportMapping& mapping) {
  const auto take = [&](auto& values) {
    if (values.empty()) return;
    auto taken = values;
    taken.clear();
    for (const size_t j : numbers) taken.push_back(values[j]);
    values = taken;
  };
  for (std::optional<ChannelMapping>* channel : {&mapping.position,
                                                 &mapping.velocity,
                                                 &mapping.acceleration,
                                                 &mapping.effort,
                                                 &mapping.current})
    if (*channel) {
      take((*channel)->columns);
      take((*channel)->factors);
    }
  take(mapping.joints);
  take(mapping.prismatic);
  take(mapping.name_columns);
  take(mapping.names_in_rows);
}

/// The place of each wanted name among `names`; empty if one is not there.
std::vector<size_t> placesOf(const std::vector<std::string>& wanted,
                             const std::vector<std::string>& names) {
  std::vector<size_t> places;
  for (const std::string& name : wanted) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return {};
    places.push_back(static_cast<size_t>(found - names.begin()));
  }
  return places;
}

}  // namespace

void nameJoints(const std::filesystem::path& path,
                const ImportOptions& options,
                const std::vector<std::string>& wanted,
                const CsvFormat& format,
                ImportMapping& mapping) {
  const size_t n = mapping.position->columns.size();
  mapping.names_in_rows = namesInRows(path, format, mapping.name_columns);
  if (!wanted.empty()) {
    const std::string numbers =
        fmt::format("{} joint names are given for {} columns of positions", wanted.size(), n);
    if (wanted.size() != n && wanted != options.joints)
      throw InputError(fmt::format("{}: joints: {}", options.mapping->string(), numbers));
    if (wanted.size() != n) throw UsageError(numbers);
    const std::vector<std::string>& names = mapping.names_in_rows;
    if (std::is_permutation(wanted.begin(), wanted.end(), names.begin(), names.end()))
      takeJoints(placesOf(wanted, names), mapping);
    mapping.joints = wanted;
  }
  if (mapping.joints.empty()) {
    mapping.joints = mapping.names_in_rows;
    std::set<std::string> names;
    for (const std::string& name : mapping.joints)
      if (!names.insert(name).second)
        throw InputError(
            fmt::format("{}: the columns of joint names hold '{}' twice; name the "
                        "joints of the columns with `joints` a,b,c",
                        path.string(),
                        name));
  }
  if (mapping.joints.empty()) {
    for (size_t i = 0; i < n; ++i) mapping.joints.push_back("joint_" + std::to_string(i + 1));
    mapping.notes.push_back("the joints have no names: called joint_1 to joint_" +
                            std::to_string(n) + "; give the robot's names with `joints` a,b,c");
  }
}

void chooseJoints(const std::vector<std::string>& wanted, ImportMapping& mapping) {
  const std::vector<size_t> places = placesOf(wanted, mapping.joints);
  if (places.empty())
    throw UsageError(fmt::format(
        "`joints`: {} are not all in the mapping file, which names the joints {}; name some of "
        "these, in the order of the log",
        join(wanted),
        join(mapping.joints)));
  takeJoints(places, mapping);
}

}  // namespace dynid
