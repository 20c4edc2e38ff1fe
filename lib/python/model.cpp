#include "bindings.h"
#include <fmt/format.h>
#include <string>
#include <vector>

namespace dynid::python {
namespace {

/// The inertia of one moving body of a model.
struct LinkInertia {
  std::string name;
  double mass = 0.0;             ///< kg
  Eigen::Vector3d first_moment;  ///< kg m, about the link's origin, in its axes
  Eigen::Matrix3d inertia;       ///< kg m^2, about the link's origin, in its axes
};

py::dict linksOf(const Model& model) {
  py::dict links;
  for (int k = 0; k < model.robot->numBodies(); ++k) {
    const InertialParameters pi = model.body(k);
    LinkInertia link{model.robot->bodies.at(k).name, pi(0), pi.segment<3>(1), {}};
    link.inertia << pi(4), pi(5), pi(6), pi(5), pi(7), pi(8), pi(6), pi(8), pi(9);
    links[py::str(link.name)] = link;
  }
  return links;
}

/// The base parameters as arrays.
struct BaseParameterTable {
  std::vector<std::string> names, expressions, units;
  Eigen::VectorXd values, std_dev, lower_95, upper_95;
  Eigen::MatrixXd covariance;
};

BaseParameterTable tableOf(const Model& model) {
  BaseParameterTable table;
  const Eigen::Index count = std::ssize(model.base_parameters);
  table.values.resize(count);
  table.std_dev.resize(count);
  table.lower_95.resize(count);
  table.upper_95.resize(count);
  Eigen::Index i = 0;
  for (const BaseParameterEstimate& estimate : model.base_parameters) {
    table.names.push_back(estimate.name);
    table.expressions.push_back(estimate.expression);
    table.units.push_back(estimate.unit);
    table.values(i) = estimate.value;
    table.std_dev(i) = estimate.std_dev;
    table.lower_95(i) = estimate.lower_95;
    table.upper_95(i) = estimate.upper_95;
    ++i;
  }
  table.covariance = model.base_covariance;
  return table;
}

py::object torque(const Model& model,
                  const py::handle& q,
                  const py::handle& dq,
                  const py::handle& ddq) {
  const int n = model.robot->numJoints();
  const ArrayArgument position(q, "q", n), velocity(dq, "dq", n), acceleration(ddq, "ddq", n);
  Eigen::MatrixXd tau(0, n);
  if (position.matrix().rows() + velocity.matrix().rows() + acceleration.matrix().rows() > 0) {
    const py::gil_scoped_release release;
    tau = modelEfforts(model, position.matrix(), velocity.matrix(), acceleration.matrix());
  }
  return rowsOf(std::move(tau), position.oneRow());
}

py::object gravity(const Model& model, const py::handle& q) {
  const int n = model.robot->numJoints();
  const ArrayArgument position(q, "q", n);
  const Eigen::MatrixXd rest = Eigen::MatrixXd::Zero(position.matrix().rows(), n);
  Eigen::MatrixXd tau;
  {
    const py::gil_scoped_release release;
    tau = ProjectionRegressor(model.robot)
              .efforts(model.parameters.head(10 * model.robot->numBodies()),
                       position.matrix(),
                       rest,
                       rest);
  }
  return rowsOf(inEffortUnit(model, tau), position.oneRow());
}

py::array_t<double> massMatrices(const Model& model, const py::handle& q) {
  const int n = model.robot->numJoints();
  const ArrayArgument position(q, "q", n);
  const Eigen::Index samples = position.matrix().rows();
  py::array_t<double> result({samples, Eigen::Index{n}, Eigen::Index{n}});
  double* out = result.mutable_data();
  {
    const py::gil_scoped_release release;
    const Eigen::MatrixXd drives = jointDriveInertia(model);
    for (Eigen::Index i = 0; i < samples; ++i) {
      const Eigen::MatrixXd M =
          drives + massMatrix(*model.robot,
                              model.parameters.head(10 * model.robot->numBodies()),
                              position.matrix().row(i));
      // Row j of inEffortUnit(M) is the efforts at unit acceleration of joint j. The map
      // transposes: Eigen stores by columns, NumPy by rows.
      Eigen::Map<Eigen::MatrixXd>(out + i * n * n, n, n) = inEffortUnit(model, M);
    }
  }
  if (!position.oneRow()) return result;
  return py::array_t<double>(result.attr("reshape")(n, n));
}

py::dict jointStatus(const Model& model) {
  py::dict reasons;
  for (std::size_t j = 0; j < model.status.joints.size(); ++j)
    reasons[py::str(model.robot->joints[j].name)] = model.status.joints[j].reasons;
  return reasons;
}

void bindParts(py::module_& module) {
  py::class_<LinkInertia>(module, "LinkInertia", "Inertia of a moving body.")
      .def_readonly("name", &LinkInertia::name)
      .def_readonly("mass", &LinkInertia::mass, "kg")
      .def_readonly("first_moment", &LinkInertia::first_moment, "mass times centre of mass, kg m")
      .def_readonly("inertia", &LinkInertia::inertia, "(3, 3) kg m^2, about the link's origin")
      .def_property_readonly(
          "center_of_mass",
          [](const LinkInertia& l) { return Eigen::Vector3d(l.first_moment / l.mass); },
          "m")
      .def("__repr__", [](const LinkInertia& l) {
        return fmt::format("<dynid.LinkInertia '{}', {:.4g} kg>", l.name, l.mass);
      });
  py::class_<BaseParameterTable>(
      module, "BaseParameters", "The combinations of parameters that joint torque determines.")
      .def_readonly("names", &BaseParameterTable::names)
      .def_readonly("expressions", &BaseParameterTable::expressions)
      .def_readonly("units", &BaseParameterTable::units)
      .def_readonly("values", &BaseParameterTable::values)
      .def_readonly("std_dev", &BaseParameterTable::std_dev)
      .def_readonly("lower_95", &BaseParameterTable::lower_95)
      .def_readonly("upper_95", &BaseParameterTable::upper_95)
      .def_readonly("covariance", &BaseParameterTable::covariance)
      .def("__len__", [](const BaseParameterTable& t) { return t.names.size(); });
}

}  // namespace

void bindModel(py::module_& module) {
  bindParts(module);
  py::class_<Model>(module, "Model", "An identified model.")
      .def_property_readonly("robot",
                             [](const Model& m) { return std::const_pointer_cast<Robot>(m.robot); })
      .def_property_readonly("usable", [](const Model& m) { return m.status.usable; })
      .def_property_readonly("reason", [](const Model& m) { return m.status.reason; })
      .def_property_readonly(
          "assumptions",
          [](const Model& m) { return m.status.assumptions; },
          "what identify(apply_diagnosis=True) assumed about the logs; empty: nothing")
      .def_property_readonly("joint_status",
                             &jointStatus,
                             "per joint: reasons why it must not be used; an empty list where it "
                             "may be. Empty for a model whose joints were not judged")
      .def_readonly("effort_unit",
                    &Model::effort_unit,
                    "'N m' (prismatic joints: N), or 'A' where no drive gain is known: torque,\n"
                    "gravity and mass_matrix are then in A, and all parameters (links, joints,\n"
                    "base_parameters, parameters) have one common unknown factor")
      .def_property_readonly("links", &linksOf, "inertia per moving body")
      .def_property_readonly(
          "joints",
          [](const Model& m) { return py::object(fromJson(toJson(m))["joints"]); },
          "friction, drive inertia and position effects per joint")
      .def_property_readonly("base_parameters", &tableOf)
      .def_property_readonly(
          "parameters",
          [](const Model& m) {
            return Eigen::VectorXd(m.parameters.head(10 * m.robot->numBodies()));
          },
          "inertial parameters, ten per body; named by robot.parameters")
      .def("torque",
           &torque,
           py::arg("q"),
           py::arg("dq"),
           py::arg("ddq"),
           "Efforts at given states: rigid bodies, drive inertia, friction, position effects.\n\n"
           "q, dq, ddq: (N, n) or (n,), joint side, rad or m, per s, per s^2.\n"
           "Returns the efforts of the joints, N m or N, in the same shape. If effort_unit is\n"
           "'A', they are the currents of the actuators: effort of the actuator / drive gain.\n"
           "A state has no history: presliding friction takes its value after a long travel.\n"
           "A floating base is at rest.")
      .def("gravity",
           &gravity,
           py::arg("q"),
           "Efforts of gravity on the links.\n\n"
           "q: (N, n) or (n,), joint side, rad or m.\n"
           "Returns the same shape, in the unit and on the side of torque: torque(q, 0, 0)\n"
           "without friction offsets, ripple and position effects.")
      .def("mass_matrix",
           &massMatrices,
           py::arg("q"),
           "Mass matrix of the links and drives (the drive inertia is included).\n\n"
           "q: (N, n) or (n,), joint side, rad or m.\n"
           "Returns (N, n, n) or (n, n) in kg m^2, kg or kg m; column j is the change of torque\n"
           "per acceleration of joint j. If effort_unit is 'A', row i is the current of actuator\n"
           "i in A per rad/s^2 or m/s^2, and the matrix is not symmetric.")
      .def(
          "to_dict",
          [](const Model& m) { return fromJson(toJson(m)); },
          "The model file as a dictionary.")
      .def(
          "save",
          [](const Model& m, const std::filesystem::path& path) { saveModel(path, m); },
          py::arg("path"),
          "Writes the model file (JSON).")
      .def(py::pickle([](const Model& m) { return toJson(m); },
                      [](const std::string& text) { return modelFromJson(text, "pickle"); }))
      .def("__repr__", [](const Model& m) {
        return fmt::format(
            "<dynid.Model of '{}', {}>", m.robot->name, m.status.usable ? "usable" : "not usable");
      });
  module.def("read_model", &loadModel, py::arg("path"), "Reads a model file (JSON).");
}

}  // namespace dynid::python
