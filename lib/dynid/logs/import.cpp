#include "dynid/logs/import.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/logs/csv.h"
#include "dynid/logs/import_header.h"
#include "dynid/logs/import_mapping.h"
#include "dynid/logs/log_writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace dynid {
namespace {

constexpr Eigen::Index kBlockRows = 4096;
constexpr std::int64_t kExactInDouble = std::int64_t{1} << 53;

/// A channel with its columns found in this file.
struct Source {
  std::vector<size_t> columns;
  std::vector<double> factors;
  Eigen::MatrixXd RawSignals::*member;
};

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

/// Turns rows of text into blocks of SI numbers.
class RowConverter {
 public:
  RowConverter(const CsvReader& csv, const ImportMapping& mapping, std::string path)
      : path_(std::move(path)), csv_(csv), decimal_comma_(*csv.format().decimal_comma) {
    if (mapping.time) time_ = findColumn(*mapping.time, csv, path_);
    time_factor_ = mapping.time ? mapping.time_factor : 1.0 / *mapping.sample_rate_hz;
    add(mapping.position, &RawBlock::position);
    add(mapping.velocity, &RawBlock::velocity);
    add(mapping.acceleration, &RawBlock::acceleration);
    add(mapping.effort ? mapping.effort : mapping.current, &RawBlock::effort);
  }

  void resize(RawBlock& block, Eigen::Index rows) const {
    block.time.conservativeResize(rows);
    for (const Source& source : sources_)
      (block.*source.member)
          .conservativeResize(rows, static_cast<Eigen::Index>(source.columns.size()));
  }

  /// Converts one row; what is wrong with it, or "".
  std::string convert(std::vector<std::string_view>& fields,
                      Eigen::Index row,
                      std::int64_t rows_before,
                      RawBlock& block) {
    // A delimiter at the end of each row makes an empty field more.
    if (fields.size() == csv_.columns() + 1 && fields.back().empty()) fields.pop_back();
    if (fields.size() != csv_.columns())
      return "has " + std::to_string(fields.size()) + " columns; the others have " +
             std::to_string(csv_.columns());
    if (!time_) {
      block.time[row] = static_cast<double>(rows_before) * time_factor_;
    } else if (!convertTime(fields[*time_], block.time[row])) {
      return wrongField(fields, *time_);
    }
    for (const Source& source : sources_)
      for (size_t j = 0; j < source.columns.size(); ++j) {
        const std::optional<double> value =
            parseLogNumber(fields[source.columns[j]], decimal_comma_);
        if (!value) return wrongField(fields, source.columns[j]);
        (block.*source.member)(row, static_cast<Eigen::Index>(j)) = source.factors[j] * *value;
      }
    return {};
  }

  bool countsFromFirstRow() const { return origin_.has_value(); }

 private:
  void add(const std::optional<ChannelMapping>& channel, Eigen::MatrixXd RawSignals::*member) {
    if (!channel) return;
    Source source{{}, channel->factors, member};
    for (const ColumnRef& ref : channel->columns)
      source.columns.push_back(findColumn(ref, csv_, path_));
    sources_.push_back(std::move(source));
  }

  /// Nanoseconds since 1970 do not fit a double: such stamps are counted from the first row.
  bool convertTime(std::string_view text, double& time) {
    std::int64_t ticks = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), ticks);
    const bool whole = error == std::errc() && stop == text.data() + text.size();
    if (first_time_ && whole && ticks > kExactInDouble) origin_ = ticks;
    first_time_ = false;
    if (origin_ && whole) {
      time = time_factor_ * static_cast<double>(ticks - *origin_);
      return true;
    }
    const std::optional<double> value = parseLogNumber(text, decimal_comma_);
    if (!value || origin_) return false;
    time = time_factor_ * *value;
    return true;
  }

  std::string wrongField(const std::vector<std::string_view>& fields, size_t column) const {
    std::string name = "column " + std::to_string(column + 1);
    if (!csv_.names().empty()) name += " '" + csv_.names()[column] + "'";
    const std::string_view text = fields[column];
    if (text.empty()) return name + " is empty";
    const bool comma = !decimal_comma_ && parseLogNumber(text, true).has_value();
    return name + ": '" + std::string(text.substr(0, 40)) + "' is not a number" +
           (comma ? " (a decimal comma? set decimal_comma = true in the mapping)" : "");
  }

  std::string path_;
  const CsvReader& csv_;
  bool decimal_comma_;
  std::optional<size_t> time_;
  double time_factor_ = 1.0;
  bool first_time_ = true;
  std::optional<std::int64_t> origin_;
  std::vector<Source> sources_;
};

ImportMapping mappingFor(const CsvReader& csv,
                         const std::string& path,
                         const ImportOptions& options,
                         std::optional<ImportMapping> given) {
  ImportMapping mapping = given ? std::move(*given) : recogniseHeader(csv.names());
  if (!mapping.position)
    throw InputError(path + ": " +
                     (csv.names().empty()
                          ? "there is no header that says which columns are positions"
                          : "no columns of positions (q0, position_0, <joint>_position, ...) "
                            "recognised in the header " +
                                join(csv.names())) +
                     "; say which column is what in a mapping file (--mapping)");
  if (!mapping.time && !mapping.sample_rate_hz)
    throw InputError(
        path +
        ": no column of times recognised in the header; name it, or sample_rate_hz, in "
        "a mapping file (--mapping)");
  const size_t n = mapping.position->columns.size();
  if (!options.joints.empty()) {
    if (options.joints.size() != n)
      throw UsageError("import: " + std::to_string(options.joints.size()) + " joint names for " +
                       std::to_string(n) + " columns of positions");
    mapping.joints = options.joints;
  }
  if (mapping.joints.empty()) {
    for (size_t i = 0; i < n; ++i) mapping.joints.push_back("joint_" + std::to_string(i + 1));
    mapping.notes.push_back("the joints have no names: called joint_1 to joint_" +
                            std::to_string(n) + "; the robot's names can be given");
  }
  return mapping;
}

LogHeader headerFor(const ImportMapping& mapping, int compression) {
  LogHeader header;
  header.joint_names = mapping.joints;
  header.prismatic = mapping.prismatic;
  header.has_velocity = mapping.velocity.has_value();
  header.has_acceleration = mapping.acceleration.has_value();
  header.effort_kind = mapping.effort    ? EffortKind::kEffort
                       : mapping.current ? EffortKind::kCurrent
                                         : EffortKind::kNone;
  header.robot = mapping.robot;
  header.source = mapping.source;
  header.license = mapping.license;
  header.description = mapping.description;
  header.sample_rate_hz = mapping.sample_rate_hz;
  header.gravity = mapping.gravity;
  header.payload = mapping.payload;
  header.compression = compression;
  return header;
}

[[noreturn]] void refuseLine(const std::string& path, std::int64_t line, const std::string& why) {
  throw InputError(path + ":" + std::to_string(line) + ": " + why +
                   "; mend the line, or leave such lines out with --skip-bad-rows");
}

/// Reads all rows, block by block, into the writer.
void convertRows(CsvReader& csv,
                 RowConverter& converter,
                 const std::string& path,
                 bool skip_bad_rows,
                 LogWriter& writer,
                 ImportResult& result) {
  RawBlock block;
  std::vector<std::string_view> fields;
  Eigen::Index row = 0;
  converter.resize(block, kBlockRows);
  while (csv.next(fields)) {
    const std::string wrong = converter.convert(fields, row, result.rows, block);
    if (!wrong.empty()) {
      if (!skip_bad_rows) refuseLine(path, csv.line(), wrong);
      ++result.bad_rows;
      continue;
    }
    ++result.rows;
    if (++row == kBlockRows) {
      writer.append(block);
      row = 0;
    }
  }
  converter.resize(block, row);
  writer.append(block);
}

}  // namespace

ImportResult importCsv(const std::filesystem::path& csv_path,
                       const std::filesystem::path& log,
                       const ImportOptions& options) {
  const std::string path = csv_path.string();
  std::optional<ImportMapping> given;
  if (options.mapping) given = readImportMapping(*options.mapping);
  CsvReader csv(csv_path, given ? given->format : CsvFormat());
  ImportMapping mapping = mappingFor(csv, path, options, std::move(given));
  if (mapping.source.empty()) mapping.source = csv_path.filename().string();
  RowConverter converter(csv, mapping, path);
  const LogHeader header = headerFor(mapping, options.compression);
  LogWriter writer(log, header);
  ImportResult result;
  convertRows(csv, converter, path, options.skip_bad_rows, writer, result);
  if (result.rows == 0) throw InputError(path + ": has no rows of numbers");
  writer.finish();
  result.joint_names = mapping.joints;
  result.has_velocity = header.has_velocity;
  result.has_acceleration = header.has_acceleration;
  result.effort_kind = header.effort_kind;
  result.notes = std::move(mapping.notes);
  if (converter.countsFromFirstRow())
    result.notes.emplace_back("time is counted from the first row");
  return result;
}

}  // namespace dynid
