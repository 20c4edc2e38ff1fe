#include "dynid/simulation/simulate.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/logs/trajectory_file.h"
#include "dynid/model/json.h"
#include "dynid/simulation/integrated_motion.h"

#include "commands.h"
#include "console.h"
#include "exit_status.h"
#include "expected_file.h"
#include "files.h"
#include "next_step.h"
#include "options.h"
#include "payload_option.h"
#include "simulate_text.h"
#include "simulated_robot.h"
#include <algorithm>
#include <fmt/format.h>

namespace dynid::tool {
namespace {

struct SimulateRequest {
  std::string robot, model, output, trajectory, payload, save_truth, integrator = "exact";
  std::vector<std::string> excluded;
  int seed = 1, truth_seed = 1;
  bool no_velocity = false, random_inertia = false, described_drives = false;
  SimulationOptions simulation;
};

void declareFiles(Options& options, SimulateRequest& request) {
  options.text(
      "robot",
      request.robot,
      "FILE",
      "robot description: .toml, URDF or MJCF. Links without a usable inertia get a "
      "random one, drives get plausible friction and inertia (--described-drives: those of "
      "the description)");
  options.positional("robot");
  options.text("model", request.model, "FILE.json", "simulate this identified model instead");
  options.text("output", request.output, "FILE.h5", "the log to write");
  options.text(
      "save-truth", request.save_truth, "FILE.json", "write the true parameters as a model");
  options.text("trajectory",
               request.trajectory,
               "FILE.h5",
               "follow this trajectory; default: a random multi-sine within the limits");
  options.texts("exclude-joint",
                request.excluded,
                "NAME[=X]",
                "hold this joint fixed, at 0 or at X [rad or m]");
}

void declareMotion(Options& options, SimulateRequest& request) {
  SimulationOptions& s = request.simulation;
  options.integer(
      "seed", request.seed, 0, "seed of motion and noise: the same seed gives the same log");
  options.integer("truth-seed",
                  request.truth_seed,
                  0,
                  "seed of what the description leaves open: the same seed gives the same robot");
  options.flag("random-inertia",
               request.random_inertia,
               "random inertias even where the description gives them");
  options.flag("described-drives",
               request.described_drives,
               "damping, friction, armature and springs of the description where it has them, "
               "instead of plausible ones");
  options.number("duration", s.motion.duration_s, "s", "duration of the random motion");
  options.number(
      "fundamental", s.motion.fundamental_hz, "Hz", "lowest frequency of the random motion");
  options.integer("harmonics", s.motion.harmonics, 1, "number of harmonics of the random motion");
  options.number("amplitude",
                 s.motion.amplitude,
                 "1",
                 "share of the joint limits that the random motion uses");
  options.number("rate", s.rate_hz, "Hz", "samples per second");
  options.text(
      "integrator",
      request.integrator,
      "KIND",
      "how efforts are computed. exact: by Newton-Euler; variational: by Hamilton's principle, "
      "discretised with the time step of the log; augmented, direct, projected, embedded, "
      "udwadia-kalaba or maggi: forward integration of a robot with loops by this solver of the "
      "constrained equations, while its drives follow the motion");
}

void declareMeasurement(Options& options, SimulationOptions& s) {
  options.number(
      "effort-noise", s.effort_noise, "N m or N", "standard deviation of the noise of each effort");
  options.number("effort-noise-relative",
                 s.effort_noise_relative,
                 "1",
                 "the same as a share of the rms effort of each channel; both are added");
  options.number("noise-correlation",
                 s.effort_noise_correlation_s,
                 "s",
                 "correlation time of the effort noise");
  options.number(
      "encoder-step", s.encoder_step, "rad or m", "positions are rounded to multiples of this");
  options.number("velocity-noise",
                 s.velocity_noise,
                 "rad/s or m/s",
                 "standard deviation of the velocity noise");
  options.number("jitter", s.clock_jitter_s, "s", "standard deviation of the time stamps");
}

void declareChannels(Options& options, SimulateRequest& request) {
  SimulationOptions& s = request.simulation;
  options.flag("no-velocity", request.no_velocity, "do not write velocities");
  options.flag("acceleration", s.acceleration, "also write accelerations");
  options.flag("passive-joints",
               s.passive,
               "also write the passive joints of loops, without noise, with efforts of zero");
  options.flag("current", s.current, "write motor currents instead of efforts (needs drive gains)");
  options.text("payload", request.payload, "LINK:MASS", "add this point mass [kg] at this link");
  options.texts("bodies",
                s.bodies,
                "LINK",
                "add an inertial and a wrench sensor to this link, from which identify determines "
                "its ten parameters (on a fixed link: those of its payload)");
  options.text("base",
               s.base_frame,
               "FRAME",
               "record the wrench that the ground exerts on the base in this frame (body, space, "
               "hybrid), from which identify determines the root link as well. A floating base "
               "moves at random, and its pose and twist are recorded");
  options.integer("compression", s.compression, 0, "compression of the log, 0 (fast) to 9 (small)");
}

void declare(Options& options, SimulateRequest& request) {
  declareFiles(options, request);
  declareMotion(options, request);
  declareMeasurement(options, request.simulation);
  declareChannels(options, request);
}

/// Refuses options that would have no effect.
void refuseContradictions(const SimulateRequest& request, const Options& options) {
  const auto refuse = [&](const char* name, const char* other, const std::string& why) {
    if (options.given(name))
      throw UsageError(fmt::format("--{} and --{}: {}; give one of them", name, other, why));
  };
  if (!request.model.empty()) {
    if (options.given("robot")) throw UsageError("--robot and --model: give one of them");
    for (const char* name : {"truth-seed", "random-inertia", "described-drives", "exclude-joint"})
      refuse(name, "model", "all parameters and joints are those of the model");
  }
  if (!request.trajectory.empty())
    for (const char* name : {"duration", "fundamental", "harmonics", "amplitude"})
      refuse(name, "trajectory", "the motion is that of the trajectory, not a random one");
}

/// Sets the options of the library from the arguments; its errors become usage errors.
void finish(SimulateRequest& request, const Options& options, const Robot& robot) {
  SimulationOptions& s = request.simulation;
  s.seed = static_cast<std::uint64_t>(request.seed);
  s.velocity = !request.no_velocity;
  s.variational = request.integrator == "variational";
  std::vector<std::string> integrators = constrainedSolverNames();
  if (std::find(integrators.begin(), integrators.end(), request.integrator) != integrators.end())
    s.solver = request.integrator;
  integrators.insert(integrators.begin(), {"exact", "variational"});
  if (std::find(integrators.begin(), integrators.end(), request.integrator) == integrators.end())
    throw UsageError("--integrator: \"" + request.integrator + "\" is not one of " +
                     join(integrators) + didYouMean(request.integrator, integrators));
  if (!request.payload.empty()) {
    s.payload = parsePayload(request.payload);
    options.asUsage([&] { robot.findLink(s.payload->link); });
  }
  if (!request.trajectory.empty()) {
    expectKind(request.trajectory, Expected::kTrajectory);
    s.trajectory = readTrajectory(request.trajectory, robot.jointNames(), prismaticJoints(robot));
  }
  options.asUsage([&] {
    s.check();
    s.motion.check();
    for (const std::string& link : s.bodies) robot.findLink(link);
  });
}

std::string nextOf(const SimulateRequest& request) {
  return fmt::format("dynid identify --robot {} {}{} --output model.json",
                     request.robot.empty() ? "ROBOT" : shellWord(request.robot),
                     shellWord(request.output),
                     excludeJointOptions(request.excluded));
}

}  // namespace

int runSimulate(const Arguments& arguments) {
  SimulateRequest request;
  Options options(
      "simulate",
      "dynid simulate datasets/quickstart/arm.toml --output simulated.h5 --effort-noise 0.2\n"
      "dynid simulate datasets/quickstart/arm.toml --trajectory excitation.h5 --output "
      "rehearsal.h5",
      "Simulates the log of a robot in motion, with noise as you specify it: for tests with known "
      "parameters, and to rehearse before the robot moves.");
  declare(options, request);
  if (!options.parse(arguments)) return kDone;
  if (request.model.empty()) options.require("robot", "the robot to simulate, or --model");
  refuseContradictions(request, options);
  options.require("output", "the log to write");
  checkOutputs({request.output, request.save_truth},
               {request.robot, request.model, request.trajectory});

  const SimulatedRobot simulated = request.model.empty()
                                       ? robotOfDescription(request.robot,
                                                            request.excluded,
                                                            request.truth_seed,
                                                            request.random_inertia,
                                                            request.described_drives,
                                                            !request.simulation.base_frame.empty())
                                       : robotOfModel(request.model);
  const Robot& robot = *simulated.robot;
  finish(request, options, robot);
  refuseToReplaceReadFiles({request.output, request.save_truth});
  const Progress progress = progressLine("simulate", options.quiet(), options.verbose());
  SimulationSummary summary;
  Outputs outputs;
  outputs.write(request.output, [&](const std::filesystem::path& path) {
    try {
      summary = simulate(robot, simulated.truth, request.simulation, path, progress);
    } catch (const InputError& error) {
      // The trajectory is the only input left
      if (request.trajectory.empty()) throw;
      throw InputError(fmt::format("{}: {}", request.trajectory, error.what()));
    }
  });
  outputs.write(request.save_truth,
                [&](const std::filesystem::path& path) { saveModel(path, simulated.model()); });
  outputs.commit();
  if (options.json())
    printResult(toJsonText(robot, summary, request.output));
  else if (!options.quiet())
    printResult(describe(robot, summary, request.output) + nextStep(nextOf(request)));
  return kDone;
}

}  // namespace dynid::tool
