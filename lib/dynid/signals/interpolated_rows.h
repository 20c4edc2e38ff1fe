#pragma once

#include "dynid/signals/raw_signals.h"

#include <span>

namespace dynid {

/// Rate of the samples between which a log was interpolated linearly, as by a logger or program
/// that resamples it to a higher rate.
///
/// Between two samples the positions of all joints lie on straight lines: a row k is straight if
///   |q_j(k-1) - 2 q_j(k) + q_j(k+1)| <= 2^-22 max |q_j|
/// in all joints j (rounding of single precision). Where the slope differs before and after rows
/// that are not straight, there was a sample. The rows s_i behind these samples are periodic:
///   R(f) = |sum_i exp(2 pi i f s_i)| / (number of rows s_i)
/// is at least 0.65 for the source's frequency f (in cycles per row), root mean square over blocks
/// of 1024 rows. Two further conditions exclude other motions:
/// - After a step of a coarse encoder in slow motion the slope is mostly the one before. At least
///   three times as many slopes change as return.
/// - An oscillation turns periodically too, but is straight in few rows. Of those between samples,
///   a share of 1 - 2 f of all rows, at least four fifths are straight; stretches of more than 32
///   straight rows (standstill, constant speed) do not count.
///
/// Of 1,200 logs that were not interpolated (58 of nine robots, others simulated), those with R of
/// at least 0.65 have at most 1.6 times as many changes as returns and half of the straight rows;
/// 73 simulated logs that were interpolated to 2, 2.37 and 4 times their rate have R of at least
/// 0.71, four times as many, and all of those rows.
///
/// Rows that repeat the row before are found by heldRows. An interpolation to less than twice the
/// rate, to twice the rate between the samples, of irregular stamps, or saved with few digits
/// leaves too few straight rows.
///
/// @param excerpts contiguous excerpts of one log
/// @param rate_hz rows per second
/// @returns [Hz] in [rate_hz / 32, rate_hz / 2], to within rate_hz / 4096; NaN: not interpolated
/// linearly
double interpolatedFrom(std::span<const RawSignals> excerpts, double rate_hz);

}  // namespace dynid
