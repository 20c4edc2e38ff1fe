#pragma once

#include "dynid/signals/finding.h"
#include "dynid/validation/validation.h"

#include <string>
#include <vector>

namespace dynid {

/// Merges findings that differ only in the joint and in numbers: "arm_1, arm_2, arm_3: the logged
/// velocity is 182 to 193 ms later than d(position)/dt". A finding is merged into the first one of
/// the same severity and code whose words (without numbers) and remedy are equal; the order of the
/// first ones is kept. A merged finding has joint -1 and the value of its first one.
///
/// Only messages of the form "joint: text" are merged, and only those of different joints.
std::vector<Finding> groupedFindings(const std::vector<Finding>& findings);

/// The notes of a validation; those of the form "joint: text" are merged in the same way.
std::vector<std::string> groupedNotes(const ValidationResult& result);

}  // namespace dynid
