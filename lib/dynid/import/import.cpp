#include "dynid/import/import.h"

#include "dynid/core/errors.h"
#include "dynid/core/few_words.h"
#include "dynid/core/text.h"
#include "dynid/import/csv.h"
#include "dynid/import/csv_mapping.h"
#include "dynid/import/date_time.h"
#include "dynid/logs/log_writer.h"
#include "dynid/logs/unwrap_angles.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <tuple>

namespace dynid {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;  // ns
constexpr std::int64_t kDay = 86400 * kSecond;
constexpr std::int64_t kMaxSeconds = 9'000'000'000;  // largest seconds of a stamp that fit in ns
constexpr double kLongAgo = 1e7;                     // [s]
constexpr double kTwoTurns = 12.6;  // [rad] beyond the range of most revolute joints

/// A channel and its columns in this file.
struct Source {
  std::vector<size_t> columns;
  std::vector<double> factors;
  Eigen::MatrixXd RawSignals::*member;
};

/// Result of the conversion of a row of text.
struct RowOutcome {
  bool used = true;
  std::string wrong;  ///< description of an error; "": none
};

/// Converts rows of text to blocks of numbers in SI units.
class RowConverter {
 public:
  RowConverter(const CsvReader& csv, const ImportMapping& mapping, std::string path)
      : path_(std::move(path)), csv_(csv), decimal_comma_(*csv.format().decimal_comma) {
    if (mapping.time) time_ = findColumn(*mapping.time, csv, path_);
    if (mapping.time_nanoseconds) nanoseconds_ = findColumn(*mapping.time_nanoseconds, csv, path_);
    time_factor_ = mapping.time ? mapping.time_factor : 1.0 / *mapping.sample_rate_hz;
    add(mapping.position, &RawBlock::position);
    add(mapping.velocity, &RawBlock::velocity);
    add(mapping.acceleration, &RawBlock::acceleration);
    add(mapping.effort ? mapping.effort : mapping.current, &RawBlock::effort);
    for (size_t j = 0; j < mapping.position->columns.size(); ++j) order_.push_back(j);
    if (mapping.names_in_rows.empty()) return;
    name_columns_ = mapping.name_columns;
    names_ = mapping.names_in_rows;
  }

  void resize(RawBlock& block, Eigen::Index rows) const {
    block.time.conservativeResize(rows);
    for (const Source& source : sources_)
      (block.*source.member).conservativeResize(rows, std::ssize(source.columns));
  }

  RowOutcome convert(std::vector<std::string_view>& fields,
                     Eigen::Index row,
                     std::int64_t lines_before,
                     RawBlock& block) {
    // A delimiter at the end of each row creates an additional empty field.
    if (fields.size() == csv_.columns() + 1 && fields.back().empty()) fields.pop_back();
    if (fields.size() != csv_.columns())
      return {true,
              fmt::format("has {} columns; the others have {}", fields.size(), csv_.columns())};
    if (isOfAnotherSource(fields)) return {false, ""};
    if (!findOrder(fields)) return {true, otherNames(fields)};
    if (!time_) {
      block.time[row] = static_cast<double>(lines_before) * time_factor_;
    } else if (nanoseconds_) {
      if (!convertStamp(fields, block.time[row])) return {true, wrongField(fields, *time_)};
    } else if (!convertTime(fields[*time_], block.time[row])) {
      return {true, wrongField(fields, *time_)};
    }
    std::int64_t missing = 0;
    for (const Source& source : sources_)
      for (size_t j = 0; j < source.columns.size(); ++j) {
        const size_t column = source.columns[order_[j]];
        std::optional<double> value = parseLogNumber(fields[column], decimal_comma_);
        if (!value && isMissingValue(fields[column])) {
          value = std::numeric_limits<double>::quiet_NaN();
          ++missing;
        }
        if (!value) return {true, wrongField(fields, column)};
        (block.*source.member)(row, j) = source.factors[order_[j]] * *value;
      }
    missing_ += missing;
    return {};
  }

  /// Number of values that are missing in the rows that were converted.
  std::int64_t missing() const { return missing_; }

  bool countsFromFirstRow() const { return origin_.has_value(); }

 private:
  void add(const std::optional<ChannelMapping>& channel, Eigen::MatrixXd RawSignals::*member) {
    if (!channel) return;
    Source source{{}, channel->factors, member};
    for (const ColumnRef& ref : channel->columns)
      source.columns.push_back(findColumn(ref, csv_, path_));
    sources_.push_back(std::move(source));
  }

  /// In tables of several topics, the cells of other topics are empty.
  bool isOfAnotherSource(const std::vector<std::string_view>& fields) const {
    return std::all_of(sources_.begin(), sources_.end(), [&](const Source& source) {
      return std::all_of(source.columns.begin(), source.columns.end(), [&](size_t column) {
        return isMissingValue(fields[column]);
      });
    });
  }

  /// Finds in which order the row has the joints, if it names them.
  /// @returns false if it names others
  bool findOrder(const std::vector<std::string_view>& fields) {
    for (size_t j = 0; j < names_.size(); ++j) {
      size_t i = j;
      while (i < names_.size() && fields[name_columns_[order_[i]]] != names_[j]) ++i;
      if (i == names_.size()) return false;
      std::swap(order_[j], order_[i]);
    }
    return true;
  }

  std::string otherNames(const std::vector<std::string_view>& fields) const {
    std::vector<std::string> found;
    for (const size_t column : name_columns_) found.emplace_back(fields[column].substr(0, 40));
    return fmt::format("holds the joints {}; the first row holds {}", join(found), join(names_));
  }

  static std::optional<std::int64_t> wholeNumber(std::string_view text) {
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
    return number;
  }

  /// a - b, rounded once; stamps of opposite signs may be further apart than an integer holds.
  static double difference(std::int64_t a, std::int64_t b) {
    std::int64_t exact = 0;
    if (!__builtin_sub_overflow(a, b, &exact)) return static_cast<double>(exact);
    return static_cast<double>(a) - static_cast<double>(b);
  }

  /// Converts seconds and nanoseconds in two columns.
  bool convertStamp(const std::vector<std::string_view>& fields, double& time) {
    const std::optional<std::int64_t> seconds = wholeNumber(fields[*time_]);
    const std::optional<std::int64_t> rest = wholeNumber(fields[*nanoseconds_]);
    if (!seconds || !rest || *seconds < -kMaxSeconds || *seconds > kMaxSeconds ||
        *rest < -kSecond || *rest > kSecond)
      return false;
    const std::int64_t stamp = *seconds * kSecond + *rest;
    if (first_time_ && stamp > kExactInDouble) origin_ = stamp;
    first_time_ = false;
    time = difference(stamp, origin_.value_or(0)) / static_cast<double>(kSecond);
    return true;
  }

  /// [ns] of a date, or of a time of day since midnight of the first row.
  std::optional<std::int64_t> stampOf(std::string_view text) {
    if (const std::optional<std::int64_t> date = parseDateTime(text)) return date;
    std::optional<std::int64_t> time = parseTimeOfDay(text);
    if (!time) return std::nullopt;
    *time += midnights_ * kDay;
    if (origin_ && *time < last_of_day_ - kDay / 2) {
      ++midnights_;
      *time += kDay;
    }
    last_of_day_ = *time;
    return time;
  }

  /// Dates and times of day are counted from the first row.
  bool convertDate(std::int64_t stamp, double& time) {
    if (!first_time_ && !dates_) return false;
    if (first_time_) origin_ = stamp;
    first_time_ = false;
    dates_ = true;
    time = difference(stamp, *origin_) / static_cast<double>(kSecond);
    return true;
  }

  /// Ticks shorter than a second since 1970 lose digits when converted to seconds as a double; they
  /// are counted from the first row.
  bool convertTime(std::string_view text, double& time) {
    constexpr std::string_view kSeconds = " sec";  // durations of MATLAB: "0.01 sec"
    if (text.ends_with(kSeconds)) text.remove_suffix(kSeconds.size());
    if (const std::optional<std::int64_t> stamp = stampOf(text)) return convertDate(*stamp, time);
    if (dates_) return false;
    const std::optional<std::int64_t> ticks = wholeNumber(text);
    if (first_time_ && ticks && time_factor_ < 1.0 &&
        time_factor_ * static_cast<double>(*ticks) > kLongAgo)
      origin_ = ticks;
    first_time_ = false;
    if (origin_ && ticks) {
      time = time_factor_ * difference(*ticks, *origin_);
      return true;
    }
    const std::optional<double> value = parseLogNumber(text, decimal_comma_);
    if (!value) return false;
    time = time_factor_ * (*value - static_cast<double>(origin_.value_or(0)));
    return true;
  }

  /// "2023-11-14T22:13:20", "22:13:20.5"
  static bool isDate(std::string_view text) {
    return text.size() >= 8 && text.front() >= '0' && text.front() <= '9' &&
           std::count(text.begin(), text.end(), ':') >= 2;
  }

  std::string wrongField(const std::vector<std::string_view>& fields, size_t column) const {
    std::string name = "column " + std::to_string(column + 1);
    if (!csv_.names().empty()) name += " '" + csv_.names()[column] + "'";
    const std::string_view text = fields[column];
    if (text.empty()) return name + " is empty";
    const bool comma = !decimal_comma_ && parseLogNumber(text, true).has_value();
    return name + ": '" + std::string(text.substr(0, 40)) + "' is not a number" +
           (comma          ? " (a decimal comma? set decimal_comma = true in the mapping)"
            : isDate(text) ? " (write times as seconds, whole nanoseconds, or dates such as "
                             "2024-05-01T12:00:00.25 or 12:00:00.25)"
                           : "");
  }

  std::string path_;
  const CsvReader& csv_;
  bool decimal_comma_;
  std::optional<size_t> time_, nanoseconds_;
  double time_factor_ = 1.0;
  bool first_time_ = true;
  bool dates_ = false;                            // the times are dates or times of day
  std::int64_t midnights_ = 0, last_of_day_ = 0;  // [ns] the latter
  std::int64_t missing_ = 0;
  std::optional<std::int64_t> origin_;
  std::vector<Source> sources_;
  std::vector<size_t> order_;  // the columns of joint j are those with number order_[j]
  std::vector<size_t> name_columns_;
  std::vector<std::string> names_;  // of the joints, in these columns of the first row
};

/// Positions of revolute joints beyond two turns are probably in degrees.
void warnOfDegrees(const ImportMapping& mapping,
                   const Eigen::VectorXd& farthest,
                   ImportResult& result) {
  std::vector<std::string> far;
  double most = 0.0;
  for (Eigen::Index j = 0; j < farthest.size(); ++j) {
    const auto i = static_cast<size_t>(j);
    if ((i < mapping.prismatic.size() && mapping.prismatic[i]) || farthest[j] <= kTwoTurns)
      continue;
    far.push_back(mapping.joints[i]);
    most = std::max(most, farthest[j]);
  }
  if (far.empty()) return;
  result.warnings.push_back(fmt::format(
      "positions of {} reach {:.4g} rad: if these are degrees, set unit = \"deg\" under [position] "
      "in a mapping "
      "file (`mapping`), also under [velocity], or write the unit into the header, as in q0 [deg]",
      join(far),
      most));
}

LogHeader headerFor(const ImportMapping& mapping, int compression) {
  LogHeader header;
  header.joint_names = mapping.joints;
  header.prismatic = mapping.prismatic;
  header.joint_kinds_known = mapping.joint_kinds_known || mapping.position->unit_known;
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
  throw InputError(
      fmt::format("{}:{}: {}; correct the line, or leave such lines out with `skip_bad_rows`",
                  path,
                  line,
                  why));
}

/// Reads all rows and passes them to the writer block by block.
class RowReader {
 public:
  RowReader(CsvReader& csv,
            RowConverter& converter,
            LogWriter& writer,
            const std::vector<bool>& prismatic)
      : csv_(csv), converter_(converter), writer_(writer), unwrapper_(prismatic) {}

  void read(const std::string& path, bool skip_bad_rows, ImportResult& result) {
    std::vector<std::string_view> fields;
    converter_.resize(block_, kImportRows);
    // Lines that are left out take time as well.
    for (std::int64_t lines = 0; csv_.next(fields); ++lines) {
      const RowOutcome outcome = converter_.convert(fields, row_, lines, block_);
      if (!outcome.used) {
        ++other_rows_;
        continue;
      }
      if (!outcome.wrong.empty()) {
        if (!skip_bad_rows) refuseLine(path, csv_.line(), outcome.wrong);
        if (++result.bad_rows == 1) first_bad_ = fmt::format("{}: {}", csv_.line(), outcome.wrong);
        continue;
      }
      ++result.rows;
      if (++row_ == kImportRows) write();
    }
    write();
    if (other_rows_ > 0)
      result.notes.push_back(
          fmt::format("{} rows have no value of any joint: left out", other_rows_));
  }

  /// Line and mistake of the first row that was left out; "": none
  const std::string& firstBad() const { return first_bad_; }
  /// Largest absolute position of each joint.
  const Eigen::VectorXd& farthest() const { return farthest_; }
  const AngleUnwrapper& unwrapper() const { return unwrapper_; }

 private:
  void write() {
    converter_.resize(block_, row_);
    if (farthest_.size() == 0) farthest_.setZero(block_.position.cols());
    for (Eigen::Index j = 0; j < block_.position.cols(); ++j)
      for (Eigen::Index i = 0; i < row_; ++i)
        if (const double value = std::abs(block_.position(i, j));
            std::isfinite(value) && value > farthest_[j])
          farthest_[j] = value;
    unwrapper_.apply(block_.position);
    writer_.append(block_);
    row_ = 0;
    converter_.resize(block_, kImportRows);
  }

  CsvReader& csv_;
  RowConverter& converter_;
  LogWriter& writer_;
  AngleUnwrapper unwrapper_;
  RawBlock block_;
  Eigen::Index row_ = 0;
  std::int64_t other_rows_ = 0;
  std::string first_bad_;
  Eigen::VectorXd farthest_;
};

}  // namespace

ImportResult importCsv(const std::filesystem::path& csv_path,
                       const std::filesystem::path& log,
                       const ImportOptions& options) {
  const std::string path = csv_path.string();
  std::optional<ImportMapping> given;
  if (options.mapping) given = readImportMapping(*options.mapping);
  CsvReader csv(csv_path, given ? given->format : CsvFormat());
  ImportMapping mapping = mappingOfCsv(csv_path, csv, options, std::move(given));
  if (mapping.source.empty()) mapping.source = csv_path.filename().string();
  RowConverter converter(csv, mapping, path);
  const LogHeader header = headerFor(mapping, options.compression);
  ImportResult result;
  result.taken = takenColumns(mapping, csv, path);
  LogWriter writer(log, header);
  RowReader rows(csv, converter, writer, mapping.prismatic);
  rows.read(path, options.skip_bad_rows, result);
  if (result.rows == 0 && result.bad_rows > 0)
    throw InputError(fmt::format("{}: has no rows of numbers: all {} are malformed, as line {}",
                                 path,
                                 result.bad_rows,
                                 rows.firstBad()));
  if (result.rows == 0) throw InputError(path + ": has no rows of numbers");
  writer.finish();
  result.joint_names = mapping.joints;
  result.has_velocity = header.has_velocity;
  result.has_acceleration = header.has_acceleration;
  result.effort_kind = header.effort_kind;
  result.notes.insert(result.notes.begin(), mapping.notes.begin(), mapping.notes.end());
  for (const std::string& note : rows.unwrapper().notes(mapping.joints))
    result.notes.push_back(note);
  if (const std::vector<std::string> unused = unusedColumns(mapping, csv, path); !unused.empty())
    result.notes.push_back("columns not used: " + joinFew(unused));
  if (converter.missing() > 0)
    result.notes.push_back(fmt::format("missing values (empty, NA, null or -): {}, written as nan",
                                       converter.missing()));
  result.warnings = std::move(mapping.warnings);
  if (header.effort_kind == EffortKind::kNone)
    result.warnings.emplace_back(
        "no effort or current was found: identify needs one; name its columns under [effort] or "
        "[current] in a mapping file (`mapping`)");
  warnOfDegrees(mapping, rows.farthest(), result);
  if (converter.countsFromFirstRow())
    result.notes.emplace_back("time is counted from the first row");
  return result;
}

}  // namespace dynid
