#pragma once

#include "dynid/signals/raw_signals.h"

#include <Eigen/Core>

#include <span>

namespace dynid {

/// Standard deviation of the error that rounding to the step of an encoder (or to the digits of a
/// file) causes in the recorded positions. Where a joint moves, rounding to a step d has the
/// variance d^2/12 (Widrow, Kollar, Quantization Noise, 2008); where it rests, the error is
/// constant. d is the smallest difference between successive rows that occurs repeatedly, if small
/// differences are multiples of it.
///
/// @param excerpts  positions [rows x n, rad or m]; NaN are skipped
/// @returns [n] rad or m, mean over all rows; 0: the positions are not rounded, or so finely that
/// the joint never moves by a few steps only
Eigen::VectorXd roundingNoise(std::span<const RawSignals> excerpts, int threads = 1);

}  // namespace dynid
