#include "excite_options.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"

#include <algorithm>

namespace dynid::tool {
namespace {

void declareLimits(Options& options, ExciteRequest& request) {
  LimitOptions& limits = request.design.limits;
  const std::string list = "; one value, or one per joint: 2,2,3";
  options.text("max-velocity",
               request.velocity,
               "LIST",
               "[rad/s or m/s] instead of the limits of the description" + list);
  options.text("max-acceleration",
               request.acceleration,
               "LIST",
               "[rad/s^2 or m/s^2] instead of the limits of the description" + list);
  options.text("max-jerk", request.jerk, "LIST", "[rad/s^3 or m/s^3] default: not limited" + list);
  options.number("position-share",
                 limits.position_share,
                 "1",
                 "share of every position range that may be used, around its middle");
  options.number("velocity-share", limits.velocity_share, "1", "share of the velocity limits");
  options.number(
      "acceleration-share", limits.acceleration_share, "1", "share of the acceleration limits");
  options.number(
      "effort-share",
      limits.effort_share,
      "1",
      "share of the effort limits; efforts are computed from the inertias of the description");
  options.flag("ignore-effort", request.ignore_effort, "do not limit efforts");
  SpaceOptions& space = request.design.space;
  options.number("clearance",
                 space.clearance,
                 "m",
                 "smallest distance between links, obstacles and the ground of the description");
  options.number(
      "link-radius",
      space.link_radius,
      "m",
      "radius of the capsules that are fitted between the joints where the description has none. "
      "If it is given, links are kept apart even if the description has no obstacles",
      "0.05 where the description has obstacles");
  options.flag("ignore-space", space.ignore, "do not check collisions");
}

std::vector<double> numbers(const std::string& option, const std::string& text) {
  std::vector<double> values;
  std::string spaced = text;
  std::replace(spaced.begin(), spaced.end(), ',', ' ');
  for (const std::string& word : splitWords(spaced)) {
    const std::optional<double> value = parseFinite(word);
    if (!value)
      throw UsageError("--" + option + ": \"" + word + "\" is not a number; expected as in 2,2,3");
    values.push_back(*value);
  }
  return values;
}

void declareFiles(Options& options, ExciteRequest& request) {
  options.text("robot", request.robot, "FILE", "robot description: .toml, URDF or MJCF");
  options.positional("robot");
  options.text("output", request.output, "FILE.h5", "the trajectory to write");
  options.text("csv", request.csv, "FILE.csv", "also write the samples as text");
  options.text("ros",
               request.ros,
               "FILE.yaml",
               "also write the samples as a trajectory_msgs/JointTrajectory");
  options.text("report",
               request.report,
               "FILE.html",
               "write a page with the curves between their limits and the forecast");
}

void declareExperiment(Options& options, ExciteRequest& request) {
  ExcitationOptions& design = request.design;
  options.number("duration", design.duration_s, "s", "duration of one period");
  options.integer("harmonics", design.harmonics, 1, "number of harmonics of the Fourier series");
  options.integer("periods", design.periods, 1, "number of periods");
  options.text("criterion",
               request.criterion,
               "d|a|e|condition",
               "criterion that is minimised: volume of the confidence region (d), sum of the "
               "variances (a), largest variance of any combination (e), condition number");
  options.text("noise",
               request.noise,
               "LIST",
               "[N m or N] standard deviation of the effort noise; one value, or one per channel");
  options.text("payload-only",
               request.payload,
               "LINK[:MASS]",
               "a motion for a payload at this link of a robot that is already known: 5 s and 3 "
               "harmonics unless given; MASS [kg] at the link's origin counts in the efforts");
  options.texts("statistics",
                request.statistics,
                "FILE.h5",
                "file of identify --save-statistics of earlier logs (a quoted pattern names "
                "several): the motion complements them, and the forecast is for all logs together");
  options.number("rate", design.rate_hz, "Hz", "samples per second, of the file and the forecast");
  options.text(
      "start",
      request.start,
      "LIST",
      "[rad or m] posture at rest before and after the motion; default: chosen by the program");
  options.flag("from-rest",
               design.from_rest,
               "every period begins and ends at rest, without lead-in and lead-out");
  options.texts("exclude-joint",
                request.excluded,
                "NAME[=X]",
                "hold this joint fixed, at 0 or at X [rad or m]");
  options.flag("no-drive-inertia", request.no_drive_inertia, "do not optimise for drive inertias");
}

void declareSearch(Options& options, ExciteRequest& request) {
  ExcitationOptions& design = request.design;
  options.number("seconds",
                 design.search.seconds,
                 "s",
                 "time of the search, after which the best motion is taken");
  options.integer("starts",
                  design.search.starts,
                  0,
                  "number of random starts of the search, instead of --seconds: the result then "
                  "depends on the seed only; 0: as many as the time allows");
  options.flag(
      "force",
      request.force,
      "exit status 0 even if the motion is poor, that is, leaves parameters undetermined or "
      "is worse than the best of twenty random motions without obstacles");
  options.integer("seed", request.seed, 0, "seed of the search");
  declareThreads(options, design.search.threads, "with `starts` the result does not depend on it");
}

}  // namespace

void declare(Options& options, ExciteRequest& request) {
  declareFiles(options, request);
  declareExperiment(options, request);
  declareLimits(options, request);
  declareSearch(options, request);
}

void finish(ExciteRequest& request, const Options& options, const Robot& robot) {
  ExcitationOptions& design = request.design;
  design.seed = static_cast<std::uint64_t>(request.seed);
  if (!request.payload.empty()) {
    const size_t colon = request.payload.rfind(':');
    design.payload_link = request.payload.substr(0, colon);
    if (colon != std::string::npos) {
      const std::optional<double> mass = parseFinite(request.payload.substr(colon + 1));
      if (!mass || *mass < 0.0)
        throw UsageError("--payload-only: \"" + request.payload +
                         "\" is not LINK or LINK:MASS with a mass in kg, for example tool0:2.5");
      design.payload_mass = *mass;
    }
    if (!options.given("duration")) design.duration_s = 5.0;
    if (!options.given("harmonics")) design.harmonics = 3;
  }
  design.noise = numbers("noise", request.noise);
  design.start = numbers("start", request.start);
  design.limits.velocity = numbers("max-velocity", request.velocity);
  design.limits.acceleration = numbers("max-acceleration", request.acceleration);
  design.limits.jerk = numbers("max-jerk", request.jerk);
  design.limits.effort = !request.ignore_effort;
  design.statistics.assign(request.statistics.begin(), request.statistics.end());
  design.space.surroundings = surroundingsOf(robot, request.robot);
  design.drive_inertia = !request.no_drive_inertia;
  if (design.search.starts > 0 && !options.given("seconds")) design.search.seconds = 0.0;
  options.asUsage([&] {
    design.criterion = criterionOf(request.criterion);
    design.check(robot);
  });
  if (design.search.starts == 0 && !(design.search.seconds > 0.0))
    throw UsageError("--seconds is " + toText(design.search.seconds) +
                     "; expected a positive number");
}

}  // namespace dynid::tool
