#include "dynid/excitation/excitation_options.h"

#include "dynid/core/text.h"
#include "dynid/robot/robot.h"

#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace dynid {
namespace {

// Of a trajectory, which is made in memory: ten thousand seconds at 1 kHz.
constexpr double kFewestSamples = 2.0, kMostSamples = 1e7;

void requirePositive(const char* field, double value) {
  if (!(value > 0.0) || !std::isfinite(value))
    throw std::invalid_argument(
        fmt::format("`{}` is {}; expected a positive number", field, toText(value)));
}

void requireNotNegative(const char* field, double value) {
  if (!(value >= 0.0) || !std::isfinite(value))
    throw std::invalid_argument(
        fmt::format("`{}` is {}; expected 0 or more", field, toText(value)));
}

void requireShare(const char* field, double value) {
  if (!(value > 0.0 && value <= 1.0))
    throw std::invalid_argument(fmt::format("`{}` is {}; expected (0, 1]", field, toText(value)));
}

// A list of positive numbers: empty, one for all, or one each.
void requireList(const char* field,
                 const std::vector<double>& values,
                 std::ptrdiff_t count,
                 const char* each) {
  if (std::ssize(values) > 1 && std::ssize(values) != count)
    throw std::invalid_argument(fmt::format(
        "`{}` has {} values; expected one, or {} (one per {})", field, values.size(), count, each));
  for (double value : values) requirePositive(field, value);
}

}  // namespace

Criterion criterionOf(const std::string& name) {
  for (Criterion c : {Criterion::kD, Criterion::kA, Criterion::kE, Criterion::kCondition})
    if (name == toString(c)) return c;
  throw std::invalid_argument("`criterion` is \"" + name + "\"; expected d, a, e or condition");
}

const char* toString(Criterion criterion) {
  switch (criterion) {
    case Criterion::kD:
      return "d";
    case Criterion::kA:
      return "a";
    case Criterion::kE:
      return "e";
    case Criterion::kCondition:
      break;
  }
  return "condition";
}

void LimitOptions::check(int joints) const {
  requireList("max_velocity", velocity, joints, "joint");
  requireList("max_acceleration", acceleration, joints, "joint");
  requireList("max_jerk", jerk, joints, "joint");
  requireShare("position_share", position_share);
  requireShare("velocity_share", velocity_share);
  requireShare("acceleration_share", acceleration_share);
  requireShare("effort_share", effort_share);
}

void SpaceOptions::check() const {
  requireNotNegative("clearance", clearance);
  requireNotNegative("link_radius", link_radius);
}

void SearchOptions::check() const {
  requireNotNegative("seconds", seconds);
  if (threads < 1)
    throw std::invalid_argument(fmt::format("`threads` is {}; expected at least 1", threads));
  if (starts < 0)
    throw std::invalid_argument(fmt::format("`starts` is {}; expected 0 or more", starts));
}

double ExcitationOptions::samples() const { return rate_hz * duration_s * periods; }

void ExcitationOptions::check(const Robot& robot) const {
  requirePositive("duration_s", duration_s);
  requirePositive("rate_hz", rate_hz);
  if (harmonics < 1 || harmonics > 50)
    throw std::invalid_argument(fmt::format("`harmonics` is {}; expected 1 to 50", harmonics));
  if (periods < 1)
    throw std::invalid_argument(fmt::format("`periods` is {}; expected at least 1", periods));
  if (!(samples() >= kFewestSamples && samples() <= kMostSamples))
    throw std::invalid_argument(
        fmt::format("`rate_hz` is {} and the motion lasts {} times {} s, {} samples; expected {} "
                    "to {}",
                    toText(rate_hz),
                    periods,
                    toText(duration_s),
                    toText(samples()),
                    toText(kFewestSamples),
                    toText(kMostSamples)));
  requireList("noise", noise, std::ssize(robot.drives), "channel");
  if (!start.empty() && start.size() != robot.joints.size())
    throw std::invalid_argument(fmt::format(
        "`start` has {} values; expected {} (one per joint)", start.size(), robot.joints.size()));
  for (const double value : start)
    if (!std::isfinite(value))
      throw std::invalid_argument("`start` contains a number that is not finite");
  if (from_rest && (harmonics < 2 || !start.empty()))
    throw std::invalid_argument(
        "`from_rest` needs `harmonics` of 2 or more and no `start`, because the series itself then "
        "determines where the motion starts");
  limits.check(robot.numJoints());
  space.check();
  search.check();
  if (payload_link.empty()) return;
  robot.findLink(payload_link);
  requireNotNegative("payload_mass", payload_mass);
  if (!statistics.empty())
    throw std::invalid_argument(
        "`statistics` determine parameters of the robot, which are taken as known when "
        "`payload_link` is given; give only one of them");
}

}  // namespace dynid
