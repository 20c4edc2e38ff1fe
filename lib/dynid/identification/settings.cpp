#include "dynid/identification/settings.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/equations/equations.h"
#include "dynid/signals/usable_cutoff.h"

namespace dynid {

void IdentificationSettings::check() const {
  const auto refuse = [](const std::string& setting, double value, const std::string& range) {
    throw UsageError("`" + setting + "`: " + toText(value) + " is not " + range);
  };
  if (!(from_s < to_s))
    throw UsageError("`from_s` " + toText(from_s) + " `to_s` " + toText(to_s) +
                     ": the range is empty; `from_s` must be the smaller one");
  if (!std::isnan(cutoff_hz) && !isUsableCutoff(cutoff_hz))
    refuse("cutoff_hz", cutoff_hz, "at least " + toText(kLowestUsableCutoff) + ", in Hz");
  if (!(still_speed >= 0.0)) refuse("still_speed", still_speed, "at least 0, in rad/s or m/s");
  if (motion != "filtered" && motion != "spline" && motion != "estimated")
    throw UsageError("`motion` " + motion + ": is not one of filtered, spline, estimated");
  if (!(margin >= 0.0 && margin < 1.0)) refuse("margin", margin, "in [0, 1)");
  if (!(gap_tolerance > 0.0 && gap_tolerance < 1.0))
    refuse("gap_tolerance", gap_tolerance, "between 0 and 1");
  if (blocks < 8 || blocks > 64) refuse("blocks", blocks, "in 8 ... 64");
  if (threads < 1) refuse("threads", threads, "at least 1");
  checkEquations(equations);
  if (!std::isnan(window_s) && !(window_s > 0.0)) refuse("window_s", window_s, "positive, in s");
  const bool other = equations != "inverse-dynamics";
  if (other && (keep_statistics || !statistics.empty()))
    throw UsageError("`equations` " + equations +
                     ": statistics hold rows of inverse dynamics only; give the logs themselves, "
                     "without `statistics` and `keep_statistics`");
}

}  // namespace dynid
