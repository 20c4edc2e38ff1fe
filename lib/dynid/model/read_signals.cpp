#include "dynid/model/read_signals.h"

#include "dynid/signals/usable_cutoff.h"

#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

/// Longest delay of the efforts that is read [s]: a hundred times the range that is searched when a
/// model is identified.
constexpr double kLongestDelay = 10.0;

void requireCutoff(const JsonPlace& place, double hz) {
  if (!isUsableCutoff(hz))
    place.fail(
        fmt::format("holds a cut-off of {} Hz; expected at least {} Hz", hz, kLowestUsableCutoff));
}

/// Cut-offs, one per actuator, or an empty vector.
Eigen::VectorXd readCutoffs(const std::optional<JsonPlace>& place, const Robot& robot) {
  Eigen::VectorXd cutoffs = readPerActuator(place, robot);
  for (const double hz : cutoffs) requireCutoff(*place, hz);
  return cutoffs;
}

}  // namespace

Eigen::VectorXd readPerActuator(const std::optional<JsonPlace>& place, const Robot& robot) {
  if (!place || place->elements().empty()) return {};
  return place->vector(std::ssize(robot.drives));
}

// A number for all actuators, or one for each.
Eigen::VectorXd readDelays(const JsonPlace& place, const Robot& robot) {
  const Eigen::Index actuators = std::ssize(robot.drives);
  const Eigen::VectorXd delays = place.isList()
                                     ? place.vector(actuators)
                                     : Eigen::VectorXd::Constant(actuators, place.number());
  for (const double delay : delays)
    if (!(std::abs(delay) <= kLongestDelay))
      place.fail(fmt::format("is {} s; expected -{} to {} s", delay, kLongestDelay, kLongestDelay));
  return delays.isZero(0.0) ? Eigen::VectorXd() : delays;
}

SignalSettings readSignals(const JsonPlace& place, const Robot& robot) {
  SignalSettings signals;
  signals.cutoff_hz = place.at("cutoff_hz").anyNumber();
  if (!std::isnan(signals.cutoff_hz)) requireCutoff(place.at("cutoff_hz"), signals.cutoff_hz);
  signals.rigid_cutoff_hz = readCutoffs(place.find("rigid_cutoff_hz"), robot);
  signals.friction_cutoff_hz = readCutoffs(place.find("friction_cutoff_hz"), robot);
  signals.filter_order = place.at("filter_order").integer();
  if (signals.filter_order < 1 || signals.filter_order > 12)
    place.at("filter_order").fail(fmt::format("is {}; expected 1 to 12", signals.filter_order));
  signals.still_speed = place.at("still_speed").anyNumber();
  signals.ramp_speed = readPerActuator(place.find("ramp_speed"), robot);
  if (signals.ramp_speed.size() > 0 && !(signals.ramp_speed.array() >= 0.0).all())
    place.at("ramp_speed").fail("has a negative speed; expected 0 or more, in rad/s or m/s");
  if (const auto motion = place.find("motion")) signals.motion = motion->text();
  if (signals.motion != "filtered" && signals.motion != "spline" && signals.motion != "estimated")
    place.at("motion").fail("is \"" + signals.motion +
                            "\"; expected filtered, spline or estimated");
  if (const auto delay = place.find("effort_delay"))
    signals.effort_delay = readDelays(*delay, robot);
  return signals;
}

}  // namespace dynid
