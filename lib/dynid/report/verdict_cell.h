#pragma once

#include "dynid/model/model.h"

#include <string>

namespace dynid {

/// One square: A alone, C in a combination, - not at all; its ground says how well it is excited.
std::string verdictCell(const std::string& parameter, const ParameterVerdict& verdict);

}  // namespace dynid
