#pragma once

#include "dynid/diagnosis/diagnosis.h"
#include "dynid/identification/find_delays.h"
#include "dynid/identification/settings.h"
#include "dynid/statistics/recordings.h"

#include <vector>

namespace dynid {

/// Diagnoses every log separately, so that a faulty log among several can be named. Of more than 32
/// logs, 32 evenly chosen ones are diagnosed, because a mistake in one log of a fleet is usually in
/// all of them. A log that the audit of its signals refuses is not diagnosed.
/// @returns one diagnosis per log
/// @throws InputError with every mistake for which a log is refused and its remedy, unless
/// settings.force
std::vector<Diagnosis> diagnoseLogs(const Recordings& recordings,
                                    const IdentificationSettings& settings);

/// The findings of audit and diagnosis of a log, worst first. Delays that the identification has
/// estimated and removed replace the coarse estimate of the diagnosis, unless the diagnosis has
/// seen one that is more than twice as long. The diagnosis is also not repeated where, within two
/// standard deviations of the fit (LogDelay::largest_alone), every effort that it calls late is
/// less than kLateEffort late, or less late than it says within the range that the fit searches;
/// unless a delay is named as the mistake of the log.
std::vector<Finding> withDiagnosis(const std::vector<Finding>& audit,
                                   const Diagnosis& diagnosis,
                                   const LogDelay& delay);

}  // namespace dynid
