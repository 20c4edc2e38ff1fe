#pragma once

#include "dynid/identification/identify.h"
#include "dynid/validation/validation.h"

#include <string>
#include <vector>

namespace dynid {

/// What a reader of a report wants to know first: may the model be used, how good is it (three
/// numbers), what to do next, and the plot of the worst joint.
std::string firstScreen(const ValidationResult& result);

/// The same of an identification. @param on_training  predictions of the training logs; may be
/// empty, then without a plot
std::string firstScreen(const Identification& identification,
                        const std::vector<ValidationResult>& on_training);

}  // namespace dynid
