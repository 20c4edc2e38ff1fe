#pragma once

namespace dynid {

/// Lowest cut-off that is taken from a file or from the user [Hz]. Joints move faster than once in
/// 1000 s, and a filter with a far lower cut-off remembers more rows than memory holds.
constexpr double kLowestUsableCutoff = 1e-3;

/// Whether a cut-off [Hz] of a model file, of saved statistics or of the user can be used; how it
/// relates to the sample rate of a log is checked where the log is read.
inline bool isUsableCutoff(double hz) { return hz >= kLowestUsableCutoff && hz < 1e12; }

}  // namespace dynid
