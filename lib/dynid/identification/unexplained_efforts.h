#pragma once

#include "dynid/diagnosis/diagnosis.h"
#include "dynid/model/model.h"

#include <string>
#include <vector>

namespace dynid {

/// Joints whose effort is measured well and does not follow from the logged motion: a reason not to
/// use the model, because a wrong motion of one joint makes the links next to it wrong as well. A
/// joint is named if
///
///     error   it is not identified (isIdentified),
///     noise   its noise floor is less than 0.3 of the norm of its effort,
///     motion  it covers at least 0.1 rad (prismatic: 0.02 m) in a log that was diagnosed, and
///     fit     the plain model of the diagnosis leaves half of the variance of its effort there.
///
/// Joints that rest, tremble or have a noisy or coarse effort are therefore not named: they are not
/// identified, and the others may be used.
/// @param diagnoses  one per log
/// @returns a sentence with its remedy; empty if there is no such joint
std::vector<std::string> unexplainedEfforts(const Model& model,
                                            const std::vector<Diagnosis>& diagnoses);

/// What a large unexplained share points to: efforts at standstill that do not follow from gravity,
/// where the fit explains the motion and more than a tenth of the samples stand; else `otherwise`.
std::string causeOfError(const Model& model, const char* otherwise);

}  // namespace dynid
