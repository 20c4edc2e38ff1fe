#include "dynid/statistics/statistics_file.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/dynamics/inner_numbers.h"
#include "dynid/dynamics/joint_effects.h"
#include "dynid/logs/forked_worker.h"
#include "dynid/logs/h5_input.h"
#include "dynid/logs/h5_output.h"
#include "dynid/signals/row_order.h"
#include "dynid/signals/usable_cutoff.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

constexpr const char* kFormat = "dynid-statistics";
constexpr Eigen::Index kColumnNumbers = 10;
constexpr double kShortestPeriod = 1e-6, kLongestPeriod = 1e12;  // [s] of motions that repeat

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::RowVectorXd packed(const TriangularFactor& factor) {
  const Eigen::Index p = factor.columns();
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(p * (p + 1) / 2);
  if (factor.rows() == 0.0) return row;
  const Eigen::MatrixXd R = factor.squareR();
  Eigen::Index at = 0;
  for (Eigen::Index i = 0; i < p; ++i)
    for (Eigen::Index j = i; j < p; ++j) row(at++) = R(i, j);
  return row;
}

TriangularFactor unpacked(const Eigen::RowVectorXd& row, Eigen::Index p, double rows) {
  if (rows == 0.0) return TriangularFactor(p);
  Eigen::MatrixXd R = Eigen::MatrixXd::Zero(p, p);
  Eigen::Index at = 0;
  for (Eigen::Index i = 0; i < p; ++i)
    for (Eigen::Index j = i; j < p; ++j) R(i, j) = row(at++);
  return TriangularFactor::fromUpper(std::move(R), rows);
}

void writeFactors(H5Output& file,
                  const std::string& name,
                  const std::vector<TriangularFactor>& factors) {
  const Eigen::Index p = factors.front().columns();
  Eigen::MatrixXd all(std::ssize(factors), p * (p + 1) / 2);
  Eigen::VectorXd rows(all.rows());
  for (Eigen::Index b = 0; b < std::ssize(factors); ++b) {
    all.row(b) = packed(factors[b]);
    rows(b) = factors[b].rows();
  }
  file.writeMatrix(name, all);
  file.writeVector(name + "_rows", rows);
}

// The file stores the position effect or the friction shape in the same number.
double innerNumber(const Column& column) {
  return column.kind == ColumnKind::kPosition ? column.position_effect : column.shape;
}

void writeColumns(H5Output& file, const ParameterLayout& layout) {
  std::vector<std::string> names, units;
  Eigen::MatrixXd numbers(layout.size(), kColumnNumbers);
  for (int c = 0; c < layout.size(); ++c) {
    const Column& column = layout[c];
    names.push_back(column.name);
    units.push_back(column.unit);
    numbers.row(c) << static_cast<double>(column.kind), column.owner, column.component,
        column.carrier, static_cast<double>(column.effect), innerNumber(column), column.presliding,
        column.smoothing, column.at_joint ? 1.0 : 0.0, column.nonnegative ? 1.0 : 0.0;
  }
  file.createGroup("columns");
  file.writeTexts("columns/name", names);
  file.writeTexts("columns/unit", units);
  file.writeMatrix("columns/numbers", numbers);
}

void writeLogs(H5Output& file, const std::vector<GatheredLog>& logs) {
  std::vector<std::string> files, hashes, notes;
  Eigen::MatrixXd counts(std::ssize(logs), 5), rows(std::ssize(logs), 2);
  for (size_t i = 0; i < logs.size(); ++i) {
    const GatheredLog& log = logs[i];
    files.push_back(log.file);
    hashes.push_back(log.sha256);
    notes.push_back(log.notes);
    counts.row(i) << log.samples, log.used, log.dropped, log.cutoff_hz, log.payload;
    rows.row(i) << log.first_row, log.end_row;
  }
  file.createGroup("logs");
  file.writeTexts("logs/file", files);
  file.writeTexts("logs/sha256", hashes);
  file.writeTexts("logs/notes", notes);
  file.writeMatrix("logs/counts", counts);
  file.writeMatrix("logs/rows", rows);
}

void writePayloads(H5Output& file, const std::vector<Payload>& payloads) {
  if (payloads.empty()) return;
  std::vector<std::string> names, links;
  Eigen::MatrixXd known(std::ssize(payloads), 10);
  for (size_t i = 0; i < payloads.size(); ++i) {
    names.push_back(payloads[i].name);
    links.push_back(payloads[i].link);
    known.row(i) = payloads[i].known.transpose();
  }
  file.createGroup("payloads");
  file.writeTexts("payloads/name", names);
  file.writeTexts("payloads/link", links);
  file.writeMatrix("payloads/known", known);
}

/// Whether the indices of a column of joint effects or of a payload are within the robot.
bool fitsRobot(const Column& column, const Robot& robot) {
  const auto within = [](int index, std::ptrdiff_t size) { return index >= 0 && index < size; };
  if (column.kind == ColumnKind::kPayload)
    return within(column.component, std::ssize(kInertialNames)) &&
           within(column.carrier, robot.numBodies());
  if (!within(column.owner, std::ssize(robot.drives))) return false;
  if (column.kind != ColumnKind::kPosition) return column.kind != ColumnKind::kInertial;
  const std::vector<PositionEffect>& effects = robot.drives[column.owner].position_effects;
  return within(column.position_effect, std::ssize(effects)) &&
         within(column.component,
                std::ssize(positionTerms(effects[column.position_effect], false)));
}

constexpr double kLongestDelay = 10.0;  // [s]

class Reader {
 public:
  Reader(const std::filesystem::path& path, const Robot* robot) : input_(path), robot_(robot) {}

  GatheredStatistics read() const {
    GatheredStatistics gathered = readRecording();
    readFactors(gathered);
    return gathered;
  }

  GatheredStatistics readRecording() const {
    const std::vector<std::string> format = input_.textAttribute("/", "format");
    if (format.empty() || format.front() != kFormat)
      throw InputError(
          input_.path().string() +
          ": is not a statistics file; dynid identify writes one with `keep_statistics`");
    GatheredStatistics gathered;
    gathered.robot_name = text("robot");
    gathered.robot_sha256 = text("robot_sha256");
    const std::vector<double> gravity = input_.numberAttribute("/", "gravity");
    if (gravity.size() != 3) fail("gravity", "has not three numbers");
    gathered.gravity = Eigen::Map<const Eigen::Vector3d>(gravity.data());
    gathered.block_s = number("block_s");
    if (!(gathered.block_s > 0.0)) fail("block_s", "is not positive");
    gathered.currents = number("currents") != 0.0;
    const double order = number("filter_order");
    if (!(order >= 0.0 && order <= 1000.0)) fail("filter_order", "is not the order of a filter");
    gathered.filter_order = static_cast<int>(order);
    requireSameJoints();
    readColumns(gathered);
    readActuators(gathered);
    readPayloads(gathered);
    readLogs(gathered);
    const Eigen::MatrixXd stretches = matrix("stretches", -1, 1);
    gathered.stretch_durations.assign(stretches.data(), stretches.data() + stretches.size());
    gathered.stretch_periods.assign(gathered.stretch_durations.size(), 0.0);
    if (input_.has("periods")) {  // files of earlier versions have none
      const Eigen::MatrixXd periods = matrix("periods", stretches.rows(), 1);
      gathered.stretch_periods.assign(periods.data(), periods.data() + periods.size());
      const auto usable = [](double period) {
        return period == 0.0 || (period >= kShortestPeriod && period <= kLongestPeriod);
      };
      if (!std::all_of(gathered.stretch_periods.begin(), gathered.stretch_periods.end(), usable))
        fail("periods", "holds a time after which no motion repeats");
    }
    if (input_.has("effort_delay")) {  // files of earlier versions, and without delays, have none
      gathered.effort_delay = matrix("effort_delay", gathered.still_speed.size(), 1);
      if (!gathered.effort_delay.allFinite() ||
          gathered.effort_delay.cwiseAbs().maxCoeff() > kLongestDelay)
        fail("effort_delay", "holds a delay that cannot be");
    }
    gathered.spline_motion = input_.has("spline_motion");
    if (!input_.numberAttribute("/", "least_moving_speed").empty())  // not in earlier files
      gathered.least_moving_speed = number("least_moving_speed");
    if (!isUsableTransition(gathered.least_moving_speed))
      fail("least_moving_speed", "is not a speed");
    gathered.transmitting_parameters = matrix("load_parameters", gathered.layout.size(), 1);
    readChannelColumns(gathered);
    return gathered;
  }

  void readFactors(GatheredStatistics& gathered) const {
    const Eigen::Index blocks = gathered.statistics.numBlocks();
    for (size_t a = 0; a < gathered.statistics.channels.size(); ++a) {
      ChannelStatistics& channel = gathered.statistics.channels[a];
      const std::string group = "channels/" + std::to_string(a);
      const auto p = std::ssize(channel.columns) + 1;
      channel.moving = readFactors(group + "/moving", blocks, p);
      channel.standstill = readFactors(group + "/still", blocks, p);
    }
  }

 private:
  [[noreturn]] void fail(const std::string& where, const std::string& what) const {
    throw InputError(input_.place(where) + ": " + what +
                     "; the file is damaged or of another version: make it again");
  }

  [[noreturn]] void failColumn(Eigen::Index c) const {
    fail("columns/numbers", "row " + std::to_string(c) + " is not a column of this robot");
  }

  void requireSameJoints() const {
    if (robot_ == nullptr) return;
    const auto rows = input_.numbers("actuators").rows();
    if (rows == robot_->numJoints()) return;
    throw InputError(
        input_.place("actuators") + ": " + std::to_string(rows) + " joints; robot \"" +
        robot_->name + "\" has " + std::to_string(robot_->numJoints()) +
        " here: give the description, and the held joints, that the file was made with");
  }

  std::string text(const char* attribute) const {
    const std::vector<std::string> found = input_.textAttribute("/", attribute);
    if (found.size() != 1) fail(attribute, "is missing");
    return found.front();
  }
  double number(const char* attribute) const {
    const std::vector<double> found = input_.numberAttribute("/", attribute);
    if (found.size() != 1 || !std::isfinite(found.front())) fail(attribute, "is missing");
    return found.front();
  }

  // Reads a matrix; rows = -1: any number of rows.
  Eigen::MatrixXd matrix(const std::string& name, Eigen::Index rows, Eigen::Index columns) const {
    const H5Numbers dataset = input_.numbers(name);
    if ((rows >= 0 && dataset.rows() != rows) || dataset.columns() != columns)
      fail(name,
           "has " + std::to_string(dataset.rows()) + " x " + std::to_string(dataset.columns()) +
               " numbers; expected " + (rows < 0 ? std::string("any") : std::to_string(rows)) +
               " x " + std::to_string(columns));
    const std::vector<double> values = dataset.readAll();
    return Eigen::Map<const RowMajor>(values.data(), dataset.rows(), columns);
  }
  std::vector<std::string> texts(const std::string& name, Eigen::Index size) const {
    std::vector<std::string> found = input_.texts(name);
    if (std::ssize(found) != size)
      fail(name,
           "has " + std::to_string(found.size()) + " entries; expected " + std::to_string(size));
    return found;
  }

  void readColumns(GatheredStatistics& gathered) const {
    const Eigen::MatrixXd numbers = matrix("columns/numbers", -1, kColumnNumbers);
    const std::vector<std::string> names = texts("columns/name", numbers.rows());
    const std::vector<std::string> units = texts("columns/unit", numbers.rows());
    for (Eigen::Index c = 0; c < numbers.rows(); ++c) {
      const auto row = numbers.row(c);
      const auto integer = [&](Eigen::Index k, int lowest, int highest) {
        if (!(row(k) >= lowest && row(k) <= highest && row(k) == std::floor(row(k)))) failColumn(c);
        return static_cast<int>(row(k));
      };
      Column column;
      column.kind = static_cast<ColumnKind>(integer(0, 0, static_cast<int>(ColumnKind::kPayload)));
      column.owner = integer(1, 0, 1 << 20);
      column.component = integer(2, 0, 1 << 20);
      column.carrier = integer(3, -1, robot_ != nullptr ? robot_->numBodies() - 1 : 1 << 20);
      column.effect = static_cast<FrictionEffect>(
          integer(4, 0, static_cast<int>(allFrictionEffects().size()) - 1));
      if (column.kind == ColumnKind::kPosition)
        column.position_effect = integer(5, 0, 1 << 20);
      else
        column.shape = row(5);
      column.presliding = row(6);
      column.smoothing = row(7);
      if ((column.isFriction() && !isUsableShape(column.effect, column.shape)) ||
          !isUsableTransition(column.presliding) || !isUsableTransition(column.smoothing))
        fail("columns/numbers",
             "row " + std::to_string(c) + " holds a negative or infinite distance or velocity");
      if (column.isFriction() && column.effect == FrictionEffect::kPresliding)
        fail("columns/numbers",
             "row " + std::to_string(c) +
                 " is presliding by itself; statistics hold Coulomb friction with a distance");
      column.at_joint = row(8) != 0.0;
      column.nonnegative = row(9) != 0.0;
      column.name = names[c];
      column.unit = units[c];
      gathered.layout.append(column);
    }
    if (robot_ == nullptr) return;
    const ParameterLayout inertial = inertialLayout(*robot_);
    for (int c = 0; c < inertial.size(); ++c)
      if (c >= gathered.layout.size() || gathered.layout[c].name != inertial[c].name)
        throw InputError(
            input_.path().string() + ": is of robot \"" + gathered.robot_name +
            "\", which has other links (no column \"" + inertial[c].name +
            "\"); give the robot description, and the held joints, that it was made with");
    for (int c = 0; c < gathered.layout.size(); ++c) {
      const Column& column = gathered.layout[c];
      if (c < inertial.size() ? !sameColumn(column, inertial[c]) : !fitsRobot(column, *robot_))
        failColumn(c);
    }
  }

  void readActuators(GatheredStatistics& gathered) const {
    const Eigen::MatrixXd numbers =
        matrix("actuators", robot_ != nullptr ? robot_->numJoints() : -1, 4);
    for (Eigen::Index a = 0; a < numbers.rows(); ++a)
      if (!isUsableTransition(numbers(a, 0)) || !isUsable(numbers(a, 0)) ||
          !isUsableTransition(numbers(a, 1)) || !isUsable(numbers(a, 1)) ||
          !isUsableCutoff(numbers(a, 2)) || !isUsableCutoff(numbers(a, 3)))
        fail("actuators",
             "row " + std::to_string(a) + " holds a speed or a cut-off that cannot be used");
    gathered.still_speed = numbers.col(0);
    gathered.typical_speed = numbers.col(1);
    gathered.rigid_cutoff_hz = numbers.col(2);
    gathered.friction_cutoff_hz = numbers.col(3);
  }

  /// Index of the first of the ten columns of payload `i`.
  int firstPayloadColumn(const ParameterLayout& layout, Eigen::Index i) const {
    int first = 0;
    while (first < layout.size() &&
           (layout[first].kind != ColumnKind::kPayload || layout[first].owner != i))
      ++first;
    if (first + std::ssize(kInertialNames) > layout.size())
      fail("payloads/name", "payload " + std::to_string(i) + " has no columns");
    return first;
  }

  void readPayloads(GatheredStatistics& gathered) const {
    if (!input_.hasGroup("payloads")) return;
    const Eigen::MatrixXd known = matrix("payloads/known", -1, 10);
    const std::vector<std::string> names = texts("payloads/name", known.rows());
    const std::vector<std::string> links = texts("payloads/link", known.rows());
    for (Eigen::Index i = 0; i < known.rows(); ++i) {
      Payload payload;
      payload.name = names[i];
      payload.link = links[i];
      payload.known = known.row(i).transpose();
      try {
        if (robot_ != nullptr)
          std::tie(payload.placement.body, payload.placement.X_BL) = robot_->findLink(payload.link);
      } catch (const std::invalid_argument& error) {
        fail("payloads/link", error.what());
      }
      payload.placement.first_column = firstPayloadColumn(gathered.layout, i);
      for (int c = 0; c < 10; ++c) {
        const Column& column = gathered.layout[payload.placement.first_column + c];
        if (column.kind != ColumnKind::kPayload || column.owner != i || column.component != c ||
            (robot_ != nullptr && column.carrier != payload.placement.body))
          failColumn(payload.placement.first_column + c);
      }
      gathered.payloads.push_back(std::move(payload));
    }
  }

  void readLogs(GatheredStatistics& gathered) const {
    const Eigen::MatrixXd counts = matrix("logs/counts", -1, 5);
    const std::vector<std::string> files = texts("logs/file", counts.rows());
    const std::vector<std::string> hashes = texts("logs/sha256", counts.rows());
    const std::vector<std::string> notes = texts("logs/notes", counts.rows());
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(counts.rows(), 2);
    if (input_.has("logs/rows"))
      rows = matrix("logs/rows", counts.rows(), 2);  // not in earlier files
    if (!rows.allFinite() || rows.minCoeff() < 0.0)
      fail("logs/rows", "holds numbers that are no rows of a file");
    for (Eigen::Index i = 0; i < counts.rows(); ++i) {
      const auto k = static_cast<size_t>(i);
      const double payload = counts(i, 4);
      if (!(payload >= -1.0 && payload < static_cast<double>(gathered.payloads.size()) &&
            payload == std::floor(payload)))
        fail("logs/counts", "names a payload that is not there");
      gathered.logs.push_back({files[k],
                               hashes[k],
                               notes[k],
                               counts(i, 0),
                               counts(i, 1),
                               counts(i, 2),
                               counts(i, 3),
                               static_cast<int>(payload),
                               rows(i, 0),
                               rows(i, 1)});
    }
  }

  std::vector<TriangularFactor> readFactors(const std::string& name,
                                            Eigen::Index blocks,
                                            Eigen::Index p) const {
    const Eigen::MatrixXd all = matrix(name, blocks, p * (p + 1) / 2);
    const Eigen::MatrixXd rows = matrix(name + "_rows", blocks, 1);
    if (!all.allFinite() || !rows.allFinite() || rows.minCoeff() < 0.0)
      fail(name, "holds numbers that are not finite, or negative counts");
    std::vector<TriangularFactor> factors;
    for (Eigen::Index b = 0; b < blocks; ++b) factors.push_back(unpacked(all.row(b), p, rows(b)));
    return factors;
  }

  void readChannelColumns(GatheredStatistics& gathered) const {
    Eigen::Index blocks = 0;
    for (double duration : gathered.stretch_durations) {
      if (!(duration >= 0.0 && duration / gathered.block_s < 1e6))
        fail("stretches", "holds a length that does not fit the blocks");
      blocks += blocksOf(duration, gathered.block_s);
    }
    if (blocks == 0) fail("stretches", "is empty");
    gathered.statistics.layout_size = gathered.layout.size();
    gathered.statistics.block_log.assign(blocks, 0);
    for (Eigen::Index a = 0; a < gathered.still_speed.size(); ++a) {
      const std::string group = "channels/" + std::to_string(a);
      const Eigen::MatrixXd columns = matrix(group + "/columns", -1, 1);
      ChannelStatistics channel;
      for (double c : columns.reshaped()) {
        const int previous = channel.columns.empty() ? -1 : channel.columns.back();
        if (!(c > previous && c < gathered.layout.size()))
          fail(group + "/columns", "is not an ascending list of columns");
        channel.columns.push_back(static_cast<int>(c));
      }
      gathered.statistics.channels.push_back(std::move(channel));
    }
  }

  H5Input input_;
  const Robot* robot_;  // nullptr: the file is not compared with a robot
};

}  // namespace

void writeStatistics(const std::filesystem::path& path, const GatheredStatistics& gathered) {
  H5Output file(path);
  file.setText("/", "format", kFormat);
  file.setNumber("/", "version", 1.0);
  file.setText("/", "robot", gathered.robot_name);
  file.setText("/", "robot_sha256", gathered.robot_sha256);
  file.setNumbers(
      "/", "gravity", {gathered.gravity.x(), gathered.gravity.y(), gathered.gravity.z()});
  file.setNumber("/", "block_s", gathered.block_s);
  file.setNumber("/", "currents", gathered.currents ? 1.0 : 0.0);
  file.setNumber("/", "filter_order", gathered.filter_order);
  file.setNumber("/", "least_moving_speed", gathered.least_moving_speed);
  writeColumns(file, gathered.layout);
  writeLogs(file, gathered.logs);
  writePayloads(file, gathered.payloads);
  Eigen::MatrixXd actuators(gathered.still_speed.size(), 4);
  actuators << gathered.still_speed, gathered.typical_speed, gathered.rigid_cutoff_hz,
      gathered.friction_cutoff_hz;
  file.writeMatrix("actuators", actuators);
  file.writeVector("stretches",
                   Eigen::Map<const Eigen::VectorXd>(gathered.stretch_durations.data(),
                                                     std::ssize(gathered.stretch_durations)));
  file.writeVector("periods",
                   Eigen::Map<const Eigen::VectorXd>(gathered.stretch_periods.data(),
                                                     std::ssize(gathered.stretch_periods)));
  if (gathered.effort_delay.size() > 0) file.writeVector("effort_delay", gathered.effort_delay);
  if (gathered.spline_motion) file.writeVector("spline_motion", Eigen::VectorXd::Ones(1));
  file.writeVector("load_parameters", gathered.transmitting_parameters);
  file.createGroup("channels");
  for (size_t a = 0; a < gathered.statistics.channels.size(); ++a) {
    const ChannelStatistics& channel = gathered.statistics.channels[a];
    const std::string group = "channels/" + std::to_string(a);
    file.createGroup(group);
    Eigen::VectorXd columns(std::ssize(channel.columns));
    for (Eigen::Index c = 0; c < columns.size(); ++c) columns(c) = channel.columns[c];
    file.writeVector(group + "/columns", columns);
    writeFactors(file, group + "/moving", channel.moving);
    writeFactors(file, group + "/still", channel.standstill);
  }
  file.finish();
}

GatheredStatistics readStatistics(const std::filesystem::path& path, const Robot& robot) {
  checkInForkedWorker(path, [&] { Reader(path, &robot).read(); });
  return Reader(path, &robot).read();
}

GatheredStatistics readRecording(const std::filesystem::path& path, const Robot& robot) {
  checkInForkedWorker(path, [&] { Reader(path, &robot).read(); });
  return Reader(path, &robot).readRecording();
}

void readFactors(const std::filesystem::path& path,
                 const Robot& robot,
                 GatheredStatistics& gathered) {
  Reader(path, &robot).readFactors(gathered);
}

GatheredStatistics readStatistics(const std::filesystem::path& path) {
  checkInForkedWorker(path, [&] { Reader(path, nullptr).read(); });
  return Reader(path, nullptr).read();
}

}  // namespace dynid
