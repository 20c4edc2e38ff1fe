#include "bindings.h"
#include <cmath>
#include <fmt/format.h>

namespace dynid::python {
namespace {

bool isReal(const py::array& array) {
  const char kind = array.dtype().kind();
  return kind == 'f' || kind == 'i' || kind == 'u';
}

}  // namespace

py::object withoutMask(const py::handle& array) {
  const py::object masked = py::module_::import("numpy.ma").attr("MaskedArray");
  if (!py::isinstance(array, masked) || !isReal(py::array::ensure(array)))
    return py::reinterpret_borrow<py::object>(array);
  return array.attr("astype")("float64").attr("filled")(std::nan(""));
}

ArrayArgument::ArrayArgument(const py::handle& array, const char* name, Eigen::Index columns) {
  auto any = py::array::ensure(withoutMask(array));
  if (!any) throw py::type_error(fmt::format("{} is not an array of numbers", name));
  if (!isReal(any))
    throw py::type_error(fmt::format("{} has the type {}; expected real numbers",
                                     name,
                                     py::str(any.dtype()).cast<std::string>()));
  one_row_ = any.ndim() == 1 && any.shape(0) == columns;
  if (!one_row_ && (any.ndim() != 2 || any.shape(1) != columns)) {
    std::string shape;
    for (py::ssize_t d = 0; d < any.ndim(); ++d)
      shape += fmt::format("{}{}", d == 0 ? "" : ", ", any.shape(d));
    throw py::value_error(fmt::format(
        "{} has the shape ({}); expected (N, {}) or ({},)", name, shape, columns, columns));
  }
  array_ = py::array_t<double, py::array::f_style | py::array::forcecast>::ensure(
      one_row_ ? any.reshape({py::ssize_t{1}, any.shape(0)}) : any);
  if (!array_) throw py::error_already_set();
}

Eigen::Map<const Eigen::MatrixXd> ArrayArgument::matrix() const {
  return {array_.data(), array_.shape(0), array_.shape(1)};
}

py::object rowsOf(Eigen::MatrixXd matrix, bool one_row) {
  auto* owned = new Eigen::MatrixXd(std::move(matrix));
  const py::capsule owner(owned, [](void* p) { delete static_cast<Eigen::MatrixXd*>(p); });
  const auto size = static_cast<py::ssize_t>(sizeof(double));
  if (one_row)
    return py::array_t<double>({owned->cols()}, {size * owned->rows()}, owned->data(), owner);
  return py::array_t<double>(
      {owned->rows(), owned->cols()}, {size, size * owned->rows()}, owned->data(), owner);
}

}  // namespace dynid::python
