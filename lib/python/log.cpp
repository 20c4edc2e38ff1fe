#include "dynid/core/atomic_file.h"
#include "dynid/core/errors.h"
#include "dynid/core/files.h"

#include "bindings.h"
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <regex>
#include <unistd.h>

namespace dynid::python {
namespace {

Eigen::MatrixXd channel(const py::object& array,
                        const char* name,
                        Eigen::Index rows,
                        Eigen::Index joints) {
  if (array.is_none()) return {};
  const ArrayArgument argument(array, name, joints);
  if (argument.matrix().rows() != rows)
    throw py::value_error(
        fmt::format("{} has {} rows, but time has {}", name, argument.matrix().rows(), rows));
  return argument.matrix();
}

Eigen::VectorXd timeOf(const py::object& array) {
  auto any = py::array::ensure(withoutMask(array));
  if (!any || any.ndim() != 1) throw py::value_error("time: expected an array of one dimension");
  const ArrayArgument argument(any.attr("reshape")(-1, 1), "time", 1);
  return argument.matrix();
}

/// Arguments of a log that is made of arrays.
struct LogArrays {
  py::object time, position, effort, current, velocity, acceleration;
  std::vector<std::string> joint_names, prismatic;
};

Log writeArrays(const LogArrays& arrays) {
  if (arrays.effort.is_none() == arrays.current.is_none())
    throw py::value_error("give either effort (N m, N) or current (A)");
  RawBlock block;
  block.time = timeOf(arrays.time);
  if (block.time.size() == 0) throw py::value_error("time has no samples");
  const Eigen::Index rows = block.time.size(), joints = std::ssize(arrays.joint_names);
  block.position = channel(arrays.position, "position", rows, joints);
  if (block.position.size() == 0)
    throw py::value_error("position is missing; expected an array (N, n)");
  block.velocity = channel(arrays.velocity, "velocity", rows, joints);
  block.acceleration = channel(arrays.acceleration, "acceleration", rows, joints);
  const bool currents = arrays.effort.is_none();
  block.effort = currents ? channel(arrays.current, "current", rows, joints)
                          : channel(arrays.effort, "effort", rows, joints);
  LogHeader header;
  header.joint_names = arrays.joint_names;
  for (const std::string& name : arrays.joint_names)
    header.prismatic.push_back(std::find(arrays.prismatic.begin(), arrays.prismatic.end(), name) !=
                               arrays.prismatic.end());
  for (const std::string& name : arrays.prismatic)
    if (std::find(arrays.joint_names.begin(), arrays.joint_names.end(), name) ==
        arrays.joint_names.end())
      throw py::value_error(fmt::format("prismatic: '{}' is not one of joint_names", name));
  header.has_velocity = block.velocity.size() > 0;
  header.has_acceleration = block.acceleration.size() > 0;
  header.effort_kind = currents ? EffortKind::kCurrent : EffortKind::kEffort;
  const py::gil_scoped_release release;
  return Log::temporary([&](const std::filesystem::path& path) {
    LogWriter writer(path, header);
    writer.append(block);
    writer.finish();
  });
}

/// All rows of a log in SI units.
RawBlock samplesOf(const Log& log) {
  const py::gil_scoped_release release;
  const LogReader reader(log.path());
  RawBlock block;
  reader.read(0, reader.info().rows, block);
  return block;
}

py::object column(Eigen::MatrixXd matrix) {
  if (matrix.size() == 0) return py::none();
  return rowsOf(std::move(matrix), false);
}

void save(const Log& log, const std::filesystem::path& path) {
  const py::gil_scoped_release release;
  requireRegularFile(log.path());
  AtomicFile file(path);
  std::error_code failed;
  std::filesystem::copy_file(
      log.path(), file.temporary(), std::filesystem::copy_options::overwrite_existing, failed);
  if (failed)
    throw OutputError(fmt::format(
        "{}: cannot be written: {}; nothing was changed there", path.string(), failed.message()));
  file.commit();
}

}  // namespace

Log Log::temporary(const std::function<void(const std::filesystem::path&)>& write) {
  std::error_code failed;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(failed);
  std::string folder = (temporary / "dynid-log-XXXXXX").string();
  if (failed || ::mkdtemp(folder.data()) == nullptr)
    throw OutputError(
        fmt::format("{}: no temporary folder can be made there; set TMPDIR to one that exists",
                    failed ? "TMPDIR" : temporary.string()));
  const auto remove = [directory = std::filesystem::path(folder), owner = ::getpid()](void*) {
    if (::getpid() != owner) return;  // a child process that ends; the log of its parent stays
    std::error_code ignored;          // not an error if the folder does not exist any more
    std::filesystem::remove_all(directory, ignored);
  };
  const std::shared_ptr<void> owned(nullptr, remove);
  const std::filesystem::path written = std::filesystem::path(folder) / "arrays.h5";
  write(written);
  Log log(written.parent_path() / fmt::format("arrays-{:.8}.h5", sha256OfFile(written)));
  std::filesystem::rename(written, log.path_);
  log.owned_ = owned;
  return log;
}

namespace {

// A path of Log::temporary: its folder, and the name of the file.
const std::regex& temporaryPath() {
  static const std::regex path(R"([^\s"]*dynid-log-[A-Za-z0-9]{6}/(arrays(-[0-9a-f]{8})?\.h5))");
  return path;
}

}  // namespace

std::string withoutTemporaryPaths(const std::string& text) {
  return std::regex_replace(text, temporaryPath(), "the log of arrays");
}

std::string withoutTemporaryFolder(const std::string& path) {
  return std::regex_replace(path, temporaryPath(), "$1");
}

std::filesystem::path logPath(const py::handle& log) {
  if (py::isinstance<Log>(log)) return log.cast<const Log&>().path();
  if (py::isinstance<py::str>(log) || py::isinstance<py::bytes>(log) ||
      py::hasattr(log, "__fspath__"))
    return log.cast<std::filesystem::path>();
  throw py::type_error(
      fmt::format("expected one log (a dynid.Log, a str or a path), got {}",
                  py::str(py::type::of(log).attr("__name__")).cast<std::string>()));
}

namespace {

using LogClass = py::class_<Log>;

void bindLogOfArrays(LogClass& log) {
  log.def(py::init([](py::object time,
                      py::object position,
                      std::vector<std::string> joint_names,
                      py::object effort,
                      py::object current,
                      py::object velocity,
                      py::object acceleration,
                      std::vector<std::string> prismatic) {
            return writeArrays({std::move(time),
                                std::move(position),
                                std::move(effort),
                                std::move(current),
                                std::move(velocity),
                                std::move(acceleration),
                                std::move(joint_names),
                                std::move(prismatic)});
          }),
          py::kw_only(),
          py::arg("time"),
          py::arg("position"),
          py::arg("joint_names"),
          py::arg("effort") = py::none(),
          py::arg("current") = py::none(),
          py::arg("velocity") = py::none(),
          py::arg("acceleration") = py::none(),
          py::arg("prismatic") = std::vector<std::string>(),
          "A log from arrays in SI units.\n\n"
          "time: (N,) in s. position, velocity, acceleration: (N, n) in rad (or m), per s,\n"
          "per s^2. NaN: not measured.\n"
          "effort: (N, n) in N m (or N), or current: (N, n) in A.\n"
          "joint_names: n names. prismatic: those of them in m and N.\n"
          "The samples are kept in a temporary file that goes with the object. Results name the\n"
          "log after its content, 'arrays-1a2b3c4d.h5'.");
}

void bindLogContent(LogClass& log) {
  log.def_property_readonly(
         "path",
         [](const Log& log) { return log.path().string(); },
         "the file as a str; that of arrays is temporary")
      .def_property_readonly(
          "joint_names",
          [](const Log& log) { return readLogInfo(log.path()).joint_names; },
          "n names, in the order of the columns")
      .def_property_readonly(
          "rows",
          [](const Log& log) { return readLogInfo(log.path()).rows; },
          "number N of samples")
      .def_property_readonly(
          "time",
          [](const Log& log) { return Eigen::VectorXd(samplesOf(log).time); },
          "(N,) time stamps [s]")
      .def_property_readonly(
          "position",
          [](const Log& log) { return column(samplesOf(log).position); },
          "(N, n) rad or m")
      .def_property_readonly(
          "velocity",
          [](const Log& log) { return column(samplesOf(log).velocity); },
          "(N, n) rad/s or m/s; None: not recorded")
      .def_property_readonly(
          "acceleration",
          [](const Log& log) { return column(samplesOf(log).acceleration); },
          "(N, n) rad/s^2 or m/s^2; None: not recorded")
      .def_property_readonly(
          "effort",
          [](const Log& log) { return column(samplesOf(log).effort); },
          "(N, n) N m or N; A where the log holds currents; None: not recorded");
}

}  // namespace

void bindLog(py::module_& module) {
  LogClass log(module,
               "Log",
               "A recording: joint positions and efforts over time. Every array is read from the\n"
               "file when it is asked for, in SI units, NaN where nothing was measured.");
  bindLogOfArrays(log);
  bindLogContent(log);
  log.def("save", &save, py::arg("path"), "Writes the log to an HDF5 file.")
      .def("__repr__", [](const Log& log) {
        const LogInfo info = readLogInfo(log.path());
        return fmt::format(
            "<dynid.Log with {} rows of {} joints>", info.rows, info.joint_names.size());
      });
  module.def(
      "read_log",
      [](const std::filesystem::path& path) {
        readLogInfo(path);  // throws here if the file is not a log
        return Log(path);
      },
      py::arg("path"),
      "Opens an HDF5 log as a Log. Its samples are read when they are asked for.");
}

}  // namespace dynid::python
