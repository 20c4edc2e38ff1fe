#include "dynid/statistics/same_description.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"

namespace dynid {

void requireSameGravity(const Robot& robot,
                        const GatheredStatistics& gathered,
                        const std::string& file) {
  if ((gathered.gravity - robot.gravity).norm() <= 1e-9 * robot.gravity.norm()) return;
  throw InputError(file + ":/: was made with gravity " + toText(gathered.gravity.norm()) +
                   " m/s^2 in another direction or of another size; make it again with this "
                   "robot description");
}

void requireSameTexts(const Robot& robot,
                      const GatheredStatistics& gathered,
                      const std::string& file,
                      const std::string& remedy) {
  if (gathered.robot_sha256 == robot.sha256) return;
  throw InputError(file + ":/: was made with another description of robot \"" +
                   gathered.robot_name + "\" (its texts differ); " + remedy);
}

void noteOtherTexts(const Robot& robot, GatheredStatistics& gathered) {
  if (gathered.robot_sha256 == robot.sha256) return;
  for (GatheredLog& log : gathered.logs)
    log.notes = (log.notes.empty() ? "" : log.notes + "\n") +
                "its statistics were made with another description of the robot (used by force): "
                "only bounds may differ";
}

}  // namespace dynid
