#include "dynid/core/errors.h"

#include "bindings.h"

PYBIND11_MODULE(_core, module) {
  namespace py = pybind11;
  using namespace dynid::python;  // NOLINT(google-build-using-namespace)
  module.doc() = "Dynamic parameter identification of robots";
  module.attr("__version__") = DYNID_VERSION;
  py::register_exception<dynid::UsageError>(module, "UsageError", PyExc_ValueError);
  py::register_exception<dynid::InputError>(module, "InputError", PyExc_ValueError);
  py::register_exception<dynid::OutputError>(module, "OutputError", PyExc_OSError);
  bindRobot(module);
  bindLog(module);
  bindModel(module);
  bindIdentify(module);
  bindValidate(module);
  bindExcite(module);
}
