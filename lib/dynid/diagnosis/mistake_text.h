#pragma once

#include "dynid/diagnosis/tried_hypothesis.h"

#include <string>
#include <vector>

namespace dynid {

/// Stable short name of a kind of mistake, kebab-case: "effort-sign".
std::string codeOf(Mistake::Kind kind);
/// "effort-sign elbow_joint", "effort-scale elbow_joint x 0.01": one line of a table.
std::string shortText(const Mistake& mistake, const std::vector<std::string>& names);
/// "the effort of elbow_joint has the opposite sign".
std::string statementOf(const Mistake& mistake, const std::vector<std::string>& names);
/// What to change in the user's files.
std::string remedyOf(const Mistake& mistake, const std::vector<std::string>& names);

}  // namespace dynid
