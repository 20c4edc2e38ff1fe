#pragma once

#include <Eigen/Core>

#include <limits>
#include <span>
#include <string>

namespace dynid {

/// A cut-off frequency and the reason for it.
struct CutoffChoice {
  double cutoff_hz = 0.0;         ///< of rows and efforts
  double motion_cutoff_hz = 0.0;  ///< of the motion: cutoff_hz before a filter has lowered it
  double least_hz = 0.0;          ///< that the speed of half of the joints asks for
  /// Share of the squared acceleration below the cut-off, noise included, that lies above
  /// kSlowMotionHz; median of the joints that move.
  double fast_share = 0.0;
  Eigen::VectorXd joint_hz;  ///< [n] cut-off for each joint alone; NaN if it does not move
  Eigen::VectorXd noise;     ///< [n] rad or m: standard deviation of the white position noise
  /// [Hz] frequency at which efforts were low-passed before they were saved
  /// (findPrefilters); NaN: none was found
  double prefilter_hz = std::numeric_limits<double>::quiet_NaN();
  bool lowered_by_prefilter = false;  ///< whether cutoff_hz is lower because of this filter
  std::string reason;
};

/// [Hz] The squared acceleration of a robot mostly lies below.
inline constexpr double kSlowMotionHz = 4.0;

/// Highest cut-off frequency [Hz] at which motion with this sample rate [Hz] can be filtered and
/// differentiated: 0.2 of the rate, where central differences (differentiate) are 2 % too small.
double highestCutoff(double rate_hz);

/// Where efforts were low-passed before they were saved, the cut-off is at most this share of the
/// frequency of that filter, unless the motion is too fast (chooseCutoff).
inline constexpr double kOfPrefilter = 0.35;

/// Number of independent samples below which a fit has too many unknowns (about a dozen per joint).
inline constexpr double kFewSamples = 120.0;

/// Chooses the low-pass cut-off frequency from the data.
///
/// A recorded position is motion plus white noise (quantisation, timing), so its spectrum S falls
/// to a floor N. The part of the motion above a cut-off f that is lost plus the noise below f that
/// remains, both weighted as accelerations,
///   E(f) = int_f^inf (S - N) w^4 dw + kappa int_0^f N w^4 dw,   kappa = 10,
/// is minimal where the motion falls to 10 dB above the floor, independent of gaps or narrow peaks
/// in the spectrum. What lies above 0.2 of the rate and above a stretch of 0.1 of the rate without
/// motion is not counted: images of the motion, which interpolation causes at multiples of the rate
/// before it, and vibrations. Two bounds follow from the spectrum of the speed: the cut-off is at
/// least three times the frequency below which 95 % of its energy lies (the two filter passes then
/// do not affect that motion), and at most 15 times that of 99.9 % (above are vibrations, however
/// clearly measured). The lower quartile of the moving joints' cut-offs is used: every torque
/// depends on the noise of all joints, which biases parameters, whereas motion above the cut-off
/// only reduces the excitation a little, because rows and efforts pass through the same filter.
///
/// E(f) is an average over the log: where a slow motion starts from rest, its acceleration lasts
/// too short to stand out of the noise, but the rows there would be wrong. A cut-off that leaves
/// fewer than 2 kFewSamples of the log is therefore raised until it leaves as many, as far as the
/// noise below it is at most 1 % of the acceleration (lower quartile of the moving joints), and at
/// most to kSlowMotionHz.
///
/// A filter that the efforts passed before they were saved is not in the rows, and biases friction.
/// The cut-off of rows and efforts is therefore at most 0.35 times the frequency of such a filter
/// (there it takes 1.5 % of the effort if it is a Butterworth filter of second order, forward and
/// backward; with half of it, 6 %, too few intervals hold the truth: experiments/coverage), but at
/// least 1.3 times the frequency below which 95 % of the energy of every joint's speed lies, and at
/// least the one that leaves kFewSamples of the log: with fewer, the scatter of the parameters is
/// worse than their bias (on a UR10, with 44 samples 5.7 % error on the other half of the log, with
/// 126 samples 3.7 %). The motion keeps its cut-off, which is not that close to its frequencies, or
/// has that of the rows where this is higher.
/// Where the filter has removed the position noise too, the floor is measured below its frequency.
///
/// Rows whose times are not exact (a logger that polls) have errors that look like fast motion.
/// Where they are more than half of the squared acceleration below the chosen cut-off, in half of
/// at least three joints that move, the choice is repeated without them (withoutTimingErrors).
///
/// @param positions pieces [N,n] on the uniform clock (rad or m)
/// @param rate_hz sample rate of that clock
/// @param fresh_rate_hz measured rows per second, at most rate_hz: what lies above half of it
/// results from interpolation and contains no information about motion and noise
/// @param rounding_noise [n] rad or m (roundingNoise); empty: none. The floor is at least that of
/// white noise of this size. The one that is measured may be lower: in a motion that repeats
/// itself, the error of rounding lies at multiples of its frequency, and nothing is between them.
/// @param efforts pieces [N,n] of the efforts at the same samples; empty: filters are not searched
/// @param exact_motion the positions have no noise (judgeMotion)
/// @param threads for the joints; the result does not depend on it
/// @returns a cut-off in [10 / longest piece, 0.2 fresh_rate_hz]
CutoffChoice chooseCutoff(std::span<const Eigen::MatrixXd> positions,
                          double rate_hz,
                          double fresh_rate_hz,
                          const Eigen::VectorXd& rounding_noise = {},
                          std::span<const Eigen::MatrixXd> efforts = {},
                          bool exact_motion = false,
                          int threads = 1);

}  // namespace dynid
