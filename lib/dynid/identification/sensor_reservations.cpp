#include "dynid/identification/sensor_reservations.h"

#include "dynid/model/error_limits.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

// Of a factor from 1: calibrated sensors are within a few percent.
constexpr double kFactorRange = 0.15;

double largestErrorOf(const SensorFit& sensor) {
  return std::max(sensor.force_error, sensor.moment_error);
}

bool isOffFactor(double factor) { return std::abs(factor - 1.0) > kFactorRange; }

bool isWrongSensor(const SensorFit& sensor) {
  return largestErrorOf(sensor) > kLargestError || isOffFactor(sensor.force_factor) ||
         isOffFactor(sensor.moment_factor);
}

bool isNear(double value, double expected) {
  return std::abs(value - expected) <= kFactorRange * std::abs(expected);
}

/// What the factors say about the sensor; "" where nothing is found.
std::string factorText(const SensorFit& sensor) {
  const double f = sensor.force_factor, n = sensor.moment_factor;
  if (!isOffFactor(f) && !isOffFactor(n)) return "";
  if (isNear(f, -1.0) && isNear(n, -1.0))
    return "it agrees with the efforts if its sign is reversed: it seems to be the wrench that the "
           "robot exerts and not the one exerted on it";
  if (isNear(f, -1.0) || isNear(n, -1.0))
    return fmt::format("it agrees with the efforts if the sign of its {} is reversed",
                       isNear(f, -1.0) ? "forces" : "moments");
  const std::string factors =
      isOffFactor(f) && isOffFactor(n)
          ? fmt::format("forces are multiplied by {:.3g} and its moments by {:.3g}", f, n)
      : isOffFactor(f) ? fmt::format("forces are multiplied by {:.3g}", f)
                       : fmt::format("moments are multiplied by {:.3g}", n);
  return fmt::format("it agrees with the efforts if its {}{}",
                     factors,
                     isNear(f, 9.80665) ? " (kgf in place of N)"
                     : isNear(n, 1e-3)  ? " (N mm in place of N m)"
                                        : "");
}

/// @param limit  of the unexplained share, above which the sensor is named
std::string sensorText(const SensorFit& sensor, double limit) {
  constexpr double kShown = 10.0;  // errors above 1000 % say no more
  const bool of_base = sensor.channel == "base/wrench";
  std::string found = factorText(sensor);
  if (largestErrorOf(sensor) > limit)
    found = fmt::format(
        "the fit leaves {:.0f} % of its forces and {:.0f} % of its moments "
        "unexplained (at most {:.0f} %){}{}",
        100.0 * std::min(kShown, sensor.force_error),
        100.0 * std::min(kShown, sensor.moment_error),
        100.0 * limit,
        found.empty() ? "" : "; ",
        found);
  return fmt::format(
      "{} contradicts the other channels: {}; check its sign ({}), unit (N, N m), order (f, n), "
      "axes{}, the point of its moment, that it was not tared under load, and its time, or delete "
      "it from the log to identify without it",
      sensor.channel,
      found,
      of_base ? "exerted by the ground on the base" : "exerted on the link and what it carries",
      of_base ? " (attribute `frame`)" : " (of the link, as those of the inertial sensor there)");
}

}  // namespace

std::vector<std::string> wrongSensors(const Model& model) {
  std::vector<std::string> texts;
  for (const SensorFit& sensor : model.fit.per_sensor)
    if (isWrongSensor(sensor)) texts.push_back(sensorText(sensor, kLargestError));
  return texts;
}

std::vector<std::string> doubtfulSensors(const Model& model) {
  std::vector<std::string> texts;
  for (const SensorFit& sensor : model.fit.per_sensor)
    if (largestErrorOf(sensor) > kDoubtfulError && !isWrongSensor(sensor))
      texts.push_back(sensorText(sensor, kDoubtfulError));
  return texts;
}

}  // namespace dynid
