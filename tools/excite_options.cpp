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
               "[rad/s or m/s] in place of the description's limits" + list);
  options.text("max-acceleration",
               request.acceleration,
               "LIST",
               "[rad/s^2 or m/s^2] in place of the description's limits" + list);
  options.text("max-jerk", request.jerk, "LIST", "[rad/s^3 or m/s^3] default: not limited" + list);
  options.number("position-share",
                 limits.position_share,
                 "1",
                 "share of every position range that may be used, about its middle");
  options.number("velocity-share", limits.velocity_share, "1", "share of the velocity limits");
  options.number(
      "acceleration-share", limits.acceleration_share, "1", "share of the acceleration limits");
  options.number("effort-share",
                 limits.effort_share,
                 "1",
                 "share of the effort limits; efforts come from the description's inertias");
  options.flag("ignore-effort", request.ignore_effort, "do not limit efforts");
  SpaceOptions& space = request.design.space;
  options.number("clearance",
                 space.clearance,
                 "m",
                 "between links, obstacles and the ground that the description names");
  options.number(
      "link-radius",
      space.link_radius,
      "m",
      "of capsules between the joints, where the description has none; given, links keep "
      "clear of each other whatever else the description has",
      "0.05 where the description has obstacles");
  options.flag("ignore-space", space.ignore, "do not look at collisions");
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
  options.text("csv", request.csv, "FILE.csv", "write its samples as text too");
  options.text(
      "ros", request.ros, "FILE.yaml", "write it as a trajectory_msgs/JointTrajectory too");
  options.text("report",
               request.report,
               "FILE.html",
               "write a page with the curves between their limits and the forecast");
}

void declareExperiment(Options& options, ExciteRequest& request) {
  ExcitationOptions& design = request.design;
  options.number("duration", design.duration_s, "s", "of one period");
  options.integer("harmonics", design.harmonics, 1, "of the Fourier series");
  options.integer("periods", design.periods, 1, "how often the period is repeated");
  options.text("criterion",
               request.criterion,
               "d|a|e|condition",
               "what is made small: confidence volume, sum of variances, worst direction, "
               "condition number");
  options.text("noise",
               request.noise,
               "LIST",
               "[N m or N] standard deviation of the effort noise; one value, or one per channel");
  options.text(
      "payload-only",
      request.payload,
      "LINK[:MASS]",
      "a motion for a load at this link, the robot being known: 5 s and 3 harmonics unless "
      "given; MASS [kg], at the link's origin, counts in the efforts");
  options.texts(
      "statistics",
      request.statistics,
      "FILE.h5",
      "what identify --save-statistics wrote of earlier logs (a quoted pattern names many): the "
      "motion that adds most to them is designed, and the forecast is for all together");
  options.number("rate", design.rate_hz, "Hz", "samples per second, of the file and the forecast");
  options.text("start",
               request.start,
               "LIST",
               "[rad or m] posture at rest before and after; default: chosen");
  options.flag("from-rest",
               design.from_rest,
               "the series itself begins and ends every period at rest, without lead-in and "
               "lead-out");
  options.texts(
      "exclude-joint", request.excluded, "NAME", "hold this joint fixed and leave it out");
  options.flag("no-drive-inertia", request.no_drive_inertia, "do not ask for drive inertias");
}

void declareSearch(Options& options, ExciteRequest& request) {
  ExcitationOptions& design = request.design;
  options.number("seconds", design.search.seconds, "s", "of search; the best so far is taken then");
  options.integer("starts",
                  design.search.starts,
                  0,
                  "random starts of the search instead of --seconds: the result then depends on "
                  "the seed only; 0: as many as time allows");
  options.flag(
      "force",
      request.force,
      "exit status 0 also for a poor motion: one worse than the best of twenty random ones "
      "without obstacles");
  options.integer("seed", request.seed, 0, "of the search");
  declareThreads(options, design.search.threads);
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
