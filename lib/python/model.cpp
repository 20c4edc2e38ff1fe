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

void bindLinkInertia(py::module_& module) {
  py::class_<LinkInertia>(
      module,
      "LinkInertia",
      "Inertia of a moving body: a link with all links fixed to it. Vectors and\n"
      "matrices are in the axes of the link's frame.")
      .def_readonly("name", &LinkInertia::name, "name of the link")
      .def_readonly("mass", &LinkInertia::mass, "mass m [kg]")
      .def_readonly("first_moment",
                    &LinkInertia::first_moment,
                    "(3,) mass times centre of mass [kg m], from the link's origin")
      .def_readonly("inertia",
                    &LinkInertia::inertia,
                    "(3, 3) inertia tensor [kg m^2] about the link's origin (not the centre of\n"
                    "mass); Ixy is the entry of the tensor, the integral of -x y dm")
      .def_property_readonly(
          "center_of_mass",
          [](const LinkInertia& l) { return Eigen::Vector3d(l.first_moment / l.mass); },
          "(3,) centre of mass [m], from the link's origin; NaN for a massless link")
      .def("__repr__", [](const LinkInertia& l) {
        return fmt::format("<dynid.LinkInertia '{}', {:.4g} kg>", l.name, l.mass);
      });
}

void bindBaseParameters(py::module_& module) {
  py::class_<BaseParameterTable>(
      module,
      "BaseParameters",
      "The b combinations of parameters that the joint efforts determine.")
      .def_readonly(
          "names", &BaseParameterTable::names, "b names: the first parameter of each combination")
      .def_readonly(
          "expressions",
          &BaseParameterTable::expressions,
          "b texts: the combinations, with coefficients of six digits (the exact numbers\n"
          "are in Model.to_dict()['base_parameters'])")
      .def_readonly("units", &BaseParameterTable::units, "b texts: the units of the combinations")
      .def_readonly("values",
                    &BaseParameterTable::values,
                    "(b,) values in these units, of the physically consistent parameters")
      .def_readonly("std_dev",
                    &BaseParameterTable::std_dev,
                    "(b,) standard deviations of the least-squares values in the same units;\n"
                    "infinite where the logs do not determine the value")
      .def_readonly("lower_95",
                    &BaseParameterTable::lower_95,
                    "(b,) lower ends of the 95 % intervals, which contain the values")
      .def_readonly("upper_95",
                    &BaseParameterTable::upper_95,
                    "(b,) upper ends of the 95 % intervals, which contain the values")
      .def_readonly("covariance",
                    &BaseParameterTable::covariance,
                    "(b, b) covariance of the least-squares values, products of the units")
      .def("__len__", [](const BaseParameterTable& t) { return t.names.size(); });
}

using ModelClass = py::class_<Model>;

void bindModelStatus(ModelClass& model) {
  model
      .def_property_readonly(
          "robot",
          [](const Model& m) { return std::const_pointer_cast<Robot>(m.robot); },
          "the Robot that was identified; it is in the model file")
      .def_property_readonly(
          "usable",
          [](const Model& m) { return m.status.usable; },
          "whether the model may be used; see reason")
      .def_property_readonly(
          "reason",
          [](const Model& m) { return m.status.reason; },
          "why it must not be used, or the limits of its use; '' if there are none")
      .def_property_readonly(
          "assumptions",
          [](const Model& m) { return m.status.assumptions; },
          "list of what identify(apply_diagnosis=True) assumed about the logs; empty: nothing")
      .def_property_readonly("joint_status",
                             &jointStatus,
                             "per joint: reasons why it must not be used; an empty list where it\n"
                             "may be. Empty for a model whose joints were not judged")
      .def_readonly("effort_unit",
                    &Model::effort_unit,
                    "'N m' (prismatic joints: N), or 'A' where no drive gain is known: torque,\n"
                    "gravity and mass_matrix are then in A, and all parameters (links, joints,\n"
                    "base_parameters, parameters) have one common unknown factor");
}

void bindModelParameters(ModelClass& model) {
  model
      .def_property_readonly(
          "links", &linksOf, "LinkInertia per moving body, by name, in the order of robot.links")
      .def_property_readonly(
          "joints",
          [](const Model& m) { return py::object(fromJson(toJson(m))["joints"]); },
          "per joint, by name: dictionary of its friction terms, drive inertia, position effects\n"
          "(SI, formulas in datasets/README.md), 'drive_gain' [N m/A or N/A; None: not known]\n"
          "and 'identifiability'. Those of drives in a coupled transmission are in\n"
          "to_dict()['actuators']")
      .def_property_readonly(
          "base_parameters", &tableOf, "BaseParameters with their standard deviations")
      .def_property_readonly(
          "parameters",
          [](const Model& m) {
            return Eigen::VectorXd(m.parameters.head(10 * m.robot->numBodies()));
          },
          "(10 bodies,) inertial parameters in kg, kg m, kg m^2; named by robot.parameters");
}

void bindModelMethods(ModelClass& model) {
  model
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
          "The content of the model file as a dictionary (datasets/README.md, \"Model\").")
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
}

}  // namespace

void bindModel(py::module_& module) {
  bindLinkInertia(module);
  bindBaseParameters(module);
  ModelClass model(module, "Model", "An identified model; identify and read_model return one.");
  bindModelStatus(model);
  bindModelParameters(model);
  bindModelMethods(model);
  module.def("read_model", &loadModel, py::arg("path"), "Reads a model file (JSON) as a Model.");
}

}  // namespace dynid::python
