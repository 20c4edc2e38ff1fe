#include "dynid/identification/gain_reservations.h"

#include "dynid/core/text.h"

#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

constexpr double kUndetermined = 0.4;  // standard deviation over gain

std::vector<std::string> textsOf(const Model& model, const std::vector<DoubtfulGain>& doubtful) {
  std::vector<std::string> texts;
  for (const DoubtfulGain& gain : doubtful)
    texts.push_back(fmt::format("{} ({} stated, {} +- {} from the others)",
                                model.robot->drives[gain.actuator].name,
                                toText(gain.stated, 4),
                                toText(gain.found, 4),
                                toText(gain.std_dev, 2)));
  return texts;
}

std::vector<std::string> hardlyDetermined(const Model& model) {
  std::vector<std::string> names;
  for (Eigen::Index a = 0; a < model.drive_gain_std_dev.size(); ++a)
    if (model.drive_gain_std_dev(a) > kUndetermined * std::abs(model.drive_gains(a)))
      names.push_back(model.robot->drives[a].name);
  return names;
}

}  // namespace

std::vector<std::string> gainReservations(const Model& model,
                                          const std::vector<DoubtfulGain>& doubtful) {
  std::vector<std::string> found;
  if (!doubtful.empty())
    found.push_back(fmt::format(
        "the stated drive gains contradict each other in these logs: {}; check them{}, or give "
        "drive_gain = \"identify\" for those that are not sure",
        join(textsOf(model, doubtful)),
        doubtful.size() > 1 ? " (the first contradicts most clearly)" : ""));
  if (const std::vector<std::string> names = hardlyDetermined(model); !names.empty())
    found.push_back(fmt::format(
        "the logs hardly determine the drive gain of {}, which is taken as similar to the others: "
        "predicted currents do not depend on it, masses and torques do (give drive_gain, or add a "
        "log with a known load)",
        join(names)));
  return found;
}

}  // namespace dynid
