#pragma once

#include "dynid/identification/identify.h"
#include "dynid/validation/validation.h"

#include <string>
#include <vector>

namespace dynid {

/// The top of a report: whether the model may be used, three figures of its accuracy, the next
/// steps, and the plot of the worst joint.
std::string firstScreen(const ValidationResult& result);

/// The same for an identification.
/// @param on_training  predictions of the training logs; if empty, there is no plot
std::string firstScreen(const Identification& identification,
                        const std::vector<ValidationResult>& on_training);

}  // namespace dynid
