#pragma once

#include "dynid/import/csv.h"
#include "dynid/logs/log.h"
#include "dynid/logs/units.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace dynid {

/// A column of a text file: its name in the header, or its number from 1.
using ColumnRef = std::variant<std::string, std::int64_t>;

/// Source of a channel and its conversion to SI on the joint side: value = factor * number.
struct ChannelMapping {
  std::vector<ColumnRef> columns;  ///< one per joint
  std::vector<double> factors;     ///< one per joint: sign * scale * unit (/ or * gear ratio)
  bool unit_known = false;         ///< a unit was given; otherwise SI is assumed
  bool unit_open = false;          ///< a mapping file names the columns, but no unit
  bool scaled = false;             ///< a scale was given, which may contain the unit
  std::string unknown_unit;        ///< sentence about a unit that is not known; "": none
};

/// How a text file is converted to a log. Read from a mapping file, or recognised from the header.
struct ImportMapping {
  CsvFormat format;
  std::vector<std::string> joints;  ///< empty: joint_1, joint_2, ...
  std::vector<bool> prismatic;      ///< one per joint
  /// Whether a mapping says which joints are prismatic. Units of positions say it as well.
  bool joint_kinds_known = false;
  std::optional<ColumnRef> time;
  std::optional<ColumnRef> time_nanoseconds;  ///< added to `time`, which then contains seconds
  double time_factor = 1.0;                   ///< [s] per number
  bool time_unit_known = false;  ///< otherwise the unit is determined from the magnitude
  std::optional<double> sample_rate_hz;
  /// Without `position` a mapping file does not assign the channels: they are recognised, and
  /// `changeChannels` applies its tables.
  std::optional<ChannelMapping> position, velocity, acceleration, effort, current;
  std::string robot, source, license, description;
  std::optional<Eigen::Vector3d> gravity;
  std::optional<PayloadNote> payload;
  /// Indices (from 0) of columns that contain the joints' names as text, in the order of `joints`
  std::vector<size_t> name_columns;
  std::vector<std::string> names_in_rows;  ///< the names in these columns; empty: not compared
  std::string ambiguity;                   ///< what could not be decided; "": nothing
  std::vector<std::string> notes, warnings;
};

// clang-format off
/// Reads a mapping file (TOML). Every key may be left out. Without columns of `position` the
/// channels are recognised from the header (and the time, unless `time.column` or `sample_rate_hz`
/// is given); with them `time` or `sample_rate_hz` is needed:
///
///     delimiter = "comma"             # comma semicolon tab blank, or the sign itself; default: from the file
///     decimal_comma = false           # default: from the file
///     header = true                   # default: from the file
///     skip_rows = 0                   # lines above the table
///     comment = "#"
///     joints = ["shoulder", "elbow"]
///     prismatic = []                  # those of the joints that are prismatic
///     sample_rate_hz = 125.0          # where there is no time column
///     robot = ""
///     source = ""
///     license = ""
///     description = ""
///     gravity = [0.0, 0.0, -9.81]
///
///     [time]
///     column = "timestamp"            # a name, or a number from 1
///     unit = "s"                      # default: s, or by magnitude ms, us or ns since 1970
///
///     [position]                      # also [velocity] [acceleration] [effort] [current]
///     columns = "actual_q_{0..1}"     # or a list of names, or of numbers from 1
///     unit = "rad"                    # these four: one for all joints, or a list; default of the
///                                     # unit: that of the header, or SI
///     scale = 1.0                     # multiplies the numbers before the unit
///     sign = 1                        # of single joints (also scale, gear_ratio): { elbow = -1 }
///     gear_ratio = 1.0                # motor turns per joint turn, where the column is on the motor side
///
///     [payload]                       # as in the HDF5 log
///     link = "tool0"
///     name = ""
///     mass = 2.5
///     com = [0.0, 0.0, 0.1]
///     inertia = [0.01, 0.0, 0.0, 0.01, 0.0, 0.01]
///
/// @throws InputError "path:line: ..." for a key, value or unit that is not known.
// clang-format on
ImportMapping readImportMapping(const std::filesystem::path& path);

/// Reads a mapping file for a ROS recording, whose channels are known: it has no keys of texts and
/// columns. @throws InputError as readImportMapping
ImportMapping readMappingOfMessages(const std::filesystem::path& path);

/// Applies the tables of channels of a mapping file without columns of `position` to channels that
/// were recognised. A table with `columns` replaces or adds a channel; one without changes its
/// unit, scale, sign and gear ratio. [effort] replaces currents, and [current] efforts.
/// @param mapping  has `position` and an entry of `prismatic` for each joint
/// @throws InputError as readImportMapping
void changeChannels(const std::filesystem::path& path, ImportMapping& mapping);

/// The table of a mapping file that assigns the columns of a quantity: "position", ...
const char* tableOfQuantity(Quantity quantity);

/// Expands "actual_q_{0..2}" to actual_q_0, actual_q_1, actual_q_2; other text to itself.
/// @returns empty if there is a brace that is not such a range, or for more than 1000 names
std::optional<std::vector<std::string>> expandPattern(const std::string& pattern);

}  // namespace dynid
