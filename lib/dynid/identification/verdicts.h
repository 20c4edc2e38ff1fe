#pragma once

#include "dynid/model/model.h"
#include "dynid/regression/base_parameters.h"
#include "dynid/robot/parameter_layout.h"

#include <vector>

namespace dynid {

/// None where the standard deviation is infinite; badly where it is as large as the value itself.
Excitation excitationOf(double value, double std_dev);

/// What joint torque tells of every parameter of the layout: alone, in a combination or not at all
/// by the structure, and how well by the base parameter that it is seen in (the one in which it
/// weighs most).
/// @param of_base  [independent] how well each base parameter is excited
std::vector<ParameterVerdict> parameterVerdicts(const BaseParameters& base,
                                                const ParameterLayout& layout,
                                                const std::vector<Excitation>& of_base);

}  // namespace dynid
