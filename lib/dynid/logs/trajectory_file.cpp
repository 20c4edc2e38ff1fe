#include "dynid/logs/trajectory_file.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/logs/channel_writer.h"
#include "dynid/logs/forked_worker.h"
#include "dynid/logs/h5_output.h"
#include "dynid/logs/log_file.h"
#include "dynid/logs/log_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <stdexcept>

namespace dynid {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::int64_t kMaxHarmonics = 4096;

void requireShape(bool fits, const std::string& what) {
  if (!fits)
    throw std::invalid_argument(what +
                                " has a shape that does not fit; expected [N], [N, n], [n, L], "
                                "[n, 6], [n] as TrajectoryFile says");
}

void writePiece(H5Output& file, const std::string& group, const QuinticPiece& piece) {
  file.createGroup(group);
  file.writeMatrix(group + "/coefficients", piece.coefficients);
  file.writeNumber(group + "/t0_s", piece.t0_s);
  file.writeNumber(group + "/duration_s", piece.duration_s);
}

/// The numbers of a small dataset; a single number may be an attribute of the group.
std::vector<double> smallArray(const H5Input& input,
                               const std::string& group,
                               const std::string& name,
                               std::int64_t rows,
                               std::int64_t columns) {
  const std::string whole = group + "/" + name;
  if (rows == 1 && columns == 1 && !input.has(whole)) {
    std::vector<double> values = input.numberAttribute(group, name.c_str());
    if (values.size() == 1) return values;
  }
  const H5Numbers dataset = input.numbers(whole);
  if (dataset.rows() != rows || dataset.columns() != columns)
    throw InputError(dataset.place() + ": has " + std::to_string(dataset.rows()) + " x " +
                     std::to_string(dataset.columns()) + " numbers; expected " +
                     std::to_string(rows) + " x " + std::to_string(columns));
  return dataset.readAll();
}

/// Numbers [joints of the file, columns], rows in the requested order.
Eigen::MatrixXd jointRows(const H5Input& input,
                          const std::string& group,
                          const std::string& name,
                          std::int64_t columns,
                          std::int64_t file_joints,
                          const std::vector<Eigen::Index>& order) {
  const std::vector<double> raw = smallArray(input, group, name, file_joints, columns);
  const Eigen::Map<const RowMajor> all(raw.data(), file_joints, columns);
  return all(order, Eigen::all);
}

FourierSeries readFourier(const H5Input& input,
                          std::int64_t file_joints,
                          const std::vector<Eigen::Index>& order) {
  FourierSeries fourier;
  const std::int64_t harmonics = input.numbers("fourier/a").columns();
  if (harmonics > kMaxHarmonics)
    throw InputError(input.place("fourier/a") + ": has more than 4096 harmonics");
  fourier.a = jointRows(input, "fourier", "a", harmonics, file_joints, order);
  fourier.b = jointRows(input, "fourier", "b", harmonics, file_joints, order);
  fourier.offset = jointRows(input, "fourier", "offset", 1, file_joints, order);
  fourier.fundamental_hz = smallArray(input, "fourier", "fundamental_hz", 1, 1).front();
  if (!(fourier.fundamental_hz > 0.0))
    throw InputError(input.place("fourier/fundamental_hz") + ": is " +
                     toText(fourier.fundamental_hz) + "; it must be positive");
  const bool has_start =
      input.has("fourier/t0_s") || !input.numberAttribute("fourier", "t0_s").empty();
  if (has_start) fourier.t0_s = smallArray(input, "fourier", "t0_s", 1, 1).front();
  return fourier;
}

std::optional<QuinticPiece> readPiece(const H5Input& input,
                                      const std::string& group,
                                      std::int64_t file_joints,
                                      const std::vector<Eigen::Index>& order) {
  if (!input.hasGroup(group)) return std::nullopt;
  QuinticPiece piece;
  piece.coefficients = jointRows(input, group, "coefficients", 6, file_joints, order);
  piece.t0_s = smallArray(input, group, "t0_s", 1, 1).front();
  piece.duration_s = smallArray(input, group, "duration_s", 1, 1).front();
  return piece;
}

void checkFormat(const H5Input& input) {
  const std::vector<std::string> format = input.textAttribute("/", "format");
  if (!format.empty() && format.front() != "dynid-trajectory" && format.front() != "dynid-log")
    throw InputError(input.path().string() + ": is a '" + format.front() +
                     "' file, not a trajectory");
}

/// @throws InputError if one of the numbers of a motion, at `place`, is not finite
void requireFinite(const std::string& place, const Eigen::Ref<const Eigen::MatrixXd>& numbers) {
  for (Eigen::Index row = 0; row < numbers.rows(); ++row)
    if (!numbers.row(row).allFinite())
      throw InputError(
          fmt::format("{}[{}]: has NaN or Inf; a robot can follow finite numbers only: make the "
                      "trajectory again",
                      place,
                      row));
}

void requireFinite(const std::string& place, double number) {
  requireFinite(place, Eigen::MatrixXd::Constant(1, 1, number));
}

void requireIncreasing(const std::string& place, const Eigen::VectorXd& time) {
  for (Eigen::Index row = 1; row < time.size(); ++row)
    if (!(time(row) > time(row - 1)))
      throw InputError(fmt::format("{}[{}]: is {} s after {} s; the time of a trajectory increases",
                                   place,
                                   row,
                                   toText(time(row)),
                                   toText(time(row - 1))));
}

/// Refuses datasets whose samples do not belong together.
void requireEqualLengths(const H5Input& input, const LogInfo& info) {
  const std::pair<const ChannelInfo*, const char*> others[] = {
      {&info.time, "time"}, {&info.velocity, "velocity"}, {&info.acceleration, "acceleration"}};
  for (const auto& [channel, name] : others)
    if (channel->present && channel->rows != info.position.rows)
      throw InputError(
          fmt::format("{}: has {} rows, position has {}; the samples of a trajectory are "
                      "the same rows of all datasets: make the trajectory again",
                      input.place(name),
                      channel->rows,
                      info.position.rows));
}

/// Refuses a column of `rate` whose integral (trapezoidal rule) is not the change of the same
/// column of `value`, by a fifth of the range: other units, signs, columns or times. Columns that
/// change by more than a twentieth of their range per sample are way points, between which nothing
/// is known.
void requireIntegral(const TrajectoryFile& trajectory,
                     const Eigen::MatrixXd& value,
                     const Eigen::MatrixXd& rate,
                     const std::string& value_name,
                     const std::string& rate_place) {
  constexpr double kShare = 0.2, kWayPoint = 0.05;
  constexpr double kLeast = 0.01;  // rad, m, rad/s, m/s
  const Eigen::Index last = trajectory.time.size() - 1;
  if (rate.size() == 0 || value.size() == 0 || last < 1) return;
  const Eigen::VectorXd steps = trajectory.time.tail(last) - trajectory.time.head(last);
  for (Eigen::Index j = 0; j < value.cols(); ++j) {
    const double range = value.col(j).maxCoeff() - value.col(j).minCoeff();
    const Eigen::VectorXd change = value.col(j).tail(last) - value.col(j).head(last);
    if (change.cwiseAbs().maxCoeff() > kWayPoint * range) continue;
    Eigen::VectorXd difference =
        0.5 * steps.cwiseProduct(rate.col(j).tail(last) + rate.col(j).head(last)) - change;
    std::partial_sum(difference.begin(), difference.end(), difference.begin());
    Eigen::Index worst = 0;
    if (!(difference.cwiseAbs().maxCoeff(&worst) > std::max(kShare * range, kLeast))) continue;
    const double changed = value(worst + 1, j) - value(0, j);
    throw InputError(fmt::format(
        "{}: contradicts the {} of joint {}, which changes by {} from the first sample to {} s, "
        "while the integral of this dataset is {}; check units, signs, the order of the columns "
        "and the time",
        rate_place,
        value_name,
        trajectory.joint_names[j],
        toText(changed, 3),
        toText(trajectory.time(worst + 1)),
        toText(changed + difference(worst), 3)));
  }
}

/// Refuses numbers that no motion has.
void checkNumbers(const H5Input& input, const TrajectoryFile& trajectory) {
  requireFinite(input.place("time"), trajectory.time);
  requireIncreasing(input.place("time"), trajectory.time);
  requireFinite(input.place("position"), trajectory.position);
  requireFinite(input.place("velocity"), trajectory.velocity);
  requireFinite(input.place("acceleration"), trajectory.acceleration);
  requireIntegral(
      trajectory, trajectory.position, trajectory.velocity, "position", input.place("velocity"));
  requireIntegral(trajectory,
                  trajectory.velocity,
                  trajectory.acceleration,
                  "velocity",
                  input.place("acceleration"));
  if (const auto& fourier = trajectory.fourier) {
    requireFinite(input.place("fourier/fundamental_hz"), fourier->fundamental_hz);
    requireFinite(input.place("fourier/t0_s"), fourier->t0_s);
    requireFinite(input.place("fourier/a"), fourier->a);
    requireFinite(input.place("fourier/b"), fourier->b);
    requireFinite(input.place("fourier/offset"), fourier->offset);
  }
  const auto check_piece = [&](const std::string& group, const std::optional<QuinticPiece>& piece) {
    if (!piece) return;
    requireFinite(input.place(group + "/coefficients"), piece->coefficients);
    requireFinite(input.place(group + "/t0_s"), piece->t0_s);
    requireFinite(input.place(group + "/duration_s"), piece->duration_s);
    if (piece->duration_s < 0.0)
      throw InputError(fmt::format("{}: is {}; it must not be negative",
                                   input.place(group + "/duration_s"),
                                   toText(piece->duration_s)));
  };
  check_piece("lead_in", trajectory.lead_in);
  check_piece("lead_out", trajectory.lead_out);
}

}  // namespace

void TrajectoryFile::check() const {
  const auto n = std::ssize(joint_names);
  const Eigen::Index rows = time.size();
  const auto fits = [&](const Eigen::MatrixXd& m) { return m.rows() == rows && m.cols() == n; };
  requireShape(n > 0 && rows > 0, "time or joint_names");
  requireShape(prismatic.empty() || prismatic.size() == joint_names.size(), "prismatic");
  requireShape(fits(position), "position");
  requireShape(velocity.size() == 0 || fits(velocity), "velocity");
  requireShape(acceleration.size() == 0 || fits(acceleration), "acceleration");
  if (fourier)
    requireShape(fourier->a.rows() == n && fourier->b.rows() == n && fourier->a.cols() > 0 &&
                     fourier->a.cols() == fourier->b.cols() && fourier->offset.size() == n,
                 "fourier");
  for (const auto* piece : {&lead_in, &lead_out})
    if (*piece)
      requireShape((*piece)->coefficients.rows() == n && (*piece)->coefficients.cols() == 6,
                   "a lead piece");
}

void writeTrajectory(const std::filesystem::path& path, const TrajectoryFile& trajectory) {
  trajectory.check();
  H5Output file(path);
  file.setText("/", "format", "dynid-trajectory");
  file.setNumber("/", "version", 1.0);
  if (!trajectory.robot.empty()) file.setText("/", "robot", trajectory.robot);
  if (!trajectory.description.empty()) file.setText("/", "description", trajectory.description);
  file.writeTexts("joint_names", trajectory.joint_names);
  file.writeVector("time", trajectory.time);
  file.setText("time", "unit", "s");
  const auto write = [&](const char* name, Quantity quantity, const Eigen::MatrixXd& values) {
    if (values.size() == 0) return;
    file.writeMatrix(name, values);
    setUnits(file, name, quantity, trajectory.joint_names.size(), trajectory.prismatic);
  };
  write("position", Quantity::kPosition, trajectory.position);
  write("velocity", Quantity::kVelocity, trajectory.velocity);
  write("acceleration", Quantity::kAcceleration, trajectory.acceleration);
  if (trajectory.fourier) {
    file.createGroup("fourier");
    file.writeNumber("fourier/fundamental_hz", trajectory.fourier->fundamental_hz);
    file.writeNumber("fourier/t0_s", trajectory.fourier->t0_s);
    file.writeMatrix("fourier/a", trajectory.fourier->a);
    file.writeMatrix("fourier/b", trajectory.fourier->b);
    file.writeVector("fourier/offset", trajectory.fourier->offset);
  }
  if (trajectory.lead_in) writePiece(file, "lead_in", *trajectory.lead_in);
  if (trajectory.lead_out) writePiece(file, "lead_out", *trajectory.lead_out);
  file.finish();
}

TrajectoryFile readTrajectory(const std::filesystem::path& path,
                              const std::vector<std::string>& joints,
                              const std::vector<std::string>& prismatic) {
  checkInForkedWorker(path, [&] { checkFormat(H5Input(path)); });
  const H5Input input(path);
  checkFormat(input);
  LogReaderOptions options;
  options.joints = joints;
  options.prismatic = prismatic;
  options.min_rows = 1;
  options.accept_trajectory = true;
  const LogReader reader(path, options);
  requireEqualLengths(input, reader.info());
  RawBlock all;
  reader.read(0, reader.info().rows, all);

  TrajectoryFile trajectory;
  trajectory.joint_names = reader.joints();
  trajectory.prismatic = reader.prismatic();
  trajectory.time = all.time;
  trajectory.position = all.position;
  trajectory.velocity = all.velocity;
  trajectory.acceleration = all.acceleration;
  trajectory.robot = reader.info().robot;
  trajectory.description = reader.info().description;
  const std::vector<std::string>& names = reader.info().joint_names;
  std::vector<Eigen::Index> order;
  for (const std::string& name : trajectory.joint_names)
    order.push_back(std::find(names.begin(), names.end(), name) - names.begin());
  const auto n = static_cast<std::int64_t>(names.size());
  if (input.hasGroup("fourier")) trajectory.fourier = readFourier(input, n, order);
  trajectory.lead_in = readPiece(input, "lead_in", n, order);
  trajectory.lead_out = readPiece(input, "lead_out", n, order);
  checkNumbers(input, trajectory);
  return trajectory;
}

}  // namespace dynid
