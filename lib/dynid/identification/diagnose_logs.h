#pragma once

#include "dynid/diagnosis/diagnosis.h"
#include "dynid/identification/settings.h"
#include "dynid/statistics/recordings.h"

#include <vector>

namespace dynid {

/// Diagnoses every log by itself, so that the wrong one among several is named. Of more than 32
/// logs as many, evenly chosen, are diagnosed: a mistake in one log of a fleet is most often in all
/// of them. A log that the audit of its signals refuses is not diagnosed.
/// @returns one per log
/// @throws InputError with every mistake that refuses a log and its remedy, unless settings.force
std::vector<Diagnosis> diagnoseLogs(const Recordings& recordings,
                                    const IdentificationSettings& settings);

/// What the audit and the diagnosis found in a log, worst first.
std::vector<Finding> withDiagnosis(const std::vector<Finding>& audit, const Diagnosis& diagnosis);

}  // namespace dynid
