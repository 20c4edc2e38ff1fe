#pragma once

#include "dynid/identification/fit.h"

#include <optional>

namespace dynid {

/// A cut-off that takes the place of the one that was chosen.
struct LowerCutoff {
  double cutoff_hz = 0.0, chosen_hz = 0.0;
  /// Share of the variance of the slow efforts that is left, geometric mean of the channels that
  /// move, at least kLeastUnexplained of each.
  double left = 0.0, left_with_chosen = 0.0;
};

/// "repaired": says that and why the cut-off was lowered.
Finding findingOf(const LowerCutoff& lower);

/// Whether lowerCutoff has to look: if the chosen cut-off is at least 8 Hz and, in one of the logs,
/// a tenth of the squared acceleration lies above 4 Hz (CutoffChoice::fast_share); not with saved
/// statistics.
bool mayNeedLowerCutoff(const Recordings& recordings);

/// The cut-off is chosen for white noise of the positions (chooseCutoff). Noise of another kind,
/// for example of sampling times that differ from joint to joint, may be larger than all motion
/// below the chosen cut-off and bias the fit.
///
/// Plain models are fitted with the chosen cut-off, a half, a quarter ... of it, not below 4 Hz.
/// All predict the same rows, those of the lowest cut-off, in parts of the logs that the fit has
/// not used. The highest cut-off whose share left is at most twice the least one is used: models
/// with cut-offs near that of the rows fit them better by up to 1.7 (UR10e) without being better on
/// other logs.
///
/// @param recordings  the cut-offs of their logs change during the call
/// @param options  `pass` limits the rows; drive gains as found
/// @returns none where the chosen cut-off is not to be changed
std::optional<LowerCutoff> lowerCutoff(const Recordings& recordings,
                                       const GatherOptions& options,
                                       const FitOptions& fit_options);

}  // namespace dynid
