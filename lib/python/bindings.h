#pragma once

#include <Eigen/Core>

#include <dynid/dynid.h>
#include <memory>
#include <optional>
#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <string>
#include <vector>

/// The Python module. One function per file adds its part; the texts of errors are those of the
/// library.
namespace dynid::python {

namespace py = pybind11;

void bindRobot(py::module_& module);
void bindLog(py::module_& module);
void bindIdentify(py::module_& module);
void bindModel(py::module_& module);
void bindValidate(py::module_& module);
void bindExcite(py::module_& module);

/// A real array as numbers in columns: without a copy where it is float64 and stored by columns.
class ArrayArgument {
 public:
  /// @param columns  expected second dimension; an array of one dimension with as many numbers is
  /// one row
  /// @throws TypeError for numbers that are not real; ValueError for another shape
  ArrayArgument(const py::handle& array, const char* name, Eigen::Index columns);

  Eigen::Map<const Eigen::MatrixXd> matrix() const;
  bool oneRow() const { return one_row_; }

 private:
  py::array_t<double, py::array::f_style> array_;
  bool one_row_ = false;
};

/// A masked array of real numbers as an array with NaN where it is masked; anything else as it is.
py::object withoutMask(const py::handle& array);

/// `matrix`, or its only row as an array of one dimension.
py::object rowsOf(Eigen::MatrixXd matrix, bool one_row);

/// Runs `work` without the interpreter's lock. The first Ctrl-C stops it at the next progress
/// report and becomes KeyboardInterrupt.
/// @param callback  Python function (stage, fraction), or None
void runInterruptible(const py::object& callback, const std::function<void(const Progress&)>& work);

/// A keyword argument that sets a field.
struct Keyword {
  const char* name;
  std::function<void(const py::handle&)> set;
};

/// Sets the fields that the keyword arguments name.
/// @throws TypeError "identify: unknown argument 'cutof_hz'; did you mean 'cutoff_hz'?"
void setFields(const std::string& function,
               const py::kwargs& arguments,
               const std::vector<Keyword>& known);

/// @throws UsageError if the value is NaN, which stands for the default of some fields
void refuseNan(const char* name, double value);
template <typename Other>
void refuseNan(const char*, const Other&) {}  // lists of numbers: the library examines them

/// A keyword for a field of any type that converts from Python.
template <typename Field>
Keyword keyword(const char* name, Field& field) {
  return {name, [name, &field](const py::handle& value) {
            auto converted = value.cast<Field>();
            refuseNan(name, converted);
            field = std::move(converted);
          }};
}

/// JSON text as Python dictionaries and lists.
py::object fromJson(const std::string& text);

/// A log: a file, or arrays in a temporary file that is removed with the object.
class Log {
 public:
  explicit Log(std::filesystem::path path) : path_(std::move(path)) {}
  const std::filesystem::path& path() const { return path_; }
  /// A temporary log; the file is removed with the last copy in the process that made it. Its name
  /// follows from its content, so that results that contain it are the same in every run.
  /// @param write  writes the log to the given path
  static Log temporary(const std::function<void(const std::filesystem::path&)>& write);

 private:
  std::filesystem::path path_;
  std::shared_ptr<void> owned_;
};

/// The text of an error with the paths of temporary logs replaced by "the log of arrays".
std::string withoutTemporaryPaths(const std::string& text);

/// The path of a log as results contain it: only the name of the file for a temporary log.
std::string withoutTemporaryFolder(const std::string& path);

/// The path of a log that is given as a Log, a str or a path.
std::filesystem::path logPath(const py::handle& log);

/// Default number of threads: one per processor. The results do not depend on it.
int defaultThreads();

}  // namespace dynid::python
