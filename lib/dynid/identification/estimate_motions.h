#pragma once

#include "dynid/identification/fit.h"
#include "dynid/statistics/gather.h"

namespace dynid {

/// Checks whether estimateMotions supports the robot and the logs.
///
/// @param team  processes that share the work; nullptr: none
/// @throws UsageError with the reason and a remedy: statistics only, several processes, closed
///     loops, coupled drives, positions recorded at the drives, floating bases, exact positions,
///     joints whose position noise is not known, too many samples, sample rates that are too low
///     for splines
void requireEstimable(const Recordings& recordings, const Team* team);

/// Estimates the motion of the logs together with the parameters by maximum likelihood
/// (estimateMotion) and sets it as the motion of their sources. Later passes, those of the
/// certified fit included, use this motion.
///
/// Logs with the same payload and sample rate are estimated together, with common parameters.
/// Estimated are the independent inertial parameters, and per actuator viscous friction, Coulomb
/// friction, an offset and, if the fit has it, the drive inertia. All other effects of the fit
/// (Stribeck, presliding, springs, ...) are subtracted from the efforts beforehand. Every log
/// receives a finding with the result. A motion that does not converge, or that misses the recorded
/// positions by much more than their noise, is not used; the finding then states the reason.
///
/// @param regression  layout of the fit
/// @param fit         certified fit with filtered motion
/// @pre requireEstimable does not throw
void estimateMotions(const Recordings& recordings,
                     const Regression& regression,
                     const Fit& fit,
                     const GatherOptions& options);

}  // namespace dynid
