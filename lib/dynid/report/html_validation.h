#pragma once

#include "dynid/validation/validation.h"

#include <cstddef>
#include <string>

namespace dynid {

/// Sections of a report about one validated log.
std::string verdictMarkup(const ValidationResult& result);  ///< badge and reasons
std::string scoreSection(const ValidationResult& result);   ///< table per joint
/// Measured, predicted, residual and histogram of every joint but the worst.
std::string curveSection(const ValidationResult& result);
/// The same of the worst joint; "" without curves.
std::string worstJointSection(const ValidationResult& result);
/// Index of the joint with the largest relative error while moving. @pre there are joints
size_t worstJoint(const ValidationResult& result);
std::string checkSection(const ValidationResult& result);
std::string budgetSection(const ValidationResult& result);      ///< "" if no budget was requested
std::string comparisonSection(const ValidationResult& result);  ///< "" without comparisons

}  // namespace dynid
