#include "dynid/core/errors.h"
#include "dynid/core/printable.h"

#include "bindings.h"

namespace {

/// The text of an error as valid UTF-8, which Python needs.
std::string messageOf(const std::exception& error) {
  return dynid::printable(dynid::python::withoutTemporaryPaths(error.what()));
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  namespace py = pybind11;
  using namespace dynid::python;  // NOLINT(google-build-using-namespace)
  module.doc() = "Dynamic parameter identification of robots";
  module.attr("__version__") = DYNID_VERSION;
  static py::exception<dynid::UsageError> usage_error(module, "UsageError", PyExc_ValueError);
  static py::exception<dynid::InputError> input_error(module, "InputError", PyExc_ValueError);
  static py::exception<dynid::OutputError> output_error(module, "OutputError", PyExc_OSError);
  usage_error.doc() = "A setting has a value that is not allowed. A ValueError.";
  input_error.doc() = "An input file cannot be used: 'path:line: ...'. A ValueError.";
  output_error.doc() = "An output file cannot be written. An OSError.";
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(std::move(thrown));
    } catch (const dynid::UsageError& error) {
      usage_error(messageOf(error).c_str());
    } catch (const dynid::InputError& error) {
      input_error(messageOf(error).c_str());
    } catch (const dynid::OutputError& error) {
      output_error(messageOf(error).c_str());
    }
  });
  bindRobot(module);
  bindLog(module);
  bindModel(module);
  bindIdentify(module);
  bindValidate(module);
  bindExcite(module);
}
