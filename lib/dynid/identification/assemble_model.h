#pragma once

#include <memory>
#include <vector>

#include "dynid/identification/accumulate.h"
#include "dynid/identification/consistent_fit.h"
#include "dynid/model/model.h"

namespace dynid {

/// What the stages of an identification hand over to become a model.
struct ModelParts {
  std::shared_ptr<const Robot> robot;
  const IdentificationSettings* settings = nullptr;
  const std::vector<LogRun>* logs = nullptr;
  const PayloadTable* payloads = nullptr;
  ParameterLayout layout;
  const Statistics* statistics = nullptr;
  const Estimate* estimate = nullptr;  ///< over base->independent
  const BaseParameters* base = nullptr;
  const ConsistentFit* fit = nullptr;
  Eigen::VectorXd still_speed;
};

/// [actuators] recorded channel times this is effort: drive gains for currents, 1 for efforts.
/// @throws InputError for currents of a joint without a gain.
Eigen::VectorXd recordedToEffort(const Robot& robot, EffortKind kind);

/// The model with its covariance, verdicts, fit and provenance; `status` says whether it may be used.
Model assembleModel(const ModelParts& parts);

}  // namespace dynid
