#pragma once

#include "dynid/excitation/leads.h"
#include "dynid/excitation/space_check.h"
#include "dynid/logs/trajectory_file.h"

#include <Eigen/Core>

#include <optional>

namespace dynid {

/// A designed motion from beginning to end: lead-in, periods of the series, lead-out. Without leads
/// the series itself begins and ends at rest.
struct WholeMotion {
  Eigen::MatrixXd X;  ///< coefficients as in FourierBasis
  double period_s = 0.0;
  int periods = 1;
  std::optional<Leads> leads;
};

/// Its pieces, and samples whose times are multiples of 1 / `rate_hz`. If the duration is no
/// multiple, which happens only without leads, the last sample is the end of the motion, held at
/// rest for a part of a step. The first and the last sample are at rest.
TrajectoryFile trajectoryOf(const Robot& robot, const WholeMotion& motion, double rate_hz);

/// Rigorous bounds over all its pieces.
MotionPeaks peaksOf(const WholeMotion& motion);

/// Largest |effort| of every joint on dense grids of all its pieces; see effortPeaks.
Eigen::VectorXd effortsOf(const Robot& robot, const WholeMotion& motion);

/// The closest approach over all its pieces, in the time of its trajectory.
Approach approachOf(const Space& space,
                    const WholeMotion& motion,
                    const TrajectoryFile& trajectory);

}  // namespace dynid
