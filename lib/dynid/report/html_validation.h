#pragma once

#include "dynid/validation/validation.h"

#include <string>

namespace dynid {

/// Sections of a report about one validated log.
std::string verdictMarkup(const ValidationResult& result);  ///< badge and reasons
std::string scoreSection(const ValidationResult& result);   ///< table per joint
std::string curveSection(
    const ValidationResult& result);  ///< measured, predicted, residual, histogram per joint
std::string checkSection(const ValidationResult& result);
std::string budgetSection(const ValidationResult& result);      ///< "" where none was asked for
std::string comparisonSection(const ValidationResult& result);  ///< "" without other models

}  // namespace dynid
