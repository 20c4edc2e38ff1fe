#pragma once

#include "dynid/core/progress.h"
#include "dynid/identification/settings.h"
#include "dynid/logs/log_reader.h"
#include "dynid/model/model.h"
#include "dynid/signals/audit.h"

#include <Eigen/Core>

#include <filesystem>
#include <functional>
#include <optional>

namespace dynid {

/// The share of joint effects and payload in a prediction, in its units and on its side
/// [samples x joints]; the rest is the rigid bodies'.
struct EffectParts {
  Eigen::MatrixXd friction;      ///< ripple, offset and presliding too
  Eigen::MatrixXd drive;         ///< drive inertia
  Eigen::MatrixXd spring;        ///< position effects
  Eigen::MatrixXd payload;       ///< the log's known payload
  Eigen::VectorXd effort_scale;  ///< [joints] predicted unit per N m; 1 but for unknown gains
};

/// A stretch of a log with its prediction, at the log's own time stamps, joint side, SI (A where
/// the model is in amperes).
struct PredictionBlock {
  Eigen::VectorXd time;        ///< [s]
  Eigen::MatrixXd q, dq, ddq;  ///< [samples x joints] conditioned motion at the same instants
  Eigen::MatrixXd measured;    ///< [samples x joints] unfiltered
  Eigen::MatrixXd predicted;   ///< [samples x joints]
  Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic> moving;  ///< [samples x joints]
  /// The same in the log's own channel: its side of the transmission, A where it holds currents.
  Eigen::MatrixXd recorded, recorded_predicted;  ///< [samples x columns of the log]
  /// Where they were asked for: efforts of the links alone [samples x joints, N m or N], and what
  /// joint effects and the load add.
  Eigen::MatrixXd rigid;
  std::optional<EffectParts> parts;
};

/// What a prediction's blocks hold besides.
struct PredictionExtras {
  bool rigid = false;  ///< PredictionBlock::rigid
  bool parts = false;  ///< PredictionBlock::parts
  /// Windows of about so many rows in all, evenly spread over the log; 0: the whole log.
  std::int64_t max_rows = 0;
};

/// Predicts the effort of every sample of a log, block by block (constant memory).
///
/// Motion is conditioned as at identification (`model.signals`), with cut-offs lowered to 0.2 of
/// the log's rate where the log is slower than those the model was identified from; the measured
/// effort is never filtered. Every row of the log gets a prediction; rows whose measurement is not
/// finite keep NaN in `measured` and are left out of scores.
///
/// @param sink  called with consecutive blocks in the log's order
void predictLog(const Model& model,
                const std::filesystem::path& log,
                const IdentificationSettings& settings,
                const std::function<void(const PredictionBlock&)>& sink,
                const Progress& progress = {},
                PredictionExtras extras = {});

/// A model of the description's own values (URDF inertials, damping and friction), for `validate
/// --robot` without a model.
/// @throws InputError if links that move have no inertial.
Model modelFromDescription(const std::shared_ptr<const Robot>& robot);

}  // namespace dynid
