#pragma once

#include "dynid/diagnosis/fold_statistics.h"
#include "dynid/diagnosis/hypothesis_search.h"
#include "dynid/diagnosis/log_excerpt.h"

#include "simulated_arm.h"
#include <memory>
#include <utility>
#include <vector>

namespace dynid::support {

/// The statistics of a log of the simulated arm under the gravity of `robot`.
struct ArmStatistics {
  std::shared_ptr<const Robot> robot;
  ChannelColumns columns{robot}, weightless{withGravity(*robot, Eigen::Vector3d::Zero())};
  MotionStatistics motion;
  EffortStatistics effort;

  ArmStatistics(std::shared_ptr<const Robot> described, const DiagnosedLog& log)
      : robot(std::move(described)) {
    const LogExcerpt excerpt = excerptOf(log.windows, std::vector<bool>(robot->numJoints(), false));
    const ColumnMotion moved{excerpt.q, excerpt.dq, excerpt.ddq};
    const ChannelRows rows = columns.rows(moved);
    motion = motionStatistics(columns, weightless, moved, rows, excerpt.fold);
    effort = effortStatistics(rows, excerpt.effort, excerpt.fold);
  }
};

}  // namespace dynid::support
