#include "dynid/import/csv_mapping.h"

#include "dynid/core/errors.h"
#include "dynid/core/few_words.h"
#include "dynid/core/text.h"
#include "dynid/import/csv_joints.h"
#include "dynid/import/header_names.h"
#include "dynid/import/header_topics.h"
#include "dynid/import/header_units.h"
#include "dynid/import/import_header.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace dynid {
namespace {

constexpr size_t kMostJoints = 64;
constexpr double kManyRepeated = 0.9;
constexpr double kLongInterval = 0.2;    // [s] longer than in any log of a robot
constexpr double kShortInterval = 1e-5;  // [s] shorter than in any log of a robot
constexpr double kLeastDate = 1e4;       // [d] spreadsheets count from 1900, MATLAB from 0

/// Mapping for a table without a header, by the number of its columns: time (unless the sampling
/// rate is given) followed by positions, or by positions, velocities and efforts.
ImportMapping mappingByCount(const std::string& path,
                             size_t columns,
                             const std::vector<std::string>& joints,
                             bool has_time) {
  const size_t n = joints.size(), times = has_time ? 1 : 0;
  if (columns != times + n && columns != times + 3 * n)
    throw InputError(fmt::format(
        "{}: there is no header with names, and its {} columns are neither {}{} positions nor {}{} "
        "positions, velocities and efforts; assign the columns in a mapping file (`mapping`)",
        path,
        columns,
        has_time ? "time and " : "",
        n,
        has_time ? "time, " : "",
        n));
  ImportMapping mapping;
  mapping.joints = joints;
  mapping.prismatic.assign(n, false);
  if (has_time) mapping.time = std::int64_t{1};
  const auto channel = [&](size_t block) {
    ChannelMapping one;
    for (size_t j = 0; j < n; ++j)
      one.columns.emplace_back(static_cast<std::int64_t>(1 + times + block * n + j));
    one.factors.assign(n, 1.0);
    return one;
  };
  const bool has_all = columns > times + n;
  mapping.position = channel(0);
  if (has_all) mapping.velocity = channel(1);
  if (has_all) mapping.effort = channel(2);
  mapping.notes.push_back(
      fmt::format("there is no header with names: the columns are taken in the order {}positions{}",
                  has_time ? "time, " : "",
                  has_all ? ", velocities, efforts" : ""));
  return mapping;
}

/// Refuses a column that is taken twice: copied lines of a mapping.
void refuseSharedColumns(const ImportMapping& mapping,
                         const CsvReader& csv,
                         const std::string& path) {
  std::map<size_t, std::string> users;
  const auto use = [&](const ColumnRef& ref, const std::string& as) {
    const auto [known, is_new] = users.emplace(findColumn(ref, csv, path), as);
    if (!is_new)
      throw InputError(
          fmt::format("{}: the mapping takes column {} as {} and as {}; correct one of them",
                      path,
                      known->first < csv.names().size() ? "'" + csv.names()[known->first] + "'"
                                                        : std::to_string(known->first + 1),
                      known->second,
                      as));
  };
  if (mapping.time) use(*mapping.time, "time");
  if (mapping.time_nanoseconds) use(*mapping.time_nanoseconds, "nanoseconds of the time");
  const std::pair<const std::optional<ChannelMapping>*, const char*> channels[] = {
      {&mapping.position, "position"},
      {&mapping.velocity, "velocity"},
      {&mapping.acceleration, "acceleration"},
      {&mapping.effort, "effort"},
      {&mapping.current, "current"}};
  for (const auto& [channel, name] : channels)
    for (size_t j = 0; *channel && j < (*channel)->columns.size(); ++j)
      use((*channel)->columns[j],
          std::string(name) + " of " +
              (j < mapping.joints.size() ? mapping.joints[j] : "joint " + std::to_string(j + 1)));
}

void requireComplete(const ImportMapping& mapping, const CsvReader& csv, const std::string& path) {
  if (!mapping.ambiguity.empty())
    throw InputError(fmt::format(
        "{}: {}; assign the columns in a mapping file (`mapping`)", path, mapping.ambiguity));
  const bool no_names = csv.names().empty() || areNumbersOnly(csv.names());
  if (!mapping.position)
    throw InputError(
        path + ": " +
        (no_names ? "there is no header that says which columns are positions; name the "
                    "joints (`joints` a,b,c) if the columns are time, positions (and "
                    "velocities and efforts)"
                  : "no columns of positions (q0, position_0, <joint>_position, ...) "
                    "recognised in the header " +
                        join(csv.names())) +
        (no_names ? ", or" : ";") + " assign the columns in a mapping file (`mapping`)");
  if (!mapping.time && !mapping.sample_rate_hz)
    throw InputError(
        path +
        ": no column of times recognised in the header; give the rows per second (`rate_hz`), or "
        "name the column under [time] in a mapping file (`mapping`)");
}

void requireKnownUnits(const ImportMapping& mapping, const std::string& path) {
  for (const std::optional<ChannelMapping>* channel : {&mapping.position,
                                                       &mapping.velocity,
                                                       &mapping.acceleration,
                                                       &mapping.effort,
                                                       &mapping.current})
    if (*channel && !(*channel)->unknown_unit.empty())
      throw InputError(path + ": " + (*channel)->unknown_unit);
}

/// @returns whether no time is before the one above it
bool warnOfTimesThatGoBack(const std::vector<double>& times, std::vector<std::string>& warnings) {
  const auto back = std::adjacent_find(times.begin(), times.end(), std::greater<>());
  if (back == times.end()) return true;
  warnings.push_back(fmt::format(
      "the times go back from {:.6g} to {:.6g}, in row {}: sort the rows, or, if a clock starts "
      "anew there (as at midnight), add what it has lost to the times behind it",
      *back,
      *(back + 1),
      back - times.begin() + 2));
  return false;
}

/// Determines the unit of time stamps if none was given, from the first rows: by the magnitude of a
/// clock that counts from 1970, or by the interval of integer stamps.
void findTimeUnit(const std::filesystem::path& path, const CsvReader& csv, ImportMapping& mapping) {
  if (!mapping.time || mapping.time_unit_known) return;
  const size_t column = findColumn(*mapping.time, csv, path.string());
  CsvReader rows(path, csv.format());
  std::vector<std::string_view> fields;
  std::vector<double> times;
  bool whole = true;
  for (size_t i = 0; i < kRowsToLookAt && rows.next(fields); ++i) {
    if (column >= fields.size()) continue;
    const std::optional<double> time = parseLogNumber(fields[column], *csv.format().decimal_comma);
    if (!time || !std::isfinite(*time)) continue;
    times.push_back(*time);
    whole = whole && *time == std::floor(*time);
  }
  if (times.size() < 2) return;
  const bool ordered = warnOfTimesThatGoBack(times, mapping.warnings);
  std::vector<double> steps;
  for (size_t i = 1; i < times.size(); ++i) steps.push_back(std::abs(times[i] - times[i - 1]));
  std::nth_element(
      steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2), steps.end());
  const double step = steps[steps.size() / 2];
  const std::int64_t repeated = std::count(steps.begin(), steps.end(), 0.0);
  if (!mapping.time_nanoseconds &&
      static_cast<double>(repeated) > kManyRepeated * static_cast<double>(steps.size()))
    mapping.warnings.push_back(
        fmt::format("{} of the first {} rows repeat the time of the row before: the times have too "
                    "few digits; export them with more, or give sample_rate_hz in a mapping file "
                    "(`mapping`) in place of the column",
                    repeated,
                    times.size()));
  const double size = std::abs(times.front());
  // 1.7e9 s have passed since 1970; the interval of a log is between 10 us and 100 ms.
  struct Candidate {
    const char* unit;
    double factor, least_size, least_step;
  };
  for (const Candidate& one : {Candidate{"ns", 1e-9, 1e17, 1e5},
                               Candidate{"us", 1e-6, 1e14, 1e3},
                               Candidate{"ms", 1e-3, 1e11, 1e99}})
    if (size >= one.least_size || (whole && step >= one.least_step)) {
      mapping.time_factor = one.factor;
      mapping.notes.push_back(
          fmt::format("the times begin with {:.0f} and go in steps of {:.6g}: taken as {}",
                      times.front(),
                      step,
                      one.unit));
      return;
    }
  if (step > 0.0 && step < kShortInterval && size > kLeastDate && ordered)
    mapping.warnings.push_back(fmt::format(
        "the times begin with {:.8g} and go in steps of {:.3g} s: if they are days (dates of a "
        "spreadsheet or of MATLAB), set unit = \"d\" under [time] in a mapping file "
        "(`mapping`), and export them with at least eight digits behind the point",
        times.front(),
        step));
  if (step > kLongInterval && ordered)
    mapping.warnings.push_back(fmt::format(
        "the times go in steps of {:.4g} s, which is slow for a log of a robot: if they are "
        "milliseconds, "
        "set unit = \"ms\" under [time] in a mapping file (`mapping`), or call the column time_ms",
        step));
}

/// Refuses a table with one row per joint and time: one column of positions, and an unused column
/// whose words alternate while the time stays.
void refuseRowsPerJoint(const std::filesystem::path& path,
                        const CsvReader& csv,
                        const ImportMapping& mapping) {
  if (!mapping.time || mapping.time_nanoseconds || mapping.position->columns.size() != 1) return;
  const size_t time = findColumn(*mapping.time, csv, path.string());
  for (const std::string& unused : unusedColumns(mapping, csv, path.string())) {
    if (std::count(csv.names().begin(), csv.names().end(), unused) > 1) continue;
    const size_t column = findColumn(unused, csv, path.string());
    CsvReader rows(path, csv.format());
    std::vector<std::string_view> fields;
    std::set<std::string> names, times;
    std::set<std::pair<std::string, std::string>> different;
    size_t count = 0;
    for (; count < kRowsToLookAt && rows.next(fields); ++count) {
      if (std::max(column, time) >= fields.size()) break;
      names.emplace(fields[column]);
      times.emplace(fields[time]);
      different.emplace(fields[time], fields[column]);
    }
    // Every name once per time, several names per time.
    if (names.size() < 2 || names.size() > kMostJoints || different.size() < count ||
        2 * times.size() > count + 1 || different.size() <= names.size() * (times.size() - 1))
      continue;
    throw InputError(fmt::format(
        "{}: there is one row per joint and time (column '{}': {}); write one row per time with "
        "columns for each joint, as in time, {}_position, {}_effort",
        path.string(),
        unused,
        joinFew(std::vector<std::string>(names.begin(), names.end()), 6),
        *names.begin(),
        *names.begin()));
  }
}

/// Recognises the columns that `given`, a mapping file without channels, leaves open.
ImportMapping recognisedMapping(const std::string& path,
                                const CsvReader& csv,
                                const std::vector<std::string>& wanted,
                                bool has_rate,
                                const ImportMapping& given) {
  const bool no_names = csv.names().empty() || areNumbersOnly(csv.names());
  ImportMapping found = no_names && !wanted.empty() && !given.time
                            ? mappingByCount(path, csv.columns(), wanted, !has_rate)
                            : recogniseHeader(namesWithUnits(csv), wanted);
  found.joint_kinds_known = given.joint_kinds_known;
  if (given.time || given.sample_rate_hz) {
    found.time = given.time;
    found.time_nanoseconds.reset();
  }
  if (given.time || given.sample_rate_hz || given.time_unit_known) {
    found.time_factor = given.time_factor;
    found.time_unit_known = given.time_unit_known;
  }
  if (given.time_unit_known && found.time_nanoseconds)
    throw InputError(fmt::format(
        "{}: the times are in seconds and nanoseconds, but the mapping file gives another unit; "
        "leave it out, or name the `column` under [time]",
        path));
  found.sample_rate_hz = given.sample_rate_hz;
  found.warnings = given.warnings;
  found.robot = given.robot;
  found.source = given.source;
  found.license = given.license;
  found.description = given.description;
  found.gravity = given.gravity;
  found.payload = given.payload;
  return found;
}

/// Marks the joints that a mapping file without channels calls prismatic. It has named all joints.
void markPrismatic(const ImportMapping& given,
                   const CsvReader& csv,
                   const std::string& path,
                   ImportMapping& mapping) {
  const std::vector<std::string> names = namesWithUnits(csv);
  for (size_t i = 0; i < given.joints.size(); ++i) {
    if (!given.prismatic[i]) continue;
    const size_t column = findColumn(mapping.position->columns[i], csv, path);
    if (!names.empty() && !mapping.prismatic[i] && !separateUnit(names[column]).unit.empty())
      throwAngleOfPrismatic(names[column], given.joints[i], path);
    mapping.prismatic[i] = true;
  }
}

/// Sets the sampling rate of the caller.
void applyRate(const ImportOptions& options,
               const CsvReader& csv,
               const std::string& path,
               ImportMapping& mapping) {
  if (!options.rate_hz) return;
  if (!(*options.rate_hz > 0.0) || !std::isfinite(*options.rate_hz))
    throw UsageError(
        fmt::format("`rate_hz` is {}; expected a positive number", toText(*options.rate_hz)));
  if (mapping.sample_rate_hz)
    throw UsageError("`rate_hz` is given, and sample_rate_hz in the mapping file; keep one");
  if (mapping.time) {
    const size_t column = findColumn(*mapping.time, csv, path);
    throw UsageError(fmt::format(
        "`rate_hz` is for tables without times, but {} has them in column {}; leave it out, or, if "
        "the times are wrong, set sample_rate_hz in a mapping file (`mapping`)",
        path,
        csv.names().empty() ? std::to_string(column + 1) : "'" + csv.names()[column] + "'"));
  }
  mapping.sample_rate_hz = options.rate_hz;
}

}  // namespace

size_t findColumn(const ColumnRef& ref, const CsvReader& csv, const std::string& path) {
  if (const auto* number = std::get_if<std::int64_t>(&ref)) {
    if (*number <= static_cast<std::int64_t>(csv.columns()))
      return static_cast<size_t>(*number) - 1;
    throw InputError(path + ": there is no column " + std::to_string(*number) + "; the rows have " +
                     std::to_string(csv.columns()) + " columns");
  }
  const std::string& name = std::get<std::string>(ref);
  const std::vector<std::string>& names = csv.names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) {
    if (std::find(found + 1, names.end(), name) != names.end())
      throw InputError(path + ": two columns are called '" + name + "'; give their numbers");
    return static_cast<size_t>(found - names.begin());
  }
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (names.empty() && error == std::errc() && stop == name.data() + name.size() && number > 0)
    return findColumn(number, csv, path);
  if (names.empty())
    throw InputError(path + ": there is no header, so no column is called '" + name +
                     "'; give columns by number, from 1");
  throw InputError(path + ": no column is called '" + name + "'; the header has " + join(names) +
                   didYouMean(name, names));
}

ImportMapping mappingOfCsv(const std::filesystem::path& file,
                           const CsvReader& csv,
                           const ImportOptions& options,
                           std::optional<ImportMapping> given) {
  const std::string path = file.string();
  const bool recognise = !given || !given->position;
  const ImportMapping of_file = given.value_or(ImportMapping());
  const bool choose = !of_file.joints.empty() && !options.joints.empty();
  const std::vector<std::string> wanted =
      !of_file.joints.empty() ? (recognise ? of_file.joints : std::vector<std::string>())
                              : options.joints;
  const bool has_rate = options.rate_hz || of_file.sample_rate_hz;
  ImportMapping mapping =
      recognise ? recognisedMapping(path, csv, wanted, has_rate, of_file) : of_file;
  applyRate(options, csv, path, mapping);
  requireComplete(mapping, csv, path);
  if (!recognise) refuseSharedColumns(mapping, csv, path);
  refuseRowsPerJoint(file, csv, mapping);
  nameJoints(file, options, wanted, csv.format(), mapping);
  if (recognise) {
    markPrismatic(of_file, csv, path, mapping);
    // Lists of the mapping file are in the order of the joints that are now named.
    if (options.mapping) changeChannels(*options.mapping, mapping);
    refuseSharedColumns(mapping, csv, path);
    const std::vector<std::string> doubts = warningsOfTopics(mapping, csv, path);
    mapping.warnings.insert(mapping.warnings.end(), doubts.begin(), doubts.end());
  }
  requireKnownUnits(mapping, path);
  takeOpenUnits(csv, path, mapping);
  if (choose) chooseJoints(options.joints, mapping);
  findTimeUnit(file, csv, mapping);
  return mapping;
}

std::vector<TakenColumn> takenColumns(const ImportMapping& mapping,
                                      const CsvReader& csv,
                                      const std::string& path) {
  std::vector<TakenColumn> taken;
  const auto name = [&](const ColumnRef& ref) {
    const size_t column = findColumn(ref, csv, path);
    return csv.names().empty() ? fmt::format("column {}", column + 1) : csv.names()[column];
  };
  const auto scaled = [](double factor, const std::string& unit) {
    return factor == 1.0 ? unit : fmt::format("x {:.6g} = {}", factor, unit);
  };
  if (mapping.time)
    taken.push_back({name(*mapping.time), "time", "", scaled(mapping.time_factor, "s")});
  if (mapping.time_nanoseconds)
    taken.push_back({name(*mapping.time_nanoseconds), "time", "", "ns"});
  const std::tuple<const std::optional<ChannelMapping>*, Quantity, const char*> channels[] = {
      {&mapping.position, Quantity::kPosition, "position"},
      {&mapping.velocity, Quantity::kVelocity, "velocity"},
      {&mapping.acceleration, Quantity::kAcceleration, "acceleration"},
      {&mapping.effort, Quantity::kEffort, "effort"},
      {&mapping.current, Quantity::kCurrent, "current"}};
  for (const auto& [channel, quantity, text] : channels)
    for (size_t j = 0; *channel && j < (*channel)->columns.size(); ++j)
      taken.push_back(
          {name((*channel)->columns[j]),
           text,
           mapping.joints[j],
           scaled((*channel)->factors[j],
                  siUnit(quantity, mapping.prismatic.size() > j && mapping.prismatic[j]) +
                      ((*channel)->unit_known ? "" : " (assumed)"))});
  return taken;
}

std::vector<std::string> unusedColumns(const ImportMapping& mapping,
                                       const CsvReader& csv,
                                       const std::string& path) {
  std::set<size_t> used(mapping.name_columns.begin(), mapping.name_columns.end());
  const auto use = [&](const ColumnRef& ref) { used.insert(findColumn(ref, csv, path)); };
  if (mapping.time) use(*mapping.time);
  if (mapping.time_nanoseconds) use(*mapping.time_nanoseconds);
  for (const std::optional<ChannelMapping>* channel : {&mapping.position,
                                                       &mapping.velocity,
                                                       &mapping.acceleration,
                                                       &mapping.effort,
                                                       &mapping.current})
    if (*channel)
      for (const ColumnRef& ref : (*channel)->columns) use(ref);
  std::vector<std::string> unused;
  for (size_t i = 0; i < csv.names().size(); ++i)
    if (!used.contains(i) && !csv.names()[i].empty()) unused.push_back(csv.names()[i]);
  return unused;
}

}  // namespace dynid
