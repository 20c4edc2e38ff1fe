#pragma once

#include "dynid/excitation/information.h"
#include "dynid/excitation/motion_limits.h"
#include "dynid/logs/trajectory_file.h"

#include <Eigen/Core>

#include <functional>
#include <optional>

namespace dynid {

/// Rigorous bounds of a quintic piece over its duration: on a grid of step h, max |f| <= max_i
/// |f(t_i)| + h^2/8 max |f''|, where f'' is bounded the same way and the fifth derivative is
/// constant.
MotionPeaks quinticPeaks(const QuinticPiece& piece);

/// `count` samples of the piece, both ends included.
MotionSamples samplesOf(const QuinticPiece& piece, int count);

/// Way into the periodic motion from rest and back to rest.
struct Leads {
  double phase_s = 0.0;  ///< the periodic part begins and ends at this time of its period
  QuinticPiece in, out;  ///< their t0_s is 0
};

/// The shortest lead-in and lead-out within the limits: the series is periodic, so it may be
/// entered at any of its phases; the posture at rest is `start`, or where it is free, what the
/// motion itself suggests: q - (T/2) dq + (T^2/12) ddq.
/// @param clear  whether a piece keeps clear of everything; empty: nothing to ask for
/// @returns nothing where no duration up to 20 s and no phase keeps the limits.
std::optional<Leads> planLeads(const Robot& robot,
                               const MotionLimits& limits,
                               const Eigen::MatrixXd& X,
                               double period_s,
                               const std::optional<Eigen::VectorXd>& start,
                               const std::function<bool(const QuinticPiece&)>& clear = {});

}  // namespace dynid
