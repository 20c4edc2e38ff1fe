/// Time a sample from a contiguous HDF5 log to the statistics of the base columns and friction
/// (viscous, Coulomb, offset), one thread: everything between the file and what fits start from.

#include "pipeline.h"

#include "dynid/dynamics/projection.h"
#include "dynid/kernels/instruction_set.h"
#include "dynid/robot/load_robot.h"
#include "dynid/statistics/gather.h"

#include <Eigen/QR>
#include <hdf5.h>

#include <benchmark/benchmark.h>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace {

using namespace dynid;

constexpr Eigen::Index kSamples = 400000;
constexpr double kRate = 1000.0;

std::shared_ptr<const Robot> robotWithPlainFriction(const std::string& name) {
  const std::filesystem::path datasets = DYNID_DATASETS;
  Robot robot = loadRobot(datasets / name / (name + ".toml"));
  for (Drive& drive : robot.drives) {
    drive.drive_inertia = false;
    drive.automatic_friction = false;
    drive.friction = {FrictionEffect::kViscous, FrictionEffect::kCoulomb, FrictionEffect::kOffset};
  }
  return std::make_shared<const Robot>(std::move(robot));
}

/// Five harmonics of 0.05 Hz a joint, and efforts of links of 1 kg with friction.
struct Recording {
  Eigen::MatrixXd q, dq, ddq, effort;

  Recording(const std::shared_ptr<const Robot>& robot, bool noisy) {
    constexpr double kTwoPi = 6.283185307179586;
    const Eigen::Index n = robot->numJoints();
    const Eigen::VectorXd t = Eigen::VectorXd::LinSpaced(kSamples, 0.0, (kSamples - 1) / kRate);
    for (auto* m : {&q, &dq, &ddq}) m->setZero(kSamples, n);
    std::mt19937_64 rng(1);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    for (Eigen::Index j = 0; j < n; ++j)
      for (int h = 1; h <= 5; ++h) {
        const double w = kTwoPi * 0.05 * h, amplitude = 0.6 * uniform(rng) / h,
                     phase = kTwoPi * uniform(rng);
        const Eigen::ArrayXd angle = w * t.array() + phase;
        q.col(j).array() += amplitude * angle.sin();
        dq.col(j).array() += amplitude * w * angle.cos();
        ddq.col(j).array() -= amplitude * w * w * angle.sin();
      }
    Eigen::VectorXd inertial = Eigen::VectorXd::Zero(Eigen::Index{10} * robot->numBodies());
    for (int k = 0; k < robot->numBodies(); ++k)
      inertial.segment<10>(10 * k) << 1.0, 0.02, 0.03, 0.05, 0.02, 0.0, 0.0, 0.03, 0.0, 0.01;
    effort = ProjectionRegressor(robot).efforts(inertial, q, dq, ddq) + 0.3 * dq;
    effort.array() += 0.2 * dq.array().sign() + 0.05;
    if (!noisy) return;
    std::normal_distribution<double> normal;
    for (double& value : effort.reshaped()) value += 0.02 * normal(rng);
    q = (q / 1e-5).array().round() * 1e-5;  // encoder steps
  }
};

/// A contiguous log that goes with the process.
class Log {
 public:
  Log(const std::shared_ptr<const Robot>& robot, bool exact)
      : path_(std::filesystem::temp_directory_path() /
              ("pipeline_" + std::to_string(getpid()) + (exact ? "_exact.h5" : "_filtered.h5"))) {
    const Recording recording(robot, !exact);
    const hid_t file = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    write(file, "time", Eigen::VectorXd::LinSpaced(kSamples, 0.0, (kSamples - 1) / kRate));
    write(file, "position", recording.q);
    write(file, "effort", recording.effort);
    if (exact) {
      write(file, "velocity", recording.dq);
      write(file, "acceleration", recording.ddq);
    }
    writeNames(file, robot->logColumnNames());
    H5Fclose(file);
  }
  ~Log() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  static void write(hid_t file, const char* name, const Eigen::MatrixXd& values) {
    const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = values;
    const hsize_t shape[] = {static_cast<hsize_t>(rows.rows()), static_cast<hsize_t>(rows.cols())};
    write(file, name, H5T_NATIVE_DOUBLE, rows.cols() == 1 ? 1 : 2, shape, rows.data());
  }
  static void writeNames(hid_t file, const std::vector<std::string>& names) {
    std::vector<const char*> text;
    for (const std::string& name : names) text.push_back(name.c_str());
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    const hsize_t shape[] = {text.size()};
    write(file, "joint_names", type, 1, shape, text.data());
    H5Tclose(type);
  }
  static void write(
      hid_t file, const char* name, hid_t type, int rank, const hsize_t* shape, const void* data) {
    const hid_t space = H5Screate_simple(rank, shape, nullptr);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
      throw std::runtime_error(std::string("cannot write ") + name);
    H5Dclose(set);
    H5Sclose(space);
  }

  std::filesystem::path path_;
};

// A log, its plan and the rows of its base columns.
struct Material {
  Log log;
  Recordings recordings;
  std::vector<LogRows> logs;
  std::optional<EquationRows> rows;
  std::size_t num_columns = 0;

  Material(const std::shared_ptr<const Robot>& robot, bool exact) : log(robot, exact) {
    OpenOptions options;
    options.blocks = 8;  // as long as those of a log of an hour
    recordings = openRecordings(robot, {{log.path(), ""}}, {}, options);
    std::vector<ActuatorEffects> effects;
    for (int a = 0; a < robot->numJoints(); ++a)
      effects.push_back(actuatorEffects(*robot, a, recordings.typical_speed(a), false));
    GatherOptions bounded;
    bounded.pass.max_rows = std::int64_t{1} << 19;
    bounded.drive_gains = Eigen::VectorXd::Ones(robot->numJoints());
    const Regression regression = gather(recordings, effects, bounded);
    logs = logRows(recordings, regression.payloads, bounded.drive_gains);
    std::set<int> columns;
    for (const ChannelStatistics& channel : regression.statistics->channels)
      columns.insert(channel.columns.begin(), channel.columns.end());
    num_columns = columns.size();
    rows.emplace(
        robot,
        RowBuilder(
            robot, regression.layout(), {columns.begin(), columns.end()}, recordings.ramp_speed),
        Equations{});
  }
};

void perSample(benchmark::State& state) {
  state.counters["ns_per_sample"] =
      benchmark::Counter(static_cast<double>(state.iterations() * kSamples) * 1e-9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void logToStatistics(benchmark::State& state,
                     const std::string& name,
                     bool exact,
                     const std::string& set) {
  setenv("DYNID_ISA", set.c_str(), 1);
  Material material(robotWithPlainFriction(name), exact);
  for (auto _ : state) {
    Statistics statistics = emptyStatistics(*material.rows, material.recordings.block_log);
    accumulate(material.logs, *material.rows, WindowPass{}, statistics);
    benchmark::DoNotOptimize(statistics.channels.data());
  }
  state.counters["columns"] = static_cast<double>(material.num_columns);
  perSample(state);
  unsetenv("DYNID_ISA");
}

// The usual way with the same log, filter and columns: a row a sample from the regressor of one
// lane, all of them on a stack, a QR decomposition of each channel's.
void stackAndHouseholder(benchmark::State& state, const std::string& name, bool exact) {
  setenv("DYNID_ISA", "scalar", 1);
  Material material(robotWithPlainFriction(name), exact);
  const LogSource& source = *material.logs.front().source;
  RowBuilder& builder = material.rows->inverseDynamics();
  constexpr std::int64_t kWindow = 20000;
  for (auto _ : state) {
    std::vector<Eigen::MatrixXd> stacks;
    Eigen::Index held = 0;
    for (std::int64_t first = 0; first < kSamples; first += kWindow) {
      const ActuatorSignals signals = source.conditionWindow(
          source.readWindow(first, first + kWindow, source.plan().margin()), false);
      const auto core = (signals.joint.time.array() >= signals.place.begin &&
                         signals.joint.time.array() < signals.place.end)
                            .eval();
      Segment range{0, core.count()};
      while (!core(range.begin)) ++range.begin, ++range.end;
      RowBlock rows;
      builder.build(signals, range, nullptr, builder.advance(signals, {}), rows);
      if (stacks.empty())
        for (std::size_t a = 0; a < rows.numChannels(); ++a)
          stacks.emplace_back(kSamples, rows.withEffort(a).cols());
      for (std::size_t a = 0; a < stacks.size(); ++a) {
        rows.withEffort(a).rightCols<1>() =
            signals.effort.col(a).segment(range.begin, range.size());
        stacks[a].middleRows(held, range.size()) = rows.withEffort(a);
      }
      held += range.size();
    }
    for (Eigen::MatrixXd& stack : stacks) {
      Eigen::HouseholderQR<Eigen::Ref<Eigen::MatrixXd>> qr(stack);  // in place
      benchmark::DoNotOptimize(qr.matrixQR().data());
    }
    if (held != kSamples) throw std::runtime_error("samples are missing");
  }
  perSample(state);
  unsetenv("DYNID_ISA");
}

}  // namespace

void registerPipeline() {
  for (const char* robot : {"ur10e", "panda"}) {
    for (const bool exact : {true, false})
      benchmark::RegisterBenchmark(("scalar regressor and HouseholderQR, " +
                                    std::string(exact ? "unfiltered/" : "filtered/") + robot)
                                       .c_str(),
                                   stackAndHouseholder,
                                   robot,
                                   exact)
          ->Unit(benchmark::kMillisecond);
    for (const InstructionSet& set : availableInstructionSets()) {
      if (set.name != "avx2" && set.name != "avx512") continue;
      const auto add = [&](const std::string& what, bool exact) {
        benchmark::RegisterBenchmark(
            ("log to statistics, " + what + "/" + robot + "/" + set.name).c_str(),
            logToStatistics,
            robot,
            exact,
            set.name)
            ->Unit(benchmark::kMillisecond);
      };
      add("unfiltered", true);
      add("filtered", false);
    }
  }
}
