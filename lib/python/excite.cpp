#include "bindings.h"
#include <fmt/format.h>

namespace dynid::python {
namespace {

ExcitationDesign design(const std::shared_ptr<const Robot>& robot,
                        double seconds,
                        const py::object& progress,
                        const py::kwargs& arguments) {
  ExcitationOptions options;
  options.search.seconds = seconds;
  options.search.threads = defaultThreads();
  setFields(
      "excite",
      arguments,
      {keyword("duration_s", options.duration_s),
       keyword("harmonics", options.harmonics),
       keyword("periods", options.periods),
       keyword("rate_hz", options.rate_hz),
       keyword("noise", options.noise),
       keyword("from_rest", options.from_rest),
       keyword("start", options.start),
       {"criterion",
        [&](const py::handle& name) { options.criterion = criterionOf(name.cast<std::string>()); }},
       keyword("max_velocity", options.limits.velocity),
       keyword("max_acceleration", options.limits.acceleration),
       keyword("max_jerk", options.limits.jerk),
       keyword("position_share", options.limits.position_share),
       keyword("velocity_share", options.limits.velocity_share),
       keyword("acceleration_share", options.limits.acceleration_share),
       keyword("effort_share", options.limits.effort_share),
       {"ignore_effort",
        [&](const py::handle& ignore) { options.limits.effort = !ignore.cast<bool>(); }},
       keyword("link_radius", options.space.link_radius),
       keyword("clearance", options.space.clearance),
       keyword("ignore_space", options.space.ignore),
       keyword("statistics", options.statistics),
       keyword("payload_link", options.payload_link),
       keyword("payload_mass", options.payload_mass),
       keyword("seed", options.seed),
       keyword("starts", options.search.starts),
       keyword("threads", options.search.threads)});
  std::optional<ExcitationDesign> result;
  runInterruptible(
      progress, [&](const Progress& report) { result = designExcitation(robot, options, report); });
  return std::move(*result);
}

Log simulateRobot(const py::object& of, const py::object& progress, const py::kwargs& arguments) {
  std::shared_ptr<const Robot> robot;
  std::optional<SimulationTruth> truth;
  std::uint64_t truth_seed = 1;
  SimulationOptions options;
  std::optional<std::filesystem::path> trajectory;
  setFields("simulate",
            arguments,
            {{"trajectory",
              [&](const py::handle& path) { trajectory = path.cast<std::filesystem::path>(); }},
             keyword("seed", options.seed),
             keyword("truth_seed", truth_seed),
             keyword("rate_hz", options.rate_hz),
             keyword("duration_s", options.motion.duration_s),
             keyword("effort_noise", options.effort_noise),
             keyword("effort_noise_relative", options.effort_noise_relative),
             keyword("effort_noise_correlation_s", options.effort_noise_correlation_s),
             keyword("encoder_step", options.encoder_step),
             keyword("velocity_noise", options.velocity_noise),
             keyword("velocity", options.velocity),
             keyword("acceleration", options.acceleration)});
  if (trajectory && arguments.contains("duration_s"))
    throw py::value_error(
        "simulate: duration_s and trajectory: the motion is that of the trajectory; give one of "
        "them");
  if (py::isinstance<Model>(of)) {
    if (arguments.contains("truth_seed"))
      throw py::value_error(
          "simulate: truth_seed and a model: all parameters are those of the model; leave out "
          "truth_seed");
    const auto& model = of.cast<const Model&>();
    robot = model.robot;
    truth = truthOf(model);
  } else {
    if (!py::isinstance<Robot>(of))
      throw py::type_error(
          fmt::format("simulate: expected a dynid.Robot or a dynid.Model, got {}",
                      py::str(py::type::of(of).attr("__name__")).cast<std::string>()));
    robot = of.cast<std::shared_ptr<Robot>>();
    truth = randomTruth(*robot, truth_seed);
  }
  if (trajectory) {
    std::vector<std::string> prismatic;
    for (const Joint& joint : robot->joints)
      if (joint.prismatic) prismatic.push_back(joint.name);
    options.trajectory = readTrajectory(*trajectory, robot->jointNames(), prismatic);
  }
  std::optional<Log> log;
  runInterruptible(progress, [&](const Progress& report) {
    log = Log::temporary([&](const std::filesystem::path& path) {
      simulate(*robot, *truth, options, path, report);
    });
  });
  return std::move(*log);
}

void bindExcitation(py::module_& module) {
  py::class_<ExcitationDesign>(
      module,
      "Excitation",
      "A designed excitation trajectory of N samples and n joints. Its arrays\n"
      "are only valid if it is feasible.")
      .def_readonly("feasible",
                    &ExcitationDesign::feasible,
                    "whether a trajectory within all limits was found")
      .def_readonly("reasons",
                    &ExcitationDesign::reasons,
                    "list of what prevents a trajectory, and which limit to relax")
      .def_readonly("notes", &ExcitationDesign::notes, "list of what was assumed")
      .def_readonly("condition_number",
                    &ExcitationDesign::condition_number,
                    "condition number of the regressor of the periodic part; smaller is better")
      .def_property_readonly(
          "time",
          [](const ExcitationDesign& d) { return d.trajectory.time; },
          "(N,) s, from the start at rest to the end at rest")
      .def_property_readonly(
          "position",
          [](const ExcitationDesign& d) { return d.trajectory.position; },
          "(N, n) rad or m")
      .def_property_readonly(
          "velocity",
          [](const ExcitationDesign& d) { return d.trajectory.velocity; },
          "(N, n) rad/s or m/s")
      .def_property_readonly(
          "acceleration",
          [](const ExcitationDesign& d) { return d.trajectory.acceleration; },
          "(N, n) rad/s^2 or m/s^2")
      .def_property_readonly(
          "joint_names",
          [](const ExcitationDesign& d) { return d.trajectory.joint_names; },
          "n names, in the order of the columns")
      .def(
          "save",
          [](const ExcitationDesign& d, const std::filesystem::path& path) {
            if (!d.feasible) throw py::value_error("there is no trajectory to save; see reasons");
            writeTrajectory(path, d.trajectory);
          },
          py::arg("path"),
          "Writes the trajectory file (HDF5).")
      .def("__repr__", [](const ExcitationDesign& d) {
        return d.feasible
                   ? fmt::format("<dynid.Excitation, condition number {:.4g}>", d.condition_number)
                   : std::string("<dynid.Excitation: not feasible>");
      });
}

}  // namespace

void bindExcite(py::module_& module) {
  bindExcitation(module);
  module.def(
      "excite",
      &design,
      py::arg("robot").none(false),
      py::kw_only(),
      py::arg("seconds") = 60.0,
      py::arg("progress") = py::none(),
      "Designs an excitation trajectory within the robot's limits.\n\n"
      "Returns an Excitation. seconds: length of the search. Keywords (`dynid excite --help`\n"
      "says more about them):\n"
      "  duration_s [s] of one period, harmonics, periods, rate_hz [Hz] of the samples\n"
      "  from_rest: no lead-in and lead-out (False); start: posture [rad or m], one per joint\n"
      "  noise: standard deviation of the efforts [N m or N], one value per drive or one for all\n"
      "  criterion: 'condition' (default), 'd', 'a' or 'e'\n"
      "  statistics: files of `dynid identify --save-statistics` to complement\n"
      "  payload_link, payload_mass [kg]: a payload is to be identified, the robot is known\n"
      "  limits in place of those of the description, one value per joint or one for all:\n"
      "  max_velocity, max_acceleration, max_jerk [rad/s or m/s, per s, per s^2]\n"
      "  shares of the limits, 0 to 1: position_share, velocity_share, acceleration_share,\n"
      "  effort_share; ignore_effort: no limit of the efforts (False)\n"
      "  collisions: link_radius, clearance [m], ignore_space (False)\n"
      "  seed, starts (number of random starts), threads");
  module.def(
      "simulate",
      &simulateRobot,
      py::arg("of"),
      py::kw_only(),
      py::arg("progress") = py::none(),
      "A log of a simulated robot (a Robot with random parameters, or a Model).\n\n"
      "Returns a Log in a temporary file. Keywords (`dynid simulate --help` says more):\n"
      "  trajectory: file of Excitation.save; default: a random motion of duration_s [s]\n"
      "  rate_hz: sample rate [Hz]\n"
      "  seed: of motion and noise; truth_seed: of the parameters of a Robot\n"
      "  effort_noise [N m or N], effort_noise_relative (to the rms effort of a joint),\n"
      "  effort_noise_correlation_s [s], velocity_noise [rad/s or m/s]: standard deviations and\n"
      "  correlation time\n"
      "  encoder_step: positions are rounded to its multiples [rad or m]\n"
      "  velocity (True), acceleration (False): whether they are recorded\n"
      "Raises ValueError for duration_s with a trajectory, and for truth_seed with a Model: they\n"
      "would have no effect.");
}

}  // namespace dynid::python
