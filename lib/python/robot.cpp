#include "bindings.h"
#include <fmt/format.h>

namespace dynid::python {
namespace {

py::dict limitsOf(const Robot& robot) {
  py::dict all;
  for (const Joint& joint : robot.joints) {
    py::dict limits;
    limits["position"] = py::make_tuple(joint.limits.lower, joint.limits.upper);
    limits["velocity"] = joint.limits.velocity;
    limits["acceleration"] = joint.limits.acceleration;
    limits["effort"] = joint.limits.effort;
    all[py::str(joint.name)] = limits;
  }
  return all;
}

std::vector<std::string> linkNames(const Robot& robot) {
  std::vector<std::string> names;
  for (const Body& body : robot.bodies) names.push_back(body.name);
  return names;
}

std::vector<std::string> parameterNames(const Robot& robot) {
  const ParameterLayout layout = inertialLayout(robot);
  std::vector<std::string> names;
  for (const Column& column : layout.columns()) names.push_back(column.name);
  return names;
}

py::array_t<double> regressor(const std::shared_ptr<const Robot>& robot,
                              const py::handle& q,
                              const py::handle& dq,
                              const py::handle& ddq) {
  const int n = robot->numJoints();
  const ArrayArgument position(q, "q", n), velocity(dq, "dq", n), acceleration(ddq, "ddq", n);
  const Eigen::Index samples = position.matrix().rows();
  const auto parameters = Eigen::Index{10} * robot->numBodies();
  py::array_t<double> result({samples, Eigen::Index{n}, parameters});
  std::fill_n(result.mutable_data(), result.size(), 0.0);
  double* out = result.mutable_data();
  {
    const py::gil_scoped_release release;
    const ProjectionRegressor rows(robot);
    std::vector<Eigen::MatrixXd> Y;
    rows.evaluate(position.matrix(), velocity.matrix(), acceleration.matrix(), Y);
    for (int j = 0; j < n; ++j) {
      const std::vector<int> columns = rows.columns(j);
      const Eigen::MatrixXd& Y_j = Y.at(j);
      for (Eigen::Index c = 0; c < Y_j.cols(); ++c) {
        double* column = out + j * parameters + columns.at(c);
        for (Eigen::Index i = 0; i < samples; ++i) column[i * n * parameters] = Y_j(i, c);
      }
    }
  }
  if (!position.oneRow()) return result;
  return py::array_t<double>(result.attr("reshape")(n, parameters));
}

void bindDynamics(py::module_& module) {
  module.def("regressor",
             &regressor,
             py::arg("robot").none(false),
             py::arg("q"),
             py::arg("dq"),
             py::arg("ddq"),
             "Regressor of the rigid bodies, tau = Y @ pi.\n\n"
             "q, dq, ddq: (N, n) or (n,), joint side, rad or m, per s, per s^2.\n"
             "Returns (N, n, 10 bodies) or (n, 10 bodies); the columns are named by\n"
             "robot.parameters. A floating base is at rest.");
  module.def(
      "inverse_dynamics",
      [](const std::shared_ptr<const Robot>& robot,
         const py::handle& parameters,
         const py::handle& q,
         const py::handle& dq,
         const py::handle& ddq) {
        const int n = robot->numJoints();
        const ArrayArgument pi(parameters, "parameters", 10 * robot->numBodies());
        if (!pi.oneRow()) throw py::value_error("parameters: expected one row of numbers");
        const ArrayArgument position(q, "q", n), velocity(dq, "dq", n), acceleration(ddq, "ddq", n);
        Eigen::MatrixXd tau;
        {
          const py::gil_scoped_release release;
          tau = ProjectionRegressor(robot).efforts(
              pi.matrix().transpose(), position.matrix(), velocity.matrix(), acceleration.matrix());
        }
        return rowsOf(std::move(tau), position.oneRow());
      },
      py::arg("robot").none(false),
      py::arg("parameters"),
      py::arg("q"),
      py::arg("dq"),
      py::arg("ddq"),
      "Efforts of the rigid bodies with given inertial parameters.\n\n"
      "parameters: (10 bodies,) in kg, kg m, kg m^2, named by robot.parameters.\n"
      "q, dq, ddq: (N, n) or (n,), joint side, rad or m, per s, per s^2.\n"
      "Returns the efforts of the joints in the same shape, N m or N. A floating base is at\n"
      "rest.");
}

}  // namespace

void bindRobot(py::module_& module) {
  py::class_<Robot, std::shared_ptr<Robot>>(
      module, "Robot", "An immutable robot description; load_robot returns one.")
      .def_readonly("name", &Robot::name, "name in the description")
      .def_readonly("sha256", &Robot::sha256, "hash of the description's texts")
      .def_property_readonly("joints", &Robot::jointNames, "names of the n joints, order of q")
      .def_property_readonly(
          "links",
          &linkNames,
          "names of the moving bodies: a link with all links fixed to it has the\n"
          "name of the first")
      .def_property_readonly(
          "gravity",
          [](const Robot& r) { return Eigen::Vector3d(r.gravity); },
          "(3,) m/s^2, in the root link's frame",
          py::return_value_policy::copy)
      .def_property_readonly(
          "limits",
          &limitsOf,
          "per joint, by name: 'position' (lower, upper) in rad or m, 'velocity'\n"
          "per s, 'acceleration' per s^2, 'effort' in N m or N; infinite where\n"
          "the description has none")
      .def_property_readonly(
          "parameters",
          &parameterNames,
          "names of the inertial parameters, ten per body: mass [kg], first moments [kg m],\n"
          "entries of the inertia tensor about the link's origin [kg m^2]")
      .def("__repr__", [](const Robot& robot) {
        return fmt::format("<dynid.Robot '{}' with {} joints>", robot.name, robot.numJoints());
      });
  module.def(
      "load_robot",
      [](const std::filesystem::path& path, const std::vector<std::string>& exclude_joints) {
        return std::make_shared<Robot>(loadRobot(path, RobotOptions{exclude_joints}));
      },
      py::arg("path"),
      py::arg("exclude_joints") = std::vector<std::string>(),
      "Reads a robot description (URDF, MJCF or TOML) as a Robot.\n\n"
      "exclude_joints: joints that are held fixed: \"name\", at 0 or at the description's value, "
      "or\n"
      "\"name=position\" [rad or m].");
  bindDynamics(module);
}

}  // namespace dynid::python
