#pragma once

#include "dynid/core/progress.h"
#include "dynid/identification/settings.h"
#include "dynid/model/model.h"

#include <Eigen/Core>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>

namespace dynid {

class LogSource;
struct SignalPlan;

/// The contributions of joint effects and payload to a prediction, in its units and on its side of
/// the transmission, [samples x joints]. The remainder is due to the rigid bodies.
struct EffectParts {
  Eigen::MatrixXd friction;      ///< ripple, offset and presliding too
  Eigen::MatrixXd drive;         ///< drive inertia
  Eigen::MatrixXd spring;        ///< position effects
  Eigen::MatrixXd payload;       ///< the log's known payload
  Eigen::VectorXd effort_scale;  ///< [joints] predicted unit per N m; 1 except for unknown gains
};

/// A section of a log with its prediction, at the time stamps of the log, joint side, in SI units
/// (A if the model is in amperes).
struct PredictionBlock {
  std::int64_t first_row = 0;  ///< row of the log of the first sample
  Eigen::VectorXd time;        ///< [s]
  Eigen::MatrixXd q, dq, ddq;  ///< [samples x joints] conditioned motion at the same times
  Eigen::MatrixXd measured;    ///< [samples x joints], unfiltered
  Eigen::MatrixXd predicted;   ///< [samples x joints]
  Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic> moving;  ///< [samples x joints]
  /// Of the motion [Hz]: predictionCutoff for the log; NaN: not known.
  double cutoff_hz = std::numeric_limits<double>::quiet_NaN();
  /// The same in the channels of the log: its side of the transmission, A if it contains currents.
  Eigen::MatrixXd recorded, recorded_predicted;  ///< [samples x columns of the log]
  /// Only if requested: efforts of the links alone [samples x joints, N m or N], and the
  /// contributions of joint effects and payload.
  Eigen::MatrixXd rigid;
  std::optional<EffectParts> parts;  ///< contributions of joint effects and payload
};

/// Optional content of the blocks of a prediction.
struct PredictionExtras {
  bool rigid = false;  ///< compute PredictionBlock::rigid
  bool parts = false;  ///< compute PredictionBlock::parts
  /// The motion of a block is that at the times to which its efforts belong: earlier by the delay
  /// of the efforts (SignalSettings::effort_delay, the median of the actuators).
  bool at_effort_time = false;
  /// Approximate number of rows in all windows, which are distributed evenly over the log; 0: the
  /// whole log.
  std::int64_t max_rows = 0;
};

/// Whether the model was fitted to motion without noise (SignalPlan::exact_motion): the fit then
/// has no ramp of the Coulomb friction, and its cut-offs were not used.
bool ofExactMotion(const SignalSettings& signals);

/// Cut-off [Hz] at which the motion of a log is filtered where the model was fitted with that of
/// `model.signals`: the model's, lowered to 0.2 of the log's sample rate if necessary. If the model
/// was fitted to motion without noise, which is not filtered: the log's. Where the log moves faster
/// than the training logs: the cut-off chosen from its positions (chooseCutoff), at most three
/// times that which the speed of half of its joints asks for (CutoffChoice::least_hz), because
/// noise alone may ask for a higher cut-off, too. The log moves faster if that is more than 1.5
/// times the cut-off of the model. The cut-offs of single actuators are then at least the one
/// returned.
double predictionCutoff(const SignalSettings& signals, const SignalPlan& plan);

/// Predicts the effort of every sample of a log, block by block in constant memory.
///
/// The motion is conditioned as in the identification (`model.signals`), with cut-offs that follow
/// predictionCutoff. The measured effort is never filtered. Every row of the log has a prediction,
/// but for rows without a usable time, rows at the ends that are far from all others, and gaps of
/// the motion, where it is NaN. Rows whose measurement is not finite have NaN in `measured` and
/// do not count in scores.
///
/// @param sink    receives consecutive blocks in the order of the log
/// @param extras  optional content of the blocks
/// @throws std::invalid_argument for a model that is not complete (Model::check); UsageError for
///     wrong settings; InputError for an unusable log
void predictLog(const Model& model,
                const LogInput& log,
                const IdentificationSettings& settings,
                const std::function<void(const PredictionBlock&)>& sink,
                const Progress& progress = {},
                PredictionExtras extras = {});

/// The same for an open log, whose cut-off frequency is predictionCutoff or that of the model.
/// @param threads  the result does not depend on it
void predictSource(const Model& model,
                   const LogSource& log,
                   int threads,
                   const std::function<void(const PredictionBlock&)>& sink,
                   const Progress& progress = {},
                   PredictionExtras extras = {});

}  // namespace dynid
