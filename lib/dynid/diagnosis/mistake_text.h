#pragma once

#include "dynid/diagnosis/tried_hypothesis.h"

#include <string>
#include <vector>

namespace dynid {

/// "shoulder, elbow and wrist"; "all joints" of none.
std::string namesOf(const std::vector<int>& joints, const std::vector<std::string>& names);
/// "40 times less" for a gain in nats. It is a product over all joints; above 1000 the number has
/// no meaning, and the text is "more than 1000 times less".
std::string timesLess(double gain);
/// Stable short name of a kind of mistake, kebab-case: "effort-sign".
std::string codeOf(Mistake::Kind kind);
/// "effort-sign elbow_joint", "effort-scale elbow_joint x 0.01": one line of a table.
std::string shortText(const Mistake& mistake, const std::vector<std::string>& names);
/// "the effort of elbow_joint has the opposite sign".
std::string statementOf(const Mistake& mistake, const std::vector<std::string>& names);
/// What to change in the user's files.
std::string remedyOf(const Mistake& mistake, const std::vector<std::string>& names);

}  // namespace dynid
