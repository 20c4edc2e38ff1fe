#pragma once

namespace dynid {

/// Lowest cut-off that is accepted from a file or the user [Hz]. Joints move faster than once in
/// 1000 s. The response of a filter with a far lower cut-off would be longer than memory allows.
constexpr double kLowestUsableCutoff = 1e-3;

/// Whether a cut-off [Hz] of a model file, of saved statistics or of the user can be used; how it
/// relates to the sample rate of a log is checked where the log is read.
inline bool isUsableCutoff(double hz) { return hz >= kLowestUsableCutoff && hz < 1e12; }

}  // namespace dynid
