#pragma once

#include "dynid/model/model.h"

#include <string>

namespace dynid {

/// Sections of a report about the model; each is "" if the model has no content for it.
std::string baseParameterSection(const Model& model);  ///< combinations with error bars
std::string linkSection(
    const Model& model);  ///< parameters, eigenvalues, identifiability from the logs
std::string effectSection(const Model& model);       ///< friction, drives, payloads
std::string fitSection(const Model& model);          ///< residuals of the fit per joint
std::string certificateSection(const Model& model);  ///< physical fit, proof, bounds
std::string provenanceSection(const Model& model);   ///< logs, settings, versions

}  // namespace dynid
