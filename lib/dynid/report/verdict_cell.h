#pragma once

#include "dynid/model/model.h"

#include <string>

namespace dynid {

/// A square table cell with a letter: A alone, C in a combination, - not at all; the background
/// shows how well the parameter is excited.
std::string verdictCell(const std::string& parameter, const ParameterVerdict& verdict);

}  // namespace dynid
