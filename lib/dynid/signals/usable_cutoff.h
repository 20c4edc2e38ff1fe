#pragma once

namespace dynid {

/// Lowest cut-off that is read from a file [Hz]. Joints move faster than once in 1000 s, and a
/// filter with a far lower cut-off remembers more rows than memory holds.
constexpr double kLowestUsableCutoff = 1e-3;

/// Whether a cut-off [Hz] of a model file or of saved statistics can be used; above half the sample
/// rate of a log it is lowered there.
inline bool isUsableCutoff(double hz) { return hz >= kLowestUsableCutoff && hz < 1e12; }

}  // namespace dynid
